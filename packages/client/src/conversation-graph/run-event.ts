/** A part of a message that is not plain text; kinds beside `text` are passed through as they are. */
export interface ContentPart {
  readonly type: string;
  readonly text?: string;
  readonly [key: string]: unknown;
}

/** What each kind carries beside its place; one table for events and for the nodes they become (S1-NODE). */
export interface KindFields {
  readonly text: { readonly content: string };
  readonly reasoning: { readonly content: string };
  readonly tool_call: { readonly name: string; readonly input: unknown };
  readonly tool_result: { readonly name: string; readonly output: unknown };
  readonly tool_progress: {
    readonly toolCallId: string;
    readonly name: string;
    readonly content: unknown;
  };
  readonly user: { readonly content: string | readonly ContentPart[] };
  readonly harness_start: { readonly agentId: string };
  readonly harness_end: { readonly agentId: string };
  readonly error: { readonly message: string };
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
  readonly relay: {
    readonly relayKind: 'permission';
    readonly toolCallId: string;
    readonly tool: string;
    readonly params: Readonly<Record<string, unknown>>;
  };
}
export type Kind = keyof KindFields;

/** Kinds whose node is named by the event; the others are named by their run (S1-ID). */
type NamedKind = 'text' | 'reasoning' | 'tool_call' | 'tool_result' | 'relay';

interface EventPlace {
  readonly runId: string;
  /** The node this run hangs on; only its first event's counts (S1-EDGE-02). */
  readonly parentId?: string | null;
}

/** One event of a run's stream; `kind` says what it is. */
export type RunEvent = {
  readonly [K in Kind]: EventPlace & { readonly kind: K } & KindFields[K] &
    (K extends NamedKind ? { readonly id: string } : { readonly id?: string });
}[Kind];

/** The same as the specification's excerpts write it, with `type` in place of `kind`. */
export type TypedRunEvent = {
  readonly [K in Kind]: Omit<Extract<RunEvent, { kind: K }>, 'kind'> & { readonly type: K };
}[Kind];

/** Reads either spelling. */
export function asRunEvent(event: RunEvent | TypedRunEvent): RunEvent {
  if ('kind' in event) return event;
  const { type, ...rest } = event;
  return { ...rest, kind: type } as RunEvent;
}

/** An event with its place in the log; handing the cursor back continues right after it. */
export type CursoredEvent = RunEvent & { readonly cursor: string };

/** The API's RunEvent types by kind. */
const KIND_OF_TYPENAME: Readonly<Record<string, Kind>> = {
  TextEvent: 'text',
  ReasoningEvent: 'reasoning',
  ToolCallEvent: 'tool_call',
  ToolProgressEvent: 'tool_progress',
  ToolResultEvent: 'tool_result',
  UserEvent: 'user',
  HarnessStartEvent: 'harness_start',
  HarnessEndEvent: 'harness_end',
  ErrorEvent: 'error',
  UsageEvent: 'usage',
  RelayEvent: 'relay',
};

/** A RunEvent as GraphQL answers it (the schema's interface with `__typename`). */
export interface GraphQLRunEvent {
  readonly __typename: string;
  readonly id: string;
  readonly runId: string;
  readonly parentId?: string | null;
  readonly cursor: string;
  readonly [field: string]: unknown;
}

/** The event of an API answer; null for a type this version does not know, so that a newer server breaks no client. */
export function fromGraphQL(answer: GraphQLRunEvent): CursoredEvent | null {
  const kind = KIND_OF_TYPENAME[answer.__typename];
  if (kind === undefined) return null;
  const { __typename, at, parentId, ...fields } = answer;
  return { ...fields, kind, ...(parentId == null ? {} : { parentId }) } as unknown as CursoredEvent;
}
