/** Signs of Markdown: headings, lists, quotes, tables, fences, bold text, links. */
const MARKS =
  /^ {0,3}(?:#{1,6} |[-*+] |\d+[.)] |> |```|\|.*\|\s*$)|\*\*\S[^*]*\*\*|\[[^\]\n]+\]\([^)\s]+\)/m;

/** Whether a value is text with Markdown in it. */
export function isMarkdown(value: unknown): value is string {
  return typeof value === 'string' && MARKS.test(value);
}
