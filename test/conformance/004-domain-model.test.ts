import { readdirSync, readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { ANSWER, type Speaker, type TalkWorld, talkWorld } from '../testkit/talk-world.ts';

// Rules of every conversation, seen from outside (the API) and from below (the nodes and edges in
// Neo4j).

const graph = testGraph();
let ada: TestClient;
let talk: TalkWorld;
let speaker: Speaker;
/** A conversation of one question and its answer, which the tests look at and change in turn. */
let base: Awaited<ReturnType<typeof answered>> & { readonly id: string };
beforeAll(async () => {
  ada = client(freshName('ada'));
  talk = await talkWorld(ada);
  speaker = await talk.speaker();
  const id = await talk.starts({ recall: { tokens: 0 } });
  base = { id, ...(await answered(id)) };
});
afterAll(async () => {
  await talk.close();
  await graph.close();
});

interface Kept {
  readonly nodes: Record<string, Record<string, unknown>>;
  readonly edges: readonly Edge[];
}
interface Edge {
  readonly from: string;
  readonly type: string;
  readonly to: string;
  readonly properties: Record<string, unknown>;
}
/**
 * Every node of a conversation and every edge that leaves one, as they are stored; runs and log
 * entries by their number. Without the memory that follows in its own time: Episodes, entities,
 * summaries and the runs of the system's Processes.
 */
async function stored(conversationId: string): Promise<Kept & { runs: number; entries: number }> {
  const [row] = await graph.read((tx) =>
    tx.run(
      `// testStored
      MATCH (c:Conversation {id: $id})
      CALL (c) {
        MATCH (c)-[:HAS_TURN*0..1]->(t)
        OPTIONAL MATCH (t)-[:HAS_ALTERNATIVE]->(a)
        RETURN collect(DISTINCT t) + collect(DISTINCT a) AS nodes
      }
      RETURN [n IN nodes | {labels: labels(n), properties: properties(n)}] AS nodes,
        COLLECT { UNWIND nodes AS n MATCH (n)-[e:!HAS_CONTENT&!HAS_ACTIVE_ENTITY&!HAS_SUMMARY]->(m)
          RETURN {from: n.id, type: type(e), to: m.id, properties: properties(e)} } AS edges,
        COUNT { MATCH (r:ProcessRun {conversationId: $id})
          WHERE EXISTS { (:Process {id: r.processId})-[:OWNED_BY]->(:User {id: r.ownerId}) } } AS
            runs,
        COUNT { MATCH (o:OutboxEntry {conversationId: $id})
          WHERE any(noun IN ['turn.', 'alternative.', 'conversation.'] WHERE o.kind STARTS WITH
            noun) } AS entries`,
      { id: conversationId },
    ),
  );
  const { nodes, edges, runs, entries } = row as unknown as {
    nodes: { labels: string[]; properties: Record<string, unknown> }[];
    edges: Edge[];
    runs: number;
    entries: number;
  };
  return {
    nodes: Object.fromEntries(
      nodes.map(({ labels, properties }) => [
        String(properties['id']),
        { ...properties, labels: labels.toSorted() },
      ]),
    ),
    edges: edges.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
    runs,
    entries,
  };
}
const edgesOf = ({ edges }: Kept, type: string) => edges.filter((edge) => edge.type === type);

const APPEND = `mutation ($input: AppendTurnInput!) { it: appendTurn(input: $input) {
  turn { id speaker turnType content createdAt activeAlternative { ${ANSWER} } } ERRORS } }`;
const ADD = `mutation ($input: AddAlternativeInput!) { it: addAlternative(input: $input) {
  alternative { ${ANSWER} } ERRORS } }`;
interface Said {
  readonly id: string;
  readonly content: string;
  readonly activeAlternative: { readonly id: string; readonly createdAt?: string };
}
async function says(conversationId: string, content: string, more: object = {}): Promise<Said> {
  const { turn, userErrors } = await talk.does<{ turn: Said | null }>(APPEND, {
    conversationId,
    content,
    ...more,
  });
  if (turn === null) throw new Error(JSON.stringify(userErrors));
  return turn;
}
async function adds(input: object): Promise<string> {
  const { alternative, userErrors } = await talk.does<{ alternative: { id: string } | null }>(
    ADD,
    input,
  );
  if (alternative === null) throw new Error(JSON.stringify(userErrors));
  return alternative.id;
}
const activates = (id: string) =>
  ada.query(
    `mutation ($id: ID!) { activateAlternative(input: { id: $id }) { alternative { id }
      userErrors { code } } }`,
    { id },
  );
const updates = (input: object) =>
  talk.does<{ conversation: Record<string, unknown> | null }>(
    `mutation ($input: UpdateConversationInput!) { it: updateConversation(input: $input) {
      conversation { id title status createdAt updatedAt } ERRORS } }`,
    input,
  );
/** A question and its answer, which is there. */
async function answered(conversationId: string, content = 'Hello?') {
  const { processId } = speaker;
  const sent = await talk.sends(conversationId, content, { processId });
  await talk.answered(sent.agentTurn.activeAlternative.id);
  return {
    ...sent,
    question: sent.userTurn.activeAlternative.id,
    answer: sent.agentTurn.activeAlternative.id,
  };
}
interface Remembered {
  readonly currentTurnId: string | null;
  readonly currentAlternativeId: string | null;
  readonly immediatePath: readonly { turnId: string; alternativeId: string }[];
  readonly excludedStale: readonly { turnId: string; alternativeId: string }[];
  readonly summaries: readonly string[];
  readonly totalTokens: number;
  readonly messages: readonly { content: string }[];
}
async function remembers(id: string): Promise<Remembered> {
  const workingMemory = await ada.one<Remembered>(
    `query ($id: ID!) { workingMemory(conversationId: $id) { currentTurnId currentAlternativeId
      summaries totalTokens
      immediatePath { turnId alternativeId } excludedStale { turnId alternativeId } messages {
      content } } }`,
    { id },
  );
  return workingMemory;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

describe('a conversation', () => {
  it('S4-CONV-01: keeps its id and when it began, while its title and status change', async () => {
    const id = await talk.starts({ title: 'Tea' });
    const conversation = await ada.one<Record<string, string>>(
      'query ($id: ID!) { conversation(id: $id) { id title status createdAt updatedAt } }',
      { id },
    );
    expect(conversation).toMatchObject({ id, title: 'Tea', status: 'ACTIVE' });
    expect(conversation['createdAt']).toMatch(INSTANT);
    const changed = (await updates({ id, title: 'Coffee', status: 'ARCHIVED' })).conversation;
    expect(changed).toMatchObject({
      id,
      title: 'Coffee',
      status: 'ARCHIVED',
      createdAt: conversation['createdAt'],
    });
    expect(String(changed?.['updatedAt']) > String(conversation['updatedAt'])).toBe(true);
    expect((await updates({ id, title: null })).conversation).toMatchObject({
      title: null,
      status: 'ARCHIVED',
    });
  });

  it('S4-CONV-04, S4-TURN-06: is only archived; nothing deletes it or its turns', () => {
    const text = readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8');
    const mutations = Object.values(buildSchema(text).getMutationType()?.getFields() ?? {});
    const names = mutations
      .map(({ name }) => name)
      .filter((name) => /Conversation$|Turn$|Alternative$/.test(name));
    expect(names).toEqual(
      expect.arrayContaining(['appendTurn', 'addAlternative', 'updateConversation']),
    );
    expect(names.filter((name) => /delete|remove|purge/i.test(name))).toEqual([]);
    // Nor does any statement: this room deletes relationships, and of nodes only a rating.
    const folder = new URL('../../src/conversations/', import.meta.url);
    const statements = readdirSync(folder)
      .filter((file) => file.endsWith('.cypher.ts'))
      .map((file) => readFileSync(new URL(file, folder), 'utf8'))
      .join('\n')
      .replace(/MATCH \(r:Rating \{id: \$id\}\) WHERE [^`]*DETACH DELETE r\n/, '');
    expect(statements).toContain('MATCH');
    expect(statements).not.toMatch(/DETACH DELETE/);
    // DEFAULT_PROCESS and the edges that choose the shown alternatives.
    for (const [, name = ''] of statements.matchAll(/\bDELETE (\w+)/g))
      expect(statements).toMatch(new RegExp(`-\\[${name}:`));
  });

  it('S4-CONV-10: holds its turns by HAS_TURN with their depth', async () => {
    const id = await talk.starts();
    const [first, second] = [await says(id, 'one'), await says(id, 'two')];
    expect(edgesOf(await stored(id), 'HAS_TURN').toSorted(bySequence)).toEqual([
      { from: id, type: 'HAS_TURN', to: first.id, properties: { sequence: 1 } },
      { from: id, type: 'HAS_TURN', to: second.id, properties: { sequence: 2 } },
    ]);
  });
});
const bySequence = (a: Edge, b: Edge) =>
  Number(a.properties['sequence']) - Number(b.properties['sequence']);

describe('a turn', () => {
  it('S4-TURN-01: has speaker, type, content and time, and none of them changes', async () => {
    const id = await talk.starts();
    const turn = await says(id, 'Be kind.', { speaker: 'SYSTEM', turnType: 'SUMMARY' });
    expect(turn).toMatchObject({ speaker: 'SYSTEM', turnType: 'SUMMARY', content: 'Be kind.' });
    const before = (await stored(id)).nodes[turn.id];
    await adds({ turnId: turn.id, content: 'Be brief.' });
    await updates({ id, title: 'Kind', status: 'ARCHIVED' });
    const node = await ada.one<object>(
      `query ($id: ID!) { node(id: $id) { id ... on ConversationTurn {
        speaker turnType content createdAt activeAlternative { id content } } } }`,
      { id: turn.id },
    );
    expect(node).toMatchObject({
      content: 'Be kind.',
      activeAlternative: { content: 'Be brief.' },
    });
    expect(node).toMatchObject({ createdAt: expect.stringMatching(INSTANT) });
    expect((await stored(id)).nodes[turn.id]).toEqual(before);
  });

  it('S4-TURN-05, S4-ALT-06: is written whole, with alternative, edges and Process', async () => {
    const { id, userTurn, agentTurn, question, answer } = base;
    const kept = await stored(id);
    expect(
      edgesOf(kept, 'HAS_TURN')
        .map(({ to }) => to)
        .toSorted(),
    ).toEqual([userTurn.id, agentTurn.id].toSorted());
    expect(edgesOf(kept, 'HAS_ALTERNATIVE')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ from: userTurn.id, to: question }),
        expect.objectContaining({ from: agentTurn.id, to: answer }),
      ]),
    );
    expect(edgesOf(kept, 'CHILD_OF')).toMatchObject([
      { from: agentTurn.id, to: userTurn.id, properties: { viaAlternative: question } },
    ]);
    // The agent's alternative and no other; when it was chosen stands on the edge.
    expect(edgesOf(kept, 'EXECUTED_BY')).toMatchObject([
      { from: answer, to: speaker.processId, properties: { createdAt: expect.anything() } },
    ]);
    await adds({ turnId: userTurn.id, content: 'Hello again?' });
    expect(edgesOf(await stored(id), 'EXECUTED_BY')).toEqual(edgesOf(kept, 'EXECUTED_BY'));
    await activates(question);
  });
});

describe('an alternative', () => {
  it('S4-ALT-01: has id, time, whether it has answers, and status', async () => {
    const { question, answer } = base;
    expect(await talk.answer(question)).toMatchObject({ hasChildren: true, cacheStatus: 'VALID' });
    expect(await talk.answer(answer)).toMatchObject({ hasChildren: false, cacheStatus: 'VALID' });
    expect(answer).toMatch(UUID);
    const node = await ada.one<{ createdAt: string }>(
      'query ($id: ID!) { node(id: $id) { ... on Alternative { createdAt } } }',
      { id: answer },
    );
    expect(node.createdAt).toMatch(INSTANT);
  });

  it('S4-ALT-02, S4-ALT-04: a switch changes the active one of the turn only', async () => {
    const { id, userTurn, question } = base;
    const edit = await adds({ turnId: userTurn.id, content: 'Hello, you?' });
    const before = await stored(id);
    await activates(question);
    const after = await stored(id);
    const versions = (kept: Kept) =>
      edgesOf(kept, 'HAS_ALTERNATIVE')
        .filter(({ from }) => from === userTurn.id)
        .toSorted(bySequence);
    const shown = (kept: Kept) =>
      versions(kept).flatMap(({ to, properties }) => (properties['isActive'] ? [to] : []));
    expect([shown(before), shown(after)]).toEqual([[edit], [question]]);
    expect(versions(after).map(({ properties }) => properties['sequence'])).toEqual(
      versions(after).map((_, index) => index + 1),
    );
    const withoutActive = ({ nodes, edges }: Kept) => ({
      turnsAndAlternatives: Object.entries(nodes).filter(([node]) => node !== id),
      edges: edges.map((edge) => ({ ...edge, properties: { ...edge.properties, isActive: null } })),
    });
    expect(withoutActive(after)).toEqual(withoutActive(before));
  });
});

describe('working memory', () => {
  it('S4-WM-02: is computed when it is read, and leaves nothing in the database', async () => {
    const { id } = base;
    const empty = await talk.starts();
    expect(await remembers(empty)).toMatchObject({ currentTurnId: null, totalTokens: 0 });
    const before = await stored(id);
    expect((await remembers(id)).totalTokens).toBeGreaterThan(0);
    expect(await stored(id)).toEqual(before);
    const [row] = await graph.read((tx) =>
      tx.run('// testLabels\nMATCH (n:WorkingMemory) RETURN count(n) AS count'),
    );
    expect(row?.['count']).toBe(0);
  });

  it('S4-WM-06: names only things of the same conversation, in a fork too', async () => {
    const { id, agentTurn, answer } = base;
    const { conversation } = await talk.does<{ conversation: { id: string } }>(
      `mutation ($input: ForkConversationInput!) { it: forkConversation(input: $input) {
        conversation { id } ERRORS } }`,
      { conversationId: id, turnId: agentTurn.id, alternativeId: answer },
    );
    for (const of of [id, conversation.id]) {
      const own = new Set(Object.keys((await stored(of)).nodes));
      const { immediatePath, excludedStale, currentTurnId } = await remembers(of);
      const named = [...immediatePath, ...excludedStale].flatMap(({ turnId, alternativeId }) => [
        turnId,
        alternativeId,
      ]);
      expect(named).toHaveLength(4);
      for (const node of [...named, currentTurnId]) expect(own).toContain(node);
    }
    const { errors } = await ada.ask(
      `query ($id: ID!, $turnId: ID) { workingMemory(conversationId: $id, turnId: $turnId) {
        totalTokens } }`,
      { id: conversation.id, turnId: agentTurn.id },
    );
    expect(errors[0]?.extensions.problems).toMatchObject([{ code: 'NOT_FOUND', path: ['turnId'] }]);
  });

  it('S4-WM-04: follows every turn and every switch', async () => {
    const { id, userTurn, question, answer } = base;
    const first = await remembers(id);
    expect(first).toMatchObject({ currentAlternativeId: answer, excludedStale: [] });
    const edit = await adds({ turnId: userTurn.id, content: 'Something much longer than hello?' });
    const edited = await remembers(id);
    expect(edited.immediatePath.map(({ alternativeId }) => alternativeId)).toEqual([edit]);
    expect(edited.excludedStale.map(({ alternativeId }) => alternativeId)).toEqual([answer]);
    // A message about known entities may stand before it.
    const contents = edited.messages.map(({ content }) => content);
    expect(contents.at(-1)).toBe('Something much longer than hello?');
    expect(contents).not.toContain('Hello?');
    await activates(question);
    const { currentAlternativeId, immediatePath, excludedStale } = first;
    expect(await remembers(id)).toMatchObject({
      currentAlternativeId,
      immediatePath,
      excludedStale,
    });
    const fresh = await talk.starts();
    for (const length of [1, 2]) {
      await says(fresh, 'And?');
      expect((await remembers(fresh)).immediatePath).toHaveLength(length);
    }
  });
});

describe('an answer', () => {
  it('keeps a verdict with a word, which is listed and removed', async () => {
    const id = await talk.starts();
    await says(id, 'Which bread is best?');
    const { activeAlternative } = await says(id, 'Rye.', { speaker: 'AGENT' });
    const rates = (input: object) =>
      talk.does<{ alternative: object | null }>(
        `mutation ($input: RateAlternativeInput!) { it: rateAlternative(input: $input) {
          alternative { id rating { value comment } } ERRORS } }`,
        { id: activeAlternative.id, ...input },
      );
    const rating = { value: 'DOWN', comment: 'I asked for white bread.' };
    expect((await rates(rating)).alternative).toEqual({ id: activeAlternative.id, rating });
    const list = `{ ratedAlternatives(value: DOWN) { totalCount nodes {
      id content rating { value comment } turn { conversation { id } } } } }`;
    const rated = { id: activeAlternative.id, content: 'Rye.', rating };
    expect(await ada.query(list)).toEqual({
      ratedAlternatives: { totalCount: 1, nodes: [{ ...rated, turn: { conversation: { id } } }] },
    });
    expect((await rates({})).userErrors).toMatchObject([{ path: ['input', 'value'] }]);
    expect((await rates({ value: null })).alternative).toMatchObject({ rating: null });
    expect(await ada.query(list)).toMatchObject({ ratedAlternatives: { totalCount: 0 } });
  });

  it('S4-ALT-05: answers an alternative of the parent turn; a root answers none', async () => {
    const { id, userTurn, agentTurn, question, answer } = base;
    const edit = await adds({ turnId: userTurn.id, content: 'Hello, you?' });
    const again = await adds({ turnId: agentTurn.id, respondsToId: question });
    await talk.answered(again);
    expect(edgesOf(await stored(id), 'RESPONDS_TO')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ from: answer, to: question }),
        expect.objectContaining({ from: again, to: question }),
      ]),
    );
    expect(edgesOf(await stored(id), 'RESPONDS_TO').map(({ from }) => from)).not.toContain(edit);
    // Made for a version that is not on screen, it is stale at once.
    expect((await talk.answer(again)).cacheStatus).toBe('STALE');
    const before = await stored(id);
    const elsewhere = (await says(await talk.starts(), 'Hello?')).activeAlternative.id;
    for (const respondsToId of [answer, elsewhere]) {
      const { userErrors } = await talk.does(ADD, { turnId: agentTurn.id, respondsToId });
      expect(userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['input', 'respondsToId'] }]);
    }
    expect(await stored(id)).toEqual(before);
  });
});
