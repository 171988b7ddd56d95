import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aiden } from '../testkit/aiden.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { queryOwnGraph } from '../testkit/own-query.ts';
import { event, moment, records } from '../testkit/streams.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

// Document 000 over the API: sentences of it as titles, its own names, ids and queries as values.
//
// Sentence of the document                   | shown by
// Unknown events follow the same derivation  | test/pure/session-graph.test.ts (S0-LABEL-09)
// Each event has three labels, 24 are known  | test/pure/session-graph.test.ts (S0-LABEL-01..08)
// node_id of an event, of its call            | test/graph/session-graph.test.ts (S0-ID-03)
// Field lifters, None values are skipped     | test/pure/session-graph.test.ts (S0-LIFT-02..09)
// The MERGE key is {node_id, workspace}      | test/graph/session-graph.test.ts (S0-NODE-02)
// All matching lifters fire                  | test/pure/session-graph.test.ts (S0-LIFT-01)
// The two semantic layers                    | test/graph/session-graph-layers.test.ts (layers)
// Sessions of Aiden's own runs               | test/graph/session-graph-own.test.ts (S0-LIFT-04)
// A query reaches no node of another user    | test/graph/own-graph.test.ts (S0-WS-02)

const S = 'f881e0a0-c055-4ee4-84ed-ff44703150ea';
const CHILD = 'a1b2c3d4-e5f6-7890-abcd-ef1234567890_foundation:explorer';
const CALL = `${S}__tool_call__call_abc123`;
interface Page {
  nodes: { nodeId: string }[];
  totalCount: number;
  pageInfo: { endCursor: string; hasNextPage: boolean };
}

let ada: TestClient;
let bob: TestClient;
const name = freshName('ada');
beforeAll(async () => {
  ada = client(name);
  bob = client(freshName('bob'));
  const input = [
    event(S, 'session:start', {}, -1_000),
    event(S, 'tool:pre', { tool_name: 'bash', tool_call_id: 'call_abc123', tool_input: { c: 1 } }),
    event(S, 'tool:post', { tool_name: 'bash', tool_call_id: 'call_abc123' }, 250),
    event(S, 'tool:pre', { tool_name: 'grep', tool_call_id: 'call_def' }, 300),
    event(CHILD, 'session:fork', { parent: S }, 300),
    event(S, 'prompt:submit', { prompt: 'x'.repeat(200_000) }, 400),
    event(S, 'session:end', { status: 'completed' }, 900),
  ];
  expect(await records(ada, input)).toEqual({ recorded: 7, duplicates: 0, userErrors: [] });
});

const idsOf = (page: Page) => page.nodes.map(({ nodeId }) => nodeId);
const eventsOf = async (args: string, who = ada) => {
  const sessionEvents = await who.one<Page>(
    `{ sessionEvents(${args}) { totalCount nodes { nodeId } pageInfo { endCursor hasNextPage } } }`,
  );
  return sessionEvents;
};

describe('the two paths to tool data', () => {
  it('"Reference $workspace in every MATCH clause": its example runs (S0-WS-02)', async () => {
    const found = await queryOwnGraph(
      ada,
      `MATCH (s:Session {workspace: $workspace})
RETURN s.node_id, s.started_at
LIMIT 10`,
    );
    expect(found).toContainEqual({
      's.node_id': S,
      's.started_at': expect.stringContaining('2025-03-15') as string,
    });
    // "Use :Event as the base label when querying across all event types."
    const flexible = await queryOwnGraph(
      ada,
      'MATCH (s:Session)-[:HAS_EVENT]->(e:ToolEvent) RETURN e.event_name AS event ORDER BY event',
    );
    expect(flexible.map(({ event: of }) => of)).toEqual(['tool:post', 'tool:pre', 'tool:pre']);
    const structured = await queryOwnGraph(
      ada,
      `MATCH (s:Session)-[:HAS_TOOL_CALL]->(tc:ToolCall {tool_call_id: 'call_abc123'})
       MATCH (tc)-[:HAS_EVENT]->(e)
       RETURN tc.tool_name AS tool, e.event_name AS event ORDER BY event`,
    );
    expect(structured).toEqual([
      { tool: 'bash', event: 'tool:post' },
      { tool: 'bash', event: 'tool:pre' },
    ]);
  });

  it('"Data Layer 1 contains exactly three edge types" (S0-NODE-01, S0-EDGE-01)', async () => {
    const edges = await queryOwnGraph(
      ada,
      `MATCH (a:Session|ToolCall)-[r:HAS_FORK|HAS_TOOL_CALL|HAS_EVENT]->(b)
       RETURN type(r) AS edge, a.node_id AS source, b.node_id AS target`,
    );
    const count = (edge: string) => edges.filter((one) => one['edge'] === edge).length;
    // An event of a tool is owned by its session and by its call.
    expect([count('HAS_FORK'), count('HAS_TOOL_CALL'), count('HAS_EVENT')]).toEqual([1, 2, 10]);
    expect(edges).toContainEqual({ edge: 'HAS_FORK', source: S, target: CHILD });
    expect(edges).toContainEqual({ edge: 'HAS_TOOL_CALL', source: S, target: CALL });
  });
});

describe('a session over the API', () => {
  it('"Both paths are valid" (S0-TC-01, -02, -03, S0-NODE-03)', async () => {
    const session = await ada.one<object>(
      `query ($id: ID!) { session(nodeId: $id) {
        nodeId labels status startedAt endedAt workspace parent { nodeId } forks { nodeId labels
        parent { nodeId } }
        events(names: ["tool:pre"], first: 1) { totalCount nodes { name labels data properties }
        pageInfo { hasNextPage } }
        toolCalls { nodes { nodeId toolCallId toolName sessionId parallelGroupId startedAt
        endedAt durationMs events { name } } } } }`,
      { id: S },
    );
    expect(session).toEqual({
      nodeId: S,
      labels: ['Session', 'RootSession'],
      status: 'completed',
      startedAt: moment(-1_000),
      endedAt: moment(900),
      workspace: expect.any(String) as string,
      parent: null,
      forks: [{ nodeId: CHILD, labels: ['Session', 'ForkedSession'], parent: { nodeId: S } }],
      events: {
        totalCount: 2,
        nodes: [
          {
            name: 'tool:pre',
            labels: ['Event', 'ToolEvent', 'ToolPreEvent'],
            data: { tool_name: 'bash', tool_call_id: 'call_abc123', tool_input: { c: 1 } },
            properties: expect.objectContaining({
              tool_name: 'bash',
              tool_input: '{"c":1}',
            }) as object,
          },
        ],
        pageInfo: { hasNextPage: true },
      },
      toolCalls: {
        nodes: [
          {
            nodeId: CALL,
            toolCallId: 'call_abc123',
            toolName: 'bash',
            sessionId: S,
            parallelGroupId: null,
            startedAt: moment(),
            endedAt: moment(250),
            durationMs: 250,
            events: [{ name: 'tool:pre' }, { name: 'tool:post' }],
          },
          expect.objectContaining({
            toolCallId: 'call_def',
            endedAt: null,
            durationMs: null,
          }) as object,
        ],
      },
    });
  });

  it('finds events by name, label, tool and time, in pages (S0-TC-03)', async () => {
    expect((await eventsOf('label: "ToolEvent"')).totalCount).toBe(3);
    expect((await eventsOf('label: "Event"')).totalCount).toBe(7);
    expect((await eventsOf('toolName: "bash"')).totalCount).toBe(2);
    expect((await eventsOf('toolName: "bash", names: ["tool:post"]')).totalCount).toBe(1);
    expect((await eventsOf(`from: "${moment()}", to: "${moment(300)}"`)).totalCount).toBe(2);
    const first = await eventsOf('first: 4');
    const rest = await eventsOf(`first: 4, after: "${first.pageInfo.endCursor}"`);
    expect(new Set([...idsOf(first), ...idsOf(rest)]).size).toBe(7);
    expect(rest.pageInfo.hasNextPage).toBe(false);
  });

  it.each([
    ['label: "ToolEvent`) DETACH DELETE n"', 'label'],
    [`from: "${moment(1)}", to: "${moment()}"`, 'to'],
  ])('refuses %s', async (args, path) => {
    const { errors } = await ada.ask(`{ sessionEvents(${args}) { totalCount } }`);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: [{ path: [path] }],
    });
  });

  it('"injected by the server": it is there for no other user (S0-WS-01, S0-WS-03)', async () => {
    const { session, toolCall, sessions } = await bob.query<{
      session: unknown;
      toolCall: unknown;
      sessions: Page;
    }>(
      `query ($id: ID!, $call: ID!) { session(nodeId: $id) { nodeId } toolCall(nodeId: $call) {
        nodeId } sessions { totalCount nodes { nodeId } } }`,
      { id: S, call: CALL },
    );
    expect({ session, toolCall }).toEqual({ session: null, toolCall: null });
    expect(sessions.totalCount).toBe(0);
    expect((await eventsOf('first: 5', bob)).totalCount).toBe(0);
  });
});

describe('a blob over the API', () => {
  const BLOB = `query ($uri: String!, $offset: Int, $length: Int) {
    blob(uri: $uri, offset: $offset, length: $length) { uri size content nextOffset } }`;
  const uriOf = async () => {
    const sessionEvents = await ada.one<{
      nodes: { data: { $blob_ref: string }; properties: { prompt: string } }[];
    }>('{ sessionEvents(names: ["prompt:submit"]) { nodes { data properties } } }');
    expect(sessionEvents.nodes[0]?.properties.prompt).toBe('x'.repeat(1_024));
    return sessionEvents.nodes[0]?.data.$blob_ref ?? '';
  };

  it('"Large payloads are stored as blobs, not inline" (S0-BLOB-01, S0-BLOB-02)', async () => {
    const uri = await uriOf();
    let text = '';
    let pieces = 0;
    for (let offset: number | null = 0; offset !== null; pieces++) {
      const { blob }: { blob: { content: string; nextOffset: number | null } } = await ada.query(
        BLOB,
        { uri, offset, length: 90_000 },
      );
      text += Buffer.from(blob.content, 'base64').toString();
      offset = blob.nextOffset;
    }
    expect(pieces).toBe(3);
    expect(JSON.parse(text)).toEqual({ prompt: 'x'.repeat(200_000) });
    expect(await bob.query(BLOB, { uri })).toEqual({ blob: null });
  });

  it.each([
    [{ uri: 'ci-blob://../../etc' }, 'uri'],
    [{ uri: 'file:///etc/passwd' }, 'uri'],
    [{ uri: 'ci-blob://s/k', offset: -1 }, 'offset'],
    [{ uri: 'ci-blob://s/k', length: 0 }, 'length'],
    [{ uri: 'ci-blob://s/k', length: 2_000_000 }, 'length'],
  ])('refuses %j (S0-BLOB-02)', async (variables, path) => {
    const { errors } = await ada.ask(BLOB, variables);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: [{ path: [path] }],
    });
  });

  it('"It writes to a local file and returns its path": aiden blob get (S0-BLOB-02)', async () => {
    const uri = await uriOf();
    const output = join(tempFolder('blob'), 'prompt.json');
    const gets = (user: string) => aiden(user, ['blob', 'get', uri, '-o', output]);
    expect((await gets(name)).stdout.trim()).toBe(output);
    expect(JSON.parse(await readFile(output, 'utf8'))).toEqual({ prompt: 'x'.repeat(200_000) });
    expect((await gets('somebody-else')).stderr).toContain('not yours to see');
  });
});
