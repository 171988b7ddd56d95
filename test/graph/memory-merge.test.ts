import { expect, it } from 'vitest';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { countUnmerged, previewMerges } from '../../src/memory-graph/doubles/doubles.cypher.ts';
import { mergeDoubles } from '../../src/memory-graph/doubles/merge-doubles.job.ts';
import { listEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import { listFactsOfEntities } from '../../src/memory-graph/entities/fact.cypher.ts';
import { userGroupOf } from '../../src/memory-graph/group.ts';
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
  const starts = async () => (await createConversation(deps, viewer, {})).id;
  const { says } = talker(deps, viewer);
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
    const facts =
      (await readWith(deps.graph, listFactsOfEntities, userId, [piet?.uuid ?? ''])).get(
        piet?.uuid ?? '',
      ) ?? [];
    expect(
      facts.map(({ fact, invalidAt, groupId }) => [fact, invalidAt, groupId]).toSorted(),
    ).toEqual([
      ['Piet lives in Breda.', '2026-05-01T08:00:00.000Z', group],
      ['Piet lives in Delft.', null, group],
    ]);
    const breda = facts.find(({ invalidAt }) => invalidAt !== null);
    expect(breda?.episodes.toSorted()).toEqual([first.episodeId, second.episodeId].toSorted());
    // The Episodes keep their conversations.
    const [kept] = await runCypher(
      deps.graph,
      'MATCH (ep:Episodic {uuid: $uuid}) RETURN ep.group_id AS group',
      { uuid: first.episodeId },
    );
    expect(kept?.['group']).toBe(first.conversationId);
  }
  expect(await deps.graph.read(countUnmerged)).toBe(0);
});
