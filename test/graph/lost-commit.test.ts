import { afterAll, expect, it } from 'vitest';
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

it('a commit whose answer is lost is not made twice, and its caller gets its result', async () => {
  const home = await world();
  const { viewer } = home.ada;
  const deps = runDeps(home);
  const { id: conversationId } = await createConversation(deps, viewer, {});
  way.state.toLose = 1;
  const input = { conversationId, content: 'said once' };
  const turn = await appendTurn({ ...deps, graph }, viewer, input);
  expect(way.state.lost).toBe(1);
  const [row] = await runCypher(
    worldGraph(),
    `RETURN COLLECT { MATCH (:Conversation {id: $conversationId})-[:HAS_TURN]->(t) RETURN t.id }
       AS turns,
       COUNT { MATCH (:OutboxEntry {conversationId: $conversationId, kind: 'turn.added'}) }
         AS told`,
    { conversationId },
  );
  expect(row).toEqual({ turns: [turn.id], told: 1 });
});
