import type { Json } from '../src/common/json.ts';
import type { ValueOrRef } from '../src/runs/run/run.ts';

/**
 * An output or context as the workflow gets it: inline up to `inlineBytesMax`, else a reference to
 * the record.
 * @param bytes size of the value as JSON text
 */
export function toValueOrRef(value: Json, bytes: number, inlineBytesMax: number): ValueOrRef {
  return bytes <= inlineBytesMax ? { inline: value } : { ref: true, bytes };
}
