import { afterAll, describe, expect, it } from 'vitest';
import { listMemoryEvents } from '../../src/agent-memory/events/event-list.service.ts';
import { memoryEventProjection } from '../../src/agent-memory/events/memory-event.projection.ts';
import type { Json, JsonObject } from '../../src/common/json.ts';
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
import type { Viewer } from '../../src/users/user.ts';
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
const of = ({ userId: ownerId, workspace }: Viewer) => ({ ownerId, workspace });
const entry = (kind: string, about: Partial<OutboxEntry>, payload: object) =>
  numbered({ ...about, kind, payload: payload as JsonObject });
const RUN = { processId: 'p', processVersion: 1, depth: 1, context: { value: {} } };
const ENDED = {
  ...{ processId: 'p', status: 'completed', output: { value: '' }, outputTruncated: false },
  ...{ error: null, usage: NO_USAGE },
};
const stepEnded = (name: string, value: Json) => ({
  ...{ stepId: 'a', index: null, attempt: 1, name, type: 'rest_call', status: 'completed' },
  ...{ output: { value }, outputTruncated: false, error: null, usage: NO_USAGE, cached: false },
  ...{ childRunId: null, willRetry: false, speaks: false },
  call: { targetId: 't', serviceId: 's', processId: 'p', workerId: null, startedAt: '' },
});

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
    const about = { ...of(ada), conversationId };
    const step = stepEnded('read file', { user: 'ada', password: 'hunter2' });
    const error = { code: 'TOOL_FAILED', message: 'It failed.', stepId: 'a', details: null };
    const below = { ...about, runPath: ['a', 'b'] };
    const parent = { runId: 'x', stepId: 'a', index: null, attempt: 1 };
    // Straight to the projection: as entries of the log, such short facts would be everybody's.
    await feed.handle([
      entry('step.ended', about, step),
      entry('step.ended', about, { ...step, willRetry: true }),
      entry('step.ended', about, { ...step, speaks: true }),
      entry('step.ended', about, { ...step, output: { value: null }, error }),
      entry('run.started', about, { ...RUN, parent: null, processName: 'root' }),
      entry('run.started', below, { ...RUN, parent, processName: 'look it up' }),
      entry('run.ended', below, ENDED),
      entry('step.ended', { ...about, conversationId: null }, step),
    ]);
    await feeds(conversationId, 1);
    expect((await told(conversationId)).sort()).toEqual([
      'session_start system: ',
      'subagent_start system: look it up',
      'subagent_stop system: ',
      'tool_result tool: read file: It failed.',
      'tool_result tool: read file: {"user":"ada","password":[REDACTED]}',
    ]);
    const results = (await events(conversationId)).filter(({ role }) => role === 'tool');
    const metadata = { tool: 'read file', stepId: 'a', status: 'completed' };
    expect(results[0]).toMatchObject({ metadata });
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
    const kept = await events(conversationId);
    const answer = kept.find(({ eventType }) => eventType === 'assistant_message');
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
    const about = { ...of(ada), conversationId };
    const ended = entry('alternative.completed', about, { ...payload, status: 'completed' });
    const added = entry('turn.added', about, { ...payload, copiedFromId: null });
    await feed.handle([added, ended]);
    await feed.handle([ended]);
    const expected = ['assistant_message assistant: Generated.', 'assistant_stop assistant: '];
    expect((await told(conversationId)).sort()).toEqual(expected);
  });

  it('keeps nothing of runs of memory work, nor of their sub-runs and retries', async () => {
    await ensureSystem({ ...here.deps, mcpServers: { clock: [] } } as never);
    const conversationId = await talker(deps(), ada).starts();
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
    const entriesOf = (rootRunId: string, value: string) => {
      const about = { ...of(ada), conversationId, rootRunId };
      const runId = here.deps.newId();
      const sub = { ...about, runId, runPath: [rootRunId, runId] };
      const parent = { runId: rootRunId, stepId: 'a', index: null, attempt: 1 };
      const result = stepEnded('sum up messages', value);
      return [
        entry('step.ended', about, result),
        entry('run.started', sub, { ...RUN, parent, processName: `sub ${value}` }),
        entry('step.ended', sub, result),
        entry('run.ended', sub, ENDED),
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
