/** A text without its diacritics: `Zürich` is `Zurich`. */
export function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}+/gu, '');
}
