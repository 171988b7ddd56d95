import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { aiden } from '../testkit/aiden.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { event, moment } from '../testkit/streams.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

// S0 over the API: events that callers record, and their owner as the only reader.

const S = 'f881e0a0-c055-4ee4-84ed-ff44703150ea';
const CHILD = 'a1b2c3d4-e5f6-7890-abcd-ef1234567890_foundation:explorer';
const CALL = `${S}__tool_call__call_abc123`;
const RECORD = `mutation ($input: [SessionEventInput!]!) {
  recordSessionEvents(input: $input) { recorded duplicates userErrors { code path message } } }`;

interface Recorded {
  recordSessionEvents: {
    recorded: number;
    duplicates: number;
    userErrors: { code: string; path: string[] }[];
  };
}
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
  const { recordSessionEvents } = await ada.query<Recorded>(RECORD, { input });
  expect(recordSessionEvents).toEqual({ recorded: 7, duplicates: 0, userErrors: [] });
});

const idsOf = (page: Page) => page.nodes.map(({ nodeId }) => nodeId);
const eventsOf = async (args: string, who = ada) => {
  const sessionEvents = await who.one<Page>(
    `{ sessionEvents(${args}) { totalCount nodes { nodeId } pageInfo { endCursor hasNextPage } } }`,
  );
  return sessionEvents;
};

describe('a session over the API', () => {
  it('S0-TC-01, -02, -03, S0-NODE-03: is read by both paths of the document', async () => {
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

  it('S0-TC-03: finds events by name, label, tool and time, in pages', async () => {
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

  it('S0-WS-01, S0-WS-03: is there for no other user, whatever is asked', async () => {
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

  it('S0-BLOB-01, -02: is read by range by its owner, and is none to others', async () => {
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
  ])('S0-BLOB-02: refuses %j', async (variables, path) => {
    const { errors } = await ada.ask(BLOB, variables);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: [{ path: [path] }],
    });
  });

  it('S0-BLOB-02: is written to a file by `aiden blob get`, which prints the path', async () => {
    const uri = await uriOf();
    const output = join(tempFolder('blob'), 'prompt.json');
    const gets = (user: string) => aiden(user, ['blob', 'get', uri, '-o', output]);
    expect((await gets(name)).stdout.trim()).toBe(output);
    expect(JSON.parse(await readFile(output, 'utf8'))).toEqual({ prompt: 'x'.repeat(200_000) });
    expect((await gets('somebody-else')).stderr).toContain('not yours to see');
  });
});
