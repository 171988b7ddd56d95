import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { projectCalls } from '../../src/calls/projection.ts';
import { appendEntries } from '../../src/outbox/entry.cypher.ts';
import { listEntries, lookAtOutbox } from '../../src/outbox/log.cypher.ts';
import type { Viewer } from '../../src/users/viewer.ts';
import {
  endedRun,
  endedStep,
  PROCESS,
  picture,
  projectionDeps,
  startedRun,
  startedStep,
  storyteller,
} from '../testkit/calls.ts';
import { eventually } from '../testkit/outbox.ts';
import { world, worldGraph } from '../testkit/world.ts';

const KILLS = 20;
const ENTRIES = 5_000;
/** request, start, 12 steps that start and end, one that is lost and tried again, end. */
const STEPS = 12;
const ENTRIES_PER_RUN = 3 + 2 * STEPS + 3;

/** The entries of one run, in two halves, so that crashes fall into the middle of runs. */
function entriesOfRun(viewer: Viewer) {
  const story = storyteller(viewer, Date.now());
  const run = story.run();
  run.tell('run.requested', { ...PROCESS, retryOfId: null, scopes: ['user'] });
  run.tell('run.started', startedRun({ question: 'why?' }));
  for (let step = 0; step < STEPS; step++) {
    const dependsOn = step === 0 ? [] : [`s${step - 1}`];
    run.tell('step.started', startedStep(`s${step}`, { step }, { dependsOn }));
    run.tell('step.ended', endedStep(`s${step}`, { step }));
  }
  run.tell('step.started', startedStep('lost', {}));
  run.tell('step.started', startedStep('lost', {}, { attempt: 2 }));
  run.tell('step.ended', endedStep('lost', 1, { attempt: 2 }));
  run.tell('run.ended', endedRun('because'));
  return { runId: run.runId, entries: story.entries.map(({ seq: _, ...entry }) => entry) };
}

it(`is whole after the relay was killed at ${KILLS} random points while ${ENTRIES} entries flowed: the same as built from scratch (F5, S3-FLOW-02, S3-FLOW-03)`, async () => {
  const { ada, deps } = await world();
  const graph = worldGraph();
  const { lastSeq: before } = await graph.read((tx) => lookAtOutbox(tx));
  const name = `calls-${deps.newId()}`;
  // Where the projection begins; what lies before belongs to other tests.
  await graph.write((tx) =>
    tx.run('// test\n CREATE (:Checkpoint {name: $name, seq: $before})', { name, before }),
  );
  const runs = Array.from({ length: Math.ceil(ENTRIES / ENTRIES_PER_RUN) }, () =>
    entriesOfRun(ada.viewer),
  );

  let isWritten = false;
  let written = 0;
  let kills = 0;
  const writing = (async () => {
    for (const { entries } of runs) {
      // The stream lasts as long as there is somebody left to kill.
      while (kills < Math.floor((written / ENTRIES) * KILLS) && kills < KILLS)
        await new Promise((resolve) => setTimeout(resolve, 20));
      for (const half of [entries.slice(0, 14), entries.slice(14)])
        await graph.write((tx) => appendEntries(tx, half));
      written += entries.length;
    }
    isWritten = true;
  })();

  const startRelay = async (): Promise<ChildProcess> => {
    const path = new URL('../testkit/call-relay-process.ts', import.meta.url);
    const child = fork(path, [name, String(before)], { execArgv: [] });
    await once(child, 'message');
    return child;
  };
  for (; kills < KILLS; kills++) {
    const child = await startRelay();
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 300));
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const last = await startRelay();
  await writing;
  expect(isWritten).toBe(true);
  const endOf = async () => {
    const rows = await graph.read((tx) =>
      tx.run(
        '// test\n MATCH (n:CallGraphNode) WHERE n.requestId IN $ids AND n.status = "completed" RETURN count(n) AS done',
        { ids: runs.map(({ runId }) => runId) },
      ),
    );
    return Number(rows[0]?.['done']);
  };
  await eventually('every run is over', async () => (await endOf()) === runs.length, 120_000);
  last.kill('SIGKILL');
  await once(last, 'exit');

  const pictures = () => Promise.all(runs.map(({ runId }) => picture(ada.viewer, runId)));
  const projected = await pictures();
  await graph.write((tx) =>
    tx.run('// test\n MATCH (n:CallGraphNode {ownerId: $id}) DETACH DELETE n', {
      id: ada.viewer.userId,
    }),
  );
  for (const { runId } of runs) {
    const entries = await graph.read((tx) =>
      listEntries(tx, { rootRunId: runId }, { afterSeq: 0, limit: 1_000 }),
    );
    expect(entries).toHaveLength(ENTRIES_PER_RUN);
    await projectCalls(projectionDeps(), entries);
  }
  const rebuilt = await pictures();
  expect(projected).toEqual(rebuilt);
  // And it is what was told: a node for the run, each step, and both attempts of the lost one.
  for (const one of rebuilt) {
    expect(one?.nodes).toHaveLength(1 + STEPS + 2);
    expect(one?.edges).toHaveLength(STEPS + 2 + (STEPS - 1));
    expect(one?.nodes.filter(({ status }) => status === 'aborted')).toHaveLength(1);
  }
}, 400_000);
