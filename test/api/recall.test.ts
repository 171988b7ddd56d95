import { beforeEach, describe, expect, it } from 'vitest';
import { aiden } from '../testkit/aiden.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';

// The default install remembers: facts told in one conversation answer questions in another
// (docs/decisions/0028), with the shipped Process `chat` and the bundled model, by `aiden chat`.

let name: string;
let ada: TestClient;
beforeEach(() => {
  name = freshName('Ada');
  ada = client(name);
});

const chat = (lines: readonly string[], user = name) =>
  aiden(user, ['chat'], { input: `${lines.join('\n')}\n`, env: { NO_COLOR: '1' } });
const conversationOf = ({ stderr }: { readonly stderr: string }) =>
  /--conversation (\S+)/.exec(stderr)?.[1] ?? '';

const FACTS = [
  'My dogs are called Max and Daisy.',
  'I work as a welder at the shipyard in Gdansk.',
  'My sister Anna plays the cello.',
];
const QUESTIONS = [
  ['what are the names of my dogs?', FACTS[0]],
  ['Where do I work as a welder?', FACTS[1]],
  ['Which instrument does my sister play?', FACTS[2]],
] as const;

interface Recalled {
  readonly text: string;
  readonly sources: readonly {
    readonly saidBy: string;
    readonly conversation: { readonly id: string } | null;
  }[];
}

describe('aiden chat in a fresh install', () => {
  it('answers from three facts of an older talk, with sources, and greets back', async () => {
    const told = await chat(FACTS);
    expect(told.code, told.stderr).toBe(0);
    const old = conversationOf(told);
    const episodes = () =>
      ada.query<{
        conversation: { activePath: { activeAlternative: { episode: object | null } }[] };
      }>(
        `query ($id: ID!) { conversation(id: $id) { activePath { activeAlternative { episode {
          uuid } } } } }`,
        { id: old },
      );
    await expect
      .poll(async () =>
        (await episodes()).conversation.activePath.every(
          ({ activeAlternative }) => activeAlternative.episode !== null,
        ),
      )
      .toBe(true);
    // Facts and entities are read out of the Episodes, and are there later than them.
    await expect
      .poll(async () => {
        const entities = await ada.one<{ nodes: { facts: object[] }[] }>(
          '{ entities(query: "Daisy") { nodes { facts { uuid } } } }',
        );
        return entities.nodes.flatMap(({ facts }) => facts);
      })
      .not.toEqual([]);

    for (const [question, fact = ''] of QUESTIONS) {
      const asked = await chat([question, '/memory']);
      expect(asked.code, asked.stderr).toBe(0);
      const [answer = ''] = asked.stdout.split(/^\d+ tokens:/m);
      expect(answer).toContain(fact);
      expect(answer).toContain(name);
      const sources = asked.stderr.split('\n').filter((line) => line.startsWith('  from '));
      const source = sources.find((line) => line.includes(fact));
      expect(source).toContain(`${name}, `);
      expect(source).toContain(old);
      // An answer that quotes all that was recalled shows it, so it is not recalled once more.
      if (fact !== FACTS[0]) continue;
      expect(asked.stdout).toContain('recalled for the last message:');
      const workingMemory = await ada.one<{ recalled: Recalled[] }>(
        `query ($id: ID!) { workingMemory(conversationId: $id) {
          recalled { text sources { saidBy conversation { id } } } } }`,
        { id: conversationOf(asked) },
      );
      const evidence = workingMemory.recalled.flatMap((memory) => memory.sources);
      expect(evidence.map(({ conversation }) => conversation?.id)).toContain(old);
    }
    const stranger = await chat([QUESTIONS[0][0]], freshName('Bob'));
    expect(stranger.stdout).not.toContain('Daisy');
    expect((await chat(['Hello!'], freshName('Eve'))).stdout).toMatch(/^Hello!/);
  });
});
