import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findSpokenTexts, listAlternatives } from '../../src/conversations/alternative.cypher.ts';
import type { Alternative } from '../../src/conversations/alternative.ts';
import {
  createConversation,
  updateConversation,
} from '../../src/conversations/conversation.mutations.ts';
import { type SentMessage, sendMessage } from '../../src/conversations/turn.mutations.ts';
import { retryProcessRun } from '../../src/runs/control/retry.mutations.ts';
import { cancelProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import { readWorkingMemory } from '../../src/working-memory/working-memory.cypher.ts';
import { type Engine, openEngine } from '../testkit/engine.ts';
import { engineWorld } from '../testkit/engine-world.ts';
import { readWith, runCypher } from '../testkit/graph.ts';
import { ownPath } from '../testkit/rest-server.ts';
import { echoTool, find, speakerTool, step } from '../testkit/run-steps.ts';
import { spawnWorker } from '../testkit/spawn-worker.ts';
import { refusals, refuses } from '../testkit/world.ts';

// An answer whose run is cut short, cancelled, repeated or tried again; on real
// Temporal.

const { engine, rest, llm, ada, own } = await engineWorld();

/** A Process that chats by a model of its own name. */
async function speaker(): Promise<{ model: string; processId: string }> {
  const model = `model-${randomUUID()}`;
  const operation = { promptTemplate: '', messages: 'say' };
  const tool = await speakerTool(ada, llm.openai, model, {}, operation, { type: 'array' });
  const process = await own.createProcess({
    initialContext: ['messages'],
    steps: [step('answer', tool.id, { say: '{context.messages}' })],
    outputTemplate: '{{answer}}',
  });
  return { model, processId: process.id };
}

const starts = async () => (await createConversation(engine.deps, ada.viewer, {})).id;
const versions = (turnId: string): Promise<Alternative[]> =>
  readWith(engine.graph, listAlternatives, ada.viewer.userId, [turnId]);
const spoken = async (runId: string): Promise<string> =>
  (await readWith(engine.graph, findSpokenTexts, [runId])).get(runId) ?? '';
const hasSpoken = (runId: string) => expect.poll(() => spoken(runId));
async function completions(
  conversationId: string,
): Promise<{ alternativeId: string; status: string }[]> {
  const rows = await runCypher(
    engine.graph,
    `MATCH (o:OutboxEntry {conversationId: $conversationId, kind: 'alternative.completed'}) RETURN
      o.payload AS payload`,
    { conversationId },
  );
  return rows.map((row) => JSON.parse(String(row['payload'])));
}
async function messages(conversationId: string): Promise<string[]> {
  const memory = await readWith(engine.graph, readWorkingMemory, ada.viewer.userId, {
    conversationId,
  });
  if ('missing' in memory) throw new Error(`No ${memory.missing}`);
  return memory.messages.map(({ content }) => content);
}

async function sends(on: Engine, processId: string, content = 'Hello?') {
  const conversationId = await starts();
  const sent = await sendMessage(on.deps, ada.viewer, { conversationId, content, processId });
  await on.launch(sent.run);
  return { conversationId, ...sent };
}

const many = (word: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${word}${n} `);

it('a worker that is killed while an answer streams costs an attempt', async () => {
  const alone = await openEngine({ workers: 'none' });
  const workers: ChildProcess[] = [];
  try {
    const { model, processId } = await speaker();
    llm.script(
      [{ text: many('lost', 200), delayMs: 100 }, { text: ['All ', 'is ', 'well.'] }],
      model,
    );
    const victim = await spawnWorker(alone);
    workers.push(victim);
    const { conversationId, agentTurn, run } = await sends(alone, processId);
    await hasSpoken(run).toContain('lost2');
    victim.kill('SIGKILL');
    workers.push(await spawnWorker(alone));
    expect(await alone.wait(ada.viewer, run)).toMatchObject({ status: 'completed', error: null });
    const [answer, ...others] = await versions(agentTurn);
    expect(others).toEqual([]);
    expect(answer).toMatchObject({ content: 'All is well.', outcome: 'completed', runId: run });
    expect(await completions(conversationId)).toMatchObject([
      { alternativeId: answer?.id, status: 'completed' },
    ]);
    expect(find(await alone.steps(ada.viewer, run), 'answer')).toMatchObject({ attempt: 2 });
    expect(await messages(conversationId)).toEqual(['Hello?', 'All is well.']);
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
    await alone.close();
  }
});

describe('an answer', () => {
  it('is asked for once, however often the message is sent under one idempotency key', async () => {
    const { model, processId } = await speaker();
    const conversationId = await starts();
    const message = { conversationId, content: 'Once?', processId, idempotencyKey: randomUUID() };
    const send = (): Promise<SentMessage> => sendMessage(engine.deps, ada.viewer, message);
    const racing = await Promise.all(Array.from({ length: 8 }, send));
    const [first] = racing;
    if (first === undefined) throw new Error('Nothing was sent.');
    expect(racing).toEqual(racing.map(() => first));
    await Promise.all(racing.map(({ run }) => engine.launch(run)));
    await own.wait(first.run);
    // Also when the answer is there already, and the conversation is archived by now.
    expect(await send()).toEqual(first);
    await updateConversation(engine.deps, ada.viewer, { id: conversationId, status: 'archived' });
    expect(await send()).toEqual(first);
    await refuses(
      sendMessage(engine.deps, ada.viewer, { ...message, content: 'Twice?' }),
      'CONFLICT idempotencyKey',
    );
    expect(llm.requestsOf(model)).toHaveLength(1);
    expect(await completions(conversationId)).toHaveLength(1);
    expect(await messages(conversationId)).toEqual(['Once?', 'You said: Once?']);
  });
});

describe('a run of a conversation that is tried again', () => {
  // S4-ALT-03
  it('writes another alternative of the same turn, and keeps completed steps', async () => {
    const path = ownPath('/kept');
    const kept = await echoTool(ada, rest.origin, path);
    const lookUp = await echoTool(ada, rest.origin, `/flaky?key=${randomUUID()}&fails=1`);
    const process = await own.createProcess({
      initialContext: ['message'],
      steps: [
        step('kept', kept.id, { q: '{context.message}' }),
        step('found', lookUp.id, { q: 'x' }, { retry: { maximumAttempts: 1 } }),
      ],
      outputTemplate: '{{kept.query.q}} found',
    });
    const { conversationId, agentTurn, run } = await sends(engine, process.id, 'Moved?');
    expect((await own.wait(run)).status).toBe('failed');
    const [failed] = await versions(agentTurn);
    const retried = await retryProcessRun(engine.deps, ada.viewer, { runId: run });
    expect(retried).toMatchObject({ retryOfId: run, conversationId });
    expect(await versions(agentTurn)).toMatchObject([
      { id: failed?.id, outcome: 'failed', isActive: false },
      {
        runId: retried.id,
        cacheStatus: 'generating',
        isActive: true,
        respondsToId: failed?.respondsToId,
        executedById: process.id,
      },
    ]);
    // docs/decisions/0014: an empty content would pass for an answer.
    const [awaited] = await runCypher(
      engine.graph,
      'MATCH (a:Alternative {runId: $id}) RETURN a.content AS content',
      {
        id: retried.id,
      },
    );
    expect(awaited).toEqual({ content: null });
    await engine.launch(retried.id);
    await own.wait(retried.id);
    const expected = { content: 'Moved? found', outcome: 'completed', cacheStatus: 'valid' };
    expect((await versions(agentTurn))[1]).toMatchObject(expected);
    expect(await messages(conversationId)).toEqual(['Moved?', 'Moved? found']);
    const keptCalls = rest.requests.filter((request) => request.path === path);
    expect(keptCalls).toHaveLength(1);
  });

  it('is refused while it goes on and in an archived conversation', async () => {
    const { model, processId } = await speaker();
    llm.script({ text: many('long', 300), delayMs: 100 }, model);
    const { conversationId, agentTurn, run } = await sends(engine, processId);
    const tries = () => refusals(retryProcessRun(engine.deps, ada.viewer, { runId: run }));
    await hasSpoken(run).toContain('long1');
    expect(await tries()).toEqual(['STATE runId']);
    await cancelProcessRun(engine.deps, ada.viewer, { id: run });
    await own.wait(run);
    await updateConversation(engine.deps, ada.viewer, { id: conversationId, status: 'archived' });
    expect(await tries()).toEqual(['STATE runId']);
    expect(await versions(agentTurn)).toHaveLength(1);
  });
});
