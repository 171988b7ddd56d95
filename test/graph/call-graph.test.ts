import { describe, expect, it } from 'vitest';
import { findCall, findCallGraph } from '../../src/call-graph/call-read.cypher.ts';
import { deleteCalls } from '../../src/call-graph/retention.cypher.ts';
import { deleteTool } from '../../src/catalog/tools/tool.mutations.ts';
import type { Viewer } from '../../src/users/user.ts';
import {
  endedRun,
  endedStep,
  PROCESS,
  project,
  startedRun,
  startedStep,
  storyteller,
} from '../testkit/calls.ts';
import { readWith, runCypher, writeCypher, writeWith } from '../testkit/graph.ts';
import { refuses, world, worldGraph } from '../testkit/world.ts';

function run(cypher: string, params: Record<string, unknown> = {}) {
  return writeCypher(worldGraph(), `${cypher}`, params);
}
const found = (viewer: Viewer, requestId: string) =>
  readWith(worldGraph(), findCall, viewer, requestId);

/** A run of two steps at work; nothing is projected yet. */
async function hub() {
  const { ada } = await world();
  const runState = storyteller(ada.viewer);
  const root = runState.run();
  root.tell('run.requested', { ...PROCESS, retryOfId: null, scopes: ['user'] });
  root.tell('run.started', startedRun({ n: 1 }));
  root.tell('step.started', startedStep('look', { n: 1 }));
  root.tell('step.ended', endedStep('look', { rows: 1 }));
  root.tell('step.started', startedStep('think', { n: 2 }, { dependsOn: ['look'] }));
  const look = `${root.runId}/look/1`;
  const think = `${root.runId}/think/1`;
  return { viewer: ada.viewer, story: runState, root, look, think };
}

describe('a stored call', () => {
  // S3-NODE-01, S3-NODE-02, S3-NODE-10
  it('has an id of its own, times, and no user data in its metadata', async () => {
    const { ada } = await world();
    const runState = storyteller(ada.viewer);
    const { runId: requestId, tell } = runState.run();
    tell('run.requested', { ...PROCESS, retryOfId: null, scopes: ['user'] });
    await project(runState.entries);
    const node = await found(ada.viewer, requestId);
    expect(node).toMatchObject({ requestId, status: 'pending', parentRequestId: null });
    expect(node?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(node?.id).not.toBe(requestId);
    expect(node?.createdAt).toBe(node?.updatedAt);
    const [row] = await run(
      'MATCH (n:CallGraphNode {requestId: $requestId}) RETURN keys(n) AS keys',
      { requestId },
    );
    // A key of retention begins with _; every other one is a column of the document or says whose
    // call it is.
    expect([...((row?.['keys'] ?? []) as string[])].sort()).toEqual([
      ...['callerAccountId', 'createdAt', 'id', 'identity', 'operationId', 'origin', 'ownerId'],
      ...['requestId', 'rootRunId', 'status', 'updatedAt', 'workspace'],
    ]);
  });

  it('has an operation that is there (S3-NODE-03)', async () => {
    const { story: runState, root } = await hub();
    await project(runState.entries);
    const rows = await run(
      `MATCH (n:CallGraphNode {rootRunId: $runId})
       OPTIONAL MATCH (o:Operation {id: n.operationId})
       RETURN n.operationId AS operationId, o.id AS id`,
      { runId: root.runId },
    );
    expect(rows).toHaveLength(3);
    for (const { operationId, id } of rows) expect(id).toBe(operationId);
  });

  // S3-STATE-01
  it('goes on only as the state machine says, whatever the log says later', async () => {
    const { viewer, story: runState, root, look } = await hub();
    await project(runState.entries);
    const before = await found(viewer, look);
    expect(before).toMatchObject({ status: 'completed' });
    const late = storyteller(viewer, Date.parse('2026-03-02T12:00:00.000Z'));
    const again = late.run(root);
    const tell = <T extends object>(entry: T) => ({ ...entry, runId: root.runId });
    again.tell('step.started', startedStep('look', { n: 1 }));
    again.tell('step.ended', endedStep('look', null, { status: 'failed' }));
    again.tell('step.ended', endedStep('look', null, { status: 'cancelled' }));
    for (const entry of late.entries.map(tell)) await project([entry]);
    const expected = { status: 'completed', completedAt: before?.completedAt };
    expect(await found(viewer, look)).toMatchObject(expected);
  });

  it('passes running when its end is all that the log has (S3-STATE-01)', async () => {
    const { ada } = await world();
    const runState = storyteller(ada.viewer);
    const { runId, tell } = runState.run();
    tell('run.requested', { ...PROCESS, retryOfId: null });
    tell('run.ended', endedRun('done'));
    await project(runState.entries, { batch: 1 });
    expect(await found(ada.viewer, runId)).toMatchObject({ status: 'completed' });
  });

  it('keeps the identity it was made with (S3-NODE-05)', async () => {
    const { viewer, story: runState, root } = await hub();
    await project(runState.entries);
    const before = await found(viewer, root.runId);
    const later = runState.entries.map((entry) => ({
      ...entry,
      payload: { ...entry.payload, scopes: ['user', 'admin'] },
    }));
    await project(later);
    const after = await found(viewer, root.runId);
    expect(after?.identity).toBe(before?.identity);
    const expected = { id: viewer.userId, scopes: ['user'] };
    expect(JSON.parse(after?.identity ?? '')).toMatchObject(expected);
  });
});

describe('an edge', () => {
  // S3-EDGE-01, S3-EDGE-06, S3-FLOW-02
  it('is once per source, target and type, and holds ids of nodes', async () => {
    const { viewer, story: runState, look, think } = await hub();
    await project(runState.entries);
    await Promise.all([project(runState.entries), project(runState.entries, { batch: 1 })]);
    const rows = await run(
      `MATCH (a {requestId: $think})-[r:CALL_EDGE]-(b {requestId: $look}) RETURN r.edgeType
        AS type, r.sourceId AS source, r.id AS id, startNode(r).id AS from`,
      { look, think },
    );
    expect(rows.map(({ type }) => type)).toEqual(['depends_on']);
    for (const { source, from, id } of rows) {
      expect(source).toBe(from);
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await found(viewer, think))?.id).toBe(rows[0]?.['source']);
  });

  // S3-EDGE-01
  it('goes with either of its calls; a call without parent is a top-level call', async () => {
    const { viewer, story: runState, root, look, think } = await hub();
    await project(runState.entries);
    const ids = [(await found(viewer, root.runId))?.id ?? ''];
    await writeWith(worldGraph(), deleteCalls, ids);
    expect((await found(viewer, look))?.parentRequestId).toBeNull();
    const rows = await run(
      `MATCH (n:CallGraphNode)-[r:CALL_EDGE]->() WHERE n.requestId IN $all RETURN r.edgeType
        AS type`,
      { all: [look, think] },
    );
    expect(rows).toEqual([{ type: 'depends_on' }]);
  });
});

describe('an operation', () => {
  it('can not go while a call of it is active (S3-OPS-01)', async () => {
    const { deps, ada } = await world();
    const { id: toolId } = await ada.createsTool();
    const runState = storyteller(ada.viewer);
    const root = runState.run();
    root.tell('run.started', startedRun({}));
    root.tell('step.started', startedStep('look', {}, { targetId: toolId }));
    await project(runState.entries);
    const key = `${root.runId}/look`;
    await run("CREATE (:StepRun {key: $key, status: 'running'})", { key });
    await refuses(deleteTool(deps, ada.viewer, { id: toolId }), 'IN_USE id');
    await run("MATCH (s:StepRun {key: $key}) SET s.status = 'completed'", { key });
    expect(await deleteTool(deps, ada.viewer, { id: toolId })).toBe(toolId);
    await run('MATCH (s:StepRun {key: $key}) DELETE s', { key });
  });

  it('for calls of removed ones is there from the start (S3-OPS-02)', async () => {
    const rows = await run(
      'MATCH (o:Operation {id: "__removed__"}) RETURN o.name AS name, o.namespace AS namespace',
    );
    expect(rows).toEqual([{ name: 'removed', namespace: 'system' }]);
  });
});

describe('the database', () => {
  it('has the indexes of the document, by name (S3-INDEX-01, S3-INDEX-02)', async () => {
    const rows = await runCypher(
      worldGraph(),
      `SHOW INDEXES YIELD name, entityType, labelsOrTypes, properties, owningConstraint RETURN
        name, entityType, labelsOrTypes, properties, owningConstraint`,
    );
    const indexes = rows
      .filter(({ name }) => /call_graph_(nodes|edges)/.test(String(name)))
      .map(({ name, properties, owningConstraint }) =>
        [name, (properties as string[]).join(), owningConstraint === null ? '' : 'unique'].join(
          ' ',
        ),
      )
      .sort();
    expect(indexes).toEqual(
      [
        'idx_call_graph_nodes_request_id requestId unique',
        'idx_call_graph_nodes_operation_id operationId ',
        'idx_call_graph_nodes_status status ',
        'idx_call_graph_nodes_caller_account_id callerAccountId ',
        'idx_call_graph_nodes_created_at createdAt ',
        'idx_call_graph_nodes_operation_created operationId,createdAt ',
        'idx_call_graph_nodes_started_at startedAt ',
        'idx_call_graph_edges_source_id sourceId ',
        'idx_call_graph_edges_target_id targetId ',
        'idx_call_graph_edges_source_id_type sourceId,edgeType ',
        'unq_call_graph_edges_source_target_type sourceId,targetId,edgeType unique',
      ].sort(),
    );
  });
});

describe('the graph in memory', () => {
  it('of 300 calls is read in two statements (S3-EDGE-07)', async () => {
    const { viewer, story: runState, root } = await hub();
    await project(runState.entries);
    const rootId = root.runId;
    await run(
      `MATCH (p:CallGraphNode {requestId: $rootId})
       UNWIND range(1, 300) AS i
       CREATE (n:CallGraphNode {id: randomUUID(), requestId: $rootId + '/' + i, ownerId: p.ownerId,
         origin: 'user', operationId: 'x',
         status: 'completed', parentRequestId: $rootId, createdAt: datetime(),
         updatedAt: datetime()})
       CREATE (p)-[:CALL_EDGE {id: randomUUID(), sourceId: p.id, targetId: n.id,
         edgeType: 'triggered', createdAt: datetime()}]->(n)`,
      { rootId },
    );
    const { value, statements } = await worldGraph().counting(() =>
      readWith(worldGraph(), findCallGraph, viewer, rootId),
    );
    expect(value?.nodes).toHaveLength(303);
    expect(value?.edges).toHaveLength(303);
    expect(statements.map(({ name }) => name)).toEqual(['findCallTree', 'findCallEdges']);
  });
});
