import { beforeAll, describe, expect, it } from 'vitest';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { appendTurn } from '../../src/conversations/turn.mutations.ts';
import type { MemoryGraphDeps } from '../../src/memory-graph/deps.ts';
import { listActiveEntities } from '../../src/memory-graph/entities/active-entity.cypher.ts';
import { setActiveEntity } from '../../src/memory-graph/entities/active-entity.mutations.ts';
import { findEntities, insertEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import type { Entity } from '../../src/memory-graph/entities/entity.ts';
import { listFactsOfEntities } from '../../src/memory-graph/entities/fact.cypher.ts';
import { bindEpisode } from '../../src/memory-graph/episodes/episode.mutations.ts';
import { finishIngest } from '../../src/memory-graph/extraction/ingest.cypher.ts';
import {
  type CreateEntity,
  createEntity,
} from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { mergeEntities } from '../../src/memory-graph/resolution/merge.mutations.ts';
import { writeFacts } from '../../src/memory-graph/resolution/resolution.cypher.ts';
import type { Viewer } from '../../src/users/user.ts';
import { runDeps } from '../testkit/conversations.ts';
import { someEntry } from '../testkit/outbox.ts';
import { race, refusals, type World, world } from '../testkit/world.ts';

let here: World;
let deps: MemoryGraphDeps;
let ada: Viewer;
beforeAll(async () => {
  here = await world();
  deps = runDeps(here);
  ada = here.ada.viewer;
});

const starts = async () => (await createConversation(deps, ada, {})).id;
const knows = (name: string, more: Partial<CreateEntity> = {}, viewer = ada) =>
  createEntity(deps, viewer, { name, summary: `${name} is known.`, ...more });
/** As extraction leaves one. */
async function extracted(groupId: string, name: string, summary = ''): Promise<Entity> {
  const now = new Date().toISOString();
  const entity: Entity = {
    uuid: deps.newId(),
    name,
    entityType: 'Person',
    summary,
    groupId,
    createdAt: now,
    validAt: now,
    sources: [
      {
        type: 'graphiti',
        createdAt: now,
        createdBy: null,
        episodeId: deps.newId(),
        originalName: name,
        confidence: 0.5,
      },
    ],
    facets: null,
    typing: null,
    enrichment: null,
    enrichedAt: null,
    enrichedById: null,
    edgeCount: 0,
    mergedFrom: [],
  };
  await deps.graph.write((tx) => insertEntities(tx, ada.userId, [entity]));
  return entity;
}
async function fact(
  groupId: string,
  source: Entity,
  name: string,
  target: Entity,
): Promise<string> {
  const now = new Date().toISOString();
  const uuid = deps.newId();
  await deps.graph.write((tx) =>
    writeFacts(tx, {
      ownerId: ada.userId,
      episodeUuid: 'e',
      saidAt: now,
      now,
      repeated: [],
      ended: [],
      created: [
        {
          uuid,
          name,
          fact: `${source.name} ${name} ${target.name}.`,
          groupId,
          sourceUuid: source.uuid,
          targetUuid: target.uuid,
          episodes: ['e'],
          validAt: null,
          invalidAt: null,
          expiredAt: null,
          createdAt: now,
        },
      ],
    }),
  );
  return uuid;
}
async function mentions(conversationId: string, ...entities: Entity[]) {
  const turn = await appendTurn(deps, ada, { conversationId, content: 'Something.' });
  const [row] = await deps.graph.read((tx) =>
    tx.run('// of\nMATCH (a:Alternative {turnId: $id}) RETURN a.id AS id', { id: turn.id }),
  );
  const bound = await bindEpisode(deps, String(row?.['id']));
  const episodeUuid = bound?.episodeUuid ?? '';
  await deps.graph.write((tx) =>
    finishIngest(tx, {
      episodeUuid,
      status: 'read',
      faults: [],
      factUuids: [],
      now: new Date().toISOString(),
      mentions: entities.map(({ uuid: entityUuid }) => ({ entityUuid, uuid: deps.newId() })),
      entry: someEntry(),
    }),
  );
}
const find = async (uuid: string, viewer = ada) =>
  (await deps.graph.read((tx) => findEntities(tx, viewer.userId, [uuid]))).get(uuid);
const factsOf = async (uuid: string) =>
  (await deps.graph.read((tx) => listFactsOfEntities(tx, ada.userId, [uuid]))).get(uuid) ?? [];

describe('two entities that are one (S4-ENT-07)', () => {
  it('facts, mentions, active references and sources are moved; the lost uuid still resolves', async () => {
    const conversationId = await starts();
    const [keep, merge] = [
      await extracted(conversationId, 'Grace Hopper', 'An admiral.'),
      await extracted(conversationId, 'Hopper', 'Wrote a compiler.'),
    ];
    const navy = await knows('Navy', { conversationId });
    const [out, back, between] = [
      await fact(conversationId, merge, 'SERVED', navy),
      await fact(conversationId, navy, 'PROMOTED', merge),
      await fact(conversationId, keep, 'IS', merge),
    ];
    await mentions(conversationId, merge);
    await mentions(conversationId, keep, merge);
    await setActiveEntity(deps, ada, {
      conversationId,
      entityUuid: merge.uuid,
      relevanceScore: 0.25,
    });
    const one = await mergeEntities(deps, ada, { keepUuid: keep.uuid, mergeUuid: merge.uuid });
    expect(one).toMatchObject({
      uuid: keep.uuid,
      name: 'Grace Hopper',
      summary: 'An admiral.\nWrote a compiler.',
      edgeCount: 2,
      mergedFrom: [merge.uuid],
    });
    expect(one.sources.map(({ originalName }) => originalName).toSorted()).toEqual([
      'Grace Hopper',
      'Hopper',
    ]);
    expect(await find(merge.uuid)).toEqual(one);
    const facts = await factsOf(keep.uuid);
    expect(facts.map(({ uuid }) => uuid).toSorted()).toEqual([out, back].toSorted());
    expect(facts.find(({ uuid }) => uuid === out)).toMatchObject({
      sourceUuid: keep.uuid,
      targetUuid: navy.uuid,
    });
    const active = await deps.graph.read((tx) =>
      listActiveEntities(tx, ada.userId, [conversationId]),
    );
    expect(active.get(conversationId)?.map(({ entityUuid }) => entityUuid)).toContain(keep.uuid);
    const [record] = await deps.graph.read((tx) =>
      tx.run(
        '// record\nMATCH (m:MergeRecord {uuid: $uuid}) RETURN m.dropped AS dropped, m.name AS name',
        {
          uuid: merge.uuid,
        },
      ),
    );
    expect(record).toMatchObject({
      name: 'Hopper',
      dropped: [expect.stringContaining(between)],
    });
    // What was merged twice resolves through both.
    const third = await extracted(conversationId, 'Amazing Grace');
    await mergeEntities(deps, ada, { keepUuid: third.uuid, mergeUuid: merge.uuid });
    expect((await find(merge.uuid))?.uuid).toBe(third.uuid);
    expect((await find(keep.uuid))?.mergedFrom.toSorted()).toEqual(
      [keep.uuid, merge.uuid].toSorted(),
    );
  });

  it("a user's uuid and name win, whichever is to be kept", async () => {
    const conversationId = await starts();
    const read = await extracted(conversationId, 'Hopper', 'Read.');
    const made = await knows('Grace', { conversationId, facets: { domain: ['navy'] } });
    const one = await mergeEntities(deps, ada, { keepUuid: read.uuid, mergeUuid: made.uuid });
    expect(one).toMatchObject({
      uuid: made.uuid,
      name: 'Grace',
      entityType: 'Person',
      facets: { domain: ['navy'] },
    });
    expect(new Set(one.sources.map(({ type }) => type))).toEqual(new Set(['user', 'graphiti']));
  });

  it("an entity with itself, or with another user's, is refused", async () => {
    const [mine, theirs] = [await knows('Mine'), await knows('Theirs', {}, here.bob.viewer)];
    const merge = (keepUuid: string, mergeUuid: string) =>
      refusals(mergeEntities(deps, ada, { keepUuid, mergeUuid }));
    expect(await merge(mine.uuid, mine.uuid)).toEqual(['INVALID mergeUuid']);
    expect(await merge(mine.uuid, theirs.uuid)).toEqual(['NOT_FOUND mergeUuid']);
    expect(await merge(theirs.uuid, mine.uuid)).toEqual(['NOT_FOUND keepUuid']);
    const other = await knows('Other');
    await mergeEntities(deps, ada, { keepUuid: mine.uuid, mergeUuid: other.uuid });
    expect(await merge(mine.uuid, other.uuid)).toEqual(['INVALID mergeUuid']);
  });

  it('two merges at once end in one entity that has everything', async () => {
    const conversationId = await starts();
    const all = [
      await extracted(conversationId, 'One'),
      await extracted(conversationId, 'Two'),
      await extracted(conversationId, 'Three'),
    ];
    const [a, b, c] = all.map(({ uuid }) => uuid) as [string, string, string];
    const target = await knows('Target', { conversationId });
    for (const entity of all) await fact(conversationId, entity, 'KNOWS', target);
    const merge = (keepUuid: string, mergeUuid: string) => () =>
      mergeEntities(deps, ada, { keepUuid, mergeUuid });
    const outcomes = await race([merge(a, b), merge(b, c), merge(c, a)]);
    expect(outcomes).toEqual({ done: 2, 'INVALID mergeUuid': 1 });
    const [one, two, three] = [await find(a), await find(b), await find(c)];
    expect(new Set([one?.uuid, two?.uuid, three?.uuid]).size).toBe(1);
    expect(await factsOf(one?.uuid ?? '')).toHaveLength(3);
    expect(one?.sources).toHaveLength(3);
  });

  it('what a user makes takes the place of what was read under the same name', async () => {
    const conversationId = await starts();
    const read = await extracted(conversationId, 'grace  hopper', 'Read about.');
    const elsewhere = await extracted(await starts(), 'Grace Hopper');
    const made = await knows('Grace Hopper', { conversationId, summary: 'An admiral.' });
    expect(made.mergedFrom).toEqual([read.uuid]);
    expect((await find(read.uuid))?.uuid).toBe(made.uuid);
    expect(made.summary).toBe('An admiral.\nRead about.');
    expect((await find(elsewhere.uuid))?.uuid).toBe(elsewhere.uuid);
  });
});
