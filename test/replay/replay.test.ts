import { readdir, readFile } from 'node:fs/promises';
import proto from '@temporalio/proto';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, it } from 'vitest';
import { workflowBundle } from '../../src/main/worker.ts';
import { dataConverterOf, openPayloadCodec } from '../../src/platform/temporal/payload-codec.ts';

const { History } = proto.temporal.api.history.v1;
const FOLDER = new URL('./histories/', import.meta.url);
// Read before the tests are named, one test per history.
const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).sort();

beforeAll(() => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
});

async function historyOf(file: string) {
  return History.fromObject(JSON.parse(await readFile(new URL(file, FOLDER), 'utf8')));
}

// Spans of a traced workflow are dropped here.
const KEYS = [{ id: 1, key: Buffer.alloc(32, 1) }];
const SINKS = { exporter: { export: { fn: () => {} } } };

/** The fault of each, by the name of its file; one Worker replays them all. */
async function replay(
  histories: Readonly<Record<string, unknown>>,
  kind?: 'traced' | 'encrypted',
): Promise<Map<string, Error | undefined>> {
  const codec = openPayloadCodec({ keys: KEYS, encrypts: kind === 'encrypted' });
  const options = {
    workflowBundle: await workflowBundle(kind === 'traced' ? kind : 'untraced', codec),
    dataConverter: dataConverterOf(codec),
    sinks: SINKS,
  };
  const replayed = Object.entries(histories).map(([workflowId, history]) => ({
    workflowId,
    history,
  }));
  const faults = new Map<string, Error | undefined>();
  for await (const { workflowId, error } of Worker.runReplayHistories(options, replayed))
    faults.set(workflowId, error);
  return faults;
}

describe('the workflow of today', () => {
  it('has fifty histories and more to answer for', () => {
    expect(files.length).toBeGreaterThanOrEqual(50);
  });

  describe.each([
    ['as it is', undefined],
    ['where it is traced', 'traced'],
    ['where new payloads are encrypted', 'encrypted'],
  ] as const)('%s', (_how, kind) => {
    let faults = new Map<string, Error | undefined>();
    beforeAll(async () => {
      const all = files.map(async (file) => [file, await historyOf(file)] as const);
      faults = await replay(Object.fromEntries(await Promise.all(all)), kind);
    });

    it.each(files)('replays %s', (file) => {
      expect(faults.has(file)).toBe(true);
      expect(faults.get(file)).toBeUndefined();
    });
  });

  it('is caught where it would do something else than it did', async () => {
    const [sound = '', other = ''] = files.filter((file) => file.includes('-sequence-'));
    const history = await historyOf(other);
    const scheduled = history.events.find(
      ({ activityTaskScheduledEventAttributes: found }) =>
        found?.activityType?.name === 'executeStep',
    );
    if (scheduled?.activityTaskScheduledEventAttributes?.activityType) {
      scheduled.activityTaskScheduledEventAttributes.activityType.name = 'somethingElse';
    }
    const faults = await replay({ sound: await historyOf(sound), other: history });
    expect(faults.get('other')).toBeInstanceOf(DeterminismViolationError);
    expect(faults.get('sound')).toBeUndefined();
  });
});
