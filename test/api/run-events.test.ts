import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { type RunWorld, runWorld } from '../testkit/run-world.ts';

let rest: RestServer;
let ada: TestClient;
let world: RunWorld;
beforeAll(async () => {
  rest = await openRestServer();
  ada = client(freshName('ada'));
  world = await runWorld(ada, rest, '/slow?ms=50');
});
afterAll(() => rest.close());

interface Event {
  readonly __typename: string;
  readonly id: string;
  readonly runId: string;
  readonly parentId: string | null;
  readonly cursor: string;
  readonly callId?: string;
}
const EVENTS = `subscription ($runId: ID!, $after: Cursor, $includeChildren: Boolean = true) {
  runEvents(runId: $runId, after: $after, includeChildren: $includeChildren) { __typename id
  runId parentId cursor at
    ... on ToolCallEvent { callId } ... on ToolResultEvent { callId } } }`;

async function read(
  variables: object,
  most = Number.POSITIVE_INFINITY,
  who = ada,
): Promise<Event[]> {
  const events: Event[] = [];
  for await (const { runEvents } of who.subscribeSse<{ runEvents: Event }>(EVENTS, variables)) {
    events.push(runEvents);
    if (events.length === most) break;
  }
  return events;
}

describe('the stream of a run', () => {
  it('gives each event an id of its own, and a call and its result one callId', async () => {
    const runId = await world.starts(await world.createsProcess([{ stepId: 'a' }]));
    const events = await read({ runId });
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    const callsOf = (type: string) =>
      events.filter(({ __typename }) => __typename === type).map(({ callId }) => callId);
    expect(callsOf('ToolCallEvent')).toEqual([`${runId}/a/1`]);
    expect(callsOf('ToolResultEvent')).toEqual(callsOf('ToolCallEvent'));
  });
});

describe('Workers (S4-WRK)', () => {
  const root = client(freshName('root'), { role: 'admin' });
  const WORKERS = `{ workers { id type status currentJobId lastHeartbeatAt
    processedCount errorCount taskQueue
      } }`;
  interface Worker {
    readonly id: string;
    readonly type: string;
    readonly status: string;
    readonly currentJobId: string | null;
    readonly processedCount: number;
  }

  it('are listed by type and status, idle without a job (S4-WRK-01, S4-WRK-03)', async () => {
    const workers = await root.one<Worker[]>(WORKERS);
    const types = new Set(workers.map(({ type }) => type));
    expect(types).toEqual(new Set(['GRAPH_QUERY', 'REST_CALL', 'LLM_CALL', 'MCP_CALL']));
    for (const worker of workers.filter(({ status }) => status !== 'BUSY'))
      expect(worker.currentJobId).toBeNull();
    const some = await root.query<{ workers: Worker[] }>(
      '{ workers(type: LLM_CALL, status: IDLE) { type status } }',
    );
    for (const worker of some.workers) expect(worker).toEqual({ type: 'LLM_CALL', status: 'IDLE' });
    const node = await root.find<object>('node', workers[0]?.id, '__typename id');
    expect(node).toEqual({ __typename: 'Worker', id: workers[0]?.id });
  });

  it('are busy with a step while it runs; only admins see its owner (S4-WRK-05)', async () => {
    const slow = await runWorld(ada, rest, '/slow?ms=3000');
    const runId = await slow.starts(await slow.createsProcess([{ stepId: 'long' }]));
    const job = `${runId}/long`;
    let busy: Worker | undefined;
    for (let turn = 0; busy === undefined && turn < 600; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const workers = await root.one<Worker[]>(WORKERS);
      busy = workers.find(({ currentJobId }) => currentJobId === job);
    }
    expect(busy).toMatchObject({ type: 'REST_CALL', status: 'BUSY' });
    const seenByEve = await client(freshName('eve')).query<{ workers: Worker[] }>(WORKERS);
    expect(seenByEve.workers.map(({ currentJobId }) => currentJobId)).not.toContain(job);
    await slow.finishes(runId);
    const workers = await root.one<Worker[]>(WORKERS);
    const after = workers.find(({ id }) => id === busy?.id);
    expect(after?.currentJobId).not.toBe(job);
    expect(after?.processedCount).toBeGreaterThan(busy?.processedCount ?? 0);
    const processRun = await ada.find<{ steps: { worker: { id: string } }[] }>(
      'processRun',
      runId,
      'steps { worker { id } }',
    );
    expect(processRun.steps[0]?.worker.id).toBe(busy?.id);
  });
});
