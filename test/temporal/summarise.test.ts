import { afterAll, describe, expect, it } from 'vitest';
import { createSummarise } from '../../src/agent-memory/rollup/summarise.service.ts';
import { loadAgentMemorySettings } from '../../src/agent-memory/summarizer-settings.ts';
import { loadSummarizer } from '../../src/main/examples.ts';
import { openVault, parseKeyRing } from '../../src/platform/vault/vault.ts';
import type { Viewer } from '../../src/users/user.ts';
import { TEST_KEYS } from '../testkit/engine.ts';
import { openMemoryWorld } from '../testkit/memory-world.ts';
import { newViewer, worldDeps } from '../testkit/world.ts';

const here = await openMemoryWorld();
afterAll(() => here.close());

const NODE = { kind: 'toc_node', id: 'toc:day:2026-01-01', name: '1 January' } as const;

/** The summary that this user gets for a text. */
const summed = (who: Viewer, text: string, hasSummarizer = false) =>
  createSummarise(here.engine.knowledge, { hasSummarizer })(
    { ownerId: who.userId, text, before: '', sentences: 2, key: `test ${text}`, workFor: NODE },
    new AbortController().signal,
  );
const operators = (summarizer: Record<string, string>) =>
  loadAgentMemorySettings({ flags: { summarizer }, env: {}, home: '/home/ada', platform: 'linux' });

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
