import { expect, it } from 'vitest';
import { findRunById } from '../../src/runs/run/run.cypher.ts';
import { readWith, writeCypher } from '../testkit/graph.ts';
import { migrator } from '../testkit/migrations.ts';
import { newId } from '../testkit/outbox.ts';
import { worldGraph } from '../testkit/world.ts';

// docs/decisions/0024: runs of older versions get their origin by how they were started.

const graph = worldGraph();
const again = migrator();

const OLD = /* cypher */ `
  // oldRuns
  CREATE (c:Conversation {id: $conversationId, title: 'Trip'})
  CREATE (c)<-[:TASK_OF]-(:MemoryTask {kind: 'compression'})-[:DONE_BY]->(task:ProcessRun
    {id: $task})
  CREATE (:EpisodeIngest {episodeUuid: $episode, runId: $extraction}),
    (:Episodic {uuid: $episode, content: 'I moved to Rome.'})
  WITH task
  UNWIND [[$task, $task, 0, null], [$extraction, $extraction, 0, true], [$summary, $summary, 0,
    true],
    [$own, $own, 0, null], [$below, $extraction, 2, null], [$ownBelow, $own, 1, null]] AS of
  MERGE (run:ProcessRun {id: of[0]})
  SET run.rootRunId = of[1], run.depth = of[2], run.asksOwnersModel = of[3], run.ownerId = $ownerId,
    run.workspace = 'w', run.processId = 'p', run.processName = 'p', run.processVersion = 1,
    run.snapshotHash = 'h', run.status = 'running', run.runPath = [of[1]], run.queuePrefix = '',
    run.createdAt = datetime('2026-01-01T00:00:00Z')
`;

it('old runs of the product get their origin and work; others stay a user’s', async () => {
  const names = ['task', 'extraction', 'summary', 'own', 'below', 'ownBelow'] as const;
  const ids = Object.fromEntries(names.map((name) => [name, newId()]));
  const more = { conversationId: newId(), episode: newId(), ownerId: newId() };
  await writeCypher(graph, OLD, { ...ids, ...more });
  await again('140');
  const origins = async () =>
    Object.fromEntries(
      await Promise.all(
        names.map(async (name) => {
          const run = await readWith(graph, findRunById, ids[name] ?? '');
          return [name, [run?.origin, run?.workFor?.kind, run?.workFor?.name]] as const;
        }),
      ),
    );
  const expected = {
    task: ['system', 'conversation', 'Trip'],
    extraction: ['system', 'episode', 'I moved to Rome.'],
    summary: ['system', undefined, undefined],
    own: ['user', undefined, undefined],
    below: ['system', 'episode', 'I moved to Rome.'],
    ownBelow: ['user', undefined, undefined],
  };
  expect(await origins()).toEqual(expected);
  await again('140');
  expect(await origins()).toEqual(expected);
});
