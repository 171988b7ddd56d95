import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MockActivityEnvironment } from '@temporalio/testing';
import { describe, expect, it } from 'vitest';
import { beating } from '../../activities/beating.ts';
import { loadWorkflowBundle } from '../../src/platform/temporal/workflow-bundle.ts';
import { fleetWorld } from '../testkit/fleet-world.ts';
import { newId } from '../testkit/outbox.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const WORKER = fileURLToPath(new URL('../testkit/dying-worker.ts', import.meta.url));
const { temporal, source } = fleetWorld();
const folder = tempFolder('lost');

/** One call whose tries end as `tries` says. A process that died is followed by another one. */
async function call(tries: string): Promise<{ result: unknown; made: string[] }> {
  const { codePath } = await loadWorkflowBundle(source);
  const queue = `test-${newId()}`;
  const file = join(folder, queue);
  let worker: ChildProcess | null = null;
  let isOver = false;
  const start = () => {
    if (isOver) return;
    const args = [WORKER, queue, codePath, file, tries];
    worker = spawn(process.execPath, args, { stdio: 'inherit' }).once('exit', start);
  };
  start();
  const result = await temporal.client.workflow
    .execute('callAgain', {
      workflowId: newId(),
      taskQueue: queue,
      args: [`${queue}-pool`, 0],
      workflowTaskTimeout: '2 seconds',
    })
    .catch((error: unknown) => error);
  isOver = true;
  (worker as ChildProcess | null)?.kill('SIGKILL');
  const made = (await readFile(file, 'utf8')).trim().split('\n');
  return { result, made };
}

describe('an activity whose tries end their process', () => {
  it('fails for good after two, counted over processes; an orderly failure clears it', async () => {
    const [poison, unlucky] = await Promise.all([call('d'), call('dfdw')]);
    expect(poison.result).toMatchObject({
      cause: { cause: { type: 'DEFECT', message: expect.stringContaining('more than once') } },
    });
    expect(poison.made).toEqual(['d', 'd']);
    expect(unlucky).toEqual({ result: 'done', made: ['d', 'f', 'd', 'w'] });
  });
});

describe('an activity that never ends', () => {
  it('is left behind after its timeout, so that it keeps no place of the Worker', async () => {
    const { work } = beating({ work: () => new Promise<void>(() => {}) });
    const environment = new MockActivityEnvironment({ startToCloseTimeoutMs: 50 });
    await expect(environment.run(work)).rejects.toThrow('left behind');
  });
});
