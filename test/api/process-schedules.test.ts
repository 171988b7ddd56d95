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
const PAYLOAD = `{ schedule { ${FIELDS} } userErrors { code message path } }`;
const steer = async (mutation: string, id: string) => {
  const answer = await ada.one<{ schedule: Schedule }>(
    `mutation ($id: ID!) { it: ${mutation}(input: { id: $id }) ${PAYLOAD} }`,
    { id },
  );
  return answer.schedule;
};

it('a schedule is made, shown, triggered, paused and deleted over the API (SX-07)', async () => {
  const processId = await runs.createsProcess([{ stepId: 'greeting' }]);
  const wanted = {
    cron: '0 9 * * 1-5',
    timezone: 'Asia/Tokyo',
    context: { name: 'Grace' },
    note: 'Good morning',
  };
  const input = { processId, ...wanted };
  const create = `mutation ($input: CreateProcessScheduleInput!) { it:
    createProcessSchedule(input: $input) ${PAYLOAD} }`;
  const made = await ada.query<{ it: { schedule: Schedule } }>(create, { input });
  expect(made.it).toMatchObject({
    userErrors: [],
    schedule: {
      ...wanted,
      process: { id: processId },
      paused: false,
      recentRuns: [],
      lastError: null,
    },
  });
  const { id, nextRunsAt } = made.it.schedule;
  expect(nextRunsAt).toHaveLength(5);
  // Nine in Tokyo is midnight in UTC.
  for (const time of nextRunsAt) expect(time).toMatch(/T00:00:00.000Z$/);

  const triggered = await steer('triggerProcessSchedule', id);
  const [run] = triggered.recentRuns;
  expect(await runs.finishes(run?.id ?? '')).toMatchObject({ status: 'COMPLETED' });
  expect(await steer('pauseProcessSchedule', id)).toMatchObject({ paused: true, nextRunsAt: [] });
  const process = await ada.one<{ schedules: Schedule[] }>(
    `query ($id: ID!) { process(id: $id) { schedules { ${FIELDS} } } }`,
    { id: processId },
  );
  expect(process.schedules).toMatchObject([{ id, paused: true, recentRuns: [{ id: run?.id }] }]);
  expect((await steer('resumeProcessSchedule', id)).nextRunsAt).toHaveLength(5);

  const remove = `mutation ($id: ID!) { it: deleteProcess(input: { id: $id }) { deletedId
    userErrors { code }
      } }`;
  expect(await ada.query(remove, { id: processId })).toEqual({
    it: { deletedId: null, userErrors: [{ code: 'IN_USE' }] },
  });
  expect(
    await ada.query(
      `mutation ($id: ID!) { deleteProcessSchedule(input: { id: $id }) { deletedId userErrors {
        code } } }`,
      { id },
    ),
  ).toEqual({ deleteProcessSchedule: { deletedId: id, userErrors: [] } });
  expect(await ada.query(remove, { id: processId })).toMatchObject({
    it: { deletedId: processId },
  });
});
