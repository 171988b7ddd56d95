import { expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';

// Issue 42: one memory per person, as a fresh installation has it (local-llm reads).

interface Known {
  readonly uuid: string;
  readonly name: string;
  readonly summary: string;
  readonly facts: readonly { readonly fact: string; readonly invalidAt: string | null }[];
}

async function known(user: TestClient): Promise<readonly Known[]> {
  const { nodes } = await user.one<{ nodes: Known[] }>(
    '{ entities(first: 200) { nodes { uuid name summary facts { fact invalidAt } } } }',
  );
  return nodes;
}

/** The sentences that hold, of all entities. */
const held = (entities: readonly Known[]) =>
  [
    ...new Set(
      entities.flatMap(({ facts }) =>
        facts.filter(({ invalidAt }) => invalidAt === null).map(({ fact }) => fact),
      ),
    ),
  ].toSorted();

async function says(user: TestClient, content: string, saidAt: string): Promise<string> {
  const made = await user.mutate<{ conversation: { id: string } }>(
    'createConversation',
    {},
    'conversation { id }',
  );
  const conversationId = made.conversation.id;
  await user.mutate('appendTurn', { conversationId, content, saidAt });
  return conversationId;
}

it('a person who moved, changed work and divorced in three talks is one, today', async () => {
  // A person's name has letters only.
  const name = freshName('bruno').replace(/[^a-z]/g, (sign) => 'klmnopqrst'[Number(sign)] ?? '');
  const bruno = client(name);
  const holds = (...facts: string[]) =>
    expect
      .poll(async () => held(await known(bruno)), { timeout: 150_000, interval: 1_000 })
      .toEqual(facts.toSorted());
  await says(
    bruno,
    'I live in Lucca and I work at Ferrero. My wife is Paola.',
    '2024-03-05T10:00:00Z',
  );
  await holds(`${name} lives in Lucca.`, `${name} works at Ferrero.`, `Paola is ${name}'s wife.`);
  await says(bruno, 'I divorced Paola in June 2026.', '2026-07-02T10:00:00Z');
  await holds(`${name} lives in Lucca.`, `${name} works at Ferrero.`);
  // Said before the divorce, and read after it.
  await says(bruno, 'I moved to Trento last week. I work at Pirelli now.', '2025-04-10T10:00:00Z');
  await holds(`${name} moved to Trento on 3 April 2025.`, `${name} works at Pirelli.`);
  const names = (await known(bruno)).map((one) => one.name).toSorted();
  expect(names).toEqual(['Ferrero', 'Lucca', 'Paola', 'Pirelli', 'Trento', name].toSorted());
});
