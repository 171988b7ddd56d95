import { type Json, jsonBytes } from '../../common/json.ts';
import { PAGE_CURSOR_BYTES_MAX } from '../../common/limits.ts';
import { valueAt } from '../../expressions/interpolation.ts';
import type { StepPages } from '../../processes/process.ts';

/** One page of a step with pages. */
export interface Page {
  readonly items: readonly Json[];
  /** The cursor of the next page; null: this is the last one. */
  readonly next: Json;
}

/** The page in a Tool's output; a text says why it has none. */
export function pageIn({ list, next }: StepPages, output: Json): Page | string {
  const items = valueAt(output, list.split('.'));
  if (!Array.isArray(items)) return `There is no list at ${list} of this page.`;
  const cursor = valueAt(output, next.split('.'));
  // An empty text and false are how some interfaces say that there is no further page.
  const isLast = cursor === null || cursor === '' || cursor === false;
  if (!isLast && jsonBytes(cursor) > PAGE_CURSOR_BYTES_MAX)
    return `The cursor at ${next} has more than ${PAGE_CURSOR_BYTES_MAX} bytes.`;
  return { items, next: isLast ? null : cursor };
}

/** What the workflow gets of a page: its history holds no items. */
export interface PageAnswer {
  readonly next: Json;
  readonly bytes: number;
}

/** A page's activity returns its PageAnswer as an inline value. */
export function readPageAnswer(output: { readonly inline: Json } | object): PageAnswer {
  if (!('inline' in output)) throw new Error('The answer of a page has to be inline.');
  return output.inline as unknown as PageAnswer;
}
