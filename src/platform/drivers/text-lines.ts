/** The whole lines of a text that comes in pieces. Each piece is searched once. */
export class TextLines {
  #held: string[] = [];
  #endsInReturn = false;

  push(text: string): string[] {
    if (text === '') return [];
    const mayEnd = this.#endsInReturn || /[\r\n]/.test(text);
    this.#endsInReturn = text.endsWith('\r');
    this.#held.push(text);
    if (!mayEnd) return [];
    // A return at the end of a piece may be the first half of a line end.
    const lines = this.#held.join('').split(/\r\n|\n|\r(?!$)/);
    this.#held = [lines.pop() ?? ''];
    return lines;
  }
}
