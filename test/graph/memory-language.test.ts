import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type Grade,
  grade,
  type Seen,
  shareOf,
  tokenRatioOf,
} from '../../bench/memory-quality/grade.ts';
import { ownTokens } from '../../bench/memory-quality/read.ts';
import { readTalk, type Talk, type TalkTurn } from '../../bench/memory-quality/talk.ts';
import { readExtraction } from '../../src/memory-graph/extraction/extraction.ts';
import { batchOf } from '../../src/memory-graph/extraction/turn-batch.ts';
import { openShippedTools } from '../testkit/shipped-tools.ts';

// Findings of the shipped prompts and local-llm in whole talks, graded against their keys
// (docs/decisions/0026), without the graph: names, facts with dates, and summaries.

const shipped = await openShippedTools();
afterAll(shipped.close);

/** The turns of a talk as the product reads them together. */
function batchesOf({ turns }: Talk): TalkTurn[][] {
  const waiting = turns.map(({ id, text, saidAt = '2025-06-11T09:00:00Z' }, index) => ({
    alternativeId: id,
    parentId: turns[index - 1]?.id ?? null,
    content: text,
    saidAt,
    startedAt: new Date(Date.parse('2026-01-01T00:00:00Z') + index * 1_000).toISOString(),
  }));
  const batches: TalkTurn[][] = [];
  for (let at = 0; at < turns.length; ) {
    const ids = batchOf(waiting.slice(at), turns[at]?.id ?? '').turns;
    batches.push(turns.slice(at, at + ids.length));
    at += ids.length;
  }
  return batches;
}

/** Reads a talk by the Tool `extract memories`, batch after batch. */
async function remembered(talk: Talk, account: string): Promise<Grade> {
  const said = ({ speaker, text }: TalkTurn) =>
    `${speaker === 'user' ? account : 'Assistant'}: ${text}`;
  const entities = new Map<string, Seen['entities'][number]>();
  const facts: Seen['facts'][number][] = [];
  let earlier: string[] = [];
  let read = 0;
  for (const batch of batchesOf(talk)) {
    const content = batch.map(said).join('\n');
    const known = [...entities.values()].filter(
      ({ name }) => content.includes(name) || content.includes(/^\S{5,}/.exec(name)?.[0] ?? name),
    );
    const saidAt = batch[0]?.saidAt ?? '2025-06-11T09:00:00Z';
    const inputs = { content, saidAt, earlier, known: known.map((one) => ({ ...one })) };
    const { output, usage } = await shipped.calls('extract memories', inputs);
    read += usage.inputTokens + usage.outputTokens;
    const text = JSON.stringify({ memories: output, resolution: null });
    const memories = readExtraction(
      text,
      known.map(({ name }) => name),
    );
    for (const one of memories.entities)
      if (!entities.has(one.name.toLowerCase())) entities.set(one.name.toLowerCase(), one);
    facts.push(
      ...memories.facts.map(({ fact, ...one }) => ({ ...one, text: fact, expiredAt: null })),
    );
    earlier = batch.slice(-2).map(({ text }) => text);
  }
  const text = talk.turns.map(said).join('\n');
  const bullets = z
    .string()
    .parse((await shipped.calls('summarise talk', { text, before: '', sentences: 6 })).output)
    .split('\n');
  return grade(
    {
      speakers: [account, 'Assistant'],
      events: [],
      entities: [...entities.values()],
      facts,
      nodes: [{ nodeId: 'the talk', segments: 2, bullets }],
      summaries: [],
      introspections: [],
      searches: [],
      tokens: { background: { 'extract memories': read }, asked: 0, own: ownTokens(talk) },
    },
    talk.key,
  );
}

describe.each([
  // Each telling sentence is named again as a statement, long ones by their first words.
  ['chat', 'nadia417', 3.5],
  ['session', 'Ruben', 1.5],
  // The fixed words of the prompt weigh more in a short talk.
  ['move', 'marco.t', 6],
] as const)('of the talk %s, the shipped prompts and local-llm', (name, account, tokenRatioMax) => {
  let graded: Grade;
  beforeAll(async () => {
    graded = await remembered(await readTalk(name, account), account);
  });
  const linesOf = (...figures: string[]) =>
    graded.offending.filter(({ figure }) => figures.includes(figure)).map(({ line }) => line);

  it.each([
    ['entitiesSensible', 0.85],
    ['entitiesFound', 0.8],
    ['factsRight', 0.85],
    ['factsFound', 0.6],
    ['datesRight', 0.8],
  ] as const)('reach %s %d', (figure, least) => {
    expect(graded.figures[figure].of).toBeGreaterThan(0);
    const reached = shareOf(graded.figures[figure]);
    expect(reached, linesOf(figure).join('\n')).toBeGreaterThanOrEqual(least);
  });

  it('read it for few tokens, measured by its own', () => {
    expect(tokenRatioOf(graded)).toBeLessThan(tokenRatioMax);
  });

  it('sum it up in 3 to 7 lines that name their speaker, without greetings or JSON', () => {
    const lines = linesOf('nodesFull', 'bulletsNamed', 'linesClean');
    expect(lines.filter((line) => line.startsWith('the talk:'))).toEqual([]);
  });
});
