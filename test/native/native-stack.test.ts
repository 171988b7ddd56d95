import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dockerAnswers } from '../../src/host/docker.ts';
import { ensureStack } from '../../src/host/ensure.ts';
import { cacheFolder } from '../../src/host/folders.ts';
import { withLock } from '../../src/host/lock.ts';
import { NEO4J_VERSION } from '../../src/host/neo4j/native.ts';
import { answers, listeningPorts } from '../../src/host/ports.ts';
import { temporalBinary } from '../../src/host/temporal/native.ts';
import { readConfig } from '../../src/main/config/config.ts';
import { egressOf } from '../../src/main/config/configured.ts';
import { withLocalData } from '../../src/main/config/local-data.ts';
import { hold } from '../testkit/held-stack.ts';

// With Docker nothing is cached, and building it all is not this test's business.
const isBuilt = existsSync(temporalBinary());
const isCached =
  existsSync(join(cacheFolder(), `neo4j-${NEO4J_VERSION}`, 'lib')) &&
  isBuilt &&
  spawnSync('java', ['-version']).status === 0;

const portOf = (address: string) => Number(address.split(':').at(-1));

describe.skipIf(!isCached || process.platform !== 'linux')('the ports of the native stack', () => {
  it('are all known: Temporal listens on no other, and a Tool that calls one gets EGRESS_DENIED', {
    timeout: 600_000,
  }, async () => {
    const data = await mkdtemp(join(tmpdir(), 'aiden-ports-'));
    const { child, ready } = hold(data);
    try {
      const { env, folder } = await ready;
      const pid = Number(await readFile(join(folder, 'temporal', 'server.pid'), 'utf8'));
      const listening = await listeningPorts(pid);
      // Frontend, web UI, HTTP API, metrics, and two of its own.
      expect(listening).toHaveLength(6);
      const known = env.AIDEN_PLATFORM_PORTS?.split(',').map(portOf).sort() ?? [];
      // The port of the UI that people open is its guard's.
      const guardPort = portOf(new URL(env.TEMPORAL_UI ?? '').host);
      expect(known).toEqual([...listening, guardPort].sort());
      const settings = { ...env, AIDEN_AUTH: 'dev', AIDEN_DATA_DIR: data };
      const given = readConfig({ flags: [], env: settings, file: null });
      const { config } = await withLocalData({ ...given, port: 4000 });
      const egress = egressOf(config, '127.0.0.1:50051');
      try {
        const open = await Promise.all(known.map((port) => answers(port)));
        // Behind its guard the UI has an address of its own.
        expect(open.filter((isOpen) => !isOpen)).toHaveLength(1);
        for (const port of known) {
          for (const host of ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0'])
            await expect(
              egress.fetch(`http://${host}:${port}/api/v1/namespaces/default/workflows`),
            ).rejects.toMatchObject({ code: 'EGRESS_DENIED', retryable: false });
        }
      } finally {
        await egress.close();
      }
      child.send('stop');
      await new Promise((resolve) => child.once('exit', resolve));
    } finally {
      if (child.exitCode === null) child.kill('SIGKILL');
      await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    }
  });
});

/** Output of Compose 2.39 where no registry of images can be reached. */
const NO_IMAGE = `\
 neo4j Pulling
 neo4j Error Get "https://registry-1.docker.io/v2/": dial tcp: no such host
Error response from daemon: Get "https://registry-1.docker.io/v2/": dial tcp: no such host`;
const NOT_PULLED =
  'Docker could not start Neo4j and Temporal: Error response from daemon: ' +
  'Get "https://registry-1.docker.io/v2/": dial tcp: no such host.';

/** A client whose engine answers and has no image. It notes its arguments in the file `said`. */
const WITHOUT_IMAGES = `#!/bin/sh
echo "$*" >>"$(dirname "$0")/said"
case " $* " in *" up "*) cat >&2 <<'END'
${NO_IMAGE}
END
exit 18;; esac
`;

describe('a Docker client', () => {
  let folder = '';
  const variables = ['PATH', 'XDG_DATA_HOME', 'AIDEN_STACK', 'NEO4J_URI', 'TEMPORAL_ADDRESS'];
  const kept = new Map<string, string | undefined>();
  const installs = async (client: string) => {
    await writeFile(join(folder, 'docker'), client, { mode: 0o755 });
    process.env['PATH'] = `${folder}:${kept.get('PATH')}`;
    process.env['XDG_DATA_HOME'] = join(folder, 'data');
    for (const name of ['AIDEN_STACK', 'NEO4J_URI', 'TEMPORAL_ADDRESS']) delete process.env[name];
  };
  beforeEach(async () => {
    for (const name of variables) kept.set(name, process.env[name]);
    folder = await mkdtemp(join(tmpdir(), 'aiden-docker-'));
  });
  afterEach(async () => {
    for (const [name, value] of kept)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  });

  it('whose engine hangs does not hold up the start', async () => {
    await installs('#!/bin/sh\nsleep 60\n');
    const startedMs = performance.now();
    expect(await dockerAnswers()).toBe(false);
    expect(performance.now() - startedMs).toBeLessThan(40_000);
  });

  it('that can pull no image ends a start with one sentence that names the way out', async () => {
    await installs(WITHOUT_IMAGES);
    process.env['AIDEN_STACK'] = 'docker';
    await expect(ensureStack({ instance: 'imageless' })).rejects.toThrow(
      `${NOT_PULLED} AIDEN_STACK=native starts without Docker and its data.`,
    );
    // Nothing is left that would tie the next start to Docker.
    expect(existsSync(join(folder, 'data/aiden/imageless/compose.json'))).toBe(false);
    const said = (await readFile(join(folder, 'said'), 'utf8')).trim().split('\n');
    const [, project = ''] = /-p (\S+) up /.exec(said.join('\n')) ?? [];
    expect(project).toMatch(/^aiden-imageless-[0-9a-f]{8}$/);
    expect(said.at(-1)).toBe(`compose -p ${project} down -v`);
  });

  it.skipIf(!isCached)(
    'that can pull no image leaves a new instance to the native servers',
    {
      timeout: 600_000,
    },
    async () => {
      await installs(WITHOUT_IMAGES);
      const lines: string[] = [];
      const stack = await ensureStack({
        instance: 'imageless',
        onProgress: (line) => lines.push(line),
      });
      try {
        expect(stack.way).toBe('native');
        expect(lines).toContain(
          `${NOT_PULLED} Starting them natively instead (as AIDEN_STACK=native does).`,
        );
      } finally {
        await stack.stop();
      }
    },
  );
});

describe('what is given', () => {
  it('is used as it is, and nothing is started', async () => {
    const stack = await ensureStack({
      instance: 'test',
      settings: {
        neo4jUri: 'bolt://db.example:7687',
        neo4jUser: 'me',
        neo4jPassword: 'pw',
        temporalAddress: 'temporal.example:7233',
      },
    });
    expect(stack.way).toBe('given');
    expect(stack.env).toEqual({
      NEO4J_URI: 'bolt://db.example:7687',
      NEO4J_USER: 'me',
      NEO4J_PASSWORD: 'pw',
      TEMPORAL_ADDRESS: 'temporal.example:7233',
    });
    await stack.stop();
  });
});

describe('a lock', () => {
  it('lets one in at a time and passes over a holder that died', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aiden-lock-'));
    const file = join(folder, 'lock');
    const dead = spawnSync(process.execPath, [
      '-e',
      `require('fs').writeFileSync(${JSON.stringify(file)}, String(process.pid))`,
    ]);
    expect(dead.status).toBe(0);
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 12 }, () =>
        withLock(
          file,
          () => {},
          async () => {
            most = Math.max(most, ++inside);
            await sleep(20);
            inside--;
          },
        ),
      ),
    );
    expect(most).toBe(1);
    expect(existsSync(file)).toBe(false);
    await rm(folder, { recursive: true });
  });
});
