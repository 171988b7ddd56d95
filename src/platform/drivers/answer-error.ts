import { parseJson } from '../../common/exact-json.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { pageWords } from './page-words.ts';

export interface ServerError {
  readonly message: string;
  /** 400 to 599. */
  readonly status: number;
}

/** Kinds of errors that the same request meets again. */
const FINAL =
  /invalid_(request|argument)|bad_?request|context_length|authentication|invalid_api_key|permission|not_found|content_(policy|filter)|unsupported|too_large|billing/i;
const TOO_MANY = /rate_?limit|too_many|quota|resource_exhausted/i;

/** The error that an answer or a chunk is; null where it is none. */
export function errorOf(value: Json): ServerError | null {
  // Gemini wraps an error in a list.
  if (Array.isArray(value)) return value.length === 1 ? errorOf(value[0] ?? null) : null;
  if (!isJsonObject(value)) return null;
  const { error, errors, choices } = value;
  if (error === undefined || error === null || error === false) {
    // Errors of vLLM, FastAPI and proxies without an `error`; a chunk always has choices.
    if (choices !== undefined || value['usage'] !== undefined) return null;
    const isError = value['object'] === 'error' || value['type'] === 'error';
    const words = value['message'] ?? value['detail'] ?? value['msg'] ?? listed(errors);
    if (!isError && typeof words !== 'string') return null;
    return { message: wordsOf(words ?? value), status: statusOf(value) };
  }
  return { message: wordsOf(error), status: statusOf(isJsonObject(error) ? error : value) };
}

/** The words of the body of an answer with an error status, whatever its form is. */
export function errorWords(body: string): string {
  const value = parsed(body);
  if (value !== undefined) return errorOf(value)?.message ?? wordsOf(value);
  return pageWords(body);
}

function wordsOf(error: Json): string {
  if (typeof error === 'string') {
    // Proxies put the JSON of an inner server into their message.
    const inner = /^\s*[{[]/.test(error) ? errorOf(parsed(error) ?? null) : null;
    return inner?.message ?? error;
  }
  if (Array.isArray(error)) return error.map(wordsOf).join('; ');
  if (!isJsonObject(error)) return JSON.stringify(error);
  const { metadata, loc } = error;
  const words = error['message'] ?? error['detail'] ?? error['error'] ?? error['msg'] ?? undefined;
  // OpenRouter has the words of the provider behind it here.
  const raw = isJsonObject(metadata) ? metadata['raw'] : undefined;
  const reason = raw === undefined || raw === null || raw === '' ? '' : wordsOf(raw);
  const message = words === undefined || words === '' ? '' : wordsOf(words);
  // FastAPI names the place of each problem.
  const place = Array.isArray(loc) ? loc.join('.') : '';
  const all = [place, message, reason].filter((part) => part !== '').join(': ');
  return all === '' ? JSON.stringify(error) : all;
}

/** Cloudflare has a list of errors. */
function listed(errors: Json | undefined): string | undefined {
  if (!Array.isArray(errors) || errors.length === 0) return undefined;
  return wordsOf(errors);
}

function statusOf(error: JsonObject): number {
  for (const name of ['status', 'code', 'status_code', 'http_code']) {
    const status = Number(error[name] ?? Number.NaN);
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status;
  }
  const kind = `${error['type'] ?? ''} ${error['code'] ?? ''} ${error['status'] ?? ''}`;
  if (TOO_MANY.test(kind)) return 429;
  return FINAL.test(kind) ? 400 : 502;
}

/** The JSON of a text from a model's server; undefined where it is none. */
export function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
