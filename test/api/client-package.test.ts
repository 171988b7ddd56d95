import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import {
  type ConversationEvent,
  CreateConversationDocument,
  fromCallGraph,
  GetCallGraphDocument,
  GetConversationDocument,
  getText,
  openClient,
  RequestFailed,
  SendMessageDocument,
  SubscriptionRefused,
  WatchProcessRunDocument,
} from '../../packages/client/src/index.ts';
import { freshName, type TestClient, client as testClient } from '../testkit/client.ts';
import { eventually } from '../testkit/outbox.ts';
import { type Speaker, type TalkWorld, talkWorld } from '../testkit/talk-world.ts';

// @aiden/client against the real API, as a frontend uses it.

let ada: TestClient;
let talk: TalkWorld;
let speaker: Speaker;
beforeAll(async () => {
  ada = testClient(freshName('ada'));
  talk = await talkWorld(ada);
  speaker = await talk.speaker();
});
afterAll(() => talk.close());

describe.each(['sse', 'ws'] as const)('the client over %s', (transport) => {
  const open = () =>
    openClient({
      url: new URL(ada.url).origin,
      token: async () => ada.authorization.replace('Bearer ', ''),
      transport,
      webSocket: WebSocket,
    });

  it('sends a message, follows its run and gets each event of the talk once', async () => {
    const client = open();
    speaker.says({ text: ['Hello ', 'world'], delayMs: 50 });
    const { createConversation } = await client.request(CreateConversationDocument, {
      input: { defaultProcessId: speaker.processId },
    });
    const conversationId = createConversation.conversation?.id ?? '';
    const events: ConversationEvent[] = [];
    const heard = client.followConversation(conversationId, {
      onEvent: (event) => events.push(event),
    });
    const { sendMessage } = await client.request(SendMessageDocument, {
      input: { conversationId, content: 'Hi' },
    });
    expect(sendMessage.userErrors).toEqual([]);
    const runId = sendMessage.run?.id ?? '';
    const graph = await client.followRun(runId).done;
    expect(getText(graph, runId)).toBe('Hello world');

    await eventually('the answer is told', () =>
      events.some(({ __typename }) => __typename === 'AlternativeCompleted'),
    );
    heard.close();
    await heard.done;
    const cursors = events.map(({ cursor }) => cursor);
    expect(new Set(cursors).size).toBe(cursors.length);
    expect(heard.cursor).toBe(cursors.at(-1));

    // Taken up after its first event, the conversation tells the others again and not the first.
    const again: string[] = [];
    const resumed = client.followConversation(conversationId, {
      after: cursors[0] ?? null,
      onEvent: ({ cursor }) => again.push(cursor),
    });
    await eventually('the rest is told again', () => again.length >= cursors.length - 1);
    resumed.close();
    // Events that came later follow.
    expect(again.slice(0, cursors.length - 1)).toEqual(cursors.slice(1));

    const { conversation } = await client.request(GetConversationDocument, { id: conversationId });
    expect(conversation?.activePath.map(({ alternatives }) => alternatives[0]?.content)).toEqual([
      'Hi',
      'Hello world',
    ]);

    const states: string[] = [];
    for await (const { processRun } of client.subscribe(WatchProcessRunDocument, { id: runId }))
      states.push(processRun.status);
    expect(states.at(-1)).toBe('COMPLETED');
    client.close();
  });

  it('ends a feed at a refusal, tells why a request failed, and stops when closed', async () => {
    const client = open();
    const nowhere = '01900000-0000-7000-8000-000000000000';
    await expect(client.followRun(nowhere).done).rejects.toThrow(SubscriptionRefused);
    const wrong = client.request(GetConversationDocument, { id: null as unknown as string });
    await expect(wrong).rejects.toThrow(RequestFailed);
    const heard = client.followConversation(await talk.starts());
    client.close();
    await heard.done;
    expect(heard.cursor).toBeNull();
  });
});

it('rebuilds the call graph of a run from the API (S3-FLOW-03, S3-EDGE-07)', async () => {
  const [url, token] = [new URL(ada.url).origin, ada.authorization.replace('Bearer ', '')];
  const client = openClient({ url, token });
  speaker.says({ text: ['Yes'] });
  const conversationId = await talk.starts();
  const { run } = await talk.sends(conversationId, 'Hi', { processId: speaker.processId });
  await client.followRun(run.id).done;
  const answered = async () =>
    (await client.request(GetCallGraphDocument, { requestId: run.id })).callGraph;
  await eventually('the record has followed', async () => {
    const nodes = (await answered())?.nodes ?? [];
    return nodes.length > 1 && nodes.every(({ status }) => status === 'COMPLETED');
  });
  const graph = fromCallGraph((await answered()) ?? { nodes: [], edges: [] });
  const step = `${run.id}/answer/1`;
  expect(graph.childrenOf(run.id)).toEqual([step]);
  expect(graph.path(run.id, step)).toEqual([run.id, step]);
  expect(graph.topologicalOrder()).toEqual([run.id, step]);
  expect(graph.hasCycle()).toBe(false);
  client.close();
});
