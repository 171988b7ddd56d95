import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkNear } from '../../src/outbox/changes.service.ts';
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

interface Change {
  readonly cursor: string;
  readonly run: { readonly id: string; readonly status: string; readonly depth: number } | null;
}
const CHANGES = `subscription ($after: Cursor, $rootsOnly: Boolean) {
  runChanges(after: $after, rootsOnly: $rootsOnly) { cursor run { id status depth } } }`;

function changesOf(user: TestClient, variables: object = {}) {
  return user.subscribeSse<{ runChanges: Change }>(CHANGES, variables);
}

/** The next change of the stream. */
async function next(changes: ReturnType<typeof changesOf>): Promise<Change> {
  const { value, done } = await changes.next();
  if (done === true) throw new Error('The stream ended.');
  return value.runChanges;
}

/** Reads until each of the runs has completed. */
async function untilCompleted(
  changes: ReturnType<typeof changesOf>,
  ids: readonly string[],
): Promise<Change[]> {
  const read: Change[] = [];
  const open = new Set(ids);
  while (open.size > 0) {
    const change = await next(changes);
    read.push(change);
    if (change.run?.status === 'COMPLETED') open.delete(change.run.id);
  }
  await changes.return(undefined);
  return read;
}

it('sends a run that begins after it, until the run has ended', async () => {
  const changes = changesOf(ada);
  expect((await next(changes)).run).toBeNull();
  const runId = await world.starts(await world.createsProcess([{ stepId: 'a' }]));
  const read = await untilCompleted(changes, [runId]);
  expect(read.map(({ run }) => run?.id)).toEqual(read.map(() => runId));
});

it('sends the runs of its user only', async () => {
  const eve = client(freshName('eve'));
  const hers = await runWorld(eve, rest, '/slow?ms=50');
  const changes = changesOf(eve);
  await next(changes);
  const foreign = await world.starts(await world.createsProcess([{ stepId: 'a' }]));
  await world.finishes(foreign);
  const runId = await hers.starts(await hers.createsProcess([{ stepId: 'a' }]));
  const read = await untilCompleted(changes, [runId]);
  expect(new Set(read.map(({ run }) => run?.id))).toEqual(new Set([runId]));
});

it('goes on after a cursor: each run that changed since is sent, and none before', async () => {
  const start = changesOf(ada);
  const { cursor } = await next(start);
  await start.return(undefined);
  const processId = await world.createsProcess([{ stepId: 'a' }]);
  const runIds = [await world.starts(processId), await world.starts(processId)];
  for (const runId of runIds) await world.finishes(runId);
  const read = await untilCompleted(changesOf(ada, { after: cursor }), runIds);
  expect(read.every(({ run }) => run !== null)).toBe(true);
  // A reader that dropped after the first of them still gets the last one.
  const dropped = changesOf(ada, { after: read[0]?.cursor });
  const again = await untilCompleted(dropped, [read.at(-1)?.run?.id ?? '']);
  expect(again.length).toBeGreaterThan(0);
});

it('leaves out sub-runs where only root runs are asked for', async () => {
  const child = await world.createsProcess([{ stepId: 'inner' }]);
  const processId = await world.createsProcess([
    { stepId: 'outer', calls: { processId: child }, inputs: { name: 'x' } },
  ]);
  const all = changesOf(ada);
  const roots = changesOf(ada, { rootsOnly: true });
  await Promise.all([next(all), next(roots)]);
  const runId = await world.starts(processId);
  const depths = async (changes: ReturnType<typeof changesOf>) =>
    new Set((await untilCompleted(changes, [runId])).map(({ run }) => run?.depth));
  expect(await depths(all)).toEqual(new Set([0, 1]));
  expect(await depths(roots)).toEqual(new Set([0]));
});

it('refuses a cursor that is too far back', () => {
  checkNear({ seq: 5, index: 0 }, 10_005);
  expect(() => checkNear({ seq: 5, index: 0 }, 10_006)).toThrow(/more than 10000 entries/);
});
