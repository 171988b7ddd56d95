/** A JSON value: what steps exchange, what templates and conditions see. Never a class instance, never a function. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Size in bytes of the value as UTF-8 JSON; what payload limits count. */
export function jsonBytes(value: unknown): number {
  const text = JSON.stringify(value) ?? 'null';
  // Fast path: 3 bytes is the most one UTF-16 unit can take, so short texts need no exact count.
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7ff) bytes += unit >= 0xd800 && unit <= 0xdfff ? 1 : 2;
    else if (unit > 0x7f) bytes += 1;
  }
  return bytes;
}

/** Deterministic JSON: keys sorted at every depth. What hashes are taken of. */
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
