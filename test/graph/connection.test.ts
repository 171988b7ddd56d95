import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Graph, openGraph, type WriteTx } from '../../src/platform/neo4j/graph.ts';
import { newId } from '../testkit/outbox.ts';

// Neo4j behind a wire that counts what we send, and can hold it back.
let packets = 0;
let passes = Number.POSITIVE_INFINITY;
let held: (() => void)[] = [];
const sockets = new Set<Socket>();
const neo4j = new URL(process.env['NEO4J_URI'] ?? '');
const wire = createServer((ours) => {
  const theirs = connect(Number(neo4j.port || 7687), neo4j.hostname);
  for (const socket of [ours, theirs]) {
    sockets.add(socket);
    socket.on('error', () => {});
  }
  ours.on('data', (packet) => {
    packets++;
    const pass = () => void theirs.write(packet);
    if (packets > passes) held.push(pass);
    else pass();
  });
  theirs.pipe(ours);
  ours.on('close', () => theirs.destroy());
});
let graph: Graph;

beforeAll(async () => {
  await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
  graph = openGraph({
    uri: `bolt://127.0.0.1:${(wire.address() as AddressInfo).port}`,
    user: process.env['NEO4J_USER'] ?? '',
    password: process.env['NEO4J_PASSWORD'] ?? '',
  });
  // Its connection is known, and free again.
  await graph.write((tx) => tx.run('// test\nRETURN 1 AS one'));
});
afterAll(async () => {
  await graph.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => wire.close(resolve));
});

const LONG = `// test ${'x'.repeat(4_000)}\nRETURN $value AS value`;

describe('a transaction', () => {
  it('leaves in two packets: BEGIN with all that is asked at once, however long, and COMMIT', async () => {
    packets = 0;
    const rows = await graph.write((tx) =>
      Promise.all([1, 2, 3].map((value) => tx.run(LONG, { value }))),
    );
    expect(rows.flat()).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }]);
    expect(packets).toBe(2);
  });

  it('of one statement that commits by itself leaves in one packet, and is refused a second', async () => {
    const id = newId();
    const mark = (tx: WriteTx, name: string) =>
      tx.run(`// test\nCREATE (n:Alone {id: $id, name: $name}) RETURN n.name AS name`, {
        id,
        name,
      });
    packets = 0;
    expect(await graph.writeAlone((tx) => mark(tx, 'first'))).toEqual([{ name: 'first' }]);
    expect(packets).toBe(1);
    const second = graph.writeAlone((tx) => Promise.all([mark(tx, 'one'), mark(tx, 'two')]));
    await expect(second).rejects.toThrow('another one');
  });

  it.each(['write', 'writeAlone', 'read'] as const)(
    'that is to %s does not answer before its end is through',
    async (mode) => {
      packets = 0;
      passes = mode === 'write' ? 1 : 0;
      let isDone = false;
      const working = graph[mode]((tx) => tx.run(LONG, { value: 5 })).then(() => {
        isDone = true;
      });
      while (held.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(isDone).toBe(false);
      passes = Number.POSITIVE_INFINITY;
      for (const pass of held) pass();
      held = [];
      await working;
    },
  );

  it.each(['write', 'writeAlone'] as const)(
    'that is to %s is tried again where two wait for each other',
    async (mode) => {
      const ids = [newId(), newId()] as const;
      await graph.write((tx) =>
        tx.run('// test\nUNWIND $ids AS id CREATE (:Alone {id: id, count: 0})', { ids }),
      );
      const CROSS = `// test
        MATCH (a:Alone {id: $first}) SET a.count = a.count + 1
        WITH a CALL (a) { UNWIND range(1, 300000) AS n RETURN count(n) AS waited }
        MATCH (b:Alone {id: $second}) SET b.count = b.count + 1`;
      const cross = (first: string, second: string) =>
        graph[mode]((tx) => tx.run(CROSS, { first, second }));
      const both = () => Promise.all([cross(ids[0], ids[1]), cross(ids[1], ids[0])]);
      await both();
      let rounds = 1;
      const once = mode === 'write' ? 4 : 2;
      do {
        packets = 0;
        await both();
        rounds++;
      } while (packets <= once && rounds < 20);
      expect(packets).toBeGreaterThan(once);
      const counts = await graph.read((tx) =>
        tx.run('// test\nMATCH (n:Alone) WHERE n.id IN $ids RETURN n.count AS count', { ids }),
      );
      expect(counts).toEqual([{ count: rounds * 2 }, { count: rounds * 2 }]);
    },
  );
});

describe('what reads', () => {
  it('leaves in one packet', async () => {
    packets = 0;
    expect(await graph.read((tx) => tx.run(LONG, { value: 4 }))).toEqual([{ value: 4 }]);
    expect(packets).toBe(1);
  });

  it('is brought whole, however many rows there are of what is asked at once', async () => {
    const rows = await graph.read((tx) =>
      Promise.all(
        [3_000, 2_500].map((count) =>
          tx.run('// test\nUNWIND range(1, $count) AS n RETURN n', { count }),
        ),
      ),
    );
    expect(rows.map(({ length }) => length)).toEqual([3_000, 2_500]);
  });

  it('may write nothing', async () => {
    await expect(graph.read((tx) => tx.run('// test\nCREATE (:Alone)'))).rejects.toThrow(
      /read access mode/,
    );
  });
});
