import { afterAll, expect, it } from 'vitest';
import { aiden } from '../testkit/aiden.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { runCypher, testGraph } from '../testkit/graph.ts';

// Issue 42: one memory per person, as a fresh installation has it (local-llm reads).

const graph = testGraph();
afterAll(() => graph.close());

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

// A person's name has letters only.
const nameOf = (prefix: string) =>
  freshName(prefix).replace(/[^a-z]/g, (sign) => 'klmnopqrst'[Number(sign)] ?? '');

/** How many turns of these conversations have been read. */
async function readTurns(ids: readonly string[]): Promise<unknown> {
  const [row] = await runCypher(
    graph,
    `MATCH (c:Conversation)-[:HAS_TURN]->()-[:HAS_ALTERNATIVE]->()-[:HAS_CONTENT]->()
      <-[:INGEST_OF]-(i) WHERE c.id IN $ids AND i.endedAt IS NOT NULL RETURN count(i) AS count`,
    { ids },
  );
  return row?.['count'];
}

async function says(user: TestClient, content: string, saidAt: string): Promise<string> {
  const conversationId = await user.creates('conversation');
  await user.mutate('appendTurn', { conversationId, content, saidAt });
  return conversationId;
}

it('three talks of a move, a new job and a divorce make one person, as of today', async () => {
  const name = nameOf('bruno');
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

it('asking in new talks adds no entity, whatever is quoted (issue 42, finding 2)', async () => {
  const name = nameOf('nora');
  const nora = client(name);
  await says(
    nora,
    'My sister Ilse lives in Bergen. My dentist is Karl Brandt.',
    '2025-01-10T10:00:00Z',
  );
  const names = async () => (await known(nora)).map((one) => one.name).toSorted();
  await expect
    .poll(async () => held(await known(nora)).length, { timeout: 150_000, interval: 1_000 })
    .toBeGreaterThan(1);
  const before = await names();
  const asked = ['Where does my sister Ilse live?', 'Who is my dentist?', 'Do you know Bergen?'];
  const conversations: string[] = [];
  for (const question of asked) {
    const { stderr } = await aiden(name, ['chat'], {
      input: `${question}\n`,
      env: { NO_COLOR: '1' },
    });
    conversations.push(/--conversation (\S+)/.exec(stderr)?.[1] ?? '');
  }
  await expect
    .poll(() => readTurns(conversations), { timeout: 150_000, interval: 1_000 })
    .toBe(2 * asked.length);
  expect(await names()).toEqual(before);
});

it('a triple ends with its statement, and comes back with it', async () => {
  const name = nameOf('runa');
  const runa = client(name);
  await says(runa, 'My dentist is Jonas Falk. I met Jonas Falk in Oslo.', '2025-02-01T10:00:00Z');
  const dentists = async () => {
    const { nodes } = await runa.one<{ nodes: { text: string }[] }>(
      '{ statements(first: 20, query: "dentist") { nodes { text } } }',
    );
    const facts = held(await known(runa)).filter((fact) => fact.includes('dentist'));
    return [nodes.map(({ text }) => text), [...new Set(facts)]];
  };
  const becomes = (...wanted: string[][]) =>
    expect.poll(dentists, { timeout: 150_000, interval: 1_000 }).toEqual(wanted);
  await becomes(['My dentist is Jonas Falk.'], [`Jonas Falk is ${name}'s dentist.`]);
  const { turn } = await runa.mutate<{ turn: { id: string } }>(
    'appendTurn',
    {
      conversationId: await runa.creates('conversation'),
      content: 'I changed my dentist to Greta Moe.',
    },
    'turn { id }',
  );
  await becomes(['I changed my dentist to Greta Moe.'], []);
  await runa.mutate('addAlternative', { turnId: turn.id, content: 'It rains.' });
  await becomes(['My dentist is Jonas Falk.'], [`Jonas Falk is ${name}'s dentist.`]);
});
