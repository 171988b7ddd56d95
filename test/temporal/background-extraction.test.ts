import { afterAll, expect, it } from 'vitest';
import { backgroundState, backgroundWarnings } from '../../src/background/background.mutations.ts';
import { startDueWork } from '../../src/background/background-work.job.ts';
import { WORK_STARTS } from '../../src/main/work-starts.ts';
import { EXTRACTION_PROCESS } from '../../src/memory-graph/extraction/extraction-run.mutations.ts';
import { openMemoryWorld, type Rememberer } from '../testkit/memory-world.ts';
import { eventually, quiet } from '../testkit/outbox.ts';

// docs/decisions/0024: a text that a model could not read is read later, and until then there is a
// warning.

const here = await openMemoryWorld();
afterAll(() => here.close());

/** One answer for every step of the extraction. */
const READ = {
  entities: [{ name: 'Grace', category: 'Person', summary: 'A friend.' }],
  facts: [],
  same: [],
  repeated: [],
  ended: [],
};
const warnings = (ada: Rememberer) => backgroundWarnings(here.engine.knowledge, ada.viewer.userId);
const waiting = async (ada: Rememberer) =>
  (await backgroundState(here.engine.knowledge, ada.viewer, 0)).waiting;
/** Starts the waiting work of this user as the job would after the pause. */
async function later(ada: Rememberer) {
  const { knowledge } = here.engine;
  const clock = { nowMs: () => Date.now() + 2 * 60_000 };
  const { signal } = new AbortController();
  const deps = { ...knowledge, clock, log: quiet };
  await startDueWork(deps, WORK_STARTS, signal, ada.viewer.userId);
}

it('a model that does not answer leaves a warning, and the Episode is read later', async () => {
  const ada = await here.person();
  const conversationId = await ada.starts();
  here.llm.answers(ada.model, () => ({ status: 401, errorMessage: 'No such key.' }));
  const end = await ada.tells(conversationId, 'Grace lives in Rome.');
  expect(end.status).toBe('failed');
  expect(await warnings(ada)).toMatchObject([
    { subject: EXTRACTION_PROCESS, waiting: 1, advice: expect.stringContaining('model') },
  ]);
  expect(await waiting(ada)).toMatchObject([{ processName: EXTRACTION_PROCESS, reason: 'fault' }]);

  here.llm.answers(ada.model, () => ({ text: JSON.stringify(READ) }));
  await later(ada);
  await eventually('Grace is known', async () => (await ada.entities()).length === 1, 120_000);
  expect((await ada.entity('Grace')).name).toBe('Grace');
  expect(await warnings(ada)).toEqual([]);
  expect(await waiting(ada)).toEqual([]);
});

it('an answer in prose where JSON is due is a fault of the extraction, not silence', async () => {
  const ada = await here.person();
  here.llm.answers(ada.model, () => ({ text: 'I am sorry, I can not help with that.' }));
  const end = await ada.tells(await ada.starts(), 'Grace lives in Rome.');
  expect(end.status).not.toBe('by names');
  expect(await warnings(ada)).toMatchObject([{ subject: EXTRACTION_PROCESS, waiting: 1 }]);
});
