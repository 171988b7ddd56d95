import { afterAll, expect, it } from 'vitest';
import { migrate } from '../../src/platform/neo4j/migrate.ts';
import { plainDriver, planOf, testGraph } from '../testkit/graph.ts';
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

it('a migration is done when its indexes are populated, so no plan scans for want of one', async () => {
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
