import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { nativeEnv, start } from '../testkit/started.ts';

/** What `npm start` says on a new machine that has these programs only, by what they print. */
async function startWith(programs: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'aiden-bare-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, says] of Object.entries(programs)) {
    await writeFile(join(folder, name), `#!/bin/sh\necho '${says}'\n`);
    await chmod(join(folder, name), 0o755);
  }
  const env = { ...nativeEnv(folder), XDG_CACHE_HOME: folder, PATH: folder };
  const { exit, output } = start(['--role', 'worker'], env);
  expect(await exit).toBe(1);
  return output();
}

it('all that is missing is named at once, before anything is fetched', async () => {
  const said = await startWith({});
  expect(said).toContain('Missing here: Java 17 or 21, Maven, and Go.');
  expect(said).toContain('apt-get install openjdk-17-jdk-headless maven golang-go');
  expect(said).not.toMatch(/Fetching|Building Temporal/);
});

it('a program that is too old is named with its version', async () => {
  const said = await startWith({
    java: 'openjdk version "11.0.2" 2019-01-15',
    mvn: 'Apache Maven 3.8.7',
    go: 'go version go1.9 linux/amd64',
  });
  expect(said).toContain(
    'Missing here: Java 17 or 21 (this one is 11) and Go 1.11 or later (this one is 1.9).',
  );
});
