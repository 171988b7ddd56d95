import { expect, it } from 'vitest';
import { readSources } from './source.ts';

/** The most lines of a statement, or of a part that several statements share. */
const LINES_MAX = 40;

const MARKS: Readonly<Record<string, (text: string) => boolean>> = {
  FOREACH: (text) => /\bFOREACH\b/.test(text),
  'a chain of CASE': hasChain,
  reduce: (text) => /\breduce\s*\(/.test(text),
  'a pattern of Java': (text) => /=~/.test(text),
  'more than 40 lines': (text) => text.trim().split('\n').length > LINES_MAX,
};

/** A CASE with several WHEN, or one inside another. */
function hasChain(text: string): boolean {
  const whens: number[] = [];
  for (const [word] of text.matchAll(/\b(?:CASE|WHEN|END)\b/g)) {
    if (word === 'END') whens.pop();
    else if (word === 'CASE') whens.push(0);
    else whens.push((whens.pop() ?? 0) + 1);
    if (whens.length > 1 || (whens[0] ?? 0) > 1) return true;
  }
  return false;
}

/** Statements by their name, and parts of statements by that of their constant. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  EMBEDDABLE: 'one node of three labels becomes one row; the label is known to Neo4j alone',
  ACTIVE_ENTITIES: 'leaves out the facts of entities that show none, inside one list of a path',
  SUMMARIES_OF: 'an empty list inside one list of a path',
  IS_VISIBLE: 'each scope of a metric has an owner rule of its own, within one page of values',
  PATTERN_OF_WORD: 'whole words of names, sought in texts that would all be sent over otherwise',
  rests: 'as PATTERN_OF_WORD',
  COUNTS: 'counts over the rows that the same statement deletes',
  measureCandidates: 'the way of two steps is walked only where the way of one is none',
  findMentions: 'the type of a property of any node is known to Neo4j alone',
  listRecallSources: 'a second round trip is 2 to 4 of the 30 ms of a recall',
};

it('Cypher matches, creates and sets; TypeScript decides (docs/decisions/0108)', () => {
  const found = readSources()
    .filter(({ path }) => path.startsWith('src/') && path.endsWith('.cypher.ts'))
    .flatMap(({ path, text }) => textsOf(text).map((one) => ({ ...one, path })))
    .flatMap(({ name, text, path }) =>
      Object.entries(MARKS)
        .filter(([, isThere]) => isThere(text))
        .map(([mark]) => `${name} (${path}): ${mark}`),
    );
  const isExcepted = (one: string) => one.replace(/ .*/s, '') in EXCEPTIONS;
  expect(found.filter((one) => !isExcepted(one))).toEqual([]);
  const gone = Object.keys(EXCEPTIONS).filter(
    (name) => !found.some((one) => one.startsWith(`${name} `)),
  );
  expect(gone).toEqual([]);
});

/** Each Cypher text of a file: by its own name, else by that of the constant before it. */
function textsOf(source: string): { readonly name: string; readonly text: string }[] {
  return [...source.matchAll(/(?:\/\* cypher \*\/ |\bcypher)`((?:[^`\\]|\\[\s\S])*)`/g)].map(
    (match) => {
      const [, text = ''] = match;
      const before = source.slice(0, match.index);
      const constant = [...before.matchAll(/^(?:export )?const (\w+)/gm)].at(-1)?.[1] ?? '';
      return { name: /^\s*(?:CYPHER [^\n]*\n\s*)?\/\/ (\w+)\n/.exec(text)?.[1] ?? constant, text };
    },
  );
}
