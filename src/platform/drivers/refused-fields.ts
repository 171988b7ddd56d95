import { LRUCache } from 'lru-cache';
import { isJsonObject } from '../../common/json.ts';
import { ToolFault } from '../../common/tool-fault.ts';

/**
 * How a request leaves out a field that a model's server refuses. `limit` names the limit of tokens
 * by its newer name, as OpenAI's newer models want it behind any host; `usage` asks for no counts;
 * `thoughts` sends no thoughts back.
 */
export type LeftOut = 'limit' | 'usage' | 'thoughts';

const REFUSED: Readonly<Record<LeftOut, RegExp>> = {
  limit: /\bmax_completion_tokens\b/,
  usage: /\bstream_options\b|\binclude_usage\b/,
  thoughts: /\breasoning_content\b(?!.{0,40}\b(?:must|missing|required)\b)/i,
};

const MODELS_MAX = 1_000;

/** Fields that models' servers refused, by endpoint and model. */
export class RefusedFields {
  readonly #known = new LRUCache<string, ReadonlySet<LeftOut>>({ max: MODELS_MAX });

  of(model: string): ReadonlySet<LeftOut> {
    return this.#known.get(model) ?? new Set();
  }

  /** Whether the error names a field that was still sent, so that a request without it may pass. */
  learn(model: string, error: unknown): boolean {
    if (!(error instanceof ToolFault) || !isJsonObject(error.details)) return false;
    const { status, body } = error.details;
    if (status !== 400 && status !== 422) return false;
    const known = this.of(model);
    const [found] = (Object.keys(REFUSED) as LeftOut[]).filter(
      (field) => !known.has(field) && REFUSED[field].test(String(body)),
    );
    if (found === undefined) return false;
    this.#known.set(model, new Set([...known, found]));
    return true;
  }
}

/** The body of a request without these fields. */
export function without(
  body: Record<string, unknown>,
  left: ReadonlySet<LeftOut>,
): Record<string, unknown> {
  const { max_tokens, stream_options, messages, ...rest } = body;
  return {
    ...rest,
    messages:
      left.has('thoughts') && Array.isArray(messages) ? messages.map(withoutThought) : messages,
    ...(max_tokens === undefined
      ? {}
      : { [left.has('limit') ? 'max_completion_tokens' : 'max_tokens']: max_tokens }),
    ...(stream_options === undefined || left.has('usage') ? {} : { stream_options }),
  };
}

function withoutThought({ reasoning_content: _thought, ...message }: Record<string, unknown>) {
  return message;
}
