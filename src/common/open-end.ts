/**
 * Length of the longest end of `text` that begins one of the marks and is not the whole of it. A
 * stream holds this end back until the next chunk decides.
 */
export function openEnd(text: string, marks: readonly string[]): number {
  const longest = Math.max(0, ...marks.map((mark) => mark.length - 1));
  for (let length = Math.min(text.length, longest); length > 0; length--) {
    const end = text.slice(-length);
    if (marks.some((mark) => mark.length > length && mark.startsWith(end))) return length;
  }
  return 0;
}
