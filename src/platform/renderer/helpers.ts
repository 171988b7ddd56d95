import { canonicalJson, type Json } from '../../common/json.ts';
import type { TemplateHelper } from '../../processes/names.ts';

type Value = Json | undefined;

/** How a value reads inside text: null is nothing, objects and lists are JSON, never `[object Object]`. */
export function toText(value: Value): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isTruthy(value: Value): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function compare(left: Value, right: Value): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string')
    return left < right ? -1 : left > right ? 1 : 0;
  // What can't be ordered is neither greater nor less.
  return Number.NaN;
}

function truncate(value: Value, length: Value): string {
  const characters = Array.from(toText(value));
  const most = typeof length === 'number' && length >= 0 ? Math.floor(length) : characters.length;
  if (characters.length <= most) return characters.join('');
  return most === 0 ? '' : `${characters.slice(0, most - 1).join('')}…`;
}

/**
 * The helpers of outputTemplate, prompts, REST paths and bodies, beside the built-in if, unless, each,
 * with and lookup. All take and give plain JSON, and none throws on null.
 */
export const HELPERS: Readonly<
  Record<Exclude<TemplateHelper, 'lookup'>, (...values: Value[]) => Value>
> = {
  json: (value, indent) =>
    JSON.stringify(value ?? null, null, typeof indent === 'number' ? indent : undefined),
  join: (list, separator) =>
    Array.isArray(list)
      ? list.map(toText).join(typeof separator === 'string' ? separator : ', ')
      : toText(list),
  truncate,
  default: (value, fallback) =>
    value === null || value === undefined || value === '' ? fallback : value,
  eq: (left, right) => canonicalJson(left ?? null) === canonicalJson(right ?? null),
  ne: (left, right) => canonicalJson(left ?? null) !== canonicalJson(right ?? null),
  gt: (left, right) => compare(left, right) > 0,
  lt: (left, right) => compare(left, right) < 0,
  and: (...values) => values.every(isTruthy),
  or: (...values) => values.some(isTruthy),
  not: (value) => !isTruthy(value),
};
