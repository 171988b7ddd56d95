/**
 * The lines of a stream. They end with a line feed only: `node:readline` also ends them at U+2028
 * and U+2029, which JSON leaves as they are inside a text.
 */
export async function* linesOf(stream: AsyncIterable<string | Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield withoutReturn(line);
  }
  rest += decoder.decode();
  if (rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
