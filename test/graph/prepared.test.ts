import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import type { StatementInfo } from '../../src/platform/neo4j/graph.ts';
import { lockResources } from '../../src/platform/neo4j/lock.ts';
import { runCypher, testGraph, writeCypher } from '../testkit/graph.ts';
import { newId } from '../testkit/outbox.ts';

const graph = testGraph();
afterAll(() => graph.close());

const id = newId();
const resources = async (): Promise<unknown> => {
  const find = 'MATCH (n:Resource) WHERE n.id IS NULL RETURN count(n) AS count';
  const [row] = await runCypher(graph, find);
  return row?.['count'];
};

describe('a statement that is prepared', () => {
  it('writes nothing, in either place, and needs no values', async () => {
    const write = `// probe ${id}\nCREATE (n:Resource {id: $id}) RETURN n.id AS id`;
    await graph.plan(write, 'first');
    await graph.plan(write, 'after a write');
    await graph.plan(`// probe ${id}\nUNWIND range(1, $count) AS one RETURN one`, 'first');
    // Neither the node of the statement nor the one that was written before it.
    expect(await resources()).toBe(0);
  });

  it('is refused where Neo4j can not plan it', async () => {
    const broken = `// probe ${id}\nMATCH (n RETURN n`;
    await expect(graph.plan(broken, 'first')).rejects.toThrow('Invalid input');
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
  it('lasts until its transaction ends, and counts as no write', async () => {
    await writeCypher(graph, 'MERGE (n:Resource {id: $id})', { id });
    const places: StatementInfo['place'][] = [];
    const stop = graph.onStatement(({ cypher, place }) => {
      if (cypher === find) places.push(place);
    });
    const find = `// locked ${id}\nMATCH (n:Resource {id: $id}) RETURN n.id AS id`;
    const holder = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const first = graph.write(async (tx) => {
      await lockResources(tx, [id]);
      await tx.run(find, { id });
      isHeld.resolve();
      await holder.promise;
    });
    await isHeld.promise;
    let hasLock = false;
    const second = graph.write(async (tx) => {
      await lockResources(tx, [id]);
      hasLock = true;
    });
    // It would have the lock long before.
    await sleep(500);
    expect(hasLock).toBe(false);
    holder.resolve();
    await Promise.all([first, second]);
    stop();
    expect(places).toEqual(['first']);
    await writeCypher(graph, 'MATCH (n:Resource {id: $id}) DELETE n', { id });
  });
});
