import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import process from 'node:process';
import { afterAll, describe, expect, it } from 'vitest';
import { openGraph } from '../../src/platform/neo4j/graph.ts';
import { runCypher, writeCypher } from '../testkit/graph.ts';
import { eventually, newId } from '../testkit/outbox.ts';

// Neo4j behind a wire that notes all we send, and can hold back Neo4j's answers.
let sent = '';
let isHeld = false;
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
    sent += packet.toString('latin1');
    theirs.write(packet);
  });
  theirs.on('data', (packet) => {
    const pass = () => void ours.write(packet);
    if (isHeld) held.push(pass);
    else pass();
  });
  ours.on('close', () => theirs.destroy());
});

function hold(): void {
  sent = '';
  isHeld = true;
}
function release(): void {
  isHeld = false;
  for (const pass of held) pass();
  held = [];
}
/** Waits until this number of statements has been sent. */
async function sendsAll(count: number): Promise<void> {
  await eventually(`${count} statements are sent`, async () => {
    return (sent.match(/RETURN \$p/g) ?? []).length === count;
  });
}

await new Promise<void>((resolve) => wire.listen(0, '127.0.0.1', resolve));
const graph = openGraph({
  uri: `bolt://127.0.0.1:${(wire.address() as AddressInfo).port}`,
  user: process.env['NEO4J_USER'] ?? '',
  password: process.env['NEO4J_PASSWORD'] ?? '',
});
// Its connection is known, and free again.
await writeCypher(graph, 'RETURN 1 AS one');
afterAll(async () => {
  await graph.close();
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => wire.close(resolve));
});

const ECHO = '// test\nRETURN $value AS value';

describe('a transaction', () => {
  it('sends BEGIN and the first statements without waiting for an answer', async () => {
    hold();
    const working = graph.write((tx) =>
      Promise.all([1, 2, 3].map((value) => tx.run(ECHO, { value }))),
    );
    await sendsAll(3);
    release();
    expect((await working).flat()).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }]);
  });

  it.each(['write', 'read'] as const)(
    'that is to %s does not answer before its end is through',
    async (mode) => {
      let isDone = false;
      if (mode === 'read') hold();
      const working = graph[mode](async (tx) => {
        await tx.run(ECHO, { value: 5 });
        // The answer to COMMIT.
        hold();
      }).then(() => {
        isDone = true;
      });
      await eventually('an answer is held', async () => held.length > 0);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(isDone).toBe(false);
      release();
      await working;
      isHeld = false;
    },
  );

  it('is tried again where two wait for each other', async () => {
    const ids = [newId(), newId()] as const;
    await writeCypher(graph, 'UNWIND $ids AS id CREATE (:Alone {id: id, count: 0})', { ids });
    const CROSS = `// test
      MATCH (a:Alone {id: $first}) SET a.count = a.count + 1
      WITH a CALL (a) { UNWIND range(1, 300000) AS n RETURN count(n) AS waited }
      MATCH (b:Alone {id: $second}) SET b.count = b.count + 1`;
    let attempts = 0;
    const cross = (first: string, second: string) =>
      graph.write((tx) => {
        attempts++;
        return tx.run(CROSS, { first, second });
      });
    const both = () => Promise.all([cross(ids[0], ids[1]), cross(ids[1], ids[0])]);
    await both();
    let rounds = 1;
    do {
      attempts = 0;
      await both();
      rounds++;
    } while (attempts <= 2 && rounds < 20);
    expect(attempts).toBeGreaterThan(2);
    const counts = await runCypher(
      graph,
      'MATCH (n:Alone) WHERE n.id IN $ids RETURN n.count AS count',
      { ids },
    );
    expect(counts).toEqual([{ count: rounds * 2 }, { count: rounds * 2 }]);
  });

  it('that fails leaves nothing behind, and its connection serves the next one', async () => {
    const id = newId();
    const failing = graph.write(async (tx) => {
      await tx.run('// test\nCREATE (:Alone {id: $id, count: 0})', { id });
      throw new Error('given up');
    });
    await expect(failing).rejects.toThrow('given up');
    const broken = writeCypher(graph, 'CREATE (:Alone {id: $id}) RETURN 1 / 0', { id });
    await expect(broken).rejects.toThrow('/ by zero');
    const found = await writeCypher(graph, 'MATCH (n:Alone {id: $id}) RETURN count(n) AS count', {
      id,
    });
    expect(found).toEqual([{ count: 0 }]);
  });
});

describe('reading', () => {
  it('sends its statements at once, each as a transaction of its own', async () => {
    hold();
    const working = graph.read((tx) => Promise.all([4, 5].map((value) => tx.run(ECHO, { value }))));
    await sendsAll(2);
    release();
    expect((await working).flat()).toEqual([{ value: 4 }, { value: 5 }]);
  });

  it('is brought whole, however many rows there are', async () => {
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
    await expect(runCypher(graph, 'CREATE (:Alone)')).rejects.toThrow(/read access mode/);
  });
});
