import { firstChars } from './well-formed.ts';

/** The text; where it is longer than `charsMax` UTF-16 units, its beginning and `…`. */
export function withEllipsis(text: string, charsMax: number): string {
  return text.length > charsMax ? `${firstChars(text, charsMax)}…` : text;
}
