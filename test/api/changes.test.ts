import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

interface Changed {
  readonly id: string;
  readonly status: string;
  readonly title?: string;
  readonly depth?: number;
}
interface Change {
  readonly cursor: string;
  readonly it: Changed | null;
}
type Changes = AsyncGenerator<{ changes: Change }>;

const conversationChanges = (user: TestClient, variables: object = {}): Changes =>
  user.subscribeSse(
    `subscription ($after: Cursor) { changes: conversationChanges(after: $after) {
      cursor it: conversation { id title status } } }`,
    variables,
  );
const runChanges = (user: TestClient, variables: object = {}): Changes =>
  user.subscribeSse(
    `subscription ($after: Cursor, $rootsOnly: Boolean) {
      changes: runChanges(after: $after, rootsOnly: $rootsOnly) {
      cursor it: run { id status depth } } }`,
    variables,
  );

/** The next change of the stream. */
async function next(changes: Changes): Promise<Change> {
  const { value, done } = await changes.next();
  if (done === true) throw new Error('The stream ended.');
  return value.changes;
}

/** Reads until a change is the wanted one, and ends the stream. */
async function until(changes: Changes, isLast: (it: Changed) => boolean): Promise<Change[]> {
  const read: Change[] = [];
  for (let it: Changed | null = null; it === null || !isLast(it); it = read.at(-1)?.it ?? null)
    read.push(await next(changes));
  await changes.return(undefined);
  return read;
}
const titled = (title: string) => (it: Changed) => it.title === title;
const completed = (id: string) => (it: Changed) => it.id === id && it.status === 'COMPLETED';
const idsOf = (read: readonly Change[]) => [...new Set(read.map(({ it }) => it?.id))];
const starts = (user: TestClient, title: string) => user.creates('conversation', { title });

describe('changes of conversations', () => {
  it('are sent when one begins, gets a turn, a title, and is archived', async () => {
    const changes = conversationChanges(ada);
    expect((await next(changes)).it).toBeNull();
    const id = await starts(ada, 'Rivers');
    expect((await next(changes)).it).toMatchObject({ id, title: 'Rivers' });
    await ada.mutate('appendTurn', { conversationId: id, content: 'The Danube is long.' });
    expect((await next(changes)).it).toMatchObject({ id });
    await ada.mutate('updateConversation', { id, title: 'The Danube', status: 'ARCHIVED' });
    const read = await until(changes, titled('The Danube'));
    expect(read.at(-1)?.it).toEqual({ id, title: 'The Danube', status: 'ARCHIVED' });
  });

  it('go on after a cursor: each conversation that changed since is sent', async () => {
    const start = conversationChanges(ada);
    await next(start);
    await starts(ada, 'Before');
    const after = (await until(start, titled('Before'))).at(-1)?.cursor;
    const ids = [await starts(ada, 'First'), await starts(ada, 'Second')];
    const read = await until(conversationChanges(ada, { after }), titled('Second'));
    expect(idsOf(read)).toEqual(ids);
    // A reader that dropped after the first of them still gets the last one.
    const dropped = conversationChanges(ada, { after: read[0]?.cursor });
    expect(idsOf(await until(dropped, titled('Second')))).toEqual(ids.slice(1));
  });
});

describe('changes of runs', () => {
  it('are sent from the begin of a run to its end', async () => {
    const changes = runChanges(ada);
    expect((await next(changes)).it).toBeNull();
    const runId = await world.starts(await world.createsProcess([{ stepId: 'a' }]));
    expect(idsOf(await until(changes, completed(runId)))).toEqual([runId]);
  });

  it('go on after a cursor: a run that ended since is sent', async () => {
    const start = runChanges(ada);
    const { cursor } = await next(start);
    await start.return(undefined);
    const runId = await world.starts(await world.createsProcess([{ stepId: 'a' }]));
    await world.finishes(runId);
    const read = await until(runChanges(ada, { after: cursor }), completed(runId));
    // The run of the test before may have its last entry after the cursor.
    expect(idsOf(read).slice(-1)).toEqual([runId]);
  });

  it('leave out sub-runs where only root runs are asked for', async () => {
    const child = await world.createsProcess([{ stepId: 'inner' }]);
    const processId = await world.createsProcess([
      { stepId: 'outer', calls: { processId: child }, inputs: { name: 'x' } },
    ]);
    const [all, roots] = [runChanges(ada), runChanges(ada, { rootsOnly: true })];
    await Promise.all([next(all), next(roots)]);
    const runId = await world.starts(processId);
    // A run that is read late is sent as completed at once, before the runs below it.
    await until(all, ({ depth }) => depth === 1);
    const read = await until(roots, completed(runId));
    expect(new Set(read.map(({ it }) => it?.depth))).toEqual(new Set([0]));
  });
});

it('changes are those of their user only', async () => {
  const eve = client(freshName('eve'));
  const hers = await runWorld(eve, rest, '/slow?ms=50');
  const [talks, runs] = [conversationChanges(eve), runChanges(eve)];
  await Promise.all([next(talks), next(runs)]);
  await starts(ada, 'Private');
  await world.finishes(await world.starts(await world.createsProcess([{ stepId: 'a' }])));
  const own = await starts(eve, 'Own');
  const runId = await hers.starts(await hers.createsProcess([{ stepId: 'a' }]));
  expect(idsOf(await until(talks, titled('Own')))).toEqual([own]);
  expect(idsOf(await until(runs, completed(runId)))).toEqual([runId]);
});

it('a cursor of changes that is too far back is refused', () => {
  checkNear({ seq: 5, index: 0 }, 10_005);
  expect(() => checkNear({ seq: 5, index: 0 }, 10_006)).toThrow(/more than 10000 entries/);
});
