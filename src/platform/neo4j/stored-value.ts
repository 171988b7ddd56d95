import { Buffer } from 'node:buffer';
import neo4j, { isDate, isDateTime } from 'neo4j-driver';
import { z } from 'zod';

// Properties as JSON that keeps Neo4j's types: text, booleans and finite floats as they are, lists
// as arrays, any other value as an object with one key that names its type. The product stores no
// other temporal types than these two.

const DateTimeParts = z.strictObject({
  dateTime: z.array(z.int()).length(7),
  /** Offset from UTC in seconds; null where only the name of the zone is known. */
  offset: z.int().nullable(),
  zone: z.string().nullable(),
});
const DateParts = z.strictObject({ date: z.tuple([z.int(), z.int(), z.int()]) });
const IntText = z.strictObject({ int: z.string().regex(/^-?\d{1,19}$/) });
const FloatText = z.strictObject({ float: z.enum(['NaN', 'Infinity', '-Infinity']) });
const BytesText = z.strictObject({ bytes: z.base64() });
const Typed = z.union([IntText, FloatText, DateTimeParts, DateParts, BytesText]);

/**
 * A value of the driver as JSON.
 * @throws Error for a type that the product does not store
 */
export function encodeStored(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : { float: String(value) };
  if (neo4j.isInt(value)) return { int: value.toString() };
  if (Array.isArray(value)) return value.map(encodeStored);
  if (value instanceof Int8Array) return { bytes: Buffer.from(value).toString('base64') };
  if (isDateTime(value)) {
    const { year, month, day, hour, minute, second, nanosecond } = value;
    return {
      dateTime: [year, month, day, hour, minute, second, nanosecond].map(Number),
      offset: value.timeZoneOffsetSeconds == null ? null : Number(value.timeZoneOffsetSeconds),
      zone: value.timeZoneId ?? null,
    };
  }
  if (isDate(value)) return { date: [value.year, value.month, value.day].map(Number) };
  throw new Error(`A property has a value of a type that archives do not have: ${String(value)}`);
}

/**
 * The value of the driver that `encodeStored` was given.
 * @throws Error for JSON that `encodeStored` never makes
 */
export function decodeStored(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (Array.isArray(value)) return value.map(decodeStored);
  const typed = Typed.parse(value);
  if ('int' in typed) return neo4j.int(typed.int);
  if ('float' in typed) return Number(typed.float);
  if ('bytes' in typed) return Int8Array.from(Buffer.from(typed.bytes, 'base64'));
  if ('date' in typed) return new neo4j.types.Date(...typed.date);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, nanos = 0] =
    typed.dateTime;
  return new neo4j.types.DateTime(
    ...([year, month, day, hour, minute, second, nanos] as const),
    typed.offset ?? undefined,
    typed.zone ?? undefined,
  );
}
