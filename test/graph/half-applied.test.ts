import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { NO_USAGE } from '../../src/common/tool-fault.ts';
import { findAlternatives, listAlternatives } from '../../src/conversations/alternative.cypher.ts';
import { endRun } from '../../src/runs/end/run-end.cypher.ts';
import { findRuns, listRuns } from '../../src/runs/run/run.cypher.ts';
import { isOpen } from '../../src/runs/run/run.ts';
import { listStepRuns } from '../../src/runs/steps/step-run.cypher.ts';
import { readWorkingMemorySources } from '../../src/working-memory/working-memory.cypher.ts';
import { readWith, testGraph, writeCypher, writeWith } from '../testkit/graph.ts';
import { newId } from '../testkit/outbox.ts';

const graph = testGraph();
// The second part comes when a busy machine gets to it; only that it is waited for is shown.
const patient = testGraph({ appliedWithinMs: 60_000 });
afterAll(() => Promise.all([graph.close(), patient.close()]));

const write = (cypher: string, params: Record<string, unknown>) =>
  writeCypher(graph, `${cypher}`, params);
/** Fields of every run and step that no test is about. */
const RUN = `workspace: 'w', processId: 'p', processName: 'P', processVersion: 1,
  snapshotHash: 'h', rootRunId: 'r',
  runPath: ['r'], queuePrefix: '', createdAt: datetime()`;
const STEP = 'attempt: 1';
type Ids = Readonly<Record<string, string>>;

/** The result of `read` while the second part of a commit comes later than its first. */
async function meanwhile<T>(
  ids: Ids,
  read: (ids: Ids) => Promise<T>,
  secondPart: string,
): Promise<T> {
  // Planned beforehand, the one has begun when the other comes.
  const nobody = Object.fromEntries(Object.keys(ids).map((name) => [name, 'nobody']));
  await read(nobody);
  const reading = read(ids);
  await setTimeout(30);
  await write(secondPart, ids);
  return reading;
}

describe('a read that meets a commit which is still being applied (docs/decisions/0014)', () => {
  it('waits for the output of a run that completed, and of its steps', async () => {
    const ids = { runId: newId(), ownerId: newId() };
    await write(
      `CREATE (run:ProcessRun {id: $runId, ownerId: $ownerId, status: 'completed', depth: 0,
        completedAt: datetime(), ${RUN}})
       CREATE (run)-[:HAS_STEP_RUN]->(:StepRun {key: $runId + '/a', runId: $runId, stepId: 'a',
         status: 'completed', ${STEP}})`,
      ids,
    );
    const [[run], page, [step]] = await meanwhile(
      ids,
      ({ runId = '', ownerId = '' }) =>
        patient.read((tx) =>
          Promise.all([
            findRuns(tx, ownerId, [runId]),
            listRuns(tx, ownerId, { includeSystem: true }, {}),
            listStepRuns(tx, ownerId, [runId]),
          ]),
        ),
      `MATCH (run:ProcessRun {id: $runId})-[:HAS_STEP_RUN]->(s:StepRun)
       SET run.output = 'whole', run.outputBytes = 7, s.output = '"whole"',
         s.completedAt = datetime()`,
    );
    expect(run).toMatchObject({ status: 'completed', output: 'whole' });
    expect(page.items.map(({ item }) => item.output)).toEqual(['whole']);
    expect(step).toMatchObject({ status: 'completed', output: 'whole' });
  });

  it('takes the rows that it finds where the rest does not come', async () => {
    const [runId, ownerId] = [newId(), newId()];
    const failed = "{id: $runId, ownerId: $ownerId, status: 'failed', depth: 0";
    await write(`CREATE (:ProcessRun ${failed}, ${RUN}})`, { runId, ownerId });
    const [run] = await readWith(graph, findRuns, ownerId, [runId]);
    expect(run).toMatchObject({ status: 'failed', error: null });
  });

  it('waits for the text of an answer, and for the other half of a switch', async () => {
    const names = ['conversationId', 'ownerId', 'turnId', 'first', 'second'] as const;
    const ids = Object.fromEntries(names.map((name) => [name, newId()]));
    await write(
      `CREATE (c:Conversation {id: $conversationId, ownerId: $ownerId, rootTurnId: $turnId,
        updatedAt: datetime()})
       CREATE (c)-[:HAS_TURN {sequence: 1}]->(t:ConversationTurn {id: $turnId, conversationId:
         c.id, ownerId: $ownerId, speaker: 'agent', turnType: 'message', timestamp: datetime()})
       WITH c, t UNWIND [[1, $first, 'one'], [2, $second, null]] AS of
       CREATE (t)-[:HAS_ALTERNATIVE {isActive: false, sequence: of[0]}]->(:Alternative {
         id: of[1], turnId: $turnId, conversationId: c.id, ownerId: $ownerId, content: of[2],
         outcome: 'completed', createdAt: datetime()})`,
      ids,
    );
    const [[answer], versions, sources] = await meanwhile(
      ids,
      ({ conversationId = '', ownerId = '', turnId = '', second = '' }) =>
        patient.read((tx) =>
          Promise.all([
            findAlternatives(tx, ownerId, [second]),
            listAlternatives(tx, ownerId, [turnId]),
            readWorkingMemorySources(tx, ownerId, { conversationId }),
          ]),
        ),
      `MATCH (a:Alternative {id: $second})<-[h:HAS_ALTERNATIVE]-() SET a.content = 'two',
        h.isActive = true`,
    );
    expect(answer).toMatchObject({ content: 'two', outcome: 'completed' });
    expect(versions.map(({ isActive }) => isActive)).toEqual([false, true]);
    expect(sources).toMatchObject({ path: [{ alternativeId: ids['second'], content: 'two' }] });
  });

  it('never shows a run as completed without its output, however often it looks', async () => {
    const ownerId = newId();
    const runIds = Array.from({ length: 60 }, () => newId());
    await write(
      `UNWIND $runIds AS id
       CREATE (:ProcessRun:PendingStart {id: id, ownerId: $ownerId, status: 'running', depth: 0,
         context: '{}', ${RUN}})`,
      { runIds, ownerId },
    );
    const now = new Date().toISOString();
    const end = (runId: string) =>
      writeWith(graph, endRun, {
        ...{ runId, status: 'completed', output: 'x', outputBlob: null, outputBytes: 3 },
        ...{ outputTruncated: false, error: null, usage: NO_USAGE, unreached: [], now },
        ...{ unreachedStatus: 'skipped', entries: [], callingStep: null },
      });
    let next = 0;
    let isOver = false;
    const writer = async () => {
      for (let runId = runIds[next++]; runId !== undefined; runId = runIds[next++])
        await end(runId);
    };
    let halves = 0;
    const reader = async () => {
      while (!isOver) {
        const ids = runIds.slice(Math.max(0, next - 3), next);
        const runs = await readWith(graph, findRuns, ownerId, ids);
        halves += runs.filter(({ status, output }) => !isOpen(status) && output === null).length;
      }
    };
    const readers = Array.from({ length: 4 }, reader);
    await Promise.all([writer(), writer()]);
    isOver = true;
    await Promise.all(readers);
    expect(halves).toBe(0);
  });
});
