/** The one known word that is nearest to a mistyped one; null if none is near, or several are. */
export function nearestOf(word: string, known: readonly string[]): string | null {
  const max = word.length < 4 ? 1 : 2;
  const near = known
    .map((one) => ({ one, distance: distanceOf(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ distance }) => distance <= max)
    .sort((left, right) => left.distance - right.distance);
  const [first, second] = near;
  if (first === undefined || first.distance === second?.distance) return null;
  return first.one;
}

/** Characters to change, add or remove between two words. */
function distanceOf(left: string, right: string): number {
  let before = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row++) {
    const line = [row];
    for (let column = 1; column <= right.length; column++)
      line.push(
        Math.min(
          (before[column] ?? 0) + 1,
          (line[column - 1] ?? 0) + 1,
          (before[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1),
        ),
      );
    before = line;
  }
  return before[right.length] ?? 0;
}

/** A replacement that mends a fault. */
export interface Fix {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

const MEANT = /Did you mean "([^"]+)"\?/;
const WRONG = [/\b(?:step|context)\.([A-Za-z_]\w*)/, /\{\{\s*([A-Za-z_]\w*)/, /"([^"]+)"/];

/** The mending of a fault whose message names one word that was meant; else null. */
export function fixOf(
  text: string,
  { from, to, message }: { readonly from: number; readonly to: number; readonly message: string },
): Fix | null {
  const [told, meant] = MEANT.exec(message) ?? [];
  if (told === undefined || meant === undefined) return null;
  const said = message.replace(told, '');
  const wrong = WRONG.map((pattern) => pattern.exec(said)?.[1]).find((word) => word !== undefined);
  if (wrong === undefined) return null;
  const isWord = (character: string | undefined) => /\w/.test(character ?? ' ');
  for (let at = text.indexOf(wrong, from); at >= 0 && at < to; at = text.indexOf(wrong, at + 1)) {
    const end = at + wrong.length;
    if (!isWord(text[at - 1]) && !isWord(text[end])) return { from: at, to: end, insert: meant };
  }
  return null;
}
