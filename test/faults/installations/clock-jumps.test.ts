import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/host/ports.ts';
import { client, freshName } from '../../testkit/client.ts';
import { openRestServer, ownPath, type RestServer } from '../../testkit/rest-server.ts';
import { runWorld } from '../../testkit/run-world.ts';
import { isStackCached, nativeEnv, type Started, start } from '../../testkit/started.ts';

const INSTANCE = 'jumping';
const RUNS = 4;
const STEPS = ['one', 'two', 'three'];

// The clock of the whole product jumps while it works: each Date of the product and of its
// libraries, but no timer.
describe.skipIf(!isStackCached)(
  'npm start whose clock jumps while it works (needs java and a filled cache)',
  () => {
    let data = '';
    let rest: RestServer;
    let started: Started;
    let url = '';
    const clockFile = () => join(data, 'clock');
    const logLines = async () =>
      (await readFile(join(data, 'aiden', INSTANCE, 'aiden.log'), 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { level: number; msg: string });
    const jumpsTo = async (seconds: number) => {
      await writeFile(clockFile(), String(seconds));
      started.child.kill('SIGUSR2');
    };

    beforeAll(async () => {
      data = await mkdtemp(join(tmpdir(), 'aiden-jumping-'));
      rest = await openRestServer();
      const port = await freePort(0, new Set());
      url = `http://127.0.0.1:${port}`;
      const settings = {
        ...nativeEnv(data),
        AIDEN_PORT: String(port),
        AIDEN_TEST_CLOCK: clockFile(),
      };
      const preload = new URL('../../testkit/jumping-clock.ts', import.meta.url).href;
      started = start(['--no-tour', '--instance', INSTANCE], settings, { preload });
      await started.until('Ctrl-C stops everything');
    });
    afterAll(async () => {
      started.child.kill('SIGINT');
      await started.exit;
      await rest.close();
      await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    });

    it.each([
      ['an hour ahead', 3_600],
      ['back to the right time', 0],
      ['an hour back', -3_600],
      ['to the right time again', 0],
    ])('%s: each step is done once, and nothing waits', async (_name, seconds) => {
      const ada = client(freshName(), { url });
      const admin = client('root', { url, role: 'admin' });
      const path = ownPath('/slow');
      const world = await runWorld(ada, rest, `${path}?ms=400`);
      const steps = STEPS.map((stepId, index) => ({
        stepId,
        dependsOn: STEPS.slice(0, index).slice(-1),
      }));
      const processId = await world.createsProcess(steps);
      const starts = () => Promise.all(Array.from({ length: RUNS }, () => world.starts(processId)));
      const lastCheck = async () => {
        const { jobs } = await admin.query<{ jobs: { name: string; lastRunAt: string }[] }>(
          '{ jobs { name lastRunAt } }',
        );
        return jobs.find(({ name }) => name === 'tool-health')?.lastRunAt ?? null;
      };

      const before = await starts();
      await expect.poll(() => rest.requests.some((one) => one.path === path)).toBe(true);
      const checked = await lastCheck();
      await jumpsTo(seconds);
      const after = await starts();
      for (const runId of [...before, ...after])
        expect(await world.finishes(runId)).toEqual({ status: 'COMPLETED', output: 'Grace' });
      expect(rest.requests.filter((one) => one.path === path)).toHaveLength(
        2 * RUNS * STEPS.length,
      );
      // A job that its process watches runs again, within its 15 s and not within the hour.
      await expect.poll(lastCheck).not.toBe(checked);
    });

    it('keeps the lease of the relay all the time, and logs no error', async () => {
      const lines = await logLines();
      expect(lines.filter(({ msg }) => msg.includes('relays now'))).toHaveLength(1);
      expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
    });
  },
);
