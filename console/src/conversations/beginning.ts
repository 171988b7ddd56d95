/** A longer text is folded; about a screen of it is shown. */
const FOLDED_CHARS = 3_000;
const FOLDED_LINES = 60;
const SHOWN_CHARS = 1_500;
const SHOWN_LINES = 25;

/**
 * The beginning of a long text; null where the text is short enough to show whole. Of Markdown it
 * ends between two lines, outside of blocks of code where that is near, else with the block closed.
 */
export function beginningOf(text: string, isMarkdown: boolean): string | null {
  if (text.length <= FOLDED_CHARS && countLines(text, FOLDED_LINES + 1) <= FOLDED_LINES)
    return null;
  const start = text.slice(0, SHOWN_CHARS).toWellFormed();
  const lines = start.split('\n').slice(0, SHOWN_LINES);
  const isCut = lines.join('\n').length === start.length && lines.length > 1;
  if (!isMarkdown) return lines.join('\n');
  // The last line ends anywhere. It stays where there is no text before it.
  const before = lines.slice(0, -1);
  return isCut && before.some(isText) ? closed(before) : closed(lines);
}

/** Lines of Markdown without a block of code that begins late, or with it closed. */
function closed(lines: readonly string[]): string {
  const fences = lines.flatMap((line, at) => (FENCE.test(line) ? [at] : []));
  if (fences.length % 2 === 0) return lines.join('\n');
  const opened = fences.at(-1) ?? 0;
  const above = lines.slice(0, opened);
  const isLate = opened > lines.length / 2 || opened === lines.length - 1;
  return isLate && above.some(isText)
    ? above.join('\n')
    : [...lines, FENCE.exec(lines[opened] ?? '')?.[1] ?? '```'].join('\n');
}

function isText(line: string): boolean {
  return line.trim() !== '' && !FENCE.test(line);
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The number of lines of a text, up to `max`. */
function countLines(text: string, max: number): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0 && count < max; at = text.indexOf('\n', at + 1))
    count++;
  return count;
}
