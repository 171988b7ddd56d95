import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { eventually } from '../testkit/outbox.ts';
import { openRestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';
import { event, moment } from '../testkit/streams.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

// S0 over the API: what callers record, what the product's own runs leave, and who sees it.

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
  const { sessionEvents } = await who.query<{ sessionEvents: Page }>(
    `{ sessionEvents(${args}) { totalCount nodes { nodeId } pageInfo { endCursor hasNextPage } } }`,
  );
  return sessionEvents;
};

describe('a session over the API', () => {
  it('S0-TC-01, -02, -03, S0-NODE-03: is read by both paths of the document', async () => {
    const { session } = await ada.query<{ session: object }>(
      `query ($id: ID!) { session(nodeId: $id) {
        nodeId labels status startedAt endedAt workspace parent { nodeId } forks { nodeId labels parent { nodeId } }
        events(names: ["tool:pre"], first: 1) { totalCount nodes { name labels data properties } pageInfo { hasNextPage } }
        toolCalls { nodes { nodeId toolCallId toolName sessionId parallelGroupId startedAt endedAt durationMs events { name } } } } }`,
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
    ['after: "nonsense"', 'after'],
  ])('refuses %s', async (args, path) => {
    const { errors } = await ada.ask(`{ sessionEvents(${args}) { totalCount } }`);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: [{ path: [path] }],
    });
  });

  it('S0-WS-01, S0-WS-03: is there for nobody else, whatever is asked', async () => {
    const { session, toolCall, sessions } = await bob.query<{
      session: unknown;
      toolCall: unknown;
      sessions: Page;
    }>(
      'query ($id: ID!, $call: ID!) { session(nodeId: $id) { nodeId } toolCall(nodeId: $call) { nodeId } sessions { totalCount nodes { nodeId } } }',
      { id: S, call: CALL },
    );
    expect({ session, toolCall }).toEqual({ session: null, toolCall: null });
    expect(sessions.totalCount).toBe(0);
    expect((await eventsOf('first: 5', bob)).totalCount).toBe(0);
  });

  it('reports each bad event under input and its index, and writes the others (S0-NODE-05)', async () => {
    const input = [
      event('mine', 'note'),
      event('mine', 'no label`'),
      { ...event('mine', 'note', {}, 1), timestamp: 'tomorrow' },
      event('mine', 'note', { text: 'y'.repeat(20_000_000) }, 2),
      event('mine', 'note'),
    ];
    const { recordSessionEvents } = await bob.query<Recorded>(RECORD, { input });
    expect(recordSessionEvents).toMatchObject({ recorded: 1, duplicates: 1 });
    expect(
      recordSessionEvents.userErrors.map(({ code, path }) => `${code} ${path.join('.')}`),
    ).toEqual(['INVALID input.1.name', 'INVALID input.2.timestamp', 'TOO_LARGE input.3.data']);
  });
});

describe('a blob over the API', () => {
  const BLOB = `query ($uri: String!, $offset: Int, $length: Int) {
    blob(uri: $uri, offset: $offset, length: $length) { uri size content nextOffset } }`;
  const uriOf = async () => {
    const { sessionEvents } = await ada.query<{
      sessionEvents: { nodes: { data: { $blob_ref: string }; properties: { prompt: string } }[] };
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

  it('S0-BLOB-02: is written to a file by `aiden blob get`, which prints the path and not the content', async () => {
    const uri = await uriOf();
    const output = join(tempFolder('blob'), 'prompt.json');
    const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
    const url = new URL(ada.url).origin;
    const run = (token: string) =>
      promisify(execFile)(process.execPath, [
        main,
        '--url',
        url,
        '--token',
        token,
        'blob',
        'get',
        uri,
        '-o',
        output,
      ]);
    const { stdout } = await run(`dev:${name}`);
    expect(stdout.trim()).toBe(output);
    expect(JSON.parse(await readFile(output, 'utf8'))).toEqual({ prompt: 'x'.repeat(200_000) });
    await expect(run('dev:somebody-else')).rejects.toThrow('not yours to see');
  });
});

describe("Aiden's own runs", () => {
  it('S0-NODE-01, S0-TC-02, S0-LAYER-01: are sessions with tool calls, and have runs in the kernel layer', async () => {
    const rest = await openRestServer();
    try {
      const me = client(freshName('cleo'));
      const here = await runWorld(me, rest);
      const runId = await here.starts(
        await here.createsProcess([{ stepId: 'one' }, { stepId: 'two' }]),
      );
      await here.finishes(runId);
      interface Own {
        session: {
          status: string;
          toolCalls: { nodes: { toolName: string; durationMs: number | null }[] };
          runs: { status: string; runId: string }[];
        } | null;
      }
      let own: Own = { session: null };
      await eventually(
        'the run is told in the raw graph and its layers',
        async () => {
          own = await me.query<Own>(
            'query ($id: ID!) { session(nodeId: $id) { status toolCalls { nodes { toolName durationMs } } runs } }',
            { id: runId },
          );
          return own.session?.status === 'completed' && own.session.runs[0]?.status === 'completed';
        },
        100_000,
      );
      expect(own.session?.toolCalls.nodes.map(({ durationMs }) => typeof durationMs)).toEqual([
        'number',
        'number',
      ]);
      expect(own.session?.runs).toMatchObject([{ runId, status: 'completed' }]);
      const { recordSessionEvents } = await me.query<Recorded>(RECORD, {
        input: [event(runId, 'note')],
      });
      expect(recordSessionEvents.userErrors).toMatchObject([
        { code: 'NOT_FOUND', path: ['input', '0', 'sessionId'] },
      ]);
    } finally {
      await rest.close();
    }
  });
});
