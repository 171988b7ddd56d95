/** A JSON value: the data that steps exchange and that templates and conditions read. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Size of the value in bytes as UTF-8 JSON. Payload limits use this size. */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value) ?? 'null';
  // Counts UTF-8 bytes without encoding: a UTF-16 unit takes 1, 2 or 3 bytes, half a pair 2.
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7ff) bytes += unit >= 0xd800 && unit <= 0xdfff ? 1 : 2;
    else if (unit > 0x7f) bytes += 1;
  }
  return bytes;
}

/** Deterministic JSON: keys are sorted at every depth. Hashes are computed from it. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isJsonObject(inner)
      ? Object.fromEntries(
          Object.keys(inner)
            .sort()
            .map((key) => [key, inner[key]]),
        )
      : inner,
  );
}

export function unreachable(value: never): never {
  throw new Error(`No case for ${JSON.stringify(value)}.`);
}
