import { afterAll, beforeAll, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { type Speaker, type TalkWorld, talkWorld } from '../testkit/talk-world.ts';

// docs/decisions/0051: one subscription shows a whole conversation, the text of answers included.

interface Told {
  readonly __typename: string;
  readonly cursor: string;
  readonly at: string;
  readonly alternativeId?: string;
  readonly textId?: string;
  readonly runId?: string;
  readonly content?: string;
  readonly restarts?: boolean;
}
const EVENTS = `subscription ($id: ID!, $after: Cursor, $includeText: Boolean = true) {
  conversationEvents(conversationId: $id, after: $after, includeText: $includeText) {
    __typename cursor at
    ... on AlternativeTextAdded { alternativeId runId textId content restarts } } }`;

let ada: TestClient;
let talk: TalkWorld;
let speaker: Speaker;
beforeAll(async () => {
  ada = client(freshName('ada'));
  talk = await talkWorld(ada);
  speaker = await talk.speaker();
});
afterAll(() => talk.close());

/** The events up to the end of the answer, without those that come whenever they are done. */
async function untilCompleted(variables: object): Promise<Told[]> {
  const told: Told[] = [];
  const events = ada.subscribeSse<{ conversationEvents: Told }>(EVENTS, variables);
  for await (const { conversationEvents } of events) {
    if (conversationEvents.__typename !== 'EpisodeBound') told.push(conversationEvents);
    if (conversationEvents.__typename === 'AlternativeCompleted') break;
  }
  return told;
}
const textsOf = (told: readonly Told[]) =>
  told.filter(({ __typename }) => __typename === 'AlternativeTextAdded');

it('send the text of an answer while it is written, and go on from any cursor', async () => {
  const id = await talk.starts({ defaultProcessId: speaker.processId });
  const words = Array.from({ length: 12 }, (_, n) => `word${n} `);
  speaker.says({ text: words, delayMs: 250 });
  const live = untilCompleted({ id });
  const { agentTurn, run } = await talk.sends(id, 'Hello');
  const told = await live;
  const texts = textsOf(told);
  expect(texts.length).toBeGreaterThan(1);
  for (const { alternativeId, runId, restarts, at } of texts) {
    expect(alternativeId).toBe(agentTurn.activeAlternative.id);
    expect(runId).toBe(run.id);
    expect(restarts).toBe(false);
    expect(Date.parse(at)).toBeGreaterThan(0);
  }
  expect(new Set(texts.map(({ textId }) => textId)).size).toBe(1);
  expect(texts.map(({ content }) => content).join('')).toBe(words.join(''));
  expect(told.map(({ cursor }) => cursor)).toEqual([...new Set(told.map(({ cursor }) => cursor))]);
});

it('leave out the text of a complete answer, and all text where it is not wanted', async () => {
  const id = await talk.starts({ defaultProcessId: speaker.processId });
  speaker.says({ text: ['one ', 'two '], delayMs: 200 });
  const quiet = untilCompleted({ id, includeText: false });
  const { agentTurn } = await talk.sends(id, 'Hello');
  await talk.answered(agentTurn.activeAlternative.id);
  const names = ['TurnAdded', 'TurnAdded', 'AlternativeCompleted'];
  expect((await quiet).map(({ __typename }) => __typename)).toEqual(names);
  expect((await untilCompleted({ id })).map(({ __typename }) => __typename)).toEqual(names);
});
