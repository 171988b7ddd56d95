import { expect, it } from 'vitest';
import { addAlternative } from '../../src/conversations/turn.mutations.ts';
import { countUnmerged, previewMerges } from '../../src/memory-graph/doubles/doubles.cypher.ts';
import { mergeDoubles } from '../../src/memory-graph/doubles/merge-doubles.job.ts';
import { listEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import { listFactsOfEntities } from '../../src/memory-graph/entities/fact.cypher.ts';
import { userGroupOf } from '../../src/memory-graph/group.ts';
import { stateIn } from '../../src/memory-graph/statements/statement.mutations.ts';
import { settleSwitches } from '../../src/memory-graph/withdrawal/withdrawal.mutations.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith, runCypher, writeCypher } from '../testkit/graph.ts';
import { insertEntity, insertFact, talker } from '../testkit/memory.ts';
import { migrator } from '../testkit/migrations.ts';
import { newViewer, world } from '../testkit/world.ts';

// docs/decisions/0116: what an older version knew of each conversation becomes one memory.

const here = await world();
const deps = runDeps(here);
const again = migrator();
const job = {
  checkpoint: null,
  isAsked: false,
  signal: new AbortController().signal,
  progress: async () => {},
  progressIn: async () => {},
};

it('entities of one name and kind become one, and the later said fact holds', async () => {
  const viewer = await newViewer(here.deps, 'piet');
  const { userId } = viewer;
  const { newId } = deps;
  const { says, starts } = talker(deps, viewer);
  const knows = async (groupId: string, name: string, entityType: string | null) =>
    (await insertEntity(deps, userId, { groupId, name, entityType })).uuid;
  const told = async (year: number, place: string) => {
    const conversationId = await starts();
    const saidAt = `${year}-05-01T08:00:00.000Z`;
    const { episodeId } = await says(conversationId, `I live in ${place}.`);
    const piet = await knows(conversationId, 'Piet', year === 2024 ? null : 'Person');
    const town = await knows(conversationId, place, 'Place');
    const uuid = await insertFact(deps, userId, {
      ...{ groupId: conversationId, name: 'LIVES_IN', fact: `Piet lives in ${place}.` },
      ...{ sourceUuid: piet, targetUuid: town, episodes: [episodeId] },
      ...{ validAt: saidAt, saidAt },
    });
    return { conversationId, piet, town, uuid, episodeId };
  };
  // The newest was read first.
  const third = await told(2026, 'Delft');
  const first = await told(2024, 'Breda');
  const second = await told(2025, 'Breda');
  // A river of the same name as a person, in a conversation of its own.
  const river = await knows(await starts(), 'piet', 'Place');
  await writeCypher(deps.graph, 'MATCH (f:FactRef {owner: $owner}) REMOVE f.saidAt', {
    owner: userGroupOf(userId),
  });

  for (let times = 0; times < 2; times++) {
    await again('201');
    const planned = await readWith(deps.graph, previewMerges, userId);
    expect(planned.map(({ lostUuid }) => lostUuid)).toHaveLength(times === 0 ? 3 : 0);
    expect(await readWith(deps.graph, previewMerges, newId())).toEqual([]);
    await mergeDoubles(deps, job);
    expect(await readWith(deps.graph, previewMerges, userId)).toEqual([]);
    const entities = (await readWith(deps.graph, listEntities, userId, { first: 50 })).items;
    const names = entities.map(({ item }) => [item.name, item.entityType, item.groupId]);
    const group = userGroupOf(userId);
    expect(names.toSorted()).toEqual([
      ['Breda', 'Place', group],
      ['Delft', 'Place', group],
      ['Piet', 'Person', group],
      ['piet', 'Place', group],
    ]);
    const piet = entities.find(({ item }) => item.name === 'Piet')?.item;
    expect([...(piet?.mergedFrom ?? []), piet?.uuid].toSorted()).toEqual(
      [first.piet, second.piet, third.piet].toSorted(),
    );
    expect(piet?.uuid).not.toBe(river);
    const uuid = piet?.uuid ?? '';
    const facts = (await readWith(deps.graph, listFactsOfEntities, userId, [uuid])).get(uuid) ?? [];
    const told = facts.map(({ fact, invalidAt, groupId }) => [fact, invalidAt, groupId]);
    expect(told.toSorted()).toEqual([
      ['Piet lives in Breda.', '2026-05-01T08:00:00.000Z', group],
      ['Piet lives in Delft.', null, group],
    ]);
    const breda = facts.find(({ invalidAt }) => invalidAt !== null);
    expect(breda?.episodes.toSorted()).toEqual([first.episodeId, second.episodeId].toSorted());
    // The Episodes keep their conversations.
    const kept = 'MATCH (ep:Episodic {uuid: $episodeId}) RETURN ep.group_id AS conversationId';
    const { conversationId } = first;
    expect(await runCypher(deps.graph, kept, { ...first })).toEqual([{ conversationId }]);
  }
  expect(await deps.graph.read(countUnmerged)).toBe(0);
});

it('a fact ends with a statement that ended long before, and holds again with it', async () => {
  const viewer = await newViewer(here.deps, 'ada');
  const { userId } = viewer;
  const { says, starts } = talker(deps, viewer);
  const knows = (name: string) =>
    insertEntity(deps, userId, { groupId: userGroupOf(userId), name });
  const [ada, weiss] = [await knows('ada'), await knows('Weiss')];
  const states = async (text: string, saidAt: string) => {
    const said = await says(await starts(), text, { saidAt });
    const statement = { text, about: [], attribute: 'dentist', validAt: null, invalidAt: null };
    const none = new Map<string, never>();
    const turn = { ownerId: userId, ownerName: 'ada', saidBy: 'ada', isOwner: true, saidAt };
    await deps.graph.write((tx) =>
      stateIn(
        tx,
        { ...turn, episodeUuid: said.episodeId, conversationId: 'c' },
        { statements: [{ ...statement, ends: [] }], repeated: none, ended: none },
        { entities: [ada, weiss], now: '2026-01-01T00:00:00Z' },
      ),
    );
    return said;
  };
  const first = await states('My dentist is Weiss.', '2024-02-01T10:00:00Z');
  const second = await states('My dentist is Roth.', '2025-02-01T10:00:00Z');
  // As an older version left it: the statement is over, the fact is not.
  await insertFact(deps, userId, {
    ...{ groupId: userGroupOf(userId), name: 'DENTIST_OF', fact: "Weiss is ada's dentist." },
    ...{ sourceUuid: weiss.uuid, targetUuid: ada.uuid, episodes: [first.episodeId] },
  });
  const end = async () => {
    const facts = await readWith(deps.graph, listFactsOfEntities, userId, [weiss.uuid]);
    return facts.get(weiss.uuid)?.map(({ invalidAt }) => invalidAt);
  };
  expect(await end()).toEqual([null]);
  for (let times = 0; times < 2; times++) {
    await again('216');
    await mergeDoubles(deps, job);
    expect(await end()).toEqual(['2025-02-01T10:00:00.000Z']);
  }
  const { turnId } = second;
  await addAlternative(deps, viewer, { turnId, content: 'I have two dentists.' });
  await settleSwitches(deps, userId);
  expect(await end()).toEqual([null]);
});

it('damaged entities keep their mark and are named, and all others are merged', async () => {
  const damaged = await newViewer(here.deps, 'eva');
  const whole = await newViewer(here.deps, 'tom');
  for (const { userId } of [damaged, whole])
    for (const groupId of ['one', 'two'])
      await insertEntity(deps, userId, { groupId, name: 'Lea' });
  const ofEva = { owner: userGroupOf(damaged.userId) };
  const created = 'MATCH (e:Entity)-[:HAS_PROFILE]->(:EntityProfile {owner: $owner}) SET ';
  await writeCypher(deps.graph, `${created} e.was = e.created_at, e.created_at = null`, ofEva);
  await again('201');

  const names = async ({ userId }: typeof whole) =>
    (await readWith(deps.graph, listEntities, userId, { first: 50 })).items.map(
      ({ item }) => item.name,
    );
  await expect(mergeDoubles(deps, job)).rejects.toThrow(
    `Not merged or settled, 1 in all: Entities "lea" of ${ofEva.owner}: `,
  );
  expect(await names(whole)).toEqual(['Lea']);
  expect(await deps.graph.read(countUnmerged)).toBe(2);

  await writeCypher(deps.graph, `${created} e.created_at = e.was, e.was = null`, ofEva);
  await mergeDoubles(deps, job);
  expect(await names(damaged)).toEqual(['Lea']);
  expect(await deps.graph.read(countUnmerged)).toBe(0);
});

it('marks that name nothing hold up nothing, and are told', async () => {
  const { userId } = await newViewer(here.deps, 'ida');
  for (const groupId of ['one', 'two']) await insertEntity(deps, userId, { groupId, name: 'Lea' });
  await again('201');
  const labels = ['EntityProfile:Unmerged', 'EntityProfile', 'ConversationTurn', 'TemporalFact'];
  for (const label of labels)
    await writeCypher(deps.graph, `CREATE (:${label}:Unsettled {owner: 1, isOfTest: $id})`, {
      id: userId,
    });

  await expect(mergeDoubles(deps, job)).rejects.toThrow('Without an owner, a name or an id: 5 of');
  const { items } = await readWith(deps.graph, listEntities, userId, { first: 50 });
  expect(items.map(({ item }) => item.name)).toEqual(['Lea']);
  expect(await deps.graph.read(countUnmerged)).toBe(0);
  await writeCypher(deps.graph, 'MATCH (n:Unsettled {isOfTest: $id}) DELETE n', { id: userId });
});
