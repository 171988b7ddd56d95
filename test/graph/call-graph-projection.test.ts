import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCall } from '../../src/call-graph/call-read.cypher.ts';
import { MUTATION_ENDED } from '../../src/call-graph/mutation-entry.ts';
import type { NumberedEntry } from '../../src/outbox/entry.ts';
import type { Viewer } from '../../src/users/user.ts';
import {
  endedRun,
  endedStep,
  PROCESS,
  picture,
  project,
  projectionDeps,
  startedRun,
  startedStep,
  storyteller,
} from '../testkit/calls.ts';
import { runCypher, writeCypher } from '../testkit/graph.ts';
import { newId } from '../testkit/outbox.ts';
import { world, worldGraph } from '../testkit/world.ts';

const read = async (viewer: Viewer, requestId: string) =>
  (await picture(viewer, requestId))?.nodes.find((node) => node.requestId === requestId);

/** A run of two steps, the second of which calls a Process with one step. */
function wholeStory(viewer: Viewer) {
  const runState = storyteller(viewer);
  const root = runState.run();
  const child = runState.run(root);
  const callId = newId();
  const callStep = { stepId: 'deepen', index: null, attempt: 1 };
  root.tell('run.requested', { ...PROCESS, retryOfId: null, callId, scopes: ['user'] });
  root.tell('run.started', startedRun({ question: 'why?' }));
  root.tell('step.started', startedStep('look', { q: 'why?' }));
  root.tell('step.ended', endedStep('look', { found: 3 }));
  root.tell('step.started', {
    ...startedStep('deepen', { n: 3 }, { dependsOn: ['look'] }),
    type: 'process',
    targetId: 'p-2',
  });
  child.tell('run.started', startedRun({ n: 3 }, { ...callStep, runId: root.runId }));
  child.tell('step.started', startedStep('think', { n: 3 }));
  child.tell('step.ended', endedStep('think', 'because'));
  child.tell('run.ended', endedRun('because'));
  root.tell('step.ended', {
    ...endedStep('deepen', 'because'),
    type: 'process',
    targetId: 'p-2',
    childRunId: child.runId,
  });
  root.tell('run.ended', endedRun('It is because.'));
  runState.add({
    id: newId(),
    kind: MUTATION_ENDED,
    at: '2026-03-01T12:00:00.005Z',
    ownerId: viewer.userId,
    workspace: viewer.workspace,
    rootRunId: null,
    runId: null,
    runPath: [],
    conversationId: null,
    payload: {
      requestId: callId,
      name: 'startProcessRun',
      scopes: ['user'],
      input: { processId: 'p-1' },
      output: { run: root.runId },
      error: null,
      startedAt: '2026-03-01T12:00:00.001Z',
      completedAt: '2026-03-01T12:00:00.005Z',
    },
  });
  return { story: runState, root, child, callId };
}

describe('the call graph', () => {
  // S3-NODE-01, S3-NODE-02, S3-NODE-04, S3-NODE-08, S3-NODE-09, S3-EDGE-02, S3-EDGE-03, S3-EDGE-04,
  // S3-EDGE-05, S3-RET-03
  it('has a node for the mutation, each run and each attempt, with three edges', async () => {
    const { ada } = await world();
    const { story: runState, root, child, callId } = wholeStory(ada.viewer);
    await project(runState.entries);
    const graph = await picture(ada.viewer, callId);
    const [runId, childId] = [root.runId, child.runId];
    const [look, deepen, think] = [`${runId}/look/1`, `${runId}/deepen/1`, `${childId}/think/1`];
    expect(graph?.edges).toEqual(
      [
        `${callId} triggered ${runId}`,
        `${runId} triggered ${look}`,
        `${runId} triggered ${deepen}`,
        `${deepen} triggered ${childId}`,
        `${childId} triggered ${think}`,
        `${deepen} depends_on ${look}`,
        `${runId} requested_by ${childId}`,
      ].sort(),
    );
    const shape = (graph?.nodes ?? []).map((node) =>
      [node.requestId, node.operationId, node.parentRequestId, node.input, node.output].join(' '),
    );
    expect(shape.sort()).toEqual(
      [
        `${callId} mutation:startProcessRun  {"processId":"p-1"} {"run":"${runId}"}`,
        `${runId} p-1 ${callId} {"question":"why?"} "It is because."`,
        `${look} tool-look ${runId} {"q":"why?"} {"found":3}`,
        `${deepen} call_process ${runId} {"n":3} "because"`,
        `${childId} p-1 ${deepen} {"n":3} "because"`,
        `${think} tool-think ${childId} {"n":3} "because"`,
      ].sort(),
    );
    expect(graph?.nodes.find(({ requestId }) => requestId === look)).toMatchObject({
      startedAt: '2026-03-01T12:00:00.030Z',
      completedAt: '2026-03-01T12:00:00.040Z',
      callerAccountId: ada.viewer.userId,
      retentionExpiresAt: '2026-05-30T12:00:00.040Z',
    });
    const { userId: id, workspace } = ada.viewer;
    for (const { identity, status } of graph?.nodes ?? []) {
      expect(status).toBe('completed');
      // Of the whole tree the authority is the starter's, as it was then (S3-NODE-05).
      const starter = { id, scopes: ['user'], resources: { workspace } };
      expect(JSON.parse(identity ?? '')).toEqual(starter);
    }
  });

  // S3-EDGE-06, S3-FLOW-02
  it('ends the same in any order and batches of entries, also when they come again', async () => {
    const { ada } = await world();
    const told = (order: readonly number[]) => {
      const { story: runState, callId } = wholeStory(ada.viewer);
      return { entries: order.map((index) => runState.entries[index]) as NumberedEntry[], callId };
    };
    const shapeOf = async (callId: string) => {
      const graph = await picture(ada.viewer, callId);
      return (graph?.nodes ?? [])
        .map(({ operationId, status, input, output }) =>
          JSON.stringify([operationId, status, input, output?.length]),
        )
        .sort();
    };
    const straight = told(Array.from({ length: 12 }, (_, index) => index));
    await project(straight.entries, { batch: 1 });
    const expected = await shapeOf(straight.callId);
    const once = await picture(ada.viewer, straight.callId);
    for (const batch of [3, 12]) await project(straight.entries, { batch });
    expect(await picture(ada.viewer, straight.callId)).toEqual(once);
    // The root's end stays last but for the mutation: it says that all the rest is over.
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 10 });
    await fc.assert(
      fc.asyncProperty(order, fc.integer({ min: 1, max: 12 }), async (mixed, batch) => {
        const { entries, callId } = told([...mixed, 10, 11]);
        await project(entries, { batch });
        expect(await shapeOf(callId)).toEqual(expected);
      }),
      { numRuns: 5 },
    );
  });

  it('shows a call pending when requested, running when dispatched (S3-STATE-02)', async () => {
    const { ada } = await world();
    const runState = storyteller(ada.viewer);
    const root = runState.run();
    root.tell('run.requested', { ...PROCESS, retryOfId: null });
    await project(runState.entries);
    const expected = { status: 'pending', startedAt: null };
    expect(await read(ada.viewer, root.runId)).toMatchObject(expected);
    root.tell('run.started', startedRun({}));
    await project(runState.entries);
    expect(await read(ada.viewer, root.runId)).toMatchObject({
      status: 'running',
      startedAt: '2026-03-01T12:00:00.020Z',
      completedAt: null,
      retentionExpiresAt: null,
    });
  });

  it.each([
    ['failed', 'failed'],
    ['timed_out', 'failed'],
    ['cancelled', 'aborted'],
  ] as const)('a step that %s is a call that %s, with its error and no output', async (was, is) => {
    const { ada } = await world();
    const runState = storyteller(ada.viewer);
    const root = runState.run();
    root.tell('run.started', startedRun({}));
    root.tell('step.started', startedStep('look', {}));
    const error = { code: 'TOOL_FAILED', message: 'No.', details: { at: 1 } } as const;
    const ended = { status: was, error: { ...error, stepId: 'look' } };
    root.tell('step.ended', endedStep('look', null, ended));
    await project(runState.entries);
    const call = await read(ada.viewer, `${root.runId}/look/1`);
    expect(call).toMatchObject({ status: is, output: null });
    expect(JSON.parse(call?.error ?? '')).toEqual(error);
  });

  it('aborts a lost attempt when the next one starts, and open ones with the run', async () => {
    const { ada } = await world();
    const runState = storyteller(ada.viewer);
    const root = runState.run();
    root.tell('run.started', startedRun({}));
    root.tell('step.started', startedStep('look', {}));
    root.tell('step.started', startedStep('look', {}, { attempt: 2 }));
    root.tell('step.ended', endedStep('look', 'late'));
    root.tell('step.started', startedStep('gone', {}));
    root.tell('run.ended', endedRun(null, { status: 'cancelled' }));
    await project(runState.entries);
    const graph = await picture(ada.viewer, root.runId);
    expect(graph?.nodes.map(({ requestId, status }) => [requestId.slice(36), status])).toEqual([
      ['', 'aborted'],
      ['/gone/1', 'aborted'],
      ['/look/1', 'aborted'],
      ['/look/2', 'aborted'],
    ]);
  });

  // S3-RED-03, S3-RED-04, S3-TRUNC-01
  it('keeps no secret, whole or in a preview, and cuts large values', async () => {
    const { ada } = await world();
    const runState = storyteller(ada.viewer);
    const root = runState.run();
    const secret = 'hunter2-hunter2-hunter2';
    root.tell('run.started', startedRun({ password: secret, note: `{"token":"${secret}"}` }));
    root.tell(
      'step.started',
      startedStep('look', { header: `Bearer ${secret}`, big: 'x'.repeat(20_000) }),
    );
    root.tell('step.ended', endedStep('look', { iban: secret }));
    await project(runState.entries, {
      deps: projectionDeps({ redactedFields: ['iban', 'password', 'token'] }),
    });
    const stored = 'MATCH (n:CallGraphNode {rootRunId: $runId}) RETURN n {.*} AS n';
    const rows = await runCypher(worldGraph(), stored, { runId: root.runId });
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain(secret);
    const call = await read(ada.viewer, `${root.runId}/look/1`);
    expect(JSON.parse(call?.input ?? '')).toMatchObject({ _truncated: true, size: 20_032 });
  });

  it('finds a value that was too large for its entry where the run recorded it', async () => {
    const { deps, ada } = await world();
    const runState = storyteller(ada.viewer);
    const root = runState.run();
    root.tell('step.started', { ...startedStep('look', null), inputs: { bytes: 300_000 } });
    root.tell('step.started', { ...startedStep('none', null), inputs: { bytes: 300_000 } });
    await writeCypher(deps.graph, 'CREATE (:StepRun {key: $key, inputsBlob: $blob})', {
      key: `${root.runId}/look`,
      blob: 'somewhere',
    });
    const secret = 'hunter2-hunter2-hunter2';
    const load = async ({ blob }: { blob: string | null }) =>
      blob === 'somewhere' ? { password: secret, rest: 'y'.repeat(300_000) } : null;
    await project(runState.entries, { deps: { ...projectionDeps(), payloads: { load } } });
    const found = JSON.parse((await read(ada.viewer, `${root.runId}/look/1`))?.input ?? '');
    expect(found).toMatchObject({ _truncated: true, size: 300_048 });
    expect(found.preview).toMatch(/^{"password":\[REDACTED\],"rest":"yyy/);
    expect(JSON.parse((await read(ada.viewer, `${root.runId}/none/1`))?.input ?? '')).toEqual({
      _truncated: true,
      size: 300_000,
      preview: '',
    });
  });

  it('is seen by its owner and by admins only', async () => {
    const { ada, bob, root: admin } = await world();
    const { story: runState, callId } = wholeStory(ada.viewer);
    await project(runState.entries);
    const sees = async (viewer: Viewer) =>
      worldGraph().read(async (tx) => (await findCall(tx, viewer, callId)) !== null);
    const seen = [await sees(ada.viewer), await sees(bob.viewer), await sees(admin.viewer)];
    expect(seen).toEqual([true, false, true]);
    expect(await picture(bob.viewer, callId)).toBeNull();
  });

  it('moves the calls of a Tool that is deleted to the sentinel (S3-OPS-02)', async () => {
    const { ada } = await world();
    const runState = storyteller(ada.viewer);
    const root = runState.run();
    const toolId = `tool-${newId()}`;
    root.tell('step.started', startedStep('look', {}, { targetId: toolId }));
    root.tell('step.ended', endedStep('look', 1, { targetId: toolId }));
    const started = runState.entries[0] as NumberedEntry;
    runState.add({ ...started, id: newId(), kind: 'tool.deleted', payload: { id: toolId } });
    await project(runState.entries);
    await project(runState.entries, { batch: 1 });
    expect(await read(ada.viewer, `${root.runId}/look/1`)).toMatchObject({
      operationId: '__removed__',
    });
    const rows = await runCypher(worldGraph(), 'MATCH (o:Operation {id: $toolId}) RETURN o', {
      toolId,
    });
    expect(rows).toEqual([]);
  });
});
