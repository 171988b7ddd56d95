import { LRUCache } from 'lru-cache';
import { isJsonObject } from '../../common/json.ts';
import { ToolFault } from '../../common/tool-fault.ts';

/**
 * How a request leaves out a field that a model's server refuses. `limit` names the limit of tokens
 * by its newer name, as OpenAI's newer models want it behind any host; `usage` asks for no counts;
 * `thoughts` sends no thoughts back.
 */
export type LeftOut = 'limit' | 'usage' | 'thoughts';

/** Words of a server that misses a field. */
const MISSES =
  /\bmissing\b|\brequire[sd]?\b|\bmust (?:have|include|contain|be (?:passed|sent|included|provided|present|set))\b/i;

const NAMES: Readonly<Record<LeftOut, RegExp>> = {
  limit: /\bmax_completion_tokens\b/,
  usage: /\bstream_options\b|\binclude_usage\b/,
  thoughts: /\breasoning_content\b/i,
};
/** Words of a server that wants the limit by its newer name. */
const WANTS_OTHER = /unsupported|not supported|deprecated|\buse\b.{1,40}\binstead\b/i;
/** Ends of one problem in a body that tells several. */
const PROBLEM_END = /[;\n{}]|\.\s/;

function refuses(field: LeftOut, body: string): boolean {
  const problems = body.split(PROBLEM_END).filter((words) => NAMES[field].test(words));
  return field === 'limit'
    ? problems.length > 0 && WANTS_OTHER.test(body)
    : problems.some((words) => !MISSES.test(words));
}

const MODELS_MAX = 1_000;

/** Fields that models' servers refused, by endpoint and model. */
export class RefusedFields {
  readonly #known = new LRUCache<string, ReadonlySet<LeftOut>>({ max: MODELS_MAX });

  of(model: string): ReadonlySet<LeftOut> {
    return this.#known.get(model) ?? new Set();
  }

  /** Called when a request without these fields has passed. */
  learn(model: string, left: ReadonlySet<LeftOut>): void {
    if (left.size > 0) this.#known.set(model, new Set([...this.of(model), ...left]));
  }
}

/** The field of those sent that the error refuses, so that a request without it may pass. */
export function refusedField(error: unknown, sent: readonly LeftOut[]): LeftOut | null {
  if (!(error instanceof ToolFault) || !isJsonObject(error.details)) return null;
  const { status, body } = error.details;
  if (status !== 400 && status !== 422) return null;
  return sent.find((field) => refuses(field, String(body))) ?? null;
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
