import { afterAll, describe, expect, it } from 'vitest';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { findEmbeddingState } from '../../src/memory-graph/embeddings/embedding.cypher.ts';
import {
  type Embeddings,
  openEmbeddings,
  type ReembedStep,
} from '../../src/memory-graph/embeddings/embeddings.service.ts';
import { findEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import type { Embedder } from '../../src/platform/embeddings/embedder.ts';
import { runDeps } from '../testkit/conversations.ts';
import { aloneWithVectors, scriptedEmbedder } from '../testkit/embedder.ts';
import { readWith, runCypher } from '../testkit/graph.ts';
import { fixedSettings, insertEntity, talker } from '../testkit/memory.ts';
import { quiet } from '../testkit/outbox.ts';
import { cosine } from '../testkit/vectors.ts';
import { world } from '../testkit/world.ts';

const here = await world();
const deps = runDeps(here);
const ada = here.ada.viewer;
const letGo = await aloneWithVectors(deps.graph);
afterAll(() => letGo());

const asked = (cypher: string, params: object = {}) => runCypher(deps.graph, `${cypher}`, params);
const open = (embedder: Embedder | null, former: Embedder | null = null): Embeddings =>
  openEmbeddings({
    graph: deps.graph,
    log: quiet,
    embedder,
    openFormer: () => former ?? scriptedEmbedder({ model: 'gone', isAway: true }),
  });
const knows = (name: string, summary: string) => createEntity(deps, ada, { name, summary });
interface Vectors {
  readonly a: number[] | null;
  readonly b: number[] | null;
  readonly name: number[] | null;
  readonly isPending: boolean;
}
const vectorsOf = async (uuid: string): Promise<Vectors> => {
  const [row] = await asked(
    `MATCH (e:Entity {uuid: $uuid})-[:HAS_PROFILE]->(p)
    RETURN p.vectorA AS a, p.vectorB AS b, e.name_embedding AS name, p:Unembedded AS isPending`,
    { uuid },
  );
  return row as unknown as Vectors;
};
const state = () => readWith(deps.graph, findEmbeddingState);
const untilEmbedded = async (embeddings: Embeddings, uuid: string) => {
  while ((await vectorsOf(uuid)).isPending) await embeddings.embedPending();
};

describe('embeddings', () => {
  const first = scriptedEmbedder({ model: 'first', dimension: 32 });
  const second = scriptedEmbedder({ model: 'second', dimension: 48 });

  it('without a model everything goes by words', async () => {
    const none = open(null);
    expect(await none.embed(['x'])).toBeNull();
    expect(await none.embedPending()).toBe(0);
    expect(await none.reembed(null)).toBeNull();
  });

  it('new texts get their vectors, in the recorded space, and Graphiti its own', async () => {
    const embeddings = open(first);
    const entity = await knows('Marie Curie', 'Found radium.');
    const talk = talker(deps, ada);
    const { episodeId: uuid } = await talk.says(await talk.starts(), 'Radium glows.');
    await untilEmbedded(embeddings, entity.uuid);
    expect((await state())?.current).toMatchObject({ slot: 'A', model: 'first', dimension: 32 });
    const { a, b, name } = await vectorsOf(entity.uuid);
    const [whole, alone] = await first.embed(['Marie Curie: Found radium.', 'Marie Curie']);
    expect(a).toEqual(whole);
    expect(name).toEqual(alone);
    expect(b).toBeNull();
    const waiting = 'MATCH (t:EpisodeText:Unembedded {episodeUuid: $uuid}) RETURN t.key';
    while ((await asked(waiting, { uuid })).length > 0) await embeddings.embedPending();
    const vector = (await first.embed(['Radium glows.']))[0]?.map((x) => x + 1e-9);
    const found = await asked(
      `CALL db.index.vector.queryNodes('text_vector_a', 50, $vector) YIELD node, score
      WHERE node.episodeUuid = $uuid RETURN score`,
      { vector, uuid },
    );
    expect(found).toHaveLength(1);
    const asking = await embeddings.embed(['radium']);
    expect(asking?.slot).toBe('A');
    expect(cosine(asking?.vectors[0] ?? [], a ?? [])).toBeGreaterThan(0.2);
  });

  it('a model that is away loses nothing: words go on, vectors come later', async () => {
    const entity = await knows('Pierre Curie', 'A physicist.');
    const embeddings = open(first);
    first.isAway = true;
    await expect(embeddings.embedPending()).rejects.toThrow('away');
    expect(await embeddings.embed(['x'])).toBeNull();
    expect((await vectorsOf(entity.uuid)).isPending).toBe(true);
    first.isAway = false;
    await untilEmbedded(embeddings, entity.uuid);
    expect((await vectorsOf(entity.uuid)).a).not.toBeNull();
  });

  it('another model takes over step by step, while search stays up', async () => {
    const known = await knows('Irène Joliot-Curie', 'A chemist.');
    await untilEmbedded(open(first), known.uuid);
    let step: ReembedStep | null = await open(second, first).reembed(null);
    expect(step).toMatchObject({ phase: 'embedding' });
    let asks = 0;
    let late: string | null = null;
    while (step !== null) {
      // A process of its own each time: nothing but the step is carried on.
      const embeddings = open(second, first);
      const { current } = (await state()) ?? { current: null };
      const asking = await embeddings.embed(['radium']);
      expect(asking?.vectors[0]).toHaveLength(current?.dimension ?? 0);
      asks++;
      if (late === null) {
        late = (await knows('Ève Curie', 'A writer.')).uuid;
        await untilEmbedded(embeddings, late);
        expect((await vectorsOf(late)).b).toHaveLength(48);
      }
      step = await embeddings.reembed(step);
    }
    expect(asks).toBeGreaterThan(3);
    expect(await state()).toMatchObject({
      current: { slot: 'B', model: 'second', dimension: 48 },
      next: null,
      left: null,
    });
    const { a, b, name } = await vectorsOf(known.uuid);
    expect(a).toBeNull();
    expect(b).toEqual((await second.embed(['Irène Joliot-Curie: A chemist.']))[0]);
    expect(name).toHaveLength(48);
    const lengths = await asked(
      `MATCH (e:Entity) WHERE e.name_embedding IS NOT NULL RETURN DISTINCT size(e.name_embedding)
        AS length`,
    );
    expect(lengths).toEqual([{ length: 48 }]);
    expect(await open(second).reembed(null)).toBeNull();
  });

  // S4-ENT-07
  it('an entity that a user makes takes in a read one alike in name and summary', async () => {
    // The one that took over above.
    const embeddings = open(second);
    const { id: conversationId } = await createConversation(deps, ada, {});
    const summary = 'An admiral of the navy who wrote a compiler and spoke of nanoseconds.';
    const read = async (name: string, said: string) => {
      const given = { name, summary: said, groupId: conversationId, entityType: null };
      const { uuid } = await insertEntity(deps, ada.userId, given);
      await untilEmbedded(embeddings, uuid);
      return uuid;
    };
    const same = await read('Hopper', summary);
    const other = await read('Hopper the rabbit', 'Eats carrots in a garden behind some house.');
    const namesake = await read('Murray', summary);
    const makes = (threshold: number) =>
      createEntity(
        { ...deps, embeddings, settings: fixedSettings({ dedupSimilarityThreshold: threshold }) },
        ada,
        { conversationId, name: 'Grace Hopper', summary },
      );
    expect((await makes(0.9999)).mergedFrom).toEqual([]);
    const made = await makes(0.85);
    expect(made).toMatchObject({ name: 'Grace Hopper', mergedFrom: [same] });
    const found = await readWith(deps.graph, findEntities, ada.userId, [same, other, namesake]);
    expect([...found.values()].map(({ uuid }) => uuid)).toEqual([made.uuid, other, namesake]);
  });
});
