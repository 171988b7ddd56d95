import { readdir, readFile } from 'node:fs/promises';
import proto from '@temporalio/proto';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, it } from 'vitest';
import { workflowBundle } from '../../src/main/worker.ts';

const { History } = proto.temporal.api.history.v1;
const FOLDER = new URL('./histories/', import.meta.url);
// Read before the tests are named, one test per history.
const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.json')).sort();
let bundle: { codePath: string };
let tracedBundle: { codePath: string };

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  bundle = await workflowBundle();
  tracedBundle = await workflowBundle('traced');
});

async function historyOf(file: string) {
  return History.fromObject(JSON.parse(await readFile(new URL(file, FOLDER), 'utf8')));
}

// What a traced workflow says goes nowhere here.
const SINKS = { exporter: { export: { fn: () => {} } } };

async function replay(history: unknown, workflowBundle = bundle): Promise<Error | undefined> {
  const options = { workflowBundle, sinks: SINKS };
  for await (const { error } of Worker.runReplayHistories(options, [
    { history, workflowId: 'replayed' },
  ]))
    return error;
  return new Error('Nothing was replayed.');
}

describe('the workflow of today', () => {
  it('has fifty histories and more to answer for (F20)', () => {
    expect(files.length).toBeGreaterThanOrEqual(50);
  });

  it.each(files)('replays %s', async (file) => {
    expect(await replay(await historyOf(file))).toBeUndefined();
  });

  it.each(files)('replays %s where it is traced', async (file) => {
    expect(await replay(await historyOf(file), tracedBundle)).toBeUndefined();
  });

  it('is caught where it would do something else than it did', async () => {
    const history = await historyOf(files.find((file) => file.includes('-sequence-0')) ?? '');
    const scheduled = history.events.find(
      ({ activityTaskScheduledEventAttributes: found }) =>
        found?.activityType?.name === 'executeStep',
    );
    if (scheduled?.activityTaskScheduledEventAttributes?.activityType) {
      scheduled.activityTaskScheduledEventAttributes.activityType.name = 'somethingElse';
    }
    expect(await replay(history)).toBeInstanceOf(DeterminismViolationError);
  });
});
