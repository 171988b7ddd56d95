import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { answers, freePort } from '../../src/host/ports.ts';
import { type Started, start as startProcess } from '../testkit/started.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const started: Started[] = [];

/** On the tests' Neo4j and Temporal, with data and ports of its own. */
function start(flags: readonly string[], env: Record<string, string>): Started {
  const one = startProcess(flags, env);
  started.push(one);
  return one;
}

describe('npm start', () => {
  const dataDir = tempFolder('start');
  afterAll(() => {
    for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
  });

  it('names every bad setting at once and starts nothing', async () => {
    const { exit, output } = start(['--port', 'abc'], {
      AIDEN_HOST: '0.0.0.0',
      AIDEN_ROLE: 'boss',
    });
    expect(await exit).toBe(1);
    expect(output()).toContain('--port has to be a whole number');
    expect(output()).toContain('AIDEN_ROLE has to be one of all, api, worker');
    expect(output()).not.toContain('Neo4j');
  });

  it('runs the tour, serves until Ctrl-C, and stops all that it started', async () => {
    const taken = new Set<number>();
    const port = await freePort(0, taken);
    // The shared app's own model server: the system's Tools are in the shared database and point
    // there.
    const localLlmPort = process.env['AIDEN_TEST_LOCAL_LLM_PORT'] ?? '';
    // A queue of its own, so that its Workers are the ones that take the tour's steps.
    const env = {
      AIDEN_DATA_DIR: dataDir,
      AIDEN_PORT: String(port),
      AIDEN_LOCAL_LLM: 'off',
      AIDEN_LOCAL_LLM_PORT: localLlmPort,
      AIDEN_QUEUE_PREFIX: `start-${port}-`,
    };
    // The tests' database has the tour already.
    const first = start(['--tour'], env);
    await first.until('Ctrl-C stops everything');
    expect(first.output()).toContain('Generated a key for stored Secrets');
    expect((await stat(join(dataDir, 'secret-keys'))).mode & 0o777).toBe(0o600);
    for (const said of ['# A laboratory in a shed', 'People: ', `http://127.0.0.1:${port}/graphql`])
      expect(first.output()).toContain(said);
    expect(first.output()).toMatch(/tour v\d/);
    expect(first.output()).not.toContain('did not complete');
    expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200);
    first.child.kill('SIGINT');
    expect(await first.exit).toBe(0);
    expect(await answers(port)).toBe(false);
  });
});
