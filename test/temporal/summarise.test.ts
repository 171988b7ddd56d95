import { afterAll, describe, expect, it } from 'vitest';
import { ingestEvents } from '../../src/agent-memory/events/event.mutations.ts';
import type { GivenEvent } from '../../src/agent-memory/events/event.ts';
import { listTocWork } from '../../src/agent-memory/rollup/rollup.cypher.ts';
import { rollUp } from '../../src/agent-memory/rollup/rollup.job.ts';
import { createSummarise } from '../../src/agent-memory/rollup/summarise.service.ts';
import { segmentIn } from '../../src/agent-memory/segments/segmenter.job.ts';
import { storeOf } from '../../src/agent-memory/store.ts';
import { loadAgentMemorySettings } from '../../src/agent-memory/summarizer-settings.ts';
import { findTocNodes } from '../../src/agent-memory/toc/toc.cypher.ts';
import { loadSummarizer } from '../../src/main/examples.ts';
import { openVault, parseKeyRing } from '../../src/platform/vault/vault.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import type { Viewer } from '../../src/users/user.ts';
import { TEST_KEYS } from '../testkit/engine.ts';
import { fixedSettings } from '../testkit/fixed.ts';
import { readWith, writeWith } from '../testkit/graph.ts';
import { openMemoryWorld, type Rememberer } from '../testkit/memory-world.ts';
import { said } from '../testkit/recall-events.ts';
import { newViewer, worldDeps } from '../testkit/world.ts';

const here = await openMemoryWorld();
afterAll(() => here.close());

const NODE = { kind: 'toc_node', id: 'toc:day:2026-01-01', name: '1 January' } as const;

/** The lines that a segment of these events gets of the model of this user. */
async function linesOf(who: Rememberer, events: readonly GivenEvent[]) {
  const deps = {
    ...here.engine.deps,
    memoryMode: { mode: 'separate', agentId: null } as const,
    // The texts here are short; a model tells them all the same.
    settings: fixedSettings({ ...SETTINGS_DEFAULT, summaryTokensMin: 0 }),
    random: Math.random,
    wake() {},
  };
  expect((await ingestEvents(deps, who.viewer, events)).problems).toEqual([]);
  const { key: store, realm } = storeOf(who.viewer, deps.memoryMode, null);
  const added = events.map(({ eventId }) => ({ realm, eventId: eventId ?? '' }));
  const limits = { gapMs: 1_800_000, maxTokens: 4_000 };
  const now = new Date().toISOString();
  await writeWith(deps.graph, segmentIn, added, limits, now);
  const due = { nowMs: Date.now(), isAsked: true, limit: 1_000 };
  const work = await readWith(deps.graph, listTocWork, 'segment', due);
  const own = work.filter((one) => one.store === store);
  const jobRun = {
    isAsked: true,
    signal: new AbortController().signal,
    progressIn: async () => {},
  };
  await rollUp({ ...deps, summarise: createSummarise(deps) }, 'segment', own, jobRun);
  const refs = own.map(({ nodeId }) => ({ store, nodeId }));
  const nodes = await readWith(deps.graph, findTocNodes, refs);
  return nodes.flatMap(({ bullets }) => bullets);
}

/** The summary that this user gets for a text. */
const summed = (who: Viewer, text: string, hasSummarizer = false) =>
  createSummarise(here.engine.knowledge, { hasSummarizer })(
    { ownerId: who.userId, text, before: '', sentences: 2, key: `test ${text}`, workFor: NODE },
    new AbortController().signal,
  );
const operators = (summarizer: Record<string, string>) =>
  loadAgentMemorySettings({ flags: { summarizer }, env: {}, home: '/home/ada', platform: 'linux' });

describe('a model that invents', () => {
  // S2-GRIP-04
  it('gets no invented name, number or sentence in, and its good lines stay', async () => {
    const ada = await here.person();
    const events = [
      said('2024-04-02T09:00', 'I bought two old bicycles at the flea market in Turin.'),
      said('2024-04-02T09:01', 'What did they cost?', {
        role: 'Assistant',
        eventType: 'AssistantMessage',
      }),
      said('2024-04-02T09:02', 'They cost 1,200 euros together. My brother Marek paid half of it.'),
      said('2024-04-02T09:03', 'The chains are rusty.'),
    ];
    const { name } = ada.viewer;
    here.llm.script(
      [
        {
          text: `Here is a summary of the conversation:
- ${name} bought two old bicycles in Turin for 1,200 euros.
- ${name} bought three bicycles in Turin.
- ${name} and Zoe met at the flea market in Turin.
- The bicycles cost 1,500 euros together.
- Marek dreams of a long voyage around the world.
- Assistant: "My brother Marek paid half of it."
{"bullets": []}`,
        },
      ],
      ada.model,
    );
    expect(await linesOf(ada, events)).toMatchObject([
      {
        text: `${name} bought two old bicycles in Turin for 1,200 euros.`,
        support: 1,
        quotation: false,
        speakers: [name],
      },
      { text: `${name}: "My brother Marek paid half of it."`, support: 1, quotation: true },
    ]);
  });
});

describe('the summary of a memory', () => {
  it('is told by the Tool of its owner’s memorySettings (S2-TOC-07)', async () => {
    const ada = await here.person();
    here.llm.script([{ text: 'The index was mended.' }], ada.model);
    const text = 'User: The index was broken. Assistant: I have mended it.';
    expect(await summed(ada.viewer, text)).toBe('The index was mended.');
    const [request] = here.llm.requestsOf(ada.model);
    expect(JSON.stringify(request)).toContain('I have mended it.');
    // The same again is the same run.
    expect(await summed(ada.viewer, text)).toBe('The index was mended.');
    expect(here.llm.requestsOf(ada.model)).toHaveLength(1);
  });

  // S2-CFG-02
  it('is told by the operator’s summarizer where its owner chose none', async () => {
    const deps = worldDeps({ graph: here.engine.graph, vault: openVault(parseKeyRing(TEST_KEYS)) });
    const bob = await newViewer(deps, 'bob');
    const model = `operators-${deps.newId()}`;
    const settings = { provider: 'openai', model, api_base_url: here.llm.openai, api_key: 'k-1' };
    await loadSummarizer(deps, operators(settings));
    here.llm.script([{ text: 'It rained.' }], model);
    expect(await summed(bob, 'User: It rained all day.', true)).toBe('It rained.');
    const [request] = here.llm.requestsOf(model);
    expect(request?.headers['authorization']).toBe('Bearer k-1');

    const ada = await here.person();
    here.llm.script([{ text: 'It snowed.' }], ada.model);
    expect(await summed(ada.viewer, 'User: It snowed all day.', true)).toBe('It snowed.');
    expect(here.llm.requestsOf(model)).toHaveLength(1);
  });
});
