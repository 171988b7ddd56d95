import { expect, it } from 'vitest';
import { client, freshName, type TestClient } from '../testkit/client.ts';

// Issue 42, 2 and 6: what was said, as a fresh installation keeps it (local-llm reads).

interface Told {
  readonly uuid: string;
  readonly text: string;
  readonly attribute: string | null;
  readonly invalidAt: string | null;
  readonly endedBy: { readonly content: string } | null;
  readonly about: readonly { readonly name: string }[];
  readonly evidence: readonly { readonly content: string }[];
}

async function statements(user: TestClient, args = ''): Promise<readonly Told[]> {
  const { nodes } = await user.one<{ nodes: Told[] }>(
    `{ statements(first: 100${args}) { nodes {
      uuid text attribute invalidAt endedBy { content } about { name } evidence { content }
    } } }`,
  );
  return nodes;
}

async function says(user: TestClient, saidAt: string, ...contents: string[]): Promise<void> {
  const conversationId = await user.creates('conversation');
  for (const content of contents)
    await user.mutate('appendTurn', { conversationId, content, saidAt });
}

it('a later talk ends the statements that it corrects, in any language, and no other', async () => {
  const user = client(freshName('tove'));
  const holds = (...texts: string[]) =>
    expect
      .poll(async () => (await statements(user)).map(({ text }) => text).toSorted(), {
        timeout: 150_000,
        interval: 1_000,
      })
      .toEqual(texts.toSorted());
  await says(user, '2024-03-05T10:00:00Z', 'I live in Odense and I work at Vestas. I am vegan.');
  await holds('I live in Odense', 'I work at Vestas.', 'I am vegan.');
  await says(user, '2025-04-01T10:00:00Z', 'Ich wohne jetzt in Skagen. Guten Morgen!');
  await holds('Ich wohne jetzt in Skagen.', 'I work at Vestas.', 'I am vegan.');
  await says(user, '2025-05-01T10:00:00Z', "I don't work at Vestas any more.");
  await holds('Ich wohne jetzt in Skagen.', "I don't work at Vestas any more.", 'I am vegan.');

  const then = await statements(user, ', asOf: "2024-06-01T00:00:00Z"');
  expect(then.map(({ text }) => text).toSorted()).toEqual([
    'I am vegan.',
    'I live in Odense',
    'I work at Vestas.',
  ]);
  const [home] = await statements(user, ', query: "odense", includeEnded: true');
  expect(home).toMatchObject({
    attribute: 'home',
    invalidAt: '2025-04-01T10:00:00.000Z',
    endedBy: { content: 'Ich wohne jetzt in Skagen. Guten Morgen!' },
    evidence: [{ content: 'I live in Odense and I work at Vestas. I am vegan.' }],
  });
  expect(home?.about.map(({ name }) => name)).toContain('Odense');
  // German nouns are no entities, and names are.
  const { nodes } = await user.one<{ nodes: { name: string }[] }>(
    '{ entities(first: 50) { nodes { name } } }',
  );
  const names = nodes.map(({ name }) => name);
  expect(names).toContain('Skagen');
  expect(names).not.toContain('Morgen');
  const [moved] = await statements(user, ', query: "Skagen"');
  expect(moved?.endedBy).toBeNull();
  expect(moved?.about.map(({ name }) => name)).toContain('Skagen');
  expect(await statements(client(freshName('other')))).toEqual([]);

  // Search finds what holds, not what has ended, and what held at a time.
  const found = async (args: string) => {
    const { hits } = await user.one<{ hits: { statement: { text: string } }[] }>(
      `{ searchMemory(input: {${args}}) { hits { statement { text } } } }`,
    );
    return hits.map(({ statement }) => statement.text);
  };
  const asked = (query: string) => `query: "${query}", kinds: [STATEMENT]`;
  expect(await found(asked('Skagen'))).toEqual(['Ich wohne jetzt in Skagen.']);
  expect(await found(asked('Odense'))).toEqual([]);
  const then24 = `${asked('Odense')}, validAt: "2024-06-01T00:00:00Z"`;
  expect(await found(then24)).toEqual(['I live in Odense']);

  // Forgotten, with the triple and what ended it; and not learnt again from what was said before.
  const [vestas] = await statements(user, ', query: "I work at Vestas", includeEnded: true');
  const { forgotten } = await user.mutate<{ forgotten: { memory: string } }>(
    'forgetStatement',
    { uuid: vestas?.uuid },
    'forgotten { memory deleted { statements } }',
  );
  expect(forgotten).toEqual({ memory: 'STATEMENT', deleted: { statements: 1 } });
  await says(user, '2024-02-01T10:00:00Z', 'I work at Vestas. My cat is called Miso.');
  await holds('Ich wohne jetzt in Skagen.', 'I am vegan.', 'My cat is called Miso.');
  const facts = await user.one<{ nodes: { facts: { fact: string }[] }[] }>(
    '{ entities(first: 50) { nodes { facts { fact } } } }',
  );
  const all = facts.nodes.flatMap((node) => node.facts.map(({ fact }) => fact));
  expect(all.filter((fact) => fact.includes('works at'))).toEqual([]);
});
