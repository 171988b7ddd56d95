import type { JsonObject } from './json.ts';

// The part of a call of a model that concerns tools, between the step activity and the driver.

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments: an object without combinators at the top. */
  readonly parameters: JsonObject;
}

/** A call that a model requested in an earlier round. */
export interface PastCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly signature?: string;
}

export type AgentMessage =
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly calls: readonly PastCall[];
      readonly thought?: string;
    }
  | {
      readonly role: 'tool';
      readonly results: readonly {
        readonly id: string;
        readonly name: string;
        readonly text: string;
        readonly isError: boolean;
      }[];
    };

/** One round of a model that may call tools. */
export interface AgentCall {
  readonly tools: readonly ModelTool[];
  readonly choice: 'auto' | 'none' | 'required';
  /** The rounds before this one, oldest first. */
  readonly transcript: readonly AgentMessage[];
  /** The reason why this round is the last and may call no tool; null for any other round. */
  readonly last: string | null;
}

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** Null where they are no JSON object. */
  readonly arguments: JsonObject | null;
  /** The arguments as the model wrote them, where `arguments` is null. */
  readonly raw: string | null;
  /** Gemini refuses the next round where the call comes back without it. */
  readonly signature?: string;
}
