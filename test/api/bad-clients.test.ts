import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { encodeCursor } from '../../src/outbox/entry.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { metadataOf, openMemoryRpc, startMemoryGrpc } from '../testkit/memory-rpc.ts';
import { said } from '../testkit/recall-events.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { type RunWorld, runWorld } from '../testkit/run-world.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

// Bad input: ids of another type, a stale cursor, half a message, a token that ends, a gRPC client
// of another version. Each is answered in the protocol's own terms.

const PROTO = new URL('../../proto/memory.proto', import.meta.url);

let rest: RestServer;
let ada: TestClient;
let world: RunWorld;
let processId: string;
let runId: string;
beforeAll(async () => {
  rest = await openRestServer();
  ada = client(freshName('ada'));
  world = await runWorld(ada, rest);
  processId = await world.createsProcess([{ stepId: 'one' }]);
  runId = await world.starts(processId);
  await world.finishes(runId);
});
afterAll(() => rest.close());

describe('an id of another type', () => {
  it('is not found, though it is of a thing of the caller', async () => {
    const ids = { tool: world.toolId, process: processId, processRun: runId };
    const others = ['conversation(id', 'turn(id', 'entity(uuid', 'toolCall(nodeId'];
    for (const root of [...Object.keys(ids).map((type) => `${type}(id`), ...others])
      for (const [type, id] of Object.entries(ids)) {
        const document = `query ($id: ID!) { it: ${root}: $id) { id } }`;
        const found = root === `${type}(id` ? { id } : null;
        expect(await ada.one(document, { id }), `${root} of a ${type}`).toEqual(found);
      }
  });

  it('is refused by a mutation at its path', async () => {
    for (const [mutation, path, input] of [
      ['startProcessRun', 'processId', { processId: world.toolId, context: {} }],
      ['deleteTool', 'id', { id: processId }],
      ['appendTurn', 'conversationId', { conversationId: runId, content: 'x' }],
    ] as const) {
      const { userErrors } = await ada.mutate(mutation, input);
      expect(userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['input', path] }]);
    }
  });

  it.each(['subscribeSse', 'subscribeWs'] as const)(
    'ends a subscription: %s',
    async (subscribe) => {
      const events = 'subscription ($id: ID!) { runEvents(runId: $id) { id } }';
      await expect(ada[subscribe](events, { id: processId }).next()).rejects.toThrow(
        /BAD_USER_INPUT.*NOT_FOUND.*runId/,
      );
    },
  );
});

describe('a stale cursor', () => {
  const PAGE = `query ($after: String) { processes(first: 1, after: $after, includeShared: false) {
    nodes { id } pageInfo { endCursor hasNextPage } } }`;
  interface Page {
    readonly processes: {
      readonly nodes: readonly { id: string }[];
      readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
    };
  }

  it('of a thing that was deleted goes on with the next one', async () => {
    const eve = client(freshName('eve'));
    const own = await runWorld(eve, rest);
    const made: string[] = [];
    for (const stepId of ['a', 'b', 'c']) made.push(await own.createsProcess([{ stepId }]));
    const { processes: all } = await eve.query<Page>(PAGE.replace('first: 1', 'first: 3'));
    const ids = all.nodes.map(({ id }) => id);
    expect([...ids].sort()).toEqual([...made].sort());
    const { processes: first } = await eve.query<Page>(PAGE);
    await eve.mutate('deleteProcess', { id: ids[0] }, 'deletedId');
    const { processes: next } = await eve.query<Page>(PAGE, { after: first.pageInfo.endCursor });
    expect(next.nodes).toEqual([{ id: ids[1] }]);
    expect(next.pageInfo.hasNextPage).toBe(true);
  });

  it.each(['subscribeSse', 'subscribeWs'] as const)(
    'that the log has not reached is refused, not waited for: %s',
    async (subscribe) => {
      const after = encodeCursor({ seq: 2 ** 50, index: 0 });
      const conversationId = await ada.creates('conversation');
      const conversation = `subscription ($id: ID!, $after: Cursor) {
          conversationEvents(conversationId: $id, after: $after) { at } }`;
      const run =
        'subscription ($id: ID!, $after: Cursor) { runEvents(runId: $id, after: $after) { at } }';
      for (const [document, id] of [
        [conversation, conversationId],
        [run, runId],
      ] as const)
        await expect(ada[subscribe](document, { id, after }).next()).rejects.toThrow(
          /BAD_USER_INPUT.*INVALID.*after/,
        );
    },
  );
});

describe('half a message', () => {
  const { hostname, port } = new URL(process.env['AIDEN_TEST_URL'] ?? 'http://127.0.0.1:1');

  it('over HTTP changes nothing, and the server goes on', async () => {
    const bob = client(freshName('bob'));
    const query =
      'mutation ($input: [MemoryEventInput!]!) { ingestEvents(input: $input) { created } }';
    const body = JSON.stringify({
      query,
      variables: { input: [said('2024-01-15T09:00', 'Never told to the end.')] },
    });
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const headers = [
      'POST /graphql HTTP/1.1',
      `Host: ${hostname}:${port}`,
      `Authorization: ${bob.authorization}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    socket.write(`${headers.join('\r\n')}\r\n\r\n${body.slice(0, -20)}`);
    socket.destroySoon();
    await once(socket, 'close');
    const cut = await fetch(bob.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: bob.authorization },
      body: body.slice(0, -20),
    });
    expect(cut.status).toBe(400);
    const { errors } = (await cut.json()) as { errors: { extensions: { code: string } }[] };
    expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
    const memoryEvents = await bob.one<{ totalCount: number }>(
      '{ memoryEvents(from: "2024-01-15T00:00:00Z", to: "2024-01-16T00:00:00Z") { totalCount } }',
    );
    expect(memoryEvents.totalCount).toBe(0);
  });

  it('over a WebSocket closes it with 4400', async () => {
    const socket = new WebSocket(`ws://${hostname}:${port}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send('{"type":"connection_init","payl');
    const [code] = await once(socket, 'close');
    expect(code).toBe(4400);
  });

  it('over gRPC is INTERNAL, as gRPC says of bytes that are no message', async () => {
    const { memory, close } = openMemoryRpc();
    const code = await new Promise((resolve) =>
      memory.makeUnaryRequest(
        '/memory.MemoryService/IngestEvent',
        // Field 1, a message of 100 bytes, of which two are there.
        () => Buffer.from([0x0a, 100, 0x0a, 0x02]),
        (bytes: Buffer) => bytes,
        {},
        metadataOf(client(freshName())),
        (error: { code: number } | null) => resolve(error?.code ?? 0),
      ),
    );
    close();
    expect(code).toBe(13);
  });
});

describe('a gRPC client of another version', () => {
  const ada = client(freshName('ada'), { url: '' });
  async function clientOf(change: (proto: string) => string) {
    const path = join(tempFolder('proto'), 'memory.proto');
    await writeFile(path, change(await readFile(PROTO, 'utf8')));
    const { call, close } = openMemoryRpc(undefined, path);
    return { close, call: (name: string, request: object) => call(ada, name, request) };
  }

  it('older than fields and enum values of the server writes and reads without them', async () => {
    const older = await clientOf((proto) =>
      proto
        .replace('  optional string agent_id = 8;\n', '')
        .replace('  map<string, string> metadata = 7;\n', '')
        .replace('  EVENT_TYPE_SESSION_END = 8;\n', ''),
    );
    const newer = await clientOf((proto) => proto);
    const { eventId, timestamp } = said('2024-01-15T09:00', 'Said by the newer one.');
    const timestamp_ms = String(Date.parse(timestamp));
    const event = {
      event_id: eventId,
      session_id: 'versions',
      timestamp_ms,
      event_type: 'EVENT_TYPE_SESSION_END',
      role: 'EVENT_ROLE_SYSTEM',
      text: 'Said by the newer one.',
      metadata: { project: 'aiden' },
      agent_id: 'coder',
    };
    await newer.call('IngestEvent', { event });
    const told = said('2024-01-15T09:01', 'Said by the older one.');
    const old = {
      event_id: told.eventId,
      session_id: 'versions',
      timestamp_ms: String(Date.parse(told.timestamp)),
      event_type: 'EVENT_TYPE_USER_MESSAGE',
      role: 'EVENT_ROLE_USER',
      text: told.text,
    };
    await older.call('IngestEvent', { event: old });
    const span = { from_timestamp_ms: '0', to_timestamp_ms: String(Date.now()) };
    const { events: asOld } = await older.call('GetEvents', span);
    // The value of the enum that it does not know stays a number.
    expect(asOld).toMatchObject([
      { event_id: eventId, text: 'Said by the newer one.', event_type: 8 },
      old,
    ]);
    expect(asOld[0]).not.toHaveProperty('agent_id');
    const { events: asNew } = await newer.call('GetEvents', span);
    expect(asNew).toMatchObject([event, old]);
    older.close();
    newer.close();
  });

  it('newer than the server learns that a method is UNIMPLEMENTED', async () => {
    const newer = await clientOf((proto) =>
      proto.replace(
        '  rpc GetNode(',
        '  rpc ForgetEverything(GetNodeRequest) returns (GetNodeResponse);\n  rpc GetNode(',
      ),
    );
    await expect(
      newer.call('ForgetEverything', { node_id: 'toc:year:2024' }),
    ).rejects.toMatchObject({ code: 12 });
    newer.close();
  });
});

it('a token that ends is UNAUTHENTICATED at the next call over the same gRPC channel', async () => {
  const secret = 'a secret of more than thirty-two bytes';
  const [issuer, audience] = ['https://issuer.example', 'aiden'];
  const server = await startMemoryGrpc({ mode: 'jwt', key: { secret }, issuer, audience });
  const { memory, close } = openMemoryRpc(server.address);
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(randomUUID())
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('3s')
    .sign(new TextEncoder().encode(secret));
  const metadata = metadataOf({ authorization: `Bearer ${token}` });
  const codeOf = () =>
    new Promise((resolve) =>
      memory.GetTocRoot({}, metadata, (error: { code: number } | null) =>
        resolve(error?.code ?? 0),
      ),
    );
  expect(await codeOf()).toBe(0);
  await expect.poll(codeOf, { interval: 500 }).toBe(16);
  close();
  await server.stop();
});
