import { isJsonObject, type Json } from './json.ts';

/** The texts of a list of content parts, a line each; '' where none of them has a text. */
export function textOfParts(parts: readonly Json[]): string {
  return parts
    .flatMap((part) =>
      isJsonObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
    )
    .join('\n');
}
