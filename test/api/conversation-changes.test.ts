import { beforeAll, expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';

let ada: TestClient;
beforeAll(() => {
  ada = client(freshName('ada'));
});

interface Change {
  readonly cursor: string;
  readonly conversation: {
    readonly id: string;
    readonly title: string | null;
    readonly status: string;
  } | null;
}
const CHANGES = `subscription ($after: Cursor) {
  conversationChanges(after: $after) { cursor conversation { id title status } } }`;

function changesOf(user: TestClient, variables: object = {}) {
  return user.subscribeSse<{ conversationChanges: Change }>(CHANGES, variables);
}

/** The next change of the stream. */
async function next(changes: ReturnType<typeof changesOf>): Promise<Change> {
  const { value, done } = await changes.next();
  if (done === true) throw new Error('The stream ended.');
  return value.conversationChanges;
}

/** Reads until a change has this title. */
async function untilTitle(changes: ReturnType<typeof changesOf>, title: string): Promise<Change[]> {
  const read: Change[] = [];
  while (read.at(-1)?.conversation?.title !== title) read.push(await next(changes));
  await changes.return(undefined);
  return read;
}

async function starts(user: TestClient, title: string): Promise<string> {
  const createConversation = await user.one<{ conversation: { id: string } }>(
    `mutation ($input: CreateConversationInput!) { createConversation(input: $input) {
      conversation { id } } }`,
    { input: { title } },
  );
  return createConversation.conversation.id;
}
const updates = (user: TestClient, input: object) =>
  user.query(
    `mutation ($input: UpdateConversationInput!) { updateConversation(input: $input) {
      userErrors { code } } }`,
    { input },
  );
const says = (user: TestClient, conversationId: string, content: string) =>
  user.query(
    'mutation ($input: AppendTurnInput!) { appendTurn(input: $input) { userErrors { code } } }',
    { input: { conversationId, speaker: 'USER', content } },
  );

it('sends a conversation when it begins, gets a turn, a title, and is archived', async () => {
  const changes = changesOf(ada);
  expect((await next(changes)).conversation).toBeNull();
  const id = await starts(ada, 'Rivers');
  expect((await next(changes)).conversation).toMatchObject({ id, title: 'Rivers' });
  await says(ada, id, 'The Danube is long.');
  expect((await next(changes)).conversation).toMatchObject({ id });
  await updates(ada, { id, title: 'The Danube', status: 'ARCHIVED' });
  const [last] = (await untilTitle(changes, 'The Danube')).slice(-1);
  expect(last?.conversation).toEqual({ id, title: 'The Danube', status: 'ARCHIVED' });
});

it('sends the conversations of its user only', async () => {
  const eve = client(freshName('eve'));
  const changes = changesOf(eve);
  await next(changes);
  await says(ada, await starts(ada, 'Private'), 'A secret.');
  const own = await starts(eve, 'Own');
  const read = await untilTitle(changes, 'Own');
  expect(read.map(({ conversation }) => conversation?.id)).toEqual([own]);
});

it('goes on after a cursor: sends each conversation that changed since', async () => {
  const start = changesOf(ada);
  await next(start);
  await starts(ada, 'Before');
  const before = await untilTitle(start, 'Before');
  const cursor = before.at(-1)?.cursor;
  const ids = [await starts(ada, 'First'), await starts(ada, 'Second')];
  const read = await untilTitle(changesOf(ada, { after: cursor }), 'Second');
  expect(read.map(({ conversation }) => conversation?.id)).toEqual(ids);
  // A reader that dropped after the first of them still gets the last one.
  const again = await untilTitle(changesOf(ada, { after: read[0]?.cursor }), 'Second');
  expect(again.map(({ conversation }) => conversation?.id)).toEqual(ids.slice(1));
});
