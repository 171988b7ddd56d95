import { afterAll, describe, expect, it } from 'vitest';
import { backgroundState, backgroundWarnings } from '../../src/background/background.mutations.ts';
import { startDueWork } from '../../src/background/background-work.job.ts';
import { WORK_STARTS } from '../../src/main/work-starts.ts';
import { EXTRACTION_PROCESS } from '../../src/memory-graph/extraction/extraction-run.mutations.ts';
import type { Viewer } from '../../src/users/user.ts';
import { openMemoryWorld, type Rememberer } from '../testkit/memory-world.ts';
import { eventually, quiet } from '../testkit/outbox.ts';

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

/** Starts the waiting work of this user as the job would after the pause. */
async function later(ada: Rememberer) {
  const { knowledge } = here.engine;
  const clock = { nowMs: () => Date.now() + 2 * 60_000 };
  const { signal } = new AbortController();
  const deps = { ...knowledge, clock, log: quiet };
  await startDueWork(deps, WORK_STARTS, signal, ada.viewer.userId);
}
const warnings = (ada: Rememberer) => backgroundWarnings(here.engine.knowledge, ada.viewer.userId);

// docs/decisions/0024
it('a model that does not answer leaves a warning, and the Episode is read later', async () => {
  const ada = await here.person();
  const conversationId = await ada.starts();
  here.llm.answers(ada.model, () => ({ status: 401, errorMessage: 'No such key.' }));
  const end = await ada.tells(conversationId, 'Grace lives in Rome.');
  expect(end.status).toBe('failed');
  expect(await warnings(ada)).toMatchObject([
    { subject: EXTRACTION_PROCESS, waiting: 1, advice: expect.stringContaining('model') },
  ]);
  expect(await waiting(ada.viewer)).toEqual([`${EXTRACTION_PROCESS}: fault`]);

  here.llm.answers(ada.model, () => ({
    text: JSON.stringify({ entities: [person('Grace')], facts: [] }),
  }));
  await later(ada);
  await eventually('Grace is known', async () => (await ada.entities()).length === 1, 120_000);
  expect((await ada.entity('Grace')).name).toBe('Grace');
  expect(await warnings(ada)).toEqual([]);
  expect(await waiting(ada.viewer)).toEqual([]);
});

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
});

describe('a model that answers', () => {
  it.each([
    ['with prose', 'Sure! Grace seems to live in Rome.', 'failed'],
    ['with a megabyte', 'x'.repeat(1_000_000), 'failed'],
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
