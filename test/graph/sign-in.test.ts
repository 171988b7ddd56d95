import { describe, expect, it } from 'vitest';
import { openGraph } from '../../src/platform/neo4j/graph.ts';
import { plainDriver, runCypher, testGraph } from '../testkit/graph.ts';

describe('a product that meets the Neo4j of another instance', () => {
  it('says so in one sentence, and does not lock out its users by wrong passwords', async () => {
    const uri = process.env['NEO4J_URI'] ?? '';
    const user = process.env['NEO4J_USER'] ?? 'neo4j';
    const foreign = openGraph({ uri, user, password: 'of-another-instance' });
    const reads = Array.from({ length: 20 }, () =>
      runCypher(foreign, 'RETURN 1 AS one').catch((error: Error) => error),
    );
    const errors = (await Promise.all(reads)) as Error[];
    expect(new Set(errors.map(({ name }) => name))).toEqual(new Set(['Neo4jRefused']));
    expect(errors[0]?.message).toContain(`The Neo4j at ${uri} refuses the password`);
    await foreign.close();
    // Neo4j locks a user for seconds after three wrong passwords. New connections still sign in.
    const driver = plainDriver();
    expect((await driver.executeQuery('RETURN 1 AS one')).records[0]?.get('one').toNumber()).toBe(
      1,
    );
    await driver.close();
    const own = testGraph();
    expect(await runCypher(own, 'RETURN 1 AS one')).toEqual([{ one: 1 }]);
    await own.close();
  });
});
