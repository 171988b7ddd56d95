import { afterAll, expect, it } from 'vitest';
import { loadMigrations, migrate } from '../../src/platform/neo4j/migrate.ts';
import { plainDriver, planOf, runCypher, testGraph } from '../testkit/graph.ts';
import { newId } from '../testkit/outbox.ts';

const graph = testGraph();
const driver = plainDriver();
// A label of its own, so that the index belongs to no other test.
const label = `Migrated${newId().replaceAll('-', '')}`;
afterAll(async () => {
  for (const statement of [
    `DROP INDEX ${label} IF EXISTS`,
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
