import { entryOf } from '../../common/entry-of.ts';
import type { Json } from '../../common/json.ts';
import { ToolFault, type Usage } from '../../common/tool-fault.ts';

const BODY_CHARS_SHOWN = 500;
const RETRY_AFTER_MS_MAX = 60 * 60 * 1_000;

/** 408, 425, 429 and 5xx may succeed later. With other statuses the request itself is wrong. */
export function isRetryableStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || (status >= 500 && status < 600);
}

/**
 * Milliseconds to wait, from seconds or a date; at most an hour. Null without a valid header. Of a
 * header that was sent twice the first value counts.
 */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | null {
  if (!header) return null;
  const ms = waitMs(header.trim(), nowMs);
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX);
}

/** The wait as `retry-after` and as `retry-after-ms` of OpenAI's servers name it. */
export function retryAfterOf(header: (name: string) => string | null | undefined): string | null {
  const ms = header('retry-after-ms')?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(ms)) return `${ms}ms`;
  return header('retry-after') ?? null;
}

/** More seconds than this are a time since 1970: no wait takes years. */
const SECONDS_MAX = 100_000_000;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

function waitMs(header: string, nowMs: number): number {
  const [, given, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m)?\s*(?:,|$)/.exec(header) ?? [];
  if (given !== undefined) {
    const ms = Math.ceil(Number(given) * (entryOf(UNIT_MS, unit) ?? 1_000));
    return unit === 's' && Number(given) > SECONDS_MAX ? ms - nowMs : ms;
  }
  // Date.parse reads a plain number as a month or a year; a date has letters or a day in digits.
  const isDate = /[a-z]{3}/i.test(header) || /^\d{4}-\d{2}-\d{2}T/.test(header);
  return isDate ? Date.parse(header) - nowMs : Number.NaN;
}

/**
 * Makes the fault of a response that is not 2xx. `redact` runs on the whole body before it is cut,
 * so that no part of a secret remains at the cut.
 */
export function httpFailure(
  answer: {
    readonly status: number;
    readonly body: string;
    readonly retryAfter: string | null | undefined;
  },
  request: string,
  redact: (text: string) => string,
  usage: Usage,
): ToolFault {
  const { status } = answer;
  const words = Array.from(redact(answer.body).replace(/\s+/g, ' ').trim());
  const shown =
    words.length > BODY_CHARS_SHOWN
      ? `${words.slice(0, BODY_CHARS_SHOWN).join('')}…`
      : words.join('');
  const details: Json = { status, body: shown };
  return new ToolFault(
    'TOOL_FAILED',
    `${request} answered ${status}${shown === '' ? '.' : `: ${shown}`}`,
    {
      retryable: isRetryableStatus(status),
      retryAfterMs: retryAfterMs(answer.retryAfter, Date.now()),
      details,
      usage,
    },
  );
}
