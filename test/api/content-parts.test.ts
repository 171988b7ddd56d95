import { afterAll, beforeAll, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { type Speaker, type TalkWorld, talkWorld } from '../testkit/talk-world.ts';

// S1-NODE-03: content as parts over the API: stored, shown in working memory, passed on to the
// model.

const PNG = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from('a dog')]);
const PARTS =
  'parts { __typename ... on TextPart { text } ... on ImagePart { uri mediaType alt } ... on ' +
  'FilePart { uri mediaType name } }';
let ada: TestClient;
let talk: TalkWorld;
let speaker: Speaker;
beforeAll(async () => {
  ada = client(freshName('ada'));
  talk = await talkWorld(ada);
  speaker = await talk.speaker();
});
afterAll(() => talk.close());

const upload = (bytes: Uint8Array, user = ada) =>
  user.mutate<{ uri: string | null; size: number | null }>(
    'uploadFile',
    { content: Buffer.from(bytes).toString('base64') },
    'uri size',
  );

it('a message with an image reaches the model, and working memory shows it', async () => {
  const { uri, size } = await upload(PNG);
  expect([uri, size]).toEqual([expect.stringMatching(/^ci-blob:\/\/uploads\//), PNG.length]);
  expect((await upload(PNG)).uri).toBe(uri);
  const conversationId = await talk.starts({ defaultProcessId: speaker.processId });
  speaker.says({ text: 'A dog.' });
  const image = { uri: uri ?? '', mediaType: 'image/png', alt: 'Daisy' };
  const sent = await talk.sends(conversationId, 'What is this?', { parts: [{ image }] });
  const answer = await talk.answered(sent.agentTurn.activeAlternative.id);
  expect(answer.content).toBe('A dog.');
  const [request] = talk.llm.requestsOf(speaker.model);
  expect(request?.body['messages']).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        {
          type: 'image_url',
          image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` },
        },
      ],
    },
  ]);
  const conversation = await ada.find<unknown>(
    'conversation',
    conversationId,
    `workingMemory { messages { role content ${PARTS} } } activePath { content activeAlternative {
      ${PARTS} } }`,
  );
  const text = { __typename: 'TextPart', text: 'What is this?' };
  const shown = [text, { __typename: 'ImagePart', ...image }];
  expect(conversation).toMatchObject({
    workingMemory: {
      messages: [
        { role: 'USER', content: 'What is this?\n[image: Daisy]', parts: shown },
        { role: 'ASSISTANT', parts: [{ __typename: 'TextPart', text: 'A dog.' }] },
      ],
    },
    activePath: [{ activeAlternative: { parts: shown } }, {}],
  });
  const processRun = await ada.find<{ graph: { nodes: object[] } }>(
    'processRun',
    sent.run.id,
    'graph { nodes }',
  );
  expect(processRun.graph.nodes[0]).toMatchObject({
    kind: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', ...image },
    ],
  });
});

it('an appended turn and an edit take parts, also without a text', async () => {
  const conversationId = await talk.starts();
  const file = { uri: 'https://example.com/list.csv', mediaType: 'text/csv', name: 'list.csv' };
  const parts = [{ file }, { text: 'All of it.' }];
  const { turn } = await ada.mutate<{ turn: { id: string; content: string } }>(
    'appendTurn',
    { conversationId, content: '', parts },
    `turn { id content activeAlternative { id content ${PARTS} } }`,
  );
  expect(turn).toMatchObject({
    content: '[file: list.csv]\nAll of it.',
    activeAlternative: {
      parts: [
        { __typename: 'FilePart', ...file },
        { __typename: 'TextPart', text: 'All of it.' },
      ],
    },
  });
  const { alternative } = await ada.mutate<{ alternative: unknown }>(
    'addAlternative',
    { turnId: turn.id, content: 'No list.' },
    `alternative { id content ${PARTS} }`,
  );
  expect(alternative).toMatchObject({
    content: 'No list.',
    parts: [{ __typename: 'TextPart', text: 'No list.' }],
  });
});

it('a blob of another user is not read: the step fails and names no file', async () => {
  const { uri } = await upload(PNG, client(freshName('eve')));
  // The key is the hash of the bytes, so ada can name it; her own folder does not have it.
  const bob = client(freshName('bob'));
  const bobs = await talkWorld(bob);
  const bobsSpeaker = await bobs.speaker();
  const conversationId = await bobs.starts({ defaultProcessId: bobsSpeaker.processId });
  const image = { uri, mediaType: 'image/png' };
  const sent = await bobs.sends(conversationId, 'What is this?', { parts: [{ image }] });
  const answer = await bobs.answered(sent.agentTurn.activeAlternative.id);
  expect(answer.run?.status).toBe('FAILED');
  expect(bobs.llm.requestsOf(bobsSpeaker.model)).toEqual([]);
  await bobs.close();
});
