import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph, writeCypher } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { ingests, said } from '../testkit/recall-events.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';

// docs/decisions/0050. The types whose id is `Type:key`; foreign-ids.test.ts has the others.

const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } }';
const graph = testGraph();
const ids = new Map<string, string>();
let rest: RestServer;
let ada: TestClient;
let eve: TestClient;

interface Thing {
  readonly __typename: string;
  readonly id: string;
}
const THING = '{ __typename id }';
const keep = (things: readonly (Thing | null | undefined)[]) => {
  for (const thing of things) if (thing != null) ids.set(thing.__typename, thing.id);
};

beforeAll(async () => {
  rest = await openRestServer();
  [ada, eve] = [client(freshName('ada')), client(freshName('eve'))];
  const events = [
    said('2024-01-15T09:00', 'Marie Curie was born in Warsaw.'),
    said('2024-01-15T09:01', 'She won two Nobel prizes.'),
  ];
  await ingests(ada, events);
  const runs = await runWorld(ada, rest);
  const processId = await runs.createsProcess([{ stepId: 'one' }]);
  const runId = await runs.starts(processId);
  await runs.finishes(runId);
  await keepMemoryGraph();
  await keepRun(processId, runId);
  await keepAgentMemory();
  const exportMyData = await ada.one<{ request: Thing }>(
    `mutation { exportMyData { request ${THING} } }`,
  );
  keep([exportMyData.request]);
}, 300_000);
afterAll(async () => {
  await rest.close();
  await graph.close();
});

async function keepMemoryGraph(): Promise<void> {
  const entity = async (name: string) => {
    const made = await ada.mutate<{ entity: Thing & { uuid: string } }>(
      'createEntity',
      { name, summary: 'Known.' },
      'entity { __typename id uuid }',
    );
    return made.entity;
  };
  const [marie, pierre] = [await entity('Marie Curie'), await entity('Pierre Curie')];
  keep([marie, pierre]);
  await writeCypher(
    graph,
    `MATCH (a:Entity {uuid: $from}), (b:Entity {uuid: $to})
    CREATE (a)-[:RELATES_TO {uuid: $uuid, name: 'MARRIED', fact: 'Marie married Pierre.',
      group_id: a.group_id, episodes: [], created_at: datetime()}]->(b)
    CREATE (a)-[:HAS_FACT]->(t:TemporalFact {uuid: $statement, group_id: a.group_id,
      owner: a.group_id, text: 'Marie married Pierre.', said_by: 'ada', subject: 'marie curie',
      episodes: []})
    SET t.said_at = datetime(), t.valid_at = datetime(), t.created_at = datetime()`,
    { from: marie.uuid, to: pierre.uuid, uuid: randomUUID(), statement: randomUUID() },
  );
  const found = await ada.one<{ facts: Thing[]; statements: { nodes: Thing[] } }>(
    `query ($uuid: ID!) { entity(uuid: $uuid) { facts ${THING} statements { nodes ${THING} } } }`,
    { uuid: marie.uuid },
  );
  keep([...found.facts, ...found.statements.nodes]);
  const { introspection } = await ada.mutate<{ introspection: { episode: Thing } }>(
    'injectIntrospection',
    { content: 'a note' },
    `introspection { episode ${THING} }`,
  );
  keep([introspection.episode]);
}

async function keepRun(processId: string, runId: string): Promise<void> {
  await eventually(
    'the run is recorded as a call and as a session',
    async () => {
      const found = await ada.query<{
        process: { versions: { nodes: Thing[] } };
        processRun: { steps: Thing[] };
        callNode: Thing | null;
        session: (Thing & { events: { nodes: Thing[] }; toolCalls: { nodes: Thing[] } }) | null;
      }>(
        `query ($processId: ID!, $runId: ID!, $requestId: String!) {
          process(id: $processId) { versions { nodes ${THING} } }
          processRun(id: $runId) { steps ${THING} }
          callNode(requestId: $requestId) ${THING}
          session(nodeId: $runId) { __typename id events { nodes ${THING} } toolCalls { nodes
          ${THING} } } }`,
        { processId, runId, requestId: runId },
      );
      const { session, callNode } = found;
      keep([...found.process.versions.nodes, ...found.processRun.steps, callNode, session]);
      keep([...(session?.events.nodes ?? []), ...(session?.toolCalls.nodes ?? [])]);
      return callNode !== null && ids.has('ToolCall');
    },
    100_000,
  );
}

async function keepAgentMemory(): Promise<void> {
  await eventually(
    'the table of contents has lines with proofs',
    async () => {
      const tocRoot = await ada.one<
        (Thing & { bullets: { grips: Thing[] }[]; events: { nodes: Thing[] } })[]
      >(`{ tocRoot { __typename id bullets { grips ${THING} } events { nodes ${THING} } } }`);
      for (const node of tocRoot) {
        keep([node, ...node.events.nodes, ...node.bullets.flatMap(({ grips }) => grips)]);
      }
      return ids.has('Grip');
    },
    150_000,
  );
}

it('finds one thing of every type by its id, for its owner only', async () => {
  const types = `CallNode DataRequest Entity Episode Fact Grip MemoryEvent ProcessVersion Session
    SessionEvent Statement StepRun TocNode ToolCall`.split(/\s+/);
  expect([...ids.keys()].sort()).toEqual(types);
  for (const [__typename, id] of ids) {
    expect(await ada.query(NODE, { id })).toEqual({ node: { __typename, id } });
    expect(await eve.query(NODE, { id }), `a ${__typename} of Ada's`).toEqual({ node: null });
  }
});

it('keeps the order of ids of several types, with null for each that is not there', async () => {
  const wanted = [...ids.values()].flatMap((id) => [id, 'Entity:x']);
  const document = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
  const nodes = await ada.one<(Thing | null)[]>(document, { ids: wanted });
  expect(nodes.map((node) => node?.id ?? null)).toEqual(
    wanted.map((id) => (id === 'Entity:x' ? null : id)),
  );
  const { errors } = await ada.ask(document, { ids: Array.from({ length: 201 }, String) });
  expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

it('finds one thing by its Node id and its domain id, in any argument', async () => {
  for (const [type, field, argument] of [
    ['Entity', 'entity', 'uuid'],
    ['Episode', 'episode', 'uuid'],
    ['Session', 'session', 'nodeId'],
    ['ToolCall', 'toolCall', 'nodeId'],
  ] as const) {
    const id = ids.get(type) ?? '';
    const document = `query ($id: ID!) { it: ${field}(${argument}: $id) { id } }`;
    for (const given of [id, id.slice(type.length + 1)])
      expect(await ada.query(document, { id: given }), `${field} ${given}`).toEqual({ it: { id } });
  }
  const grip = ids.get('Grip') ?? '';
  const expand = 'query ($id: ID!) { expandGrip(gripId: $id) { grip { id } } }';
  for (const given of [grip, grip.slice('Grip:'.length)])
    expect(await ada.query(expand, { id: given })).toEqual({ expandGrip: { grip: { id: grip } } });
  for (const type of ['Entity', 'Fact', 'Episode', 'Grip', 'MemoryEvent']) {
    const id = ids.get(type) ?? '';
    const node = { __typename: type, id };
    expect(await ada.query(NODE, { id: id.slice(type.length + 1) })).toEqual({ node });
  }
});

it('refuses the id of another kind with words', async () => {
  const { errors } = await ada.ask('query ($id: ID!) { entity(uuid: $id) { id } }', {
    id: ids.get('Fact'),
  });
  expect(errors.map(({ message }) => message)).toEqual([
    'uuid takes the id of an Entity; this is the id of a Fact.',
  ]);
  const { userErrors } = await ada.mutate('forgetEntity', { uuid: ids.get('Episode') });
  expect(userErrors).toMatchObject([{ code: 'INVALID', path: ['input', 'uuid'] }]);
});

it('leads from a TocNode to its newest version, and from a version to itself', async () => {
  const id = ids.get('TocNode') ?? '';
  expect(id).toMatch(/^TocNode:\/toc%3Ayear%3A\d{4}$/);
  const nodeId = decodeURIComponent(id.slice('TocNode:/'.length));
  const { tocNode, browseToc } = await ada.query<{
    tocNode: Thing & { version: number; versions: (Thing & { version: number })[] };
    browseToc: { nodes: Thing[] };
  }>(
    `query ($id: ID!) {
      tocNode(nodeId: $id) { __typename id version versions { __typename id version } }
      browseToc(parentId: $id) { nodes { __typename id } } }`,
    { id },
  );
  expect(tocNode.id).toBe(id);
  expect(browseToc.nodes.length).toBeGreaterThan(0);
  for (const { id: versionId, version } of tocNode.versions) {
    expect(versionId).toBe(`${id}/${version}`);
    const document = `query ($id: ID!, $nodeId: ID!, $version: Int) {
      node(id: $id) { id ... on TocNode { version } }
      byId: tocNode(nodeId: $id) { id version }
      byVersion: tocNode(nodeId: $nodeId, version: $version) { id version } }`;
    const same = { id: versionId, version };
    expect(await ada.query(document, { id: versionId, nodeId, version })).toEqual({
      node: same,
      byId: same,
      byVersion: same,
    });
  }
  expect(await ada.query(NODE, { id: nodeId })).toEqual({
    node: { __typename: 'TocNode', id },
  });
  const { errors } = await ada.ask(
    'query ($id: ID!) { tocNode(nodeId: $id, agentId: "other") { id } }',
    { id },
  );
  expect(errors[0]?.message).toBe('The node of nodeId is of another agent.');
});

it('answers null for a text that is no id, and for the id of another type', async () => {
  const [entity = '', fact = ''] = [ids.get('Entity'), ids.get('Fact')];
  const swapped = [entity.replace('Entity:', 'Fact:'), fact.replace('Fact:', 'Episode:')];
  const none = ['', 'x', '00000000-0000-7000-8000-ffffffffffff', "' OR 1=1 //", '\u0000'];
  const typed = ['Entity:', 'Entity', 'Nothing:x', 'MemoryEvent:\u0000', 'Job:tool-health'];
  const keyed = [
    ...['TocNode:x', 'TocNode:%E0%A4%A/toc/1', 'TocNode:/toc%3Ayear%3A2024/0'],
    ...['TocNode:/toc%3Ayear%3A2024/1e3', 'ProcessVersion:x', 'ProcessVersion:x/99999999999'],
    'StepRun:x/y/z',
  ];
  for (const id of [...none, ...typed, ...keyed, ...swapped])
    expect(await ada.query(NODE, { id }), id).toEqual({ node: null });
});

it('finds oneself, and jobs and other users only for an admin', async () => {
  const [ada, bob] = [client(freshName('ada')), client(freshName('bob'))];
  const viewer = await ada.one<{ id: string }>('{ viewer { id } }');
  const admin = client(freshName('admin'), { role: 'admin' });
  expect(await ada.query(NODE, viewer)).toEqual({ node: { __typename: 'User', id: viewer.id } });
  expect(await bob.query(NODE, viewer)).toEqual({ node: null });
  expect(await admin.query(NODE, viewer)).toEqual({ node: { __typename: 'User', id: viewer.id } });
  const job = { __typename: 'Job', id: 'Job:tool-health' };
  expect(await admin.query(NODE, { id: job.id })).toEqual({ node: job });
});
