import { afterAll, describe, expect, it } from 'vitest';
import { startDueWork } from '../../src/background/background-work.job.ts';
import { sendMessage } from '../../src/conversations/turn.mutations.ts';
import { WORK_STARTS } from '../../src/main/work-starts.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { findSystemProcess } from '../../src/processes/bundle/bundle.cypher.ts';
import { retryProcessRun } from '../../src/runs/control/retry.mutations.ts';
import { cancelProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import type { ProcessRun } from '../../src/runs/run/run.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import { setLlmTool } from '../../src/settings/memory-settings.cypher.ts';
import type { Viewer } from '../../src/users/user.ts';
import { watchConversation } from '../../src/working-memory/conversation-stream.ts';
import { listIntrospections } from '../../src/working-memory/introspections/introspection.cypher.ts';
import {
  injectIntrospection,
  introspectIfDue,
  triggerIntrospection,
} from '../../src/working-memory/introspections/introspection.mutations.ts';
import { listSummaries } from '../../src/working-memory/summaries/summary.cypher.ts';
import {
  createSummary,
  deleteSummary,
} from '../../src/working-memory/summaries/summary.mutations.ts';
import type { TaskDeps } from '../../src/working-memory/tasks/task.mutations.ts';
import {
  compressConversation,
  compressIfDue,
} from '../../src/working-memory/upkeep/compression.mutations.ts';
import { memoryStarter } from '../../src/working-memory/upkeep/memory-task.projection.ts';
import { openEngine } from '../testkit/engine.ts';
import { readWith, runCypher, writeCypher, writeWith } from '../testkit/graph.ts';
import { ensureSystem, fixedSettings, talker } from '../testkit/memory.ts';
import { clock, eventually, newId, quiet } from '../testkit/outbox.ts';
import { subStep } from '../testkit/run-steps.ts';
import { openScriptedLlm, type ScriptedReply } from '../testkit/scripted-llm.ts';
import { newViewer, type Person, personOf, world } from '../testkit/world.ts';

// Compression and introspection with real runs and a scripted model.

const [engine, llm, here] = await Promise.all([openEngine(), openScriptedLlm(), world()]);
await ensureSystem(here.deps);
afterAll(async () => {
  expect(engine.defects).toEqual([]);
  await engine.close();
  await llm.close();
});

/** A user with a model of their own for the memory (S4-SUM-08). */
async function rememberer() {
  const viewer = await newViewer(here.deps, 'eve', ['user', 'admin']);
  const person: Person = personOf(here.deps, viewer);
  const model = `memory-${newId()}`;
  const input = { name: 'LLM', type: 'llm_provider', protocol: 'http' } as const;
  const service = await person.createsService(input);
  const tool = await person.createsTool({
    name: 'Mine',
    serviceId: service.id,
    connectionParams: { endpoint: llm.openai, model },
    operation: { type: 'llm_call', promptTemplate: 'hello' },
    inputSchema: { type: 'object', properties: {} },
    outputSchema: {},
  });
  const given = { viewerId: viewer.userId, toolId: tool.id, now: new Date().toISOString() };
  await writeWith(engine.graph, setLlmTool, given);
  const deps = depsWith({});
  return {
    viewer,
    model,
    talk: talker(deps, viewer),
    says: (...replies: ScriptedReply[]) => llm.script(replies, model),
    saysJson: (...replies: object[]) =>
      llm.script(
        replies.map((reply) => ({ text: JSON.stringify(reply) })),
        model,
      ),
  };
}
const depsWith = (settings: Parameters<typeof fixedSettings>[0]): TaskDeps => ({
  ...engine.deps,
  settings: fixedSettings(settings),
});
async function ended(viewer: Viewer, runId: string): Promise<ProcessRun> {
  await engine.launch(runId);
  return engine.wait(viewer, runId);
}
const summariesOf = async (viewer: Viewer, conversationId: string) =>
  (await readWith(engine.graph, listSummaries, viewer.userId, [conversationId])).get(
    conversationId,
  ) ?? [];
const asked = (cypher: string, params: object) => runCypher(engine.graph, `${cypher}`, params);
const riverText = (n: number) => `The ${n}. thing is that the river is wide.`;

describe('compression', () => {
  // S4-SUM-02, -08, S4-WM-05
  it('turns are summed up, the summaries too, under the threshold', async () => {
    const { viewer, talk, says, model } = await rememberer();
    says(
      ...Array.from({ length: 40 }, (_, n) => ({
        text: `Herons followed the river to the bend, ${'slow '.repeat(n % 3)}. Zoe came.`,
      })),
    );
    const threshold = 100;
    const deps = depsWith({ compressionTokenThreshold: threshold });
    const conversationId = await talk.starts();
    for (let n = 1; n <= 20; n++) {
      const text = `Part ${n}: we followed the river to the ${n}. bend, where slow water is.`;
      await talk.says(conversationId, text, { speaker: n % 2 === 1 ? 'user' : 'agent' });
      for (;;) {
        const runId = await compressIfDue(deps, conversationId);
        if (runId === null) break;
        expect((await ended(viewer, runId)).status).toBe('completed');
      }
      if (n % 5 !== 0) continue;
      const memory = await talk.remembers(conversationId);
      expect(memory.totalTokens).toBeLessThanOrEqual(threshold);
    }
    const summaries = await summariesOf(viewer, conversationId);
    expect(
      Math.max(...summaries.map(({ compressionLevel }) => compressionLevel)),
    ).toBeGreaterThanOrEqual(2);
    const memory = await talk.remembers(conversationId);
    // Every turn is there, by itself or in a summary that is.
    const [row] = await asked(
      `MATCH (s:Summary) WHERE s.id IN $ids
       MATCH (s)-[:SUMMARIZES|HAS_CONTENT*1..20]-(:Summary)
       RETURN count(s) AS n`,
      { ids: memory.summaries },
    );
    expect(Number(row?.['n'])).toBeGreaterThan(0);
    expect(memory.immediatePath.length).toBeLessThan(10);
    expect(llm.requestsOf(model).length).toBe(summaries.length);
    expect(llm.requestsOf(model)[0]?.messages.at(-1)?.content).toContain(
      'user: Part 1: we followed',
    );
  });

  // S4-SUM-04
  it('an answer that is none fails the run, and is asked for again later', async () => {
    const { viewer, talk, says } = await rememberer();
    const conversationId = await talk.starts();
    await talk.talksFor(conversationId, 12, riverText);
    const deps = depsWith({ compressionTokenThreshold: 100 });
    const answers: [string, RegExp][] = [
      ['word '.repeat(400), /no shorter than/],
      ['', /./],
    ];
    let later = 0;
    for (const [text, why] of answers) {
      // A model that says nothing is asked again, some times.
      says(...Array.from({ length: text.trim() === '' ? 3 : 1 }, () => ({ text })));
      const at = { ...deps, clock: { nowMs: () => Date.now() + later } };
      const runId = await compressIfDue(at, conversationId);
      expect(runId).not.toBeNull();
      const run = await ended(viewer, runId ?? '');
      expect(run.status).toBe('failed');
      expect(run.error?.message).toMatch(why);
      expect(await summariesOf(viewer, conversationId)).toEqual([]);
      expect(await compressIfDue(deps, conversationId)).toBeNull();
      later += 24 * 60 * 60_000;
    }
    const [left] = await asked(
      'MATCH (ep:SummaryEpisode {group_id: $conversationId}) RETURN count(ep) AS count',
      { conversationId },
    );
    expect(left?.['count']).toBe(0);
    says({ text: 'The river is wide.' });
    const rested = { ...deps, clock: { nowMs: () => Date.now() + later } };
    const { signal } = new AbortController();
    await startDueWork(rested as never, WORK_STARTS, signal, viewer.userId);
    const [open] = await asked(
      `MATCH (:Conversation {id: $conversationId})<-[:TASK_OF]-(:MemoryTask)-[:DONE_BY]->(r
        {status: 'pending'}) RETURN r.id AS id`,
      { conversationId },
    );
    expect((await ended(viewer, String(open?.['id']))).status).toBe('completed');
    expect(await summariesOf(viewer, conversationId)).toHaveLength(1);
  });

  it('S4-SUM-03: turns that were summed up meanwhile are not summed up twice', async () => {
    const { viewer, talk, says } = await rememberer();
    const conversationId = await talk.starts();
    const said = await talk.talksFor(conversationId, 3, riverText);
    const deps = depsWith({});
    const run = await compressConversation(deps, viewer, { conversationId });
    const byHand = await createSummary(deps, viewer, {
      conversationId,
      sourceEpisodeIds: said.map(({ episodeId }) => episodeId),
      coversUpToTurnId: said[2]?.turnId ?? '',
      content: 'Wide.',
      processId: await talk.aProcess(),
    });
    says({ text: 'The river is wide.' });
    const end = await ended(viewer, run.id);
    expect(end).toMatchObject({ status: 'failed', error: { code: 'OUTPUT_INVALID' } });
    expect(end.error?.message).toContain(byHand.id);
    expect((await talk.remembers(conversationId)).summaries).toEqual([byHand.id]);

    // Once that one is gone, a retry of the run uses its result.
    await deleteSummary(deps, viewer, { id: byHand.id });
    const again = await retryProcessRun(deps, viewer, { runId: run.id });
    expect((await ended(viewer, again.id)).status).toBe('completed');
    expect(await summariesOf(viewer, conversationId)).toMatchObject([
      { content: 'The river is wide.' },
    ]);
  });

  // S4-SUM-08
  it('a retry, or another run, asks the model of memorySettings too', async () => {
    const { viewer, talk, says, model } = await rememberer();
    const conversationId = await talk.starts();
    await talk.talksFor(conversationId, 3, riverText);
    const deps = depsWith({});
    const first = await compressConversation(deps, viewer, { conversationId });
    says({ status: 400, errorMessage: 'no' });
    expect(await ended(viewer, first.id)).toMatchObject({ status: 'failed' });
    const second = await retryProcessRun(deps, viewer, { runId: first.id });
    says({ status: 400, errorMessage: 'no' });
    expect(await ended(viewer, second.id)).toMatchObject({ status: 'failed' });
    const third = await retryProcessRun(deps, viewer, { runId: second.id });
    says({ text: 'The river is wide.' });
    expect((await ended(viewer, third.id)).status).toBe('completed');
    expect(llm.requestsOf(model)).toHaveLength(3);
    expect(await summariesOf(viewer, conversationId)).toHaveLength(1);
  });

  // S4-SUM-08
  it('answers a message, too, with the model of memorySettings', async () => {
    const { viewer, talk, says, model } = await rememberer();
    const conversationId = await talk.starts();
    const deps = depsWith({});
    const processId = await readWith(deps.graph, findSystemProcess, viewer, 'chat');
    says({ text: 'From my own model.' });
    const content = 'Where does Ada live?';
    const input = { conversationId, content, processId: processId ?? '' };
    const sent = await sendMessage(deps, viewer, input);
    const expected = { status: 'completed', output: 'From my own model.' };
    expect(await ended(viewer, sent.run)).toMatchObject(expected);
    says({ text: 'And again.' });
    const again = await retryProcessRun(deps, viewer, { runId: sent.run, fromStepId: 'answer' });
    expect(await ended(viewer, again.id)).toMatchObject({ output: 'And again.' });
    const asked = llm
      .requestsOf(model)
      .filter(({ messages }) => messages.some((message) => message.content.includes(content)));
    expect(asked.length).toBeGreaterThanOrEqual(2);
  });

  // S4-SUM-08
  it('a run of its user asks the model of its Process, and so does its retry', async () => {
    const { viewer, talk } = await rememberer();
    const deps = depsWith({});
    const input = { processId: await talk.aProcess(), context: { text: 'Sum me up.' } };
    const asked = await startProcessRun(deps, viewer, input);
    await cancelProcessRun(deps, viewer, { id: asked.id });
    const again = await retryProcessRun(deps, viewer, { runId: asked.id });
    // The snapshot holds the Tools with their connections: the same hash is the same model.
    expect(again.snapshotHash).toBe(asked.snapshotHash);
    await cancelProcessRun(deps, viewer, { id: again.id });
  });

  // S4-PAT-03, -04, S4-SUM-08
  it("another Process, which calls the system's, sums up its own way", async () => {
    const { viewer, talk, says } = await rememberer();
    const conversationId = await talk.starts();
    await talk.talksFor(conversationId, 3, riverText);
    const deps = depsWith({});
    const inner = await readWith(deps.graph, findSystemProcess, viewer, 'compress conversation');
    const own = await engine.createProcess(viewer, {
      initialContext: ['text', 'level'],
      steps: [
        subStep('inner', inner ?? '', { text: '{context.text}', sentences: 1, maxTokens: 20 }),
      ],
      outputTemplate: 'The {{level}}. thing: {{inner}}',
    });
    says({ text: 'The river is wide.' });
    const input = { conversationId, processId: own.id };
    const run = await compressConversation(deps, viewer, input);
    expect((await ended(viewer, run.id)).status).toBe('completed');
    expect(await summariesOf(viewer, conversationId)).toMatchObject([
      {
        content: 'The 1. thing: The river is wide.',
        compressionLevel: 1,
        createdByProcessId: own.id,
      },
    ]);
  });
});

describe('introspection', () => {
  /** An introspection of a conversation about rivers; the model first wonders, then reflects. */
  async function reflected(viewer: Viewer, conversationId: string, deps = depsWith({})) {
    const run = await triggerIntrospection(deps, viewer, { conversationId });
    return ended(viewer, run.id);
  }
  const carousel = (viewer: Viewer, all = false) =>
    readWith(engine.graph, listIntrospections, viewer.userId, all);

  // S4-INTR-05, -09, -10, -11
  it('searches the turns, reflects, and writes several notes at once', async () => {
    const { viewer, talk, saysJson, model } = await rememberer();
    const conversationId = await talk.starts();
    await talk.says(conversationId, 'The herons stand at the river.');
    await injectIntrospection(depsWith({}), viewer, { content: 'She likes brooks.' });
    saysJson(
      { topics: ['herons (river)', 'AND OR " ~'] },
      {
        notes: [
          { content: 'Herons stand at the river. Zoe bought 3 of them.' },
          { position: 0, content: 'She likes brooks and herons.' },
          { content: 'Moscow is a large city.' },
        ],
      },
    );
    const run = await reflected(viewer, conversationId);
    expect(run).toMatchObject({ status: 'completed', error: null });
    expect(await carousel(viewer)).toMatchObject([
      { carouselPosition: 0, content: 'She likes brooks and herons.', archived: false },
      { carouselPosition: 1, content: 'Herons stand at the river.' },
    ]);
    const expected = { content: 'She likes brooks.', archived: true };
    expect((await carousel(viewer, true)).at(-1)).toMatchObject(expected);
    const [, reflecting] = llm.requestsOf(model);
    const prompt = reflecting?.messages.at(-1)?.content ?? '';
    expect(prompt).toContain('The herons stand at the river.');
    expect(prompt).toContain('[0] She likes brooks.');
    expect(prompt).toContain('Position 1 is free');
    expect((await talk.remembers(conversationId)).introspectionContext).toHaveLength(2);
    const steps = await engine.steps(viewer, run.id);
    expect(steps.filter(({ stepId }) => stepId === 'search')).toHaveLength(2);
    expect(steps.every(({ status }) => status === 'completed')).toBe(true);
  });

  it.each([
    ['half a JSON', '{"notes": [{"content": "The riv'],
    [
      'two at one place',
      '{"notes": [{"position": 1, "content": "x"}, {"position": 1, "content": "y"}]}',
    ],
    // S4-INTR-09: a sentence whose words the material does not have is dropped.
    ['an insight in new words', '{"notes": [{"content": "She seems lonely and overworked."}]}'],
  ])(
    'S4-INTR-01, -07: %s fails the run, writes nothing and gives the counter back',
    async (_, answer) => {
      const { viewer, talk, says } = await rememberer();
      const conversationId = await talk.starts();
      await writeCypher(
        engine.graph,
        `MATCH (c:Conversation {id: $conversationId}) SET c.compressions = 5,
          c.compressionsSinceIntrospection = 5`,
        { conversationId },
      );
      // An answer that does not fit its schema is asked for again, some times.
      says({ text: '{"topics": []}' }, ...Array.from({ length: 20 }, () => ({ text: answer })));
      const run = await reflected(viewer, conversationId);
      expect(run).toMatchObject({ status: 'failed', error: { code: 'OUTPUT_INVALID' } });
      expect(await carousel(viewer, true)).toEqual([]);
      const [row] = await asked(
        `MATCH (c:Conversation {id: $conversationId}) RETURN c.compressionsSinceIntrospection
          AS count`,
        { conversationId },
      );
      expect(row?.['count']).toBe(5);
    },
  );
});

describe('in the background', () => {
  // S4-SUM-08, S4-INTR-07, -08
  it('turns lead to summaries and notes by themselves, told live', async () => {
    const { viewer, talk, saysJson, says } = await rememberer();
    const deps = depsWith({ compressionTokenThreshold: 150, introspectionCompressionThreshold: 1 });
    const bus = openBus({ graph: engine.graph });
    const conversationId = await talk.starts();
    const launched = new Set<string>();
    const mine = memoryStarter(deps);
    const relay = openRelay(
      { graph: engine.graph, clock, newId, bus, log: quiet },
      {
        projections: [
          {
            ...mine,
            name: `memory-${newId()}`,
            handle: (entries) =>
              mine.handle(entries.filter((entry) => entry.conversationId === conversationId)),
          },
          {
            name: `starter-${newId()}`,
            kinds: ['run.requested'],
            startsAt: 'now',
            async handle(entries) {
              for (const { runId, conversationId: at } of entries) {
                if (runId === null || at !== conversationId || launched.has(runId)) continue;
                launched.add(runId);
                await engine.launch(runId);
              }
            },
          },
        ],
        settings: { leaseName: `test-${newId()}` },
      },
    );
    try {
      says({ text: 'The river is wide.' });
      saysJson({ topics: ['river'] }, { notes: [{ content: 'The river is wide.' }] });
      await talk.talksFor(conversationId, 14, riverText);
      const stop = new AbortController();
      const told: string[] = [];
      for await (const { kind } of watchConversation(
        { bus },
        { conversationId, after: null },
        stop.signal,
      )) {
        if (kind === 'summary.added' || kind === 'introspection.added') told.push(kind);
        if (told.length === 2) break;
      }
      expect(told).toEqual(['summary.added', 'introspection.added']);
      const memory = await talk.remembers(conversationId);
      expect(memory.summaries).toHaveLength(1);
      expect(memory.introspectionContext).toHaveLength(1);
      const [note] = await readWith(engine.graph, listIntrospections, viewer.userId, false);
      expect(note?.conversationContext).toBe(`conversation-${conversationId}, compressions 1-1`);

      // S4-SUM-07: without it the path is too long again, so it is summed up anew.
      says({ text: 'The river is still wide.' });
      saysJson({ topics: [] }, { notes: [{ content: 'The river is still wide.' }] });
      await deleteSummary(deps, viewer, { id: memory.summaries[0] ?? '' });
      await eventually(
        'it is summed up again',
        async () => (await talk.remembers(conversationId)).summaries.length === 1,
      );
      expect((await talk.remembers(conversationId)).summaries).not.toEqual(memory.summaries);
      await eventually(
        'it is reflected on again',
        async () => (await talk.remembers(conversationId)).introspectionContext.length === 2,
      );
      expect(await introspectIfDue(deps, conversationId)).toBeNull();
      await eventually('every run is over', async () => {
        const open = await asked(
          `MATCH (r:ProcessRun {conversationId: $conversationId}) WHERE r.status IN ['pending',
            'running'] RETURN r.id AS id`,
          { conversationId },
        );
        return open.length === 0;
      });
    } finally {
      await relay.close();
    }
  });
});
