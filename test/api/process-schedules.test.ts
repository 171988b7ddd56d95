import { afterAll, beforeAll, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { type RunWorld, runWorld } from '../testkit/run-world.ts';

let rest: RestServer;
let ada: TestClient;
let runs: RunWorld;
beforeAll(async () => {
  rest = await openRestServer();
  ada = client(freshName('ada'));
  runs = await runWorld(ada, rest);
});
afterAll(() => rest.close());

interface Schedule {
  readonly id: string;
  readonly paused: boolean;
  readonly nextRunsAt: readonly string[];
  readonly recentRuns: readonly { readonly id: string }[];
}
const FIELDS =
  'id cron timezone context paused note lastError nextRunsAt recentRuns { id status } process ' +
  '{ id }';
const steer = async (mutation: string, id: string) =>
  (await ada.mutate<{ schedule: Schedule }>(mutation, { id }, `schedule { ${FIELDS} }`)).schedule;

it('a schedule is made, shown, triggered, paused and deleted over the API (SX-07)', async () => {
  const processId = await runs.createsProcess([{ stepId: 'greeting' }]);
  const wanted = {
    cron: '0 9 * * 1-5',
    timezone: 'Asia/Tokyo',
    context: { name: 'Grace' },
    note: 'Good morning',
  };
  const made = await ada.mutate<{ schedule: Schedule }>(
    'createProcessSchedule',
    { processId, ...wanted },
    `schedule { ${FIELDS} }`,
  );
  expect(made).toMatchObject({
    userErrors: [],
    schedule: {
      ...wanted,
      ...{ process: { id: processId }, paused: false, recentRuns: [], lastError: null },
    },
  });
  const { id, nextRunsAt } = made.schedule;
  expect(nextRunsAt).toHaveLength(5);
  // Nine in Tokyo is midnight in UTC.
  for (const time of nextRunsAt) expect(time).toMatch(/T00:00:00.000Z$/);

  const triggered = await steer('triggerProcessSchedule', id);
  const [run] = triggered.recentRuns;
  expect(await runs.finishes(run?.id ?? '')).toMatchObject({ status: 'COMPLETED' });
  expect(await steer('pauseProcessSchedule', id)).toMatchObject({ paused: true, nextRunsAt: [] });
  const process = await ada.find<{ schedules: Schedule[] }>(
    'process',
    processId,
    `schedules { ${FIELDS} }`,
  );
  expect(process.schedules).toMatchObject([{ id, paused: true, recentRuns: [{ id: run?.id }] }]);
  expect((await steer('resumeProcessSchedule', id)).nextRunsAt).toHaveLength(5);

  const removes = (mutation: string, of: string) => ada.mutate(mutation, { id: of }, 'deletedId');
  expect(await removes('deleteProcess', processId)).toMatchObject({
    deletedId: null,
    userErrors: [{ code: 'IN_USE' }],
  });
  expect(await removes('deleteProcessSchedule', id)).toEqual({ deletedId: id, userErrors: [] });
  expect(await removes('deleteProcess', processId)).toMatchObject({ deletedId: processId });
});
