/** A chat request after its checks. */
export interface ChatJob {
  readonly messages: readonly {
    readonly role: 'system' | 'user' | 'assistant';
    readonly content: string;
  }[];
  /** JSON Schema of the answer; null: free text. */
  readonly schema: object | null;
  /** Null: at most 2,048, within the model's context. */
  readonly maxTokens: number | null;
  readonly stop: readonly string[];
  /** Null: the model's default. */
  readonly temperature: number | null;
  readonly topP: number | null;
  readonly seed: number | null;
  readonly signal: AbortSignal;
  onText(text: string): void;
  onReasoning(text: string): void;
}

export interface ChatEnd {
  readonly finishReason: 'stop' | 'length';
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A loaded chat model. Calls come one at a time. */
export interface ChatModel {
  readonly name: string;
  readonly contextTokens: number;
  /** @throws ApiError for a request that the model can't take */
  chat(job: ChatJob): Promise<ChatEnd>;
}

/** A loaded embedding model. Calls come one at a time. */
export interface EmbeddingModel {
  readonly name: string;
  readonly dimensions: number;
  /** @throws ApiError for a text longer than the model's context */
  embed(text: string): Promise<{ readonly vector: readonly number[]; readonly tokens: number }>;
}
