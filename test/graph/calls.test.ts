import { describe, expect, it } from 'vitest';
import {
  addCall,
  addCallEdge,
  forgetCaller,
  removeOperation,
  updateCallStatus,
} from '../../src/calls/call.mutations.ts';
import { findCall, findCallGraph } from '../../src/calls/call-read.cypher.ts';
import { FlowGraph } from '../../src/calls/flow-graph.ts';
import { deleteCalls } from '../../src/calls/retention.cypher.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import { fixedSettings } from '../../src/settings/source.ts';
import type { Viewer } from '../../src/users/viewer.ts';
import { picture } from '../testkit/calls.ts';
import { newId } from '../testkit/outbox.ts';
import { race, refusals, world, worldGraph } from '../testkit/world.ts';

const AT = '2026-03-01T12:00:00.123Z';

/** Somebody with an operation of their own to call. */
async function hub() {
  const { deps: base, ada, bob } = await world();
  const deps = { ...base, settings: fixedSettings(SETTINGS_DEFAULT) };
  const operationId = `operation-${newId()}`;
  await run('CREATE (:Operation {id: $operationId, name: "o", namespace: "test"})', {
    operationId,
  });
  const viewer = ada.viewer;
  const call = async (parentRequestId: string | null = null, requestId: string = newId()) => {
    await addCall(deps, viewer, { requestId, operationId, parentRequestId, input: { n: 1 } });
    return requestId;
  };
  const step = (requestId: string, ...statuses: Parameters<typeof updateCallStatus>[3][]) =>
    statuses.reduce(
      (before, status) => before.then(() => updateCallStatus(deps, viewer, requestId, status)),
      Promise.resolve(),
    );
  const edge = (source: string, target: string, edgeType: string) =>
    addCallEdge(deps, viewer, { source, target, edgeType });
  return { deps, viewer, bob, operationId, call, step, edge };
}

function run(cypher: string, params: Record<string, unknown> = {}) {
  return worldGraph().write((tx) => tx.run(`// test\n ${cypher}`, params));
}
const found = (viewer: Viewer, requestId: string) =>
  worldGraph().read((tx) => findCall(tx, viewer, requestId));

describe('a stored call', () => {
  it('is pending, with an id of its own, times and no user data in its metadata (S3-NODE-01, S3-NODE-02, S3-NODE-10)', async () => {
    const { viewer, call } = await hub();
    const requestId = await call();
    const node = await found(viewer, requestId);
    expect(node).toMatchObject({ requestId, status: 'pending', parentRequestId: null });
    expect(node?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(node?.id).not.toBe(requestId);
    expect(node?.createdAt).toBe(node?.updatedAt);
    const [row] = await run(
      'MATCH (n:CallGraphNode {requestId: $requestId}) RETURN keys(n) AS keys',
      {
        requestId,
      },
    );
    // What retention needs begins with _, everything else is a column of the document or says whose it is.
    expect([...((row?.['keys'] ?? []) as string[])].sort()).toEqual(
      [
        'createdAt',
        'id',
        'identity',
        'input',
        'operationId',
        'ownerId',
        'requestId',
        'status',
        'updatedAt',
        'workspace',
      ].sort(),
    );
  });

  it('is one, of two writers who bring the same requestId one is told so (S3-NODE-02)', async () => {
    const { call, viewer } = await hub();
    const requestId = newId();
    expect(await race([() => call(null, requestId), () => call(null, requestId)])).toEqual({
      done: 1,
      'TAKEN requestId': 1,
    });
    expect(await refusals(call(null, requestId))).toEqual(['TAKEN requestId']);
    expect(await found(viewer, requestId)).toMatchObject({ status: 'pending' });
  });

  it('needs an operation and a parent that are there (S3-NODE-03)', async () => {
    const { deps, viewer } = await hub();
    const call = { requestId: newId(), operationId: 'nowhere', parentRequestId: newId() };
    expect(await refusals(addCall(deps, viewer, call))).toEqual([
      'NOT_FOUND operationId',
      'NOT_FOUND parentRequestId',
    ]);
  });

  it('goes on only as the state machine says, also when two try at once (S3-STATE-01)', async () => {
    const { viewer, call, step } = await hub();
    const requestId = await call();
    expect(await refusals(step(requestId, 'completed'))).toEqual(['STATE status']);
    expect(await refusals(step(requestId, 'failed'))).toEqual(['STATE status']);
    await step(requestId, 'running');
    const outcomes = await race([
      () => step(requestId, 'completed'),
      () => step(requestId, 'failed'),
      () => step(requestId, 'aborted'),
    ]);
    expect(outcomes).toEqual({ done: 1, 'STATE status': 2 });
    expect(await refusals(step(requestId, 'running'))).toEqual(['STATE status']);
    expect((await found(viewer, requestId))?.retentionExpiresAt).not.toBeNull();
  });

  it('keeps times to the millisecond on the way in and out (S3-NODE-09, S3-RET-03)', async () => {
    const { deps, viewer, call } = await hub();
    const requestId = await call();
    await updateCallStatus(deps, viewer, requestId, 'running', { startedAt: AT });
    await updateCallStatus(deps, viewer, requestId, 'completed', {
      completedAt: '2026-03-01T12:00:01.999Z',
      output: { rows: 1 },
    });
    expect(await found(viewer, requestId)).toMatchObject({
      startedAt: AT,
      completedAt: '2026-03-01T12:00:01.999Z',
      retentionExpiresAt: '2026-05-30T12:00:01.999Z',
    });
  });

  it('keeps the identity it was made with, whatever becomes of the caller (S3-NODE-05, S3-NODE-06)', async () => {
    const { deps, viewer, operationId } = await hub();
    const accountId = newId();
    const requestId = newId();
    const identity = { id: accountId, scopes: ['user'], resources: { workspace: 'w' } };
    await addCall(deps, viewer, { requestId, operationId, callerAccountId: accountId, identity });
    await updateCallStatus(deps, { ...viewer, roles: ['user', 'admin'] }, requestId, 'running');
    await forgetCaller(deps, accountId);
    const node = await found(viewer, requestId);
    expect(node?.callerAccountId).toBeNull();
    expect(JSON.parse(node?.identity ?? '')).toEqual(identity);
  });

  it('is nobody else’s to change', async () => {
    const { deps, bob, call } = await hub();
    const requestId = await call();
    expect(await refusals(updateCallStatus(deps, bob.viewer, requestId, 'running'))).toEqual([
      'NOT_FOUND requestId',
    ]);
    const edge = { source: requestId, target: requestId, edgeType: 'BadCase' };
    expect(await refusals(addCallEdge(deps, bob.viewer, edge))).toEqual([
      'NOT_FOUND source',
      'NOT_FOUND target',
      'INVALID target',
      'INVALID edgeType',
    ]);
  });
});

describe('an edge', () => {
  it('is of any snake_case type, once per source, target and type, and holds ids of nodes (S3-EDGE-01, S3-EDGE-02, S3-EDGE-06, S3-FLOW-02)', async () => {
    const { viewer, call, edge } = await hub();
    const [a, b] = [await call(), await call()];
    expect(await refusals(edge(a, b, 'BadCase'))).toEqual(['INVALID edgeType']);
    const writers = Array.from({ length: 6 }, () => () => edge(a, b, 'retries_after'));
    expect(await race(writers)).toEqual({ done: 6 });
    await edge(a, b, 'depends_on');
    await edge(b, a, 'retries_after');
    const rows = await run(
      'MATCH (a {requestId: $a})-[r:CALL_EDGE]-(b {requestId: $b}) RETURN r.edgeType AS type, r.sourceId AS source, r.id AS id, startNode(r).id AS from ORDER BY type, source',
      { a, b },
    );
    expect(rows.map(({ type }) => type)).toEqual(['depends_on', 'retries_after', 'retries_after']);
    for (const { source, from, id } of rows) {
      expect(source).toBe(from);
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect((await found(viewer, a))?.id).toBe(rows[0]?.['source']);
  });

  it('is there exactly where the parent is named, both ways (S3-NODE-04, S3-EDGE-03)', async () => {
    const { call, edge, viewer } = await hub();
    const parent = await call();
    const [born, adopted] = [await call(parent), await call()];
    await edge(parent, adopted, 'triggered');
    expect(await refusals(edge(adopted, born, 'triggered'))).toEqual(['STATE target']);
    expect((await found(viewer, adopted))?.parentRequestId).toBe(parent);
    expect((await picture(viewer, parent))?.edges).toEqual(
      [`${parent} triggered ${born}`, `${parent} triggered ${adopted}`].sort(),
    );
  });

  it('goes with either of its calls, and who outlives its parent is a top-level call (S3-EDGE-01)', async () => {
    const { call, edge, viewer } = await hub();
    const parent = await call();
    const [first, second] = [await call(parent), await call(parent)];
    await edge(second, first, 'depends_on');
    const ids = [(await found(viewer, parent))?.id ?? ''];
    await worldGraph().write((tx) => deleteCalls(tx, ids));
    expect((await found(viewer, first))?.parentRequestId).toBeNull();
    const rows = await run(
      'MATCH (n:CallGraphNode)-[r:CALL_EDGE]->() WHERE n.requestId IN $all RETURN r.edgeType AS type',
      { all: [first, second] },
    );
    expect(rows).toEqual([{ type: 'depends_on' }]);
  });
});

describe('an operation', () => {
  it('can not go while a call of it is active; its finished calls move to the sentinel (S3-OPS-01, S3-OPS-02)', async () => {
    const { deps, viewer, operationId, call, step } = await hub();
    const [done, busy] = [await call(), await call()];
    await step(done, 'running', 'completed');
    await step(busy, 'running');
    expect(await refusals(removeOperation(deps, operationId))).toEqual(['IN_USE operationId']);
    await step(busy, 'aborted');
    await removeOperation(deps, operationId);
    expect(await found(viewer, done)).toMatchObject({ operationId: '__removed__' });
    expect(await refusals(removeOperation(deps, operationId))).toEqual(['NOT_FOUND operationId']);
  });

  it('for what was removed is there from the start, and stays (S3-OPS-02)', async () => {
    const { deps } = await hub();
    expect(await refusals(removeOperation(deps, '__removed__'))).toEqual(['IMMUTABLE operationId']);
    const rows = await run(
      'MATCH (o:Operation {id: "__removed__"}) RETURN o.name AS name, o.namespace AS namespace',
    );
    expect(rows).toEqual([{ name: 'removed', namespace: 'system' }]);
  });

  it('that is called at the moment it is removed is either kept or gone for the call, never both', async () => {
    const { deps, operationId, call } = await hub();
    const outcomes = await race([() => call(), () => removeOperation(deps, operationId)]);
    expect([
      { done: 1, 'NOT_FOUND operationId': 1 },
      { done: 1, 'IN_USE operationId': 1 },
    ]).toContainEqual(outcomes);
  });
});

describe('the database', () => {
  it('has the indexes of the document, by name (S3-INDEX-01, S3-INDEX-02)', async () => {
    const rows = await worldGraph().read((tx) =>
      tx.run(
        '// test\n SHOW INDEXES YIELD name, entityType, labelsOrTypes, properties, owningConstraint RETURN name, entityType, labelsOrTypes, properties, owningConstraint',
      ),
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
  it('is rebuilt after a restart as it was, without what is only stored (S3-FLOW-03, S3-EDGE-05)', async () => {
    const { deps, viewer, operationId, edge } = await hub();
    const before = new FlowGraph();
    const ids = Array.from({ length: 6 }, () => newId());
    const identity = { id: viewer.userId, scopes: ['user'] };
    for (const [index, requestId] of ids.entries()) {
      const call = {
        requestId,
        operationId,
        parentRequestId: index === 0 ? null : (ids[(index - 1) >> 1] ?? null),
        input: { index },
        identity,
        callerAccountId: viewer.userId,
      };
      before.addCall(call);
      await addCall(deps, viewer, call);
    }
    const update = async (...change: Parameters<FlowGraph['updateStatus']>) => {
      before.updateStatus(...change);
      await updateCallStatus(deps, viewer, ...change);
    };
    const [a = '', b = '', c = ''] = ids;
    for (const requestId of [a, b]) await update(requestId, 'running', { startedAt: AT });
    await update(b, 'failed', {
      error: { code: 'NO', message: 'No.', details: [1] },
      completedAt: AT,
    });
    await update(c, 'aborted', { completedAt: AT });
    before.addDependency(c, b);
    await edge(c, b, 'depends_on');
    await edge(a, c, 'requested_by');

    const stored = await picture(viewer, a);
    const json = (text: string | null | undefined) => (text == null ? null : JSON.parse(text));
    const calls = (stored?.nodes ?? []).map((node) => ({
      requestId: node.requestId,
      operationId: node.operationId,
      parentRequestId: node.parentRequestId,
      identity: json(node.identity),
      callerAccountId: node.callerAccountId,
      status: node.status,
      input: json(node.input),
      output: json(node.output),
      error: json(node.error),
      startedAt: node.startedAt,
      completedAt: node.completedAt,
    }));
    const edges = (stored?.edges ?? []).map((text) => {
      const [source = '', edgeType = '', target = ''] = text.split(' ');
      return { source, edgeType, target };
    });
    expect(edges.map(({ edgeType }) => edgeType)).toContain('requested_by');
    expect(FlowGraph.fromCalls(calls, edges).export()).toEqual(before.export());
  });

  it('of 1,000 calls is read in two statements (S3-EDGE-07)', async () => {
    const { viewer, call } = await hub();
    const rootId = await call();
    await run(
      `MATCH (p:CallGraphNode {requestId: $rootId})
       UNWIND range(1, 1000) AS i
       CREATE (n:CallGraphNode {id: randomUUID(), requestId: $rootId + '/' + i, ownerId: p.ownerId, operationId: 'x',
         status: 'completed', parentRequestId: $rootId, createdAt: datetime(), updatedAt: datetime()})
       CREATE (p)-[:CALL_EDGE {id: randomUUID(), sourceId: p.id, targetId: n.id, edgeType: 'triggered', createdAt: datetime()}]->(n)`,
      { rootId },
    );
    const { value, statements } = await worldGraph().counting(() =>
      worldGraph().read((tx) => findCallGraph(tx, viewer, rootId)),
    );
    expect(value?.nodes).toHaveLength(1_001);
    expect(value?.edges).toHaveLength(1_000);
    expect(statements.map(({ name }) => name)).toEqual(['findCallTree', 'findCallEdges']);
  });
});
