import { isBigNumeral } from '../../common/exact-json.ts';
import { canonicalJson, type Json } from '../../common/json.ts';
import { jsonChars } from '../../common/json-size.ts';
import type { TemplateHelper } from '../../expressions/names.ts';
import { compareDecimals, type Decimal, decimalOf } from '../../json-schema/decimal.ts';
import { METER } from './render-meter.ts';

type Value = Json | undefined;

/** Converts a value to text: null is empty, objects and lists are JSON, never `[object Object]`. */
export function toText(value: Value): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? toJson(value) : String(value);
}

/**
 * JSON.stringify with its size checked first: each nested JSON encoding doubles the backslashes.
 */
function toJson(value: Json, indent?: number): string {
  METER.build(jsonChars(value, METER.left, indent));
  return JSON.stringify(value, null, indent);
}

function join(list: Value, separator: Value): string {
  if (!Array.isArray(list)) return toText(list);
  const between = typeof separator === 'string' ? separator : ', ';
  // `toText` returns a text as it is, so only JSON is built here, and the meter counts it.
  const texts = list.map(toText);
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  METER.build(chars + between.length * Math.max(texts.length - 1, 0));
  return texts.join(between);
}

const isTruthy = (value: Value): boolean =>
  Array.isArray(value) ? value.length > 0 : Boolean(value);

function compare(left: Value, right: Value): number {
  const numerals = compareNumerals(left, right);
  if (numerals !== null) return numerals;
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string')
    return left < right ? -1 : left > right ? 1 : 0;
  // Values that can't be ordered are neither greater nor less.
  return Number.NaN;
}

/**
 * How a number compares with one beyond 2^53, which is kept as the text of its digits, or two such
 * numbers; null for other values.
 */
function compareNumerals(left: Value, right: Value): number | null {
  const [a, b] = [decimalIn(left), decimalIn(right)];
  const isAsked = typeof left === 'string' || typeof right === 'string';
  return isAsked && a !== null && b !== null ? compareDecimals(a, b) : null;
}

function decimalIn(value: Value): Decimal | null {
  if (typeof value === 'number') return decimalOf(value);
  return typeof value === 'string' && isBigNumeral(value) ? decimalOf(value) : null;
}

function isEqual(left: Value, right: Value): boolean {
  if (typeof left === 'number' || typeof right === 'number')
    return left === right || compareNumerals(left, right) === 0;
  return canonicalJson(left ?? null) === canonicalJson(right ?? null);
}

function truncate(value: Value, length: Value): string {
  const text = toText(value);
  if (typeof length !== 'number' || !(length >= 0)) return text;
  const most = Math.floor(length);
  // A character has one or two UTF-16 units; `at` never points inside one.
  let at = 0;
  let kept = 0;
  for (let count = 0; count < most && at < text.length; count++) {
    kept = at;
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  if (at >= text.length) return text;
  return most === 0 ? '' : `${text.slice(0, kept)}…`;
}

/**
 * Helpers of outputTemplate, prompts, REST paths and bodies, besides the built-in if, unless, each,
 * with and lookup. All take and return plain JSON; none throws on null.
 */
export const HELPERS: Readonly<
  Record<Exclude<TemplateHelper, 'lookup'>, (...values: Value[]) => Value>
> = {
  json: (value, indent) => toJson(value ?? null, typeof indent === 'number' ? indent : undefined),
  join,
  truncate,
  default: (value, fallback) =>
    value === null || value === undefined || value === '' ? fallback : value,
  eq: isEqual,
  ne: (left, right) => !isEqual(left, right),
  gt: (left, right) => compare(left, right) > 0,
  lt: (left, right) => compare(left, right) < 0,
  and: (...values) => values.every(isTruthy),
  or: (...values) => values.some(isTruthy),
  not: (value) => !isTruthy(value),
};
