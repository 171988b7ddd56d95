import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { openTemporal } from '../../src/platform/temporal/client.ts';
import { createSchedules } from '../../src/platform/temporal/schedules.ts';
import { deleteProcess, updateProcess } from '../../src/processes/process.mutations.ts';
import { findRuns } from '../../src/runs/run/run.cypher.ts';
import { startRun } from '../../src/runs/start/start-run.service.ts';
import { fire } from '../../src/schedules/fire-schedule.service.ts';
import { findSchedules, listSchedules, recentRunIds } from '../../src/schedules/schedule.cypher.ts';
import {
  type CreateProcessSchedule,
  createProcessSchedule,
  deleteProcessSchedule,
  pauseProcessSchedule,
  resumeProcessSchedule,
  triggerProcessSchedule,
  updateProcessSchedule,
} from '../../src/schedules/schedule.mutations.ts';
import { scheduleProjection } from '../../src/schedules/schedule.projection.ts';
import { SCHEDULES_PER_USER_MAX, temporalScheduleId } from '../../src/schedules/schedule.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { readWith } from '../testkit/graph.ts';
import { beginsHere, eventually, newId, quiet } from '../testkit/outbox.ts';
import { echoTool, step } from '../testkit/run-steps.ts';
import { type Person, race, refusals, refuses, world } from '../testkit/world.ts';

const { engine, rest, ada, bob, own } = await engineWorld();
afterAll(async () => {
  for (const id of await engine.deps.schedules.list(temporalScheduleId(engine.queuePrefix, '')))
    await engine.deps.schedules.remove(id);
});

const toolOf = async (person: Person) => {
  const service = await person.createsService({ shared: true });
  return echoTool(person, rest.origin, '/echo', { serviceId: service.id, shared: true });
};
const tool = await toolOf(ada);
const aProcess = (more: object = {}) =>
  own.createProcess({
    initialContext: ['name'],
    steps: [step('a', tool.id, { q: '{context.name}' })],
    outputTemplate: 'Hello {{name}}',
    ...more,
  });
async function aSchedule(given: Partial<CreateProcessSchedule> = {}, who = ada) {
  const processId = given.processId ?? (await aProcess()).id;
  const input = { cron: '@yearly', context: { name: 'Grace' }, ...given, processId };
  return createProcessSchedule(engine.deps, who.viewer, input);
}
const look = (id: string) => engine.deps.schedules.look(temporalScheduleId(engine.queuePrefix, id));
/** As Temporal's clock would. */
const fallsDue = (id: string) =>
  engine.deps.schedules.trigger(temporalScheduleId(engine.queuePrefix, id));
const shown = async (id: string, who = ada) =>
  (await readWith(engine.graph, findSchedules, who.viewer.userId, [id]))[0];
const runIds = async (id: string, who = ada) =>
  (await readWith(engine.graph, recentRunIds, who.viewer.userId, [id])).get(id) ?? [];
const start = (runId: string) =>
  startRun({ ...engine.deps, temporal: engine.temporal.client }, runId);

describe("a schedule of a user's own Process (SX-07)", () => {
  it('is known to Temporal with its next times, in its time zone', async () => {
    const berlin = await aSchedule({ cron: '30 6 1 7 *', timezone: 'Europe/Berlin', note: 'Hi' });
    // In July the clock there is two hours ahead.
    expect((await look(berlin.id))?.nextRuns[0]).toMatch(/-07-01T04:30:00.000Z$/);
    expect(await shown(berlin.id)).toMatchObject({ note: 'Hi', paused: false, lastError: null });
    const daily = await aSchedule({ cron: '0 9 * * mon-7', timezone: 'CET' });
    const days = (await look(daily.id))?.nextRuns
      .slice(0, 7)
      .map((run) => new Date(run).getUTCDay());
    expect(days?.sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    const sundays = await aSchedule({ cron: '0 0 * * 7' });
    expect(new Date((await look(sundays.id))?.nextRuns[0] ?? '').getUTCDay()).toBe(0);
  });

  it('starts a run as its owner when it falls due, and the run completes', async () => {
    const { id } = await aSchedule();
    await fallsDue(id);
    await eventually('a run is on record', async () => (await runIds(id)).length === 1);
    const [runId = ''] = await runIds(id);
    await start(runId);
    const run = await own.wait(runId);
    expect(run).toMatchObject({
      ownerId: ada.viewer.userId,
      workspace: ada.viewer.workspace,
      status: 'completed',
    });
  });

  it('starts one run per time that was due, however often that is attempted', async () => {
    const { id } = await aSchedule();
    const key = newId();
    const fired = await Promise.all(
      Array.from({ length: 5 }, () => fire(engine.deps, { scheduleId: id, key })),
    );
    expect(fired).toEqual(Array(5).fill('started'));
    expect(await runIds(id)).toHaveLength(1);
  });

  it('skips a time while its last run is at work, and goes on after it', async () => {
    const { id } = await aSchedule();
    expect(await fire(engine.deps, { scheduleId: id, key: newId() })).toBe('started');
    expect(await fire(engine.deps, { scheduleId: id, key: newId() })).toBe('skipped');
    await refuses(triggerProcessSchedule(engine.deps, ada.viewer, id), 'STATE id');
    const [runId = ''] = await runIds(id);
    await start(runId);
    await own.wait(runId);
    expect(await fire(engine.deps, { scheduleId: id, key: newId() })).toBe('started');
    expect(await runIds(id)).toHaveLength(2);
  });

  it('starts nothing while it is paused, and again once it is resumed', async () => {
    const { id } = await aSchedule();
    expect(await pauseProcessSchedule(engine.deps, ada.viewer, id)).toMatchObject({ paused: true });
    expect(await look(id)).toMatchObject({ paused: true });
    expect(await fire(engine.deps, { scheduleId: id, key: newId() })).toBe('paused');
    await resumeProcessSchedule(engine.deps, ada.viewer, id);
    expect(await look(id)).toMatchObject({ paused: false });
    expect(await fire(engine.deps, { scheduleId: id, key: newId() })).toBe('started');
  });

  it('is changed: keeps id and runs, and Temporal has its new times', async () => {
    const { id } = await aSchedule({ cron: '0 9 * * *', note: 'Hi' });
    await triggerProcessSchedule(engine.deps, ada.viewer, id);
    const runs = await runIds(id);
    await pauseProcessSchedule(engine.deps, ada.viewer, id);
    const change = (more: object, who = ada) =>
      updateProcessSchedule(engine.deps, who.viewer, { id, ...more });
    expect(await change({ cron: ' 30  6 1 7 * ', timezone: 'Europe/Berlin' })).toMatchObject({
      ...{ cron: '30 6 1 7 *', timezone: 'Europe/Berlin', note: 'Hi', paused: true, revision: 1 },
    });
    expect(await look(id)).toMatchObject({ paused: true });
    await resumeProcessSchedule(engine.deps, ada.viewer, id);
    expect((await look(id))?.nextRuns[0]).toMatch(/-07-01T04:30:00.000Z$/);
    expect(await runIds(id)).toEqual(runs);
    expect(await change({ note: null, context: { name: 'Ada' } })).toMatchObject({
      ...{ note: null, revision: 2, context: '{"name":"Ada"}' },
    });
    expect(await change({ cron: '30 6 1 7 *' })).toMatchObject({ revision: 2 });
    await refuses(change({ cron: 'soon', context: {} }), 'INVALID cron', 'REQUIRED context.name');
    await refuses(change({ cron: '@daily' }, bob), 'NOT_FOUND id');
  });

  it('is changed by two at once: other fields are both kept, of one edit the first', async () => {
    const { id } = await aSchedule({ cron: '0 9 * * *' });
    const change = (more: object) =>
      updateProcessSchedule(engine.deps, ada.viewer, { id, ...more });
    await Promise.all([
      ...['0 1 * * *', '0 2 * * *', '0 3 * * *'].map((cron) => change({ cron })),
      change({ note: 'kept' }),
    ]);
    const record = await shown(id);
    expect(record).toMatchObject({ note: 'kept', revision: 4 });
    const hour = Number(record?.cron.split(' ')[1]);
    // Temporal ends with the cron on record, however the four calls overtook each other.
    expect(new Date((await look(id))?.nextRuns[0] ?? '').getUTCHours()).toBe(hour);
    const edits = ['@daily', '@weekly'].map((cron) => change({ cron, expectedRevision: 4 }));
    const ends = await Promise.allSettled(edits);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await refuses(change({ cron: '@hourly', expectedRevision: 4 }), 'CONFLICT expectedRevision');
  });

  it('is triggered by its owner, paused or not', async () => {
    const { id } = await aSchedule();
    await pauseProcessSchedule(engine.deps, ada.viewer, id);
    await triggerProcessSchedule(engine.deps, ada.viewer, id);
    expect(await runIds(id)).toHaveLength(1);
  });

  it('is gone from Temporal when it is deleted, and its runs stay', async () => {
    const { id } = await aSchedule();
    await triggerProcessSchedule(engine.deps, ada.viewer, id);
    const [runId = ''] = await runIds(id);
    expect(await deleteProcessSchedule(engine.deps, ada.viewer, id)).toBe(id);
    expect(await shown(id)).toBeUndefined();
    expect(await look(id)).toBeNull();
    expect(await readWith(engine.graph, findRuns, ada.viewer.userId, [runId])).toHaveLength(1);
  });

  it('whose Process can not start says so and tries again at its next time', async () => {
    const process = await aProcess();
    const { id } = await aSchedule({ processId: process.id });
    await updateProcess(engine.deps, ada.viewer, { id: process.id, enabled: false });
    await fallsDue(id);
    await eventually(
      'the fault is shown',
      async () => (await shown(id))?.lastError?.includes('disabled') === true,
    );
    const input = { id: process.id, enabled: true, initialContext: ['name', 'more'] };
    await updateProcess(engine.deps, ada.viewer, input);
    expect(await fire(engine.deps, { scheduleId: id, key: newId() })).toBe('refused');
    expect((await shown(id))?.lastError).toContain('needs more');
    expect(await runIds(id)).toEqual([]);
    await updateProcess(engine.deps, ada.viewer, { id: process.id, initialContext: ['name'] });
    expect(await fire(engine.deps, { scheduleId: id, key: newId() })).toBe('started');
    expect((await shown(id))?.lastError).toBeNull();
  });

  it('keeps its Process from being deleted (S4-PROC-06)', async () => {
    const process = await aProcess();
    const { id } = await aSchedule({ processId: process.id });
    const remove = () => deleteProcess(engine.deps, ada.viewer, { id: process.id });
    await refuses(remove(), 'IN_USE id');
    await deleteProcessSchedule(engine.deps, ada.viewer, id);
    expect(await refusals(remove())).toEqual(['done']);
  });
});

describe('the rights to schedule', () => {
  it('one sees and steers only one’s own schedules, also on a shared Process', async () => {
    const process = await aProcess({ shared: true });
    const { id } = await aSchedule({ processId: process.id });
    const bobs = await aSchedule({ processId: process.id }, bob);
    expect(await shown(id, bob)).toBeUndefined();
    const of = (who: Person) =>
      readWith(engine.graph, listSchedules, who.viewer.userId, [process.id]);
    expect((await of(ada)).map((one) => one.id)).toEqual([id]);
    expect((await of(bob)).map((one) => one.id)).toEqual([bobs.id]);
    for (const steer of [
      pauseProcessSchedule,
      resumeProcessSchedule,
      triggerProcessSchedule,
      deleteProcessSchedule,
    ])
      await refuses(steer(engine.deps, bob.viewer, id) as Promise<unknown>, 'NOT_FOUND id');
    expect(await fire(engine.deps, { scheduleId: bobs.id, key: newId() })).toBe('started');
    expect(await runIds(bobs.id, bob)).toHaveLength(1);
    expect(await runIds(bobs.id, ada)).toEqual([]);
  });

  it('all that is wrong is said at once, and nothing is written', async () => {
    const process = await aProcess();
    const input = {
      processId: process.id,
      cron: '61 * * * *',
      timezone: 'Mars/Olympus',
      context: { other: 1 } as JsonObject,
    };
    const { deps } = engine;
    await refuses(
      createProcessSchedule(deps, ada.viewer, input),
      'INVALID cron',
      'INVALID timezone',
      'REQUIRED context.name',
      'UNKNOWN_VARIABLE context.other',
    );
    await refuses(aSchedule({ processId: process.id }, bob), 'NOT_FOUND processId');
    const large = { name: 'x'.repeat(70_000) };
    await refuses(aSchedule({ context: large }), 'TOO_LARGE context');
    expect(await readWith(engine.graph, listSchedules, ada.viewer.userId, [process.id])).toEqual(
      [],
    );
  });

  it('no user has more than the limit, also when two are made at once', async () => {
    const { ada: eve } = await world();
    const process = await engine.createProcess(eve.viewer, {
      steps: [step('a', tool.id, { q: 'x' })],
    });
    // Temporal is left out: it would only be given fifty Schedules to forget again.
    const schedules = { ...engine.deps.schedules, ensure: async () => {} };
    const make = () =>
      createProcessSchedule({ ...engine.deps, schedules }, eve.viewer, {
        processId: process.id,
        cron: '@yearly',
        context: {},
      });
    for (let made = 0; made < SCHEDULES_PER_USER_MAX - 1; made++) await make();
    expect(await race([make, make, make])).toEqual({ done: 1, 'STATE ': 2 });
  });
});

describe('while Temporal is away', () => {
  it('a schedule is made and changed all the same, and Temporal learns of it later', async () => {
    const name = await beginsHere(engine.graph, `test-${newId()}`);
    const away = openTemporal({ address: '127.0.0.1:1', namespace: 'default' });
    const offline = { ...engine.deps, schedules: createSchedules(away) };
    const { id } = await createProcessSchedule(offline, ada.viewer, {
      processId: (await aProcess()).id,
      cron: '@yearly',
      context: { name: 'Grace' },
    });
    await pauseProcessSchedule(offline, ada.viewer, id);
    expect(await look(id)).toBeNull();
    // The projection of an installation whose Temporal is back.
    const projection = {
      ...scheduleProjection(engine.deps),
      name,
      handle: (entries: Parameters<ReturnType<typeof scheduleProjection>['handle']>[0]) =>
        scheduleProjection(engine.deps).handle(
          entries.filter(({ payload }) => payload['id'] === id),
        ),
    };
    const relay = openRelay(
      { ...engine.deps, bus: openBus({ graph: engine.graph }), log: quiet },
      { projections: [projection], settings: { leaseName: newId() } },
    );
    await eventually('Temporal knows it, paused', async () => (await look(id))?.paused === true);
    await relay.close();
    await away.close();
  });
});
