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
  // The last line ends anywhere.
  const whole = isCut ? lines.slice(0, -1) : lines;
  const fences = whole.flatMap((line, at) => (FENCE.test(line) ? [at] : []));
  if (fences.length % 2 === 0) return whole.join('\n');
  const opened = fences.at(-1) ?? 0;
  return opened > whole.length / 2
    ? whole.slice(0, opened).join('\n')
    : [...whole, FENCE.exec(whole[opened] ?? '')?.[1] ?? '```'].join('\n');
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The number of lines of a text, up to `max`. */
function countLines(text: string, max: number): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0 && count < max; at = text.indexOf('\n', at + 1))
    count++;
  return count;
}
