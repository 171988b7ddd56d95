import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { appendTurn } from '../../src/conversations/turn.mutations.ts';
import { openGraph } from '../../src/platform/neo4j/graph.ts';
import { runDeps } from '../testkit/conversations.ts';
import { runCypher } from '../testkit/graph.ts';
import { world, worldGraph } from '../testkit/world.ts';

/** Bolt's message COMMIT in its chunk, and the end of the chunk. */
const COMMIT = Buffer.from([0x00, 0x02, 0xb0, 0x12, 0x00, 0x00]);
const COMMITTED_AFTER_MS = 400;

/**
 * A way to Neo4j that loses the answers of the next commits: they arrive there, and then it cuts
 * the connection.
 */
async function openForgetfulWay() {
  const { hostname, port } = new URL(process.env['NEO4J_URI'] ?? '');
  const state = { toLose: 0, lost: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((inner) => {
    const outer = connect(Number(port), hostname);
    let isLost = false;
    for (const socket of [inner, outer]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        inner.destroy();
        outer.destroy();
      });
    }
    inner.on('data', (bytes) => {
      if (state.toLose > 0 && bytes.includes(COMMIT)) {
        state.toLose--;
        state.lost++;
        isLost = true;
        setTimeout(() => inner.destroy(), COMMITTED_AFTER_MS);
      }
      outer.write(bytes);
    });
    outer.on('data', (bytes) => {
      if (!isLost) inner.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    uri: `bolt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const way = await openForgetfulWay();
const graph = openGraph({
  uri: way.uri,
  user: process.env['NEO4J_USER'] ?? 'neo4j',
  password: process.env['NEO4J_PASSWORD'] ?? '',
});
afterAll(async () => {
  await graph.close();
  await way.close();
});

const countOf = async (cypher: string, params: Record<string, unknown>) => {
  const [row] = await runCypher(worldGraph(), `${cypher}`, params);
  return row?.['count'];
};

describe('a commit whose answer is lost with the connection', () => {
  it('is not made twice, and its caller gets its result', async () => {
    const home = await world();
    const { viewer } = home.ada;
    const deps = runDeps(home);
    const conversation = await createConversation(deps, viewer, {});
    const input = { conversationId: conversation.id, content: 'said once' };
    way.state.toLose = 1;
    const { id } = await appendTurn({ ...deps, graph }, viewer, input);
    expect(way.state.lost).toBe(1);
    const params = { id: conversation.id, turnId: id };
    expect(
      await countOf(
        'MATCH (:Conversation {id: $id})-[:HAS_TURN]->(t) RETURN count(t) AS count',
        params,
      ),
    ).toBe(1);
    expect(
      await countOf('MATCH (t:ConversationTurn {id: $turnId}) RETURN count(t) AS count', params),
    ).toBe(1);
    expect(
      await countOf(
        "MATCH (o:OutboxEntry {conversationId: $id, kind: 'turn.added'}) RETURN count(o) AS count",
        params,
      ),
    ).toBe(1);
  });
});
