import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '@temporalio/client';
import proto from '@temporalio/proto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PortClaims } from '../../src/host/ports.ts';
import { startTemporal, temporalBinary } from '../../src/host/temporal/native.ts';
import { KEY_ID, openPayloadCodec } from '../../src/platform/temporal/payload-codec.ts';
import { newKeyRingEntry, parseKeyRing } from '../../src/platform/vault/vault.ts';
import { pauseProcessRun, resolveStep } from '../../src/runs/control/run-control.mutations.ts';
import { resealSchedules } from '../../src/schedules/reseal.service.ts';
import {
  createProcessSchedule,
  deleteProcessSchedule,
} from '../../src/schedules/schedule.mutations.ts';
import { temporalScheduleId } from '../../src/schedules/schedule.ts';
import { type Engine, type EngineOptions, openEngine } from '../testkit/engine.ts';
import { eventually } from '../testkit/outbox.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { echoTool, step } from '../testkit/run-steps.ts';
import { tempFolder } from '../testkit/temp-folder.ts';
import { type Person, world } from '../testkit/world.ts';

const { EventType } = proto.temporal.api.enums.v1;
const KEY_1 = newKeyRingEntry(1);
const KEY_2 = newKeyRingEntry(2);

/** The first result that is not empty. */
async function found<T>(what: string, look: () => Promise<T | null | undefined>): Promise<T> {
  let result: T | null | undefined = null;
  await eventually(what, async () => {
    result = await look();
    return result != null;
  });
  if (result == null) throw new Error(what);
  return result;
}

// docs/decisions/0036. A Temporal of its own, whose database file these tests read.
describe.skipIf(!existsSync(temporalBinary()))('payloads in Temporal', () => {
  const folder = tempFolder('codec');
  let temporal: Awaited<ReturnType<typeof startTemporal>>;
  let ada: Person;
  let rest: RestServer;
  const engines = new Set<Engine>();

  beforeAll(async () => {
    const ports = { port: 0, uiPort: 0, httpPort: 0, metricsPort: 0 };
    temporal = await startTemporal(folder, ports, new PortClaims(), () => {});
    rest = await openRestServer();
    ({ ada } = await world());
  });
  afterAll(async () => {
    for (const engine of engines) await engine.close();
    await rest.close();
    await temporal.server?.stop();
  });

  async function open(temporalKeys: string | undefined, more: EngineOptions = {}): Promise<Engine> {
    const engine = await openEngine({
      temporalAddress: temporal.address,
      ...(temporalKeys === undefined ? {} : { temporalKeys }),
      ...more,
    });
    engines.add(engine);
    return engine;
  }
  async function close(engine: Engine): Promise<void> {
    engines.delete(engine);
    await engine.close();
  }
  /** Which of the texts are anywhere in the files of Temporal's database. */
  async function onDisk(texts: readonly string[]): Promise<string[]> {
    const names = ['temporal.db', 'temporal.db-wal'];
    const files = await Promise.all(
      names.map((name) => readFile(join(folder, 'temporal', name)).catch(() => Buffer.alloc(0))),
    );
    return texts.filter((text) => files.some((file) => file.includes(text)));
  }
  async function pendingOf({ temporal: { client } }: Engine, workflowId: string) {
    const { pendingActivities } = await client.workflowService.describeWorkflowExecution({
      namespace: 'default',
      execution: { workflowId },
    });
    return pendingActivities ?? [];
  }
  /** Plays a run whose context, definition, inputs, outputs, decision and error hold texts. */
  async function play(engine: Engine) {
    const mark = randomUUID().slice(0, 8);
    const [context, definition, input, decided, output, failed] =
      'context definition input decided output failed'
        .split(' ')
        .map((place) => `canary-${place}-${mark}`);
    const tool = await echoTool(ada, rest.origin);
    const bad = await echoTool(ada, rest.origin, `/status/400?text=${failed}`);
    const process = await engine.createProcess(ada.viewer, {
      name: `Name ${definition}`,
      initialContext: ['text'],
      steps: [
        step('a', tool.id, { q: `${input} {context.text}` }, { interactionMode: 'manual' }),
        step('b', bad.id, { q: `${failed}` }),
      ],
      outputTemplate: `${output} {{text}}`,
    });
    const given = { processId: process.id, context: { text: context ?? '' } };
    const { id } = await engine.start(ada.viewer, given);
    await engine.wait(ada.viewer, id, ['waiting']);
    const options = {
      runId: id,
      stepId: 'a',
      decision: 'approve',
      inputs: { q: decided ?? '' },
    } as const;
    await resolveStep(engine.deps, ada.viewer, options);
    const run = await engine.wait(ada.viewer, id);
    expect(run.status).toBe('failed');
    const texts = [context, definition, input, decided, failed].map(String);
    return { id, texts };
  }

  it('are in the open without the codec, so the search below can find them', async () => {
    const engine = await open(undefined);
    const { id, texts } = await play(engine);
    expect(await onDisk([id, ...texts])).toEqual(expect.arrayContaining([id, texts[0], texts[3]]));
    await close(engine);
  });

  it('are nowhere in its database with the codec, errors and decisions included', async () => {
    const engine = await open(KEY_1);
    const { id, texts } = await play(engine);
    // The id is stored in the open, so the files are those of this run.
    expect(await onDisk([id, ...texts, 'Something is wrong'])).toEqual([id]);
    const run = await engine.run(ada.viewer, await simple(engine));
    expect(run.status).toBe('completed');
    expect(await onDisk(['canary-result'])).toEqual([]);
    await close(engine);
  });

  const simple = async (engine: Engine, more: object = {}) => {
    const tool = await echoTool(ada, rest.origin);
    return engine.createProcess(ada.viewer, {
      steps: [step('a', tool.id, { q: 'canary-result' }, more)],
      outputTemplate: 'canary-result',
    });
  };

  it('fail the workflow task, with the id of the missing key, until the key is back', async () => {
    const first = await open(KEY_1);
    const { queuePrefix } = first;
    const process = await simple(first, { interactionMode: 'manual' });
    const { id } = await first.start(ada.viewer, { processId: process.id, context: {} });
    await first.wait(ada.viewer, id, ['waiting']);
    await close(first);

    const without = await open(KEY_2, { queuePrefix });
    await pauseProcessRun(without.deps, ada.viewer, { id });
    const handle = without.temporal.client.workflow.getHandle(id);
    const failure = await found('a failed workflow task', async () => {
      const { events } = await handle.fetchHistory();
      const failed = events?.find(
        ({ eventType }) => eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
      );
      return failed?.workflowTaskFailedEventAttributes?.failure ?? null;
    });
    const codec = openPayloadCodec({ keys: parseKeyRing(KEY_2), encrypts: true });
    const [attributes] = await codec.decode([failure.encodedAttributes ?? {}]);
    expect(Buffer.from(attributes?.data ?? []).toString()).toMatch(/key 1, which is not in/);
    await close(without);

    const back = await open(`${KEY_2},${KEY_1}`, { queuePrefix });
    const approval = { runId: id, stepId: 'a', decision: 'approve' } as const;
    // Temporal refuses updates while a task that failed three times waits for its next try.
    await found('a workflow that takes the approval', () =>
      resolveStep(back.deps, ada.viewer, approval).catch((error: unknown) => {
        if (error instanceof ServiceError) return null;
        throw error;
      }),
    );
    await back.temporal.client.workflow.getHandle(id).signal('resumeRun');
    expect((await back.wait(ada.viewer, id)).status).toBe('completed');
    await close(back);
  });

  it('are encrypted anew in Schedules where the ring has another first key', async () => {
    const first = await open(KEY_1);
    const { queuePrefix } = first;
    const processId = (await simple(first)).id;
    const input = { processId, cron: '@yearly', context: {} };
    const { id } = await createProcessSchedule(first.deps, ada.viewer, input);
    const keyOf = async ({ temporal: { client } }: Engine) => {
      const handle = client.schedule.getHandle(temporalScheduleId(queuePrefix, id));
      const { raw } = await handle.describe();
      const [payload] = raw.schedule?.action?.startWorkflow?.input?.payloads ?? [];
      return Buffer.from(payload?.metadata?.[KEY_ID] ?? []).toString();
    };
    expect(await keyOf(first)).toBe('1');
    await close(first);
    // This ring cannot even read the old argument.
    const next = await open(KEY_2, { queuePrefix });
    expect(await resealSchedules(next.deps)).toBeGreaterThanOrEqual(1);
    expect(await keyOf(next)).toBe('2');
    await next.deps.schedules.remove(temporalScheduleId(queuePrefix, id));
    await deleteProcessSchedule(next.deps, ada.viewer, id);
    await close(next);
  });

  it('let a step wait for the missing key, and run it once the key is back', async () => {
    const first = await open(KEY_1, { poolSizes: { rest_call: 0 } });
    const { queuePrefix } = first;
    const { id } = await first.start(ada.viewer, {
      processId: (await simple(first)).id,
      context: {},
    });
    await found('a step that waits', async () => (await pendingOf(first, id))[0]);
    await close(first);

    const without = await open(KEY_2, { queuePrefix });
    const refused = await found('a refused attempt', async () =>
      (await pendingOf(without, id)).find(({ lastFailure }) => lastFailure != null),
    );
    expect(refused.lastFailure?.applicationFailureInfo?.type).toBe('PAYLOAD_KEY_MISSING');
    await close(without);

    const back = await open(`${KEY_2},${KEY_1}`, { queuePrefix });
    expect((await back.wait(ada.viewer, id)).status).toBe('completed');
    expect((await back.steps(ada.viewer, id)).map(({ status }) => status)).toEqual(['completed']);
    await close(back);
  });
});
