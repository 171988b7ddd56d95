import { afterAll, expect, it } from 'vitest';
import { loadMigrations, migrate } from '../../src/platform/neo4j/migrate.ts';
import { plainDriver, planOf, runCypher, testGraph, writeCypher } from '../testkit/graph.ts';
import { newId } from '../testkit/outbox.ts';

const graph = testGraph();
const driver = plainDriver();
// A label of its own, so that the index belongs to no other test.
const label = `Migrated${newId().replaceAll('-', '')}`;
afterAll(async () => {
  for (const statement of [
    `DROP INDEX ${label} IF EXISTS`,
    `DROP INDEX ${label}Newer IF EXISTS`,
    `MATCH (n:${label}) CALL (n) { DELETE n } IN TRANSACTIONS OF 10000 ROWS`,
    `MATCH (m:Migration {version: '${label}'}) DELETE m`,
  ]) {
    const session = driver.session();
    await session.run(statement);
    await session.close();
  }
  await Promise.all([graph.close(), driver.close()]);
});

it('a migration is done when its indexes are populated, so no plan scans', async () => {
  await migrate(graph, [
    {
      version: label,
      name: 'test',
      checksum: label,
      statements: [
        // So many that Neo4j is still at work when CREATE INDEX returns.
        `UNWIND range(1, 100000) AS i CREATE (:${label} {a: i % 7, b: i})`,
        `CREATE INDEX ${label} FOR (n:${label}) ON (n.a, n.b)`,
      ],
    },
  ]);
  const hinted = `MATCH (n:${label}) USING INDEX n:${label}(a, b) WHERE n.a = 1 AND n.b >= 2
    RETURN n.b AS b ORDER BY n.b`;
  const operators = (await planOf(driver, hinted)).map(({ name }) => name);
  expect(operators).toContain('NodeIndexSeek');
  expect(operators).not.toContain('NodeByLabelScan');
});

it('an empty installation gets every index and constraint of its migrations', async () => {
  const expected = new Set<string>();
  for (const { statements } of await loadMigrations())
    for (const statement of statements) {
      const [, verb, name] =
        /^(CREATE|DROP)\s[A-Z\s]*(?:INDEX|CONSTRAINT)\s+(\w+)/.exec(statement) ?? [];
      if (verb === 'CREATE' && name !== undefined) expected.add(name);
      if (verb === 'DROP' && name !== undefined) expected.delete(name);
    }
  const rows = await runCypher(graph, 'SHOW INDEXES YIELD name RETURN collect(name) AS names');
  const there = new Set(rows[0]?.['names'] as string[]);
  expect([...expected].filter((name) => !there.has(name))).toEqual([]);
  expect(expected.size).toBeGreaterThan(150);
});

it('an older version starts beside indexes of a newer one, not on changed data', async () => {
  const newer = (name: string, statements: string[]) =>
    migrate(graph, [{ version: name, name: 'newer', checksum: name, statements }]);
  try {
    await newer('998', [`CREATE INDEX ${label}Newer IF NOT EXISTS FOR (n:${label}) ON (n.c)`]);
    expect(await migrate(graph)).toEqual([]);
    await newer('999', [`MATCH (n:${label}) WHERE n.b = 1 SET n.c = 1`]);
    await expect(migrate(graph)).rejects.toThrow('(migration V999)');
  } finally {
    const made = "MATCH (m:Migration) WHERE m.version IN ['998', '999'] DELETE m";
    await writeCypher(graph, made);
  }
});
