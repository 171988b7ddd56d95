import { withoutMarks } from '../../text/marks.ts';

/**
 * A text in lower case without diacritics. Each of its characters stands where the text has it, so
 * a place in one is the same place in the other.
 */
export function plainOf(text: string): string {
  return Array.from({ length: text.length }, (_, at) => {
    const sign = text.charAt(at);
    const plain = withoutMarks(sign.toLowerCase());
    return plain.length === 1 ? plain : sign;
  }).join('');
}
