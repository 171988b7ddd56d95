import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const CHECKOUT = fileURLToPath(new URL('../', import.meta.url));
const FOLDERS = [
  ...['src', 'schema', 'workflows', 'activities', 'packages', 'cli', 'console', 'stack'],
  // Folders of tests that are clean; add one a line. Their titles are checked with their comments.
  'bench',
  'faults',
  'test/api',
  'test/conformance',
  'test/foreign',
  'test/graph',
  'test/indexes',
  'test/pure',
  'test/replay',
  'test/temporal',
  'test/testkit',
];
/** Largest share of comment lines that may use a vague word as a noun. */
const SHARE_MAX = 0.03;
/** Words that hide the subject of a sentence; style rule in CONTRIBUTING.md, "How we write". */
const VAGUE = /\b(what|who|whoever|somebody|nobody)\b/i;

export interface CommentLine {
  readonly line: number;
  readonly text: string;
}

/** Every line of comment in a TypeScript source, with its line number from 1. */
export function commentLinesOf(source: string): CommentLine[] {
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest, true);
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    const leading = ts.getLeadingCommentRanges(source, node.getFullStart()) ?? [];
    const trailing = ts.getTrailingCommentRanges(source, node.getEnd()) ?? [];
    for (const range of [...leading, ...trailing]) ranges.set(range.pos, range);
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return [...ranges.values()]
    .sort((left, right) => left.pos - right.pos)
    .flatMap(({ pos, end }) => {
      const first = file.getLineAndCharacterOfPosition(pos).line + 1;
      return source
        .slice(pos, end)
        .split('\n')
        .map((text, index) => ({ line: first + index, text: text.trim() }))
        .filter(({ text }) => /[a-z]/i.test(text));
    });
}

/** Titles of `it`, `test` and `describe` in a TypeScript source, each with its line from 1. */
export function titleLinesOf(source: string): CommentLine[] {
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest, true);
  const titles: CommentLine[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [title] = node.arguments;
      const isTest = /^(it|test|describe)\b/.test(node.expression.getText(file));
      if (isTest && title !== undefined && ts.isStringLiteralLike(title)) {
        const { line } = file.getLineAndCharacterOfPosition(title.getStart(file));
        titles.push({ line: line + 1, text: title.text });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return titles;
}

function sourcesIn(folder: string): string[] {
  let entries: import('node:fs').Dirent[];
  try {
    entries = readdirSync(join(CHECKOUT, folder), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'generated', 'dist'].includes(entry.name) ? [] : sourcesIn(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** `node stack/comments.ts [--list]`: fails when too many comment lines hide their subject. */
function main(args: readonly string[]): number {
  const lines = FOLDERS.flatMap(sourcesIn).flatMap((path) => {
    const source = readFileSync(join(CHECKOUT, path), 'utf8');
    const titles = path.startsWith('test/') ? titleLinesOf(source) : [];
    return [...commentLinesOf(source), ...titles].map((one) => ({ path, ...one }));
  });
  const vague = lines.filter(({ text }) => VAGUE.test(text));
  const share = lines.length === 0 ? 0 : vague.length / lines.length;
  const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
  const isOver = share > SHARE_MAX;
  if (isOver || args.includes('--list'))
    for (const { path, line, text } of vague) console.log(`${path}:${line}: ${text}`);
  console.log(
    `${vague.length} of ${lines.length} comment lines and titles (${percent(share)}, at most ` +
      `${percent(SHARE_MAX)}) use what, who, whoever, somebody or nobody.`,
  );
  return isOver ? 1 : 0;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
