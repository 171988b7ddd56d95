import { afterAll, describe, expect, it } from 'vitest';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { appendTurn } from '../../src/conversations/turn.mutations.ts';
import { openGraph } from '../../src/platform/neo4j/graph.ts';
import { runDeps } from '../testkit/conversations.ts';
import { openForgetfulWay } from '../testkit/forgetful-way.ts';
import { runCypher } from '../testkit/graph.ts';
import { world, worldGraph } from '../testkit/world.ts';

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
