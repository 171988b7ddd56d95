import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp } from '../../../src/backup/backup.service.ts';
import { instantOf } from '../../../src/common/clock.ts';
import { freePort } from '../../../src/host/ports.ts';
import { readSealedFile } from '../../../src/platform/archive/sealed-file.ts';
import { openBlobStore } from '../../../src/platform/blobs/blob-store.ts';
import { type Graph, openGraph } from '../../../src/platform/neo4j/graph.ts';
import { openWholeGraph, type WholeGraph } from '../../../src/platform/neo4j/whole-graph.ts';
import { aidenProcess } from '../../testkit/aiden.ts';
import { client, freshName, type TestClient } from '../../testkit/client.ts';
import { openRestServer, type RestServer } from '../../testkit/rest-server.ts';
import { runWorld } from '../../testkit/run-world.ts';
import { isStackCached, nativeEnv, type Started, start } from '../../testkit/started.ts';

// docs/decisions/0060: two whole installations, one backed up while it works, one restored into.

const PASSPHRASE = 'correct horse battery staple';
const OTHER_KEYS = `7:${Buffer.alloc(32, 7).toString('base64')}`;
const LARGE_CHARS = 400_000;
const RESTORE = fileURLToPath(new URL('../../../src/main/entrypoints/restore.ts', import.meta.url));

/** A server whose answers to calls wait until it is opened. It answers probes at once. */
async function openGate() {
  const waiting = new Set<ServerResponse>();
  let isOpen = false;
  const server = createServer((request, response) => {
    if (isOpen || request.method !== 'POST') return void response.end('{}');
    waiting.add(response);
    response.on('close', () => waiting.delete(response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    waiting: () => waiting.size,
    open() {
      isOpen = true;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.skipIf(!isStackCached)('backup and restore (need java and a filled cache)', () => {
  let data = '';
  let file = '';
  let rest: RestServer;
  let gate: Awaited<ReturnType<typeof openGate>>;
  const running: Started[] = [];
  const env = () => ({
    ...process.env,
    ...nativeEnv(data),
    AIDEN_BACKUP_PASSPHRASE: PASSPHRASE,
  });
  const archived = (args: readonly string[], more: Record<string, string> = {}) =>
    aidenProcess('ada', args, { env: { ...env(), ...more } });

  async function starts(instance: string): Promise<{ started: Started; url: string }> {
    const port = await freePort(0, new Set());
    const started = start(['--no-tour', '--instance', instance], {
      ...env(),
      AIDEN_PORT: String(port),
    });
    running.push(started);
    await started.until('Ctrl-C stops everything');
    return { started, url: `http://127.0.0.1:${port}` };
  }
  async function stops({ child, exit }: Started): Promise<void> {
    child.kill('SIGTERM');
    await exit;
  }

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'aiden-backup-'));
    file = join(data, 'all.aiden');
    rest = await openRestServer();
    gate = await openGate();
  });
  afterAll(async () => {
    for (const { child } of running) if (child.exitCode === null) child.kill('SIGKILL');
    await rest.close();
    gate.close();
    await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  });

  /** The database of an instance that runs. */
  async function databaseOf(instance: string) {
    const folder = join(data, 'aiden', instance);
    const port = (await readFile(join(folder, 'neo4j/server.port'), 'utf8')).trim();
    const password = (await readFile(join(folder, 'neo4j-password'), 'utf8')).trim();
    return { uri: `bolt://127.0.0.1:${port}`, user: 'neo4j', password };
  }
  const graphOf = async (instance: string) => openGraph(await databaseOf(instance));
  const runOf = async (ada: TestClient, id: string) => {
    const { processRun } = await ada.query<{
      processRun: { status: string; output: string | null; context: { name: string } } | null;
    }>('query ($id: ID!) { processRun(id: $id) { status output context } }', { id });
    return processRun;
  };
  const storedSecret = async (instance: string, id: string) => {
    const graph = await graphOf(instance);
    const rows = await graph.read((tx) =>
      tx.run('// secretOfTest\nMATCH (s:Secret {id: $id}) RETURN s.encryptedValue AS sealed', {
        id,
      }),
    );
    await graph.close();
    return rows;
  };

  /**
   * Backs up an instance from this process; `disturb` runs when the graph is read for the first
   * time.
   */
  async function backUpDisturbed(
    { instance, name }: { readonly instance: string; readonly name: string },
    disturb: (graph: Graph) => unknown,
  ) {
    const database = await databaseOf(instance);
    const graph = openGraph(database);
    const whole = openWholeGraph(database);
    const archive = join(data, name);
    let readings = 0;
    const disturbed: Pick<WholeGraph, 'frozen' | 'nodes' | 'relationships'> = {
      frozen: (limitMs, read) => whole.frozen(limitMs, read),
      async *nodes() {
        if (readings++ === 0) await disturb(graph);
        yield* whole.nodes();
      },
      relationships: () => whole.relationships(),
    };
    const blobs = openBlobStore(pathToFileURL(join(data, 'aiden', instance, 'blobs')).href);
    return {
      archive,
      readings: () => readings,
      backs: () =>
        backUp(
          { graph, whole: disturbed as WholeGraph, blobs },
          {
            ...{ file: archive, passphrase: PASSPHRASE, keys: [], settings: '', version: 'test' },
            ...{ now: instantOf(Date.now()), freezeMs: 45_000 },
          },
        ),
      async close() {
        await whole.close();
        await graph.close();
      },
    };
  }

  /**
   * The first record of a label has no lock to wait for, so the reading that it met is given up.
   */
  async function beginsAgainAfterANewKind(): Promise<void> {
    const backup = await backUpDisturbed({ instance: 'first', name: 'other.aiden' }, (graph) =>
      graph.write((tx) => tx.run('// newKind\nCREATE (:FirstOfItsKind)')),
    );
    await backup.backs();
    expect(backup.readings()).toBe(2);
    let hasNewKind = false;
    for await (const line of readSealedFile(backup.archive, PASSPHRASE))
      hasNewKind ||= JSON.stringify(line).includes('FirstOfItsKind');
    expect(hasNewKind).toBe(true);
    await backup.close();
  }

  it('bring ended and open runs, a large payload and a Secret to an empty one', async () => {
    const first = await starts('first');
    const name = freshName('ada');
    const ada = client(name, { url: first.url });
    const world = await runWorld(ada, rest);
    const small = await world.createsProcess([
      { stepId: 'one' },
      { stepId: 'two', dependsOn: ['one'] },
    ]);
    const ended = await world.starts(small);
    await world.finishes(ended);
    const large = await world.starts(small, { context: { name: 'x'.repeat(LARGE_CHARS) } });
    await world.finishes(large);
    const { createSecret } = await ada.query<{ createSecret: { secret: { id: string } } }>(
      'mutation { createSecret(input: {name: "key", type: API_KEY, value: "canary-9f2"}) { ' +
        'secret { id } } }',
    );
    const slow = await runWorld(ada, { ...rest, origin: gate.origin });
    const open = await slow.starts(
      await slow.createsProcess([
        // Longer than the default of 60 s, which a backup may take on a busy machine.
        { stepId: 'hangs', execution: { timeout: 600 } },
        { stepId: 'after', dependsOn: ['hangs'] },
      ]),
    );
    await expect.poll(() => gate.waiting()).toBe(1);

    await beginsAgainAfterANewKind();
    const graph = await graphOf('first');
    // Each transaction writes a pair, its halves some time apart.
    let isWriting = true;
    let pairs = 0;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      while (isWriting) {
        const pair = `${writer}-${pairs++}`;
        await graph.write(async (tx) => {
          await tx.run('// half\nCREATE (:BackupPair {pair: $pair})', { pair });
          await tx.run('// half\nCREATE (:BackupPair {pair: $pair})', { pair });
        });
        await setTimeout(50);
      }
    });
    const clients = Array.from({ length: 2 }, async () => {
      while (isWriting) await world.finishes(await world.starts(small));
    });
    const backup = await archived(['backup', file, '--instance', 'first']);
    isWriting = false;
    await Promise.all([...writers, ...clients]);
    await graph.close();
    const backupSays = backup.stderr + backup.stdout;
    expect(backupSays, backupSays).toMatch(/ \d+ nodes, \d+ relationships, [1-9]\d* blobs/);
    expect(backup.code).toBe(0);
    expect((await stat(file)).mode & 0o077).toBe(0);

    expect(await archived(['backup', file, '--instance', 'first'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists; an archive replaces no file'),
    });
    expect(await archived(['restore', file, '--instance', 'first'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The target is not empty'),
    });
    const sealedBefore = await storedSecret('first', createSecret.secret.id);
    await stops(first.started);

    const restored = await archived(['restore', file, '--instance', 'second']);
    expect(restored.stderr + restored.stdout).toContain('nothing differs');
    expect(restored).toMatchObject({ code: 0 });
    const keysOf = (instance: string) =>
      readFile(join(data, 'aiden', instance, 'secret-keys'), 'utf8');
    expect(await keysOf('second')).toBe(await keysOf('first'));

    gate.open();
    const second = await starts('second');
    const again = client(name, { url: second.url });
    expect(await runOf(again, ended)).toMatchObject({ status: 'COMPLETED', output: 'Grace' });
    expect((await runOf(again, large))?.context.name).toHaveLength(LARGE_CHARS);
    expect(await storedSecret('second', createSecret.secret.id)).toEqual(sealedBefore);
    await expect.poll(async () => (await runOf(again, open))?.status).toBe('COMPLETED');
    const worldAgain = await runWorld(again, rest);
    const next = await worldAgain.starts(small);
    expect((await worldAgain.finishes(next)).status).toBe('COMPLETED');

    const copy = await graphOf('second');
    const halves = await copy.read((tx) =>
      tx.run(`// halves
        MATCH (n:BackupPair) WITH n.pair AS pair, count(*) AS halves
        RETURN count(pair) AS pairs, sum(CASE WHEN halves <> 2 THEN 1 ELSE 0 END) AS torn`),
    );
    await copy.close();
    expect(halves).toEqual([{ pairs: expect.any(Number), torn: 0 }]);
    expect(halves[0]?.['pairs']).toBeGreaterThan(0);
    await stops(second.started);
  });

  let withoutKeys: Started | undefined;
  it('a start without the key ring of stored Secrets names the file and the way back', async () => {
    await rm(join(data, 'aiden/second/secret-keys'));
    withoutKeys = (await starts('second')).started;
    expect(withoutKeys.output()).toMatch(
      /The key ring, secret-keys in the data folder, was missing and is new, but Secrets are stored: .* Stop, put the old file back, and start again/,
    );
  });

  it('fails without an archive when Neo4j ends in the middle, then works again', async () => {
    withoutKeys ??= (await starts('second')).started;
    const pid = Number(await readFile(join(data, 'aiden/second/neo4j/server.pid'), 'utf8'));
    const { archive, backs, close } = await backUpDisturbed(
      { instance: 'second', name: 'killed.aiden' },
      () => process.kill(pid, 'SIGKILL'),
    );
    await expect(backs()).rejects.toThrow(/connect|closed|ECONN|socket/i);
    expect((await readdir(data)).filter((one) => one.startsWith('killed'))).toEqual([]);

    // The product starts Neo4j again.
    await expect.poll(() => backs().then(() => 'whole', String)).toBe('whole');
    expect(existsSync(archive)).toBe(true);
    await close();
  });

  it('no older version starts on the graph of a newer one', async () => {
    const started = withoutKeys ?? (await starts('second')).started;
    const graph = await graphOf('second');
    await graph.write((tx) => tx.run("// newer\nCREATE (:Migration {version: '999'})"));
    await graph.close();
    await stops(started);
    const older = start(['--no-tour', '--instance', 'second'], { ...env(), AIDEN_PORT: '0' });
    running.push(older);
    expect(await older.exit).not.toBe(0);
    expect(older.output()).toContain('A newer version has changed this graph (migration V999)');
  });

  it('refuse a damaged archive or a target with data, and restore nothing by half', async () => {
    const target = ['--instance', 'third'];
    const refused = async (path: string, more: Record<string, string> = {}) => {
      const { code, stderr } = await archived(['restore', path, ...target], more);
      expect(code).toBe(1);
      expect(existsSync(join(data, 'aiden/third/secret-keys'))).toBe(false);
      return stderr;
    };
    expect(await refused(file, { AIDEN_BACKUP_PASSPHRASE: 'another passphrase' })).toContain(
      'The passphrase is not the one of this archive.',
    );
    expect(await refused(file, { AIDEN_BACKUP_PASSPHRASE: '' })).toContain(
      'Set AIDEN_BACKUP_PASSPHRASE',
    );
    const whole = await readFile(file);
    const cut = join(data, 'cut.aiden');
    await writeFile(cut, whole);
    await truncate(cut, Math.floor(whole.length / 2));
    expect(await refused(cut)).toMatch(/is cut off/);
    const altered = join(data, 'altered.aiden');
    const bytes = Buffer.from(whole);
    const place = Math.floor(bytes.length / 2);
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    await writeFile(altered, bytes);
    expect(await refused(altered)).toMatch(/was altered/);
    // None of them has started a server for its target.
    expect(existsSync(join(data, 'aiden/third'))).toBe(false);
    expect(await refused(file, { AIDEN_SECRET_KEYS: OTHER_KEYS })).toContain(
      'has a key ring of its own',
    );

    // A restore that is killed leaves a mark: the product does not start on it, and the next begins
    // anew.
    const killed = spawn(process.execPath, [RESTORE, file, '', '', ...target], { env: env() });
    const lines: string[] = [];
    killed.stdout.on('data', (chunk) => lines.push(String(chunk)));
    await expect.poll(() => lines.join('')).toContain('Restoring');
    killed.kill('SIGKILL');
    // Its servers end with it.
    const pidFile = join(data, 'aiden/third/neo4j/server.pid');
    await expect.poll(() => existsSync(pidFile)).toBe(false);
    const halfway = start(['--no-tour', ...target], { ...env(), AIDEN_PORT: '0' });
    running.push(halfway);
    expect(await halfway.exit).not.toBe(0);
    expect(halfway.output()).toContain('was cut off, so this installation is not whole');
    const anew = await archived(['restore', file, ...target]);
    expect(anew.stderr + anew.stdout).toContain('nothing differs');
    expect((await readdir(data)).filter((one) => one.endsWith('.partial'))).toEqual([]);
  });
});
