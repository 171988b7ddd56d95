import { afterAll, describe, expect, it } from 'vitest';
import { backgroundState } from '../../src/background/background.mutations.ts';
import type { Viewer } from '../../src/users/user.ts';
import { openMemoryWorld } from '../testkit/memory-world.ts';

// Talks that are hard to read, and models that misbehave (issue 18, bad input): known facts stay
// right, the state is clear, and the next turn is read.

const here = await openMemoryWorld();
afterAll(() => here.close());

const person = (name: string) => ({ name, category: 'Person' });
const place = (name: string) => ({ name, category: 'Place' });
const fact = (source: string, relation: string, target: string) => ({ source, relation, target });

/** Processes whose work waits for a viewer, with the reason. */
async function waiting(viewer: Viewer): Promise<string[]> {
  const state = await backgroundState(here.engine.deps, viewer, 0);
  return state.waiting.map(({ processName, reason }) => `${processName}: ${reason}`);
}

describe('a talk', () => {
  it('of two people with one first name keeps them apart (S4-ENT-07)', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    await ada.tells(
      conversationId,
      'My friend Nadia Osei lives in Bergen.',
      { entities: [person('Nadia Osei'), place('Bergen')] },
      { facts: [fact('Nadia Osei', 'lives in', 'Bergen')] },
    );
    await ada.tells(
      conversationId,
      'Nadia Brandt is another Nadia, she lives in Delft.',
      { entities: [person('Nadia Brandt'), place('Delft')] },
      { facts: [fact('Nadia Brandt', 'lives in', 'Delft')] },
    );
    const [osei, brandt] = [await ada.entity('Nadia Osei'), await ada.entity('Nadia Brandt')];
    expect(osei.uuid).not.toBe(brandt.uuid);
    const holding = async (uuid: string) =>
      (await ada.facts(uuid))
        .filter(({ invalidAt }) => invalidAt === null)
        .map(({ fact: text }) => text);
    expect(await holding(osei.uuid)).toEqual(['Nadia Osei lives in Bergen.']);
    expect(await holding(brandt.uuid)).toEqual(['Nadia Brandt lives in Delft.']);
  });

  it('that contradicts itself a day later ends the older fact; both are readable', async () => {
    const ada = await here.person();
    const conversationId = await ada.starts();
    const says = async (content: string, city: string, saidAt: string) => {
      const reply = {
        entities: [person('Grace'), place(city)],
        facts: [fact('Grace', 'lives in', city)],
      };
      here.llm.answers(ada.model, () => ({ text: JSON.stringify(reply) }));
      return here.ingested(await ada.says(conversationId, content, { saidAt }));
    };
    const [monday, tuesday] = ['2025-03-03T08:00:00.000Z', '2025-03-04T09:00:00.000Z'];
    const first = await says('Grace lives in Rome.', 'Rome', monday);
    const second = await says('No, Grace lives in Turin.', 'Turin', tuesday);
    expect([first.status, second.status]).toEqual(['read', 'read']);
    const { uuid } = await ada.entity('Grace');
    const facts = (await ada.facts(uuid)).toSorted((a, b) => (a.fact < b.fact ? -1 : 1));
    expect(facts).toMatchObject([
      { fact: 'Grace lives in Rome.', validAt: monday, invalidAt: tuesday },
      { fact: 'Grace lives in Turin.', validAt: tuesday, invalidAt: null, expiredAt: null },
    ]);
    expect(facts[0]?.expiredAt).not.toBeNull();
  });
});

describe('a model that answers', () => {
  it.each([
    ['with prose', 'Sure! Grace seems to live in Rome.', 'failed'],
    ['with the prompt itself', 'You note what a conversation tells. <messages>…', 'failed'],
    ['with a megabyte', 'x'.repeat(1_000_000), 'failed'],
    ['with nothing', '', 'failed'],
    [
      'with names of other people',
      JSON.stringify({
        entities: [person('Napoleon Bonaparte'), place('Waterloo')],
        facts: [fact('Napoleon Bonaparte', 'lost at', 'Waterloo')],
      }),
      'read',
    ],
  ])(
    '%s does no damage, shows that work waits, and is asked again for the next turn',
    async (_how, text, status) => {
      const ada = await here.person();
      const conversationId = await ada.starts();
      const known = { entities: [person('Grace'), place('Rome')], facts: [] };
      here.llm.answers(ada.model, () => ({ text: JSON.stringify(known) }));
      await here.ingested(await ada.says(conversationId, 'Grace is in Rome.'));
      const before = await ada.entities();
      here.llm.answers(ada.model, () => ({ text }));
      const end = await here.ingested(await ada.says(conversationId, 'Grace likes Rome.'));
      expect(end.status).toBe(status);
      expect(end.faults).not.toEqual([]);
      expect(
        (await ada.entities()).map(({ uuid, name, summary }) => [uuid, name, summary]),
      ).toEqual(before.map(({ uuid, name, summary }) => [uuid, name, summary]));
      expect(await waiting(ada.viewer)).toEqual(['extract memories: fault']);
      const next = { entities: [person('Marco')], facts: [] };
      here.llm.answers(ada.model, () => ({ text: JSON.stringify(next) }));
      const after = await here.ingested(await ada.says(conversationId, 'Marco is here, too.'));
      expect(after).toMatchObject({ status: 'read', faults: [] });
      expect((await ada.entities()).map(({ name }) => name)).toContain('Marco');
    },
  );
});
