import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { appendTurn } from '../../src/conversations/turn.mutations.ts';
import { ingestStarter } from '../../src/memory-graph/extraction/ingest-starter.projection.ts';
import { startIngest } from '../../src/memory-graph/extraction/start-ingest.service.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { watchConversation } from '../../src/working-memory/conversation-stream.ts';
import { openEngine } from '../testkit/engine.ts';
import { runCypher } from '../testkit/graph.ts';
import { clock, eventually, newId, quiet } from '../testkit/outbox.ts';
import { world } from '../testkit/world.ts';

// S4-ALT-09: a turn becomes one Episode, wherever a process dies on the way.

const queuePrefix = `t${randomUUID().slice(0, 8)}-`;
const engine = await openEngine({ queuePrefix, workers: 'none' });
const ada = (await world()).ada.viewer;
afterAll(() => engine.close());

async function says(count: number) {
  const { id: conversationId } = await createConversation(engine.deps, ada, {});
  for (let n = 0; n < count; n++)
    await appendTurn(engine.deps, ada, { conversationId, content: `Said as number ${n}.` });
  const rows = await runCypher(
    engine.graph,
    'MATCH (a:Alternative {conversationId: $conversationId}) RETURN a.id AS id',
    {
      conversationId,
    },
  );
  return { conversationId, alternativeIds: rows.map(({ id }) => String(id)) };
}
const counts = async (conversationId: string) => {
  const [row] = await runCypher(
    engine.graph,
    `MATCH (a:Alternative {conversationId: $conversationId})
      OPTIONAL MATCH (a)-[h:HAS_CONTENT]->(ep:Episodic)
      WITH count(DISTINCT a) AS alternatives, count(h) AS edges
      MATCH (ep:Episodic {group_id: $conversationId})
      RETURN alternatives, edges, count(ep) AS episodes`,
    { conversationId },
  );
  return row ?? null;
};
const start = (id: string) => startIngest({ temporal: engine.temporal.client, queuePrefix }, id);

describe('ingestion', () => {
  // S4-ALT-09
  it('told by the log, started twice, finished by any process, told to subscribers', async () => {
    const mine = new Set<string>();
    const told = Promise.withResolvers<void>();
    const started: string[] = [];
    const bus = openBus({ graph: engine.graph });
    let failures = 1;
    const starter = ingestStarter({
      graph: engine.graph,
      start: async (id) => {
        await told.promise;
        if (!mine.has(id)) return;
        if (failures-- > 0) throw new Error('killed before Temporal heard of it');
        started.push(id);
        await start(id);
      },
    });
    const relay = openRelay(
      { graph: engine.graph, clock, newId, bus, log: quiet },
      {
        projections: [{ ...starter, name: `ingest-${newId()}` }],
        settings: { leaseName: `test-${newId()}` },
      },
    );
    // All tests share the outbox, so the relay begins with new entries.
    await eventually('the relay holds its lease', () => relay.isHolder);
    const { conversationId, alternativeIds } = await says(3);
    for (const id of alternativeIds) mine.add(id);
    told.resolve();
    await eventually('all are started', () => new Set(started).size === 3);
    for (const id of alternativeIds) await start(id);
    const worker = await openEngine({ queuePrefix });
    try {
      await eventually(
        'all are bound',
        async () => (await counts(conversationId))?.['edges'] === 3,
      );
      expect(await counts(conversationId)).toEqual({ alternatives: 3, edges: 3, episodes: 3 });
      const stop = new AbortController();
      const bound: string[] = [];
      for await (const event of watchConversation(
        { bus },
        { conversationId, after: null },
        stop.signal,
      )) {
        if (event.kind === 'episode.bound') bound.push(event.alternativeId);
        if (bound.length === 3) break;
      }
      expect(bound.sort()).toEqual([...alternativeIds].sort());
    } finally {
      await relay.close();
      await worker.close();
    }
  });
});
