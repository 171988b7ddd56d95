import type { Answer, TestClient } from '../client.ts';
import type { OddPlace } from './odd-mutations.ts';

interface Answered {
  readonly it: { readonly userErrors: readonly { readonly code: string }[] } | null;
}

/**
 * The fault of the answer to a request, in one line; null where it is a refusal or a success.
 */
export function faultOf(answer: Answer<Answered>): string | null {
  const codes = answer.errors.map(({ extensions }) => extensions?.code);
  if (answer.status >= 500) return `status ${answer.status} ${codes.join()}`;
  if (codes.some((code) => code === undefined)) return 'an error without a code';
  const ours = codes.find((code) => code === 'INTERNAL');
  if (ours !== undefined) return `INTERNAL: ${answer.errors[0]?.message}`;
  if (codes.length > 0) return null;
  if (answer.data?.it == null) return 'no data and no error';
  return answer.data.it.userErrors.every(({ code }) => typeof code === 'string' && code !== '')
    ? null
    : 'a refusal without a code';
}

/**
 * Sends the mutation of a place with a value in it. @returns the fault, null without one
 */
export async function tryPlace(
  ada: TestClient,
  place: OddPlace,
  value: unknown,
): Promise<string | null> {
  const named = `${place.mutation} ${place.path.join('.')} = ${shown(value)}`;
  try {
    const fault = faultOf(await ada.ask<Answered>(place.document, place.variables(value)));
    return fault === null ? null : `${named}: ${fault}`;
  } catch (error) {
    return `${named}: no answer (${error instanceof Error ? error.message : String(error)})`;
  }
}

const SHOWN_CHARS_MAX = 120;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= SHOWN_CHARS_MAX
    ? text
    : `${text.slice(0, SHOWN_CHARS_MAX)}… (${text.length})`;
}

/** Does `work` for each item, `atOnce` of them at a time. */
export async function each<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) await work(items[at] as T, at);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

export const FINAL = ['CANCELLED', 'COMPLETED', 'FAILED', 'TIMED_OUT'];

/** Statuses of a user's runs, by run. */
export async function runStatuses(ada: TestClient): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  let after: string | null = null;
  for (;;) {
    const answer: {
      processRuns: {
        nodes: { id: string; status: string }[];
        pageInfo: { hasNextPage: boolean; endCursor: string | null };
      };
    } = await ada.query(
      `query ($after: String) { processRuns(first: 200, after: $after) { nodes { id status }
        pageInfo { hasNextPage endCursor } } }`,
      { after },
    );
    for (const { id, status } of answer.processRuns.nodes) found.set(id, status);
    if (!answer.processRuns.pageInfo.hasNextPage) return found;
    after = answer.processRuns.pageInfo.endCursor;
  }
}
