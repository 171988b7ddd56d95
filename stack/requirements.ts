import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../', import.meta.url));

export interface Requirement {
  readonly id: string;
  readonly text: string;
}

/** The requirements in docs/requirements.md, as lines `- **S4-TOOL-05** Text.` */
export function readRequirements(markdown: string): Requirement[] {
  return [...markdown.matchAll(/^- \*\*([A-Z0-9]+(?:-[A-Z0-9]+)?-\d+[a-z]?)\*\* (.*)$/gm)].map(
    ([, id = '', text = '']) => ({ id, text }),
  );
}

/**
 * All ids that a test names, also in a range such as `S4-TOOL-05…08` or a list `S4-TOOL-05, 06`.
 */
export function citedIds(text: string): Set<string> {
  const cited = new Set<string>();
  for (const [, family = '', first = '', rest = ''] of text.matchAll(
    /\b(S[0-4X](?:-[A-Z]+)?)-(\d+)((?:\s*(?:…|\.\.|–|,|\/|and)\s*(?:-?\d{2})(?![\w-]))*)/g,
  )) {
    const width = first.length;
    const name = (value: number) => `${family}-${String(value).padStart(width, '0')}`;
    let last = Number(first);
    cited.add(name(last));
    for (const [, mark = '', digits = ''] of rest.matchAll(/(…|\.\.|–|,|\/|and)\s*-?(\d{2})/g)) {
      const next = Number(digits);
      if (['…', '..', '–'].includes(mark))
        for (let value = last; value <= next; value++) cited.add(name(value));
      cited.add(name(next));
      last = next;
    }
  }
  return cited;
}

function testTexts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return testTexts(path);
    return entry.name.endsWith('.test.ts') ? [readFileSync(path, 'utf8')] : [];
  });
}

/**
 * `npm run requirements [-- S4-TOOL …]`: lists requirements that no test names, and counts them per
 * chapter.
 */
function main(chapters: readonly string[]): void {
  const wanted = readRequirements(
    readFileSync(join(CHECKOUT, 'docs', 'requirements.md'), 'utf8'),
  ).filter(({ id }) => chapters.length === 0 || chapters.some((chapter) => id.startsWith(chapter)));
  const cited = citedIds(testTexts(join(CHECKOUT, 'test')).join('\n'));
  const known = new Set(wanted.map(({ id }) => id));
  for (const { id, text } of wanted) if (!cited.has(id)) console.log(`${id.padEnd(12)} ${text}`);
  const strange = chapters.length > 0 ? [] : [...cited].filter((id) => !known.has(id));
  if (strange.length > 0)
    console.log(`\nNamed by a test, but no requirement: ${strange.join(', ')}`);
  const named = wanted.filter(({ id }) => cited.has(id)).length;
  console.log(`\n${named} of ${wanted.length} requirements are named by a test`);
}

if (import.meta.main) main(process.argv.slice(2));
