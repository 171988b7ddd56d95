import { afterAll, describe, expect, it } from 'vitest';
import { listMemoryEvents } from '../../src/agent-memory/events/event-list.service.ts';
import { memoryEventProjection } from '../../src/agent-memory/events/memory-event.projection.ts';
import { NO_USAGE } from '../../src/common/tool-fault.ts';
import { listAlternatives } from '../../src/conversations/alternative.cypher.ts';
import {
  createConversation,
  updateConversation,
} from '../../src/conversations/conversation.mutations.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { appendTurn } from '../../src/conversations/turn.mutations.ts';
import { listEntries } from '../../src/outbox/entry.cypher.ts';
import type { NumberedEntry, OutboxEntry } from '../../src/outbox/entry.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { retryProcessRun } from '../../src/runs/control/retry.mutations.ts';
import { cancelProcessRun } from '../../src/runs/control/run-control.mutations.ts';
import { getRun } from '../../src/runs/run/get-run.service.ts';
import { startProcessRun } from '../../src/runs/start/start.mutations.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import { startTaskIn } from '../../src/working-memory/tasks/task.mutations.ts';
import { runDeps } from '../testkit/conversations.ts';
import { fixedSettings } from '../testkit/fixed.ts';
import { readWith, writeCypher } from '../testkit/graph.ts';
import { ensureSystem, talker } from '../testkit/memory.ts';
import { eventually, quiet, someEntry } from '../testkit/outbox.ts';
import { world, worldGraph } from '../testkit/world.ts';

// docs/decisions/0015: turns become events of the agent memory, with the conversation's id as their
// session.

const mode = { mode: 'separate', agentId: null } as const;
const here = await world();
const ada = here.ada.viewer;
const { clock, newId } = here.deps;
const graph = worldGraph();
const feed = memoryEventProjection({
  ...here.deps,
  memoryMode: mode,
  random: Math.random,
  settings: fixedSettings(SETTINGS_DEFAULT),
});
const bus = openBus({ graph });
const relay = openRelay(
  { graph, clock, newId, bus, log: quiet },
  { projections: [], periodicTasks: [] },
);
afterAll(async () => {
  await relay.close();
  bus.close();
});
const deps = () => ({ ...runDeps(here), wake: () => relay.wake() });
const events = async (sessionId: string) => {
  const input = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', sessionId };
  const { items } = await listMemoryEvents({ graph: worldGraph(), memoryMode: mode }, ada, input);
  return items.map(({ item }) => item);
};
/** Gives the projection the entries of a conversation, once there are so many. */
async function feeds(conversationId: string, count: number): Promise<void> {
  let entries: readonly NumberedEntry[] = [];
  const isThere = async () => {
    const from = { afterSeq: 0, limit: 100 };
    entries = await readWith(worldGraph(), listEntries, { conversationId }, from);
    return entries.length >= count;
  };
  relay.wake();
  await eventually('the event log has all of it', isThere);
  await feed.handle(entries);
}
const told = async (sessionId: string) =>
  (await events(sessionId)).map(({ eventType, role, text }) => `${eventType} ${role}: ${text}`);

const numbered = (given: Partial<OutboxEntry>): NumberedEntry => ({ ...someEntry(given), seq: 1 });

describe('a conversation', () => {
  it('is remembered as it goes, once, whatever comes again', async () => {
    const { id } = await createConversation(deps(), ada, { title: 'Trip' });
    await appendTurn(deps(), ada, { conversationId: id, content: 'Where to?' });
    await updateConversation(deps(), ada, { id, status: 'archived' });
    await updateConversation(deps(), ada, { id, title: 'Our trip' });
    await feeds(id, 4);
    const expected = [
      'session_start system: ',
      'user_message user: Where to?',
      'session_end system: ',
    ];
    expect((await told(id)).sort()).toEqual(expected.sort());
    await feeds(id, 4);
    expect(await told(id)).toHaveLength(3);
  });

  it('remembers the result of a Tool as its result, not as said', async () => {
    const { id: conversationId } = await createConversation(deps(), ada, {});
    const result = { speaker: 'agent', turnType: 'tool_result' } as const;
    await appendTurn(deps(), ada, { conversationId, content: '{"ok":true}', ...result });
    await feeds(conversationId, 2);
    expect(await told(conversationId)).toContain('tool_result tool: {"ok":true}');
  });

  // S2-EVT-03
  it('keeps the times of imported turns, and their order where times are equal', async () => {
    const { id: conversationId } = await createConversation(deps(), ada, {});
    const saidAt = '2023-05-08T13:56:00.000Z';
    const lines = ['Hi!', 'Hello!', 'How are you?', 'Fine.', 'Good.', 'Bye.', 'See you.', 'Yes.'];
    for (const content of lines)
      await appendTurn(deps(), ada, { conversationId, content, saidAt, speaker: 'user' });
    const agent = { conversationId, content: 'Noon.', speaker: 'agent' } as const;
    await appendTurn(deps(), ada, { ...agent, saidAt: '2023-05-08T12:00:00Z' });
    await feeds(conversationId, lines.length + 2);
    const kept = await events(conversationId);
    const messages = kept.filter(({ text }) => text !== '');
    expect(messages.map(({ text }) => text)).toEqual(['Noon.', ...lines]);
    expect(messages.map(({ timestamp }) => timestamp)).toEqual([
      '2023-05-08T12:00:00.000Z',
      ...lines.map(() => saidAt),
    ]);
  });

  it('keeps answers of Tools and sub-processes, no secrets and no failed tries', async () => {
    const { id: conversationId } = await createConversation(deps(), ada, {});
    const entry = (kind: string, payload: object, more: Partial<OutboxEntry> = {}) =>
      numbered({
        kind,
        ownerId: ada.userId,
        workspace: ada.workspace,
        conversationId,
        payload: payload as never,
        ...more,
      });
    const call = { targetId: 't', serviceId: 's', processId: 'p', workerId: null, startedAt: '' };
    const step = {
      ...{ stepId: 'a', index: null, attempt: 1, name: 'read file', type: 'rest_call' },
      ...{ status: 'completed', outputTruncated: false, call, error: null, usage: NO_USAGE },
      ...{ cached: false, childRunId: null },
    };
    const run = { processId: 'p', processVersion: 1, depth: 1, context: { value: {} } };
    const ended = {
      ...{ processId: 'p', output: { value: '' }, outputTruncated: false, error: null },
      usage: NO_USAGE,
    };
    const output = { value: { user: 'ada', password: 'hunter2' } };
    // Straight to the projection: as entries of the log, such short facts would be everybody's.
    await feed.handle([
      entry('step.ended', { ...step, output, willRetry: false, speaks: false }),
      entry('step.ended', { ...step, output, willRetry: true, speaks: false }),
      entry('step.ended', { ...step, output, willRetry: false, speaks: true }),
      entry('step.ended', {
        ...step,
        output: { value: null },
        error: { code: 'TOOL_FAILED', message: 'It failed.', stepId: 'a', details: null },
        willRetry: false,
        speaks: false,
      }),
      entry('run.started', { ...run, parent: null, processName: 'root' }),
      entry(
        'run.started',
        {
          ...run,
          parent: { runId: 'x', stepId: 'a', index: null, attempt: 1 },
          processName: 'look it up',
        },
        { runPath: ['a', 'b'] },
      ),
      entry('run.ended', { ...ended, status: 'completed' }, { runPath: ['a', 'b'] }),
      entry(
        'step.ended',
        { ...step, output, willRetry: false, speaks: false },
        { conversationId: null },
      ),
    ]);
    await feeds(conversationId, 1);
    const kept = await told(conversationId);
    expect(kept.sort()).toEqual(
      [
        'session_start system: ',
        'subagent_start system: look it up',
        'subagent_stop system: ',
        'tool_result tool: read file: It failed.',
        'tool_result tool: read file: {"user":"ada","password":[REDACTED]}',
      ].sort(),
    );
    const [result] = (await events(conversationId)).filter(
      ({ eventType }) => eventType === 'tool_result',
    );
    expect(result?.metadata).toMatchObject({ tool: 'read file', stepId: 'a', status: 'completed' });
  });

  it('keeps a given turn of an agent like the answer of a run, once', async () => {
    const { id: conversationId } = await createConversation(deps(), ada, {});
    await appendTurn(deps(), ada, { conversationId, content: 'Where to?' });
    const agent = { conversationId, speaker: 'agent' } as const;
    const turn = await appendTurn(deps(), ada, { ...agent, content: 'To Lisbon.' });
    await feeds(conversationId, 3);
    await feeds(conversationId, 3);
    expect((await told(conversationId)).sort()).toEqual([
      'assistant_message assistant: To Lisbon.',
      'assistant_stop assistant: ',
      'session_start system: ',
      'user_message user: Where to?',
    ]);
    const [spoken] = await readWith(worldGraph(), listAlternatives, ada.userId, [turn.id]);
    const [answer] = (await events(conversationId)).filter(
      ({ eventType }) => eventType === 'assistant_message',
    );
    expect(answer?.metadata).toMatchObject({ alternativeId: spoken?.id });
  });

  it('keeps the answer of a run once, told before the end of the run or after', async () => {
    const { id: conversationId } = await createConversation(deps(), ada, {});
    const agent = { conversationId, speaker: 'agent' } as const;
    const turn = await appendTurn(deps(), ada, { ...agent, content: 'Generated.' });
    const [spoken] = await readWith(worldGraph(), listAlternatives, ada.userId, [turn.id]);
    const payload = { turnId: turn.id, alternativeId: spoken?.id ?? '' };
    const input = { id: spoken?.id, runId: here.deps.newId() };
    await writeCypher(worldGraph(), 'MATCH (a:Alternative {id: $id }) SET a.runId = $runId', input);
    const { workspace, userId: ownerId } = ada;
    const about = { ownerId, workspace, conversationId };
    const completed = { ...payload, status: 'completed' };
    const ended = numbered({ ...about, kind: 'alternative.completed', payload: completed });
    await feed.handle([
      numbered({ ...about, kind: 'turn.added', payload: { ...payload, copiedFromId: null } }),
      ended,
    ]);
    await feed.handle([ended]);
    const expected = ['assistant_message assistant: Generated.', 'assistant_stop assistant: '];
    expect((await told(conversationId)).sort()).toEqual(expected);
  });

  it('keeps nothing of runs of memory work, nor of their sub-runs and retries', async () => {
    await ensureSystem({ ...here.deps, mcpServers: { clock: [] } } as never);
    const talk = talker(deps(), ada);
    const conversationId = await talk.starts();
    const context = { text: 'Ada: hello.', sentences: 3, maxTokens: 100 };
    const counts = { sourceTokens: 100, maxTokens: 100 };
    const details = { kind: 'compression', sources: [], coversUpToId: '', ...counts } as const;
    const background = await worldGraph().write((tx) =>
      startTaskIn(deps(), tx, ada, { conversationId, details, context, processId: null }),
    );
    await cancelProcessRun(deps(), ada, { id: background });
    const { id: retried } = await retryProcessRun(deps(), ada, { runId: background });
    // The same Process of the system, asked for by the user.
    const { processId } = await getRun(deps(), ada, background);
    const { id: own } = await startProcessRun(deps(), ada, { processId, conversationId, context });
    const call = { targetId: 't', serviceId: 's', processId, workerId: null, startedAt: '' };
    const result = {
      ...{ stepId: 'sum-up', index: null, attempt: 1, name: 'sum up messages', type: 'llm_call' },
      ...{ status: 'completed', outputTruncated: false, call, error: null, usage: NO_USAGE },
      ...{ cached: false, childRunId: null, willRetry: false, speaks: false },
    };
    const run = { processId, processVersion: 1, depth: 1, context: { value: {} } };
    const ended = {
      ...{ processId, status: 'completed', output: { value: '' }, outputTruncated: false },
      ...{ error: null, usage: NO_USAGE },
    };
    const { workspace, userId: ownerId } = ada;
    const entriesOf = (rootRunId: string, value: string) => {
      const about = { ownerId, workspace, conversationId, rootRunId };
      const subRunId = here.deps.newId();
      const sub = { ...about, runId: subRunId, runPath: [rootRunId, subRunId] };
      const parent = { runId: rootRunId, stepId: 'a', index: null, attempt: 1 };
      const output = { value };
      return [
        numbered({ ...about, kind: 'step.ended', payload: { ...result, output } }),
        numbered({
          ...sub,
          kind: 'run.started',
          payload: { ...run, parent, processName: `sub ${value}` },
        }),
        numbered({ ...sub, kind: 'step.ended', payload: { ...result, output } }),
        numbered({ ...sub, kind: 'run.ended', payload: ended }),
      ];
    };
    await feed.handle([
      ...entriesOf(background, 'background'),
      ...entriesOf(retried, 'retried'),
      ...entriesOf(own, 'own'),
    ]);
    expect((await told(conversationId)).sort()).toEqual([
      'subagent_start system: sub own',
      'subagent_stop system: ',
      'tool_result tool: sum up messages: own',
      'tool_result tool: sum up messages: own',
    ]);
  });

  it('that is a fork repeats nothing that was remembered', async () => {
    const { id } = await createConversation(deps(), ada, {});
    const turn = await appendTurn(deps(), ada, { conversationId: id, content: 'Once only.' });
    const [spoken] = await readWith(worldGraph(), listAlternatives, ada.userId, [turn.id]);
    const input = { conversationId: id, turnId: turn.id, alternativeId: spoken?.id ?? '' };
    const fork = await forkConversation(deps(), ada, input);
    await appendTurn(deps(), ada, { conversationId: fork.id, content: 'Said in the fork.' });
    await feeds(fork.id, 3);
    expect((await told(fork.id)).filter((line) => line.startsWith('user_message'))).toEqual([
      'user_message user: Said in the fork.',
    ]);
  });
});
