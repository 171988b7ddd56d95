import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningNeo4j, startNeo4j } from '../../../src/host/neo4j/native.ts';
import { PortClaims } from '../../../src/host/ports.ts';
import { openGraph } from '../../../src/platform/neo4j/graph.ts';
import { loadMigrations, migrate } from '../../../src/platform/neo4j/migrate.ts';
import { isStackCached } from '../../testkit/started.ts';

describe.skipIf(!isStackCached)('an empty database (needs java and a filled cache)', () => {
  let folder = '';
  let neo4j: RunningNeo4j;
  const claims = new PortClaims(new Set());
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'aiden-migrate-'));
    neo4j = await startNeo4j(folder, 0, claims, () => {});
  });
  afterAll(async () => {
    await neo4j.server?.stop();
    await claims.release();
    await rm(folder, { recursive: true, force: true });
  });

  it('is migrated once by API and Workers that start together, and after a cut start', async () => {
    const processes = Array.from({ length: 6 }, () =>
      openGraph({ uri: neo4j.uri, user: 'neo4j', password: neo4j.password }),
    );
    await Promise.all(processes.map((graph) => migrate(graph)));
    const [first] = processes;
    const rows = await first?.read((tx) =>
      tx.run('// applied\nMATCH (m:Migration) RETURN m.version AS version ORDER BY version'),
    );
    const wanted = (await loadMigrations()).map(({ version }) => version);
    expect(rows?.map(({ version }) => version)).toEqual(wanted);
    // A start that was cut off before it recorded what it had done.
    await first?.write((tx) =>
      tx.run('// forget\nMATCH (m:Migration) WHERE m.version >= "100" DELETE m'),
    );
    await first?.close();
    const after = openGraph({ uri: neo4j.uri, user: 'neo4j', password: neo4j.password });
    expect((await migrate(after)).length).toBeGreaterThan(20);
    await Promise.all([after, ...processes.slice(1)].map((graph) => graph.close()));
  });
});
