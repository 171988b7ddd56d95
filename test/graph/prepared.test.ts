import { afterAll, describe, expect, it } from 'vitest';
import type { StatementInfo } from '../../src/platform/neo4j/graph.ts';
import { lockResources } from '../../src/platform/neo4j/lock.ts';
import { runCypher, testGraph, writeCypher } from '../testkit/graph.ts';
import { newId } from '../testkit/outbox.ts';

const graph = testGraph();
afterAll(() => graph.close());

const id = newId();
const count = async (): Promise<unknown> => {
  const [row] = await runCypher(graph, 'MATCH (n:PreparedProbe) RETURN count(n) AS count');
  return row?.['count'];
};

describe('a statement that is prepared', () => {
  it('writes nothing, in either place, and keeps the values of a read out', async () => {
    const write = `// probe ${id}\nCREATE (n:PreparedProbe {id: $id}) RETURN n.id AS id`;
    const before = await count();
    await graph.plan(write, 'first');
    await graph.plan(write, 'after a write');
    await graph.plan(`// probe ${id}\nUNWIND range(1, $count) AS one RETURN one`, 'first');
    expect(await count()).toBe(before);
  });

  it('is refused where Neo4j can not plan it', async () => {
    for (const place of ['first', 'after a write'] as const)
      await expect(graph.plan(`// probe ${id}\nMATCH (n RETURN n`, place)).rejects.toThrow();
  });

  it('stands after a write once its transaction has written', async () => {
    const places: StatementInfo['place'][] = [];
    const stop = graph.onStatement(({ cypher, place }) => {
      if (cypher === find) places.push(place);
    });
    const find = `// probe ${id}\nMATCH (n:Resource {id: $id}) RETURN n.id AS id`;
    await graph.write(async (tx) => {
      await tx.run(find, { id });
      await tx.run('// test\nMERGE (n:Resource {id: $id})', { id });
      await tx.run(find, { id });
    });
    stop();
    expect(places).toEqual(['first', 'after a write']);
  });
});

describe('the lock of a resource', () => {
  it('lasts until its transaction ends, and changes nothing', async () => {
    await writeCypher(graph, 'MERGE (n:Resource {id: $id})', { id });
    const order: string[] = [];
    const holder = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const first = graph.write(async (tx) => {
      await lockResources(tx, [id]);
      isHeld.resolve();
      await holder.promise;
      order.push('first');
    });
    await isHeld.promise;
    const second = graph.write(async (tx) => {
      await lockResources(tx, [id]);
      order.push('second');
    });
    // A read waits for no lock.
    const [row] = await runCypher(graph, 'MATCH (n:Resource {id: $id}) RETURN keys(n) AS keys', {
      id,
    });
    expect(row?.['keys']).toEqual(['id']);
    holder.resolve();
    await Promise.all([first, second]);
    expect(order).toEqual(['first', 'second']);
  });
});
