import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Graph, openGraph } from '../../src/platform/neo4j/graph.ts';

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

  it.each(['write', 'read'] as const)(
    'that is to %s does not answer before its end is through',
    async (mode) => {
      packets = 0;
      passes = 1;
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
});
