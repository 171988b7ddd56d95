import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { type MemoryWorld, openMemoryWorld, saying } from '../testkit/memory-world.ts';
import type { LlmRequest, ScriptedReply } from '../testkit/scripted-llm.ts';
import { spawnWorker } from '../testkit/spawn-worker.ts';

// A worker process that is really killed, in the middle of what it reads out of a conversation.

let here: MemoryWorld;
const workers: ChildProcess[] = [];
beforeAll(async () => {
  here = await openMemoryWorld({ workers: 'none' });
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await here.close();
});
const works = async () => {
  const worker = await spawnWorker(here.engine);
  workers.push(worker);
  return worker;
};

const harbourOf = (turn: number): string => `Harbour ${'ABCDEFGH'.charAt(turn)}`;

/** The same for the same text, however often it is asked. */
function reads({ system, messages }: LlmRequest): ScriptedReply {
  const asks = (key: string) => system.includes(`{${key}:`);
  const turn = /<messages>[\s\S]*?Number (\d+)/.exec(messages.at(-1)?.content ?? '')?.[1] ?? '';
  const place = harbourOf(Number(turn));
  const answer: JsonObject = asks('entities')
    ? {
        entities: [
          { name: 'Grace', category: 'Person', summary: 'Sails.' },
          { name: place, category: 'Place', summary: 'A harbour.' },
        ],
        facts: [
          {
            source: 'Grace',
            target: place,
            relation: 'SAW',
            fact: `Grace saw ${place}.`,
            valid_at: null,
            invalid_at: null,
          },
        ],
      }
    : asks('same')
      ? { same: [], repeated: [], ended: [] }
      : { summary: 'Grace sails.' };
  return { ...saying(answer), delayMs: 150 };
}

describe('a worker that is killed while it reads', () => {
  it('S4-ALT-09, S4-EPI-04: loses nothing and doubles nothing, wherever it dies', async () => {
    const TURNS = 6;
    const ada = await here.person();
    here.llm.answers(ada.model, reads);
    const conversationId = await ada.starts();
    const said: string[] = [];
    for (let n = 0; n < TURNS; n++)
      said.push(await ada.says(conversationId, `Number ${n}: Grace saw ${harbourOf(n)}.`));
    // The first dies with a question on its way to the model; the others anywhere, as long as there
    // is something to do.
    let victim = await works();
    while (here.llm.requestsOf(ada.model).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
    for (let deaths = 0; deaths < 3; deaths++) {
      victim.kill('SIGKILL');
      victim = await works();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 1_500));
    }
    const ends = [];
    for (const id of said) ends.push(await here.ingested(id));
    expect(ends.map(({ status, faults }) => ({ status, faults }))).toEqual(
      said.map(() => ({ status: 'read', faults: [] })),
    );
    const [found] = (await here.asked(
      `MATCH (c:Conversation {id: $conversationId})
      RETURN COUNT { MATCH (:Episodic {group_id: c.id}) } AS episodes,
        COUNT { MATCH (:Episodic {group_id: c.id})<-[:INGEST_OF]-(:EpisodeIngest) } AS ingests,
        COUNT { MATCH (:Episodic {group_id: c.id})-[:MENTIONS]->(:Entity) } AS mentions,
        COUNT { MATCH (:Entity {group_id: c.id}) } AS entities,
        COUNT { MATCH (:Entity {group_id: c.id})-[:RELATES_TO]->(:Entity) } AS facts,
        COUNT { MATCH (r:ProcessRun {conversationId: c.id})
          WHERE r.processName = 'extract memories' } AS runs,
        COUNT { MATCH (o:OutboxEntry {conversationId: c.id})
          WHERE o.kind = 'episode.bound' } AS bound,
        COUNT { MATCH (o:OutboxEntry {conversationId: c.id})
          WHERE o.kind = 'episode.extracted' } AS extracted`,
      { conversationId },
    )) as Record<string, number>[];
    expect(found).toEqual({
      episodes: TURNS,
      ingests: TURNS,
      mentions: 2 * TURNS,
      entities: TURNS + 1,
      facts: TURNS,
      runs: TURNS,
      bound: TURNS,
      extracted: TURNS,
    });
    // Besides them there is the source of its enrichment, where that is over by now; it fires once
    // (S4-ENT-09).
    const sources = (await ada.entity('Grace')).sources;
    const read = sources.filter(({ type }) => type === 'graphiti');
    expect(new Set(read.map(({ episodeId }) => episodeId)).size).toBe(TURNS);
    expect(read).toHaveLength(TURNS);
    expect(sources.length - read.length).toBeLessThanOrEqual(1);
  }, 900_000);
});
