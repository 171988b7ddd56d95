import { expect, it } from 'vitest';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { findEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import { tellPassedEnds } from '../../src/memory-graph/entities/passed-ends.job.ts';
import { tellSummaries } from '../../src/memory-graph/entities/told-summary.cypher.ts';
import { userGroupOf } from '../../src/memory-graph/group.ts';
import { runDeps } from '../testkit/conversations.ts';
import { readWith } from '../testkit/graph.ts';
import { insertEntity, insertFact, talker } from '../testkit/memory.ts';
import { newViewer, world } from '../testkit/world.ts';

const here = await world();
const deps = runDeps(here);

it('a summary leaves out what ended by time alone', async () => {
  const viewer = await newViewer(here.deps, 'liv');
  const { userId } = viewer;
  const groupId = userGroupOf(userId);
  const conversationId = (await createConversation(deps, viewer, {})).id;
  const { episodeId } = await talker(deps, viewer).says(conversationId, 'I rent in Hobro.');
  const [liv, hobro] = [
    (await insertEntity(deps, userId, { groupId, name: 'Liv', entityType: 'Person' })).uuid,
    (await insertEntity(deps, userId, { groupId, name: 'Hobro', entityType: 'Place' })).uuid,
  ];
  await insertFact(deps, userId, {
    ...{ groupId, name: 'LIVES_IN', fact: 'Liv lives in Hobro.', sourceUuid: liv },
    ...{ targetUuid: hobro, episodes: [episodeId], validAt: '2031-01-05T08:00:00.000Z' },
    ...{ invalidAt: '2031-03-01T00:00:00.000Z', saidAt: '2031-01-05T08:00:00.000Z' },
  });
  const summary = async () =>
    (await readWith(deps.graph, findEntities, userId, [liv])).get(liv)?.summary;
  await deps.graph.write((tx) => tellSummaries(tx, [liv], '2031-02-01T00:00:00.000Z'));
  expect(await summary()).toContain('until 1 March 2031');

  const clock = { ...deps.clock, nowMs: () => Date.parse('2031-03-01T00:30:00.000Z') };
  const saved: (string | null)[] = [];
  await tellPassedEnds(
    { ...deps, clock },
    {
      ...{ checkpoint: '2031-02-28T23:30:00.000Z', isAsked: false },
      signal: new AbortController().signal,
      progress: async ({ checkpoint }) => void saved.push(checkpoint ?? null),
      progressIn: async () => {},
    },
  );
  expect(await summary()).toBe('');
  expect(saved).toEqual(['2031-03-01T00:30:00.000Z']);
});
