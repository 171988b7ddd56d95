import { describe, expect, it } from 'vitest';
import { listActiveEntities } from '../../src/memory-graph/entities/active-entity.cypher.ts';
import { setActiveEntity } from '../../src/memory-graph/entities/active-entity.mutations.ts';
import { findEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import type { Entity } from '../../src/memory-graph/entities/entity.ts';
import { listFactsOfEntities } from '../../src/memory-graph/entities/fact.cypher.ts';
import { finishIngest } from '../../src/memory-graph/extraction/ingest.cypher.ts';
import {
  type CreateEntity,
  createEntity,
} from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { mergeEntities } from '../../src/memory-graph/resolution/merge.mutations.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith, runCypher, writeWith } from '../testkit/graph.ts';
import { insertEntity, insertFact, talker } from '../testkit/memory.ts';
import { someEntry } from '../testkit/outbox.ts';
import { race, refuses, world } from '../testkit/world.ts';

const here = await world();
const deps = runDeps(here);
const ada = here.ada.viewer;

const { starts, ...talk } = talker(deps, ada);
const knows = (name: string, more: Partial<CreateEntity> = {}, viewer = ada) =>
  createEntity(deps, viewer, { name, summary: `${name} is known.`, ...more });
const extracted = (groupId: string, name: string, summary = '') =>
  insertEntity(deps, ada.userId, { groupId, name, summary });
const fact = (groupId: string, source: Entity, name: string, target: Entity) =>
  insertFact(deps, ada.userId, {
    ...{ groupId, name, fact: `${source.name} ${name} ${target.name}.`, episodes: ['e'] },
    ...{ sourceUuid: source.uuid, targetUuid: target.uuid },
  });
async function mentions(conversationId: string, ...entities: Entity[]) {
  const { episodeId: episodeUuid } = await talk.says(conversationId, 'Something.');
  await writeWith(deps.graph, finishIngest, {
    ...{ episodeUuid, status: 'read', faults: [], factUuids: [], entry: someEntry() },
    now: new Date().toISOString(),
    mentions: entities.map(({ uuid: entityUuid }) => ({ entityUuid, uuid: deps.newId() })),
  });
}
const merge = (keepUuid: string, mergeUuid: string) =>
  mergeEntities(deps, ada, { keepUuid, mergeUuid });
const find = async (uuid: string, viewer = ada) =>
  (await readWith(deps.graph, findEntities, viewer.userId, [uuid])).get(uuid);
const factsOf = async (uuid: string) =>
  (await readWith(deps.graph, listFactsOfEntities, ada.userId, [uuid])).get(uuid) ?? [];

describe('two entities that are one (S4-ENT-07)', () => {
  it('facts, mentions, active references and sources move; the old uuid resolves', async () => {
    const conversationId = await starts();
    const [keep, lost] = [
      await extracted(conversationId, 'Grace Hopper', 'An admiral.'),
      await extracted(conversationId, 'Hopper', 'Wrote a compiler.'),
    ];
    const navy = await knows('Navy', { conversationId });
    const [out, back, between] = [
      await fact(conversationId, lost, 'SERVED', navy),
      await fact(conversationId, navy, 'PROMOTED', lost),
      await fact(conversationId, keep, 'IS', lost),
    ];
    await mentions(conversationId, lost);
    await mentions(conversationId, keep, lost);
    const active = { conversationId, entityUuid: lost.uuid, relevanceScore: 0.25 };
    await setActiveEntity(deps, ada, active);
    const one = await merge(keep.uuid, lost.uuid);
    expect(one).toMatchObject({
      uuid: keep.uuid,
      name: 'Grace Hopper',
      summary: 'Hopper SERVED Navy.\nNavy PROMOTED Hopper.',
      edgeCount: 2,
      mergedFrom: [lost.uuid],
    });
    const expected = ['Grace Hopper', 'Hopper'];
    expect(one.sources.map(({ originalName }) => originalName).toSorted()).toEqual(expected);
    expect(await find(lost.uuid)).toEqual(one);
    const facts = await factsOf(keep.uuid);
    expect(facts.map(({ uuid }) => uuid).toSorted()).toEqual([out, back].toSorted());
    const expectedFound = { sourceUuid: keep.uuid, targetUuid: navy.uuid };
    expect(facts.find(({ uuid }) => uuid === out)).toMatchObject(expectedFound);
    const listed = await readWith(deps.graph, listActiveEntities, ada.userId, [conversationId]);
    expect(listed.get(conversationId)?.map(({ entityUuid }) => entityUuid)).toContain(keep.uuid);
    const [record] = await runCypher(
      deps.graph,
      'MATCH (m:MergeRecord {uuid: $uuid}) RETURN m.dropped AS dropped, m.name AS name',
      { uuid: lost.uuid },
    );
    const expectedRecord = { name: 'Hopper', dropped: [expect.stringContaining(between)] };
    expect(record).toMatchObject(expectedRecord);
    // An entity that was merged twice resolves through both.
    const third = await extracted(conversationId, 'Amazing Grace');
    await merge(third.uuid, lost.uuid);
    expect((await find(lost.uuid))?.uuid).toBe(third.uuid);
    expect((await find(keep.uuid))?.mergedFrom.toSorted()).toEqual(
      [keep.uuid, lost.uuid].toSorted(),
    );
  });

  it("a user's uuid and name win, whichever is to be kept", async () => {
    const conversationId = await starts();
    const read = await extracted(conversationId, 'Hopper', 'Read.');
    const made = await knows('Grace', { conversationId, facets: { domain: ['navy'] } });
    const one = await merge(read.uuid, made.uuid);
    const facets = { domain: ['navy'] };
    const won = { uuid: made.uuid, name: 'Grace', entityType: 'Person', facets };
    expect(one).toMatchObject(won);
    expect(new Set(one.sources.map(({ type }) => type))).toEqual(new Set(['user', 'graphiti']));
  });

  it("an entity with itself, or with another user's, is refused", async () => {
    const [mine, theirs] = [await knows('Mine'), await knows('Theirs', {}, here.bob.viewer)];
    await refuses(merge(mine.uuid, mine.uuid), 'INVALID mergeUuid');
    await refuses(merge(mine.uuid, theirs.uuid), 'NOT_FOUND mergeUuid');
    await refuses(merge(theirs.uuid, mine.uuid), 'NOT_FOUND keepUuid');
    const other = await knows('Other');
    await merge(mine.uuid, other.uuid);
    await refuses(merge(mine.uuid, other.uuid), 'INVALID mergeUuid');
  });

  it('two merges at once end in one entity that has everything', async () => {
    const conversationId = await starts();
    const all = await Promise.all(
      ['One', 'Two', 'Three'].map((name) => extracted(conversationId, name)),
    );
    const [a, b, c] = all.map(({ uuid }) => uuid) as [string, string, string];
    const target = await knows('Target', { conversationId });
    for (const entity of all) await fact(conversationId, entity, 'KNOWS', target);
    const outcomes = await race([() => merge(a, b), () => merge(b, c), () => merge(c, a)]);
    expect(outcomes).toEqual({ done: 2, 'INVALID mergeUuid': 1 });
    const [one, two, three] = [await find(a), await find(b), await find(c)];
    expect(new Set([one?.uuid, two?.uuid, three?.uuid]).size).toBe(1);
    expect(await factsOf(one?.uuid ?? '')).toHaveLength(3);
    expect(one?.sources).toHaveLength(3);
  });

  it('an entity of a user takes the place of a read one of the same name', async () => {
    const conversationId = await starts();
    const read = await extracted(conversationId, 'joan  clarke', 'Read about.');
    const elsewhere = await extracted(await starts(), 'Joan Clarke');
    const made = await knows('Joan Clarke', { conversationId, summary: 'A cryptanalyst.' });
    expect(made.mergedFrom.toSorted()).toEqual([read.uuid, elsewhere.uuid].toSorted());
    expect((await find(read.uuid))?.uuid).toBe(made.uuid);
    expect(made.summary).toBe('A cryptanalyst.');
    expect((await find(elsewhere.uuid))?.uuid).toBe(made.uuid);
    const park = await knows('Joan Clarke', { category: 'Place', summary: 'A park.' });
    expect(park.mergedFrom).toEqual([]);
  });
});
