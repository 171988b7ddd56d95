import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAlternatives } from '../../src/conversations/alternative.cypher.ts';
import {
  createConversation,
  updateConversation,
} from '../../src/conversations/conversation.mutations.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { appendTurn } from '../../src/conversations/turn.mutations.ts';
import type { NumberedEntry, OutboxEntry } from '../../src/outbox/entry.ts';
import { openBus } from '../../src/outbox/local-bus.ts';
import { listEntries } from '../../src/outbox/log.cypher.ts';
import type { Projection } from '../../src/outbox/projection.ts';
import { openRelay, type Relay } from '../../src/outbox/relay.ts';
import { listMemoryEvents } from '../../src/recall/event-list.ts';
import { memoryFeed } from '../../src/recall/feed.ts';
import { NO_USAGE } from '../../src/runs/fault.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import { fixedSettings } from '../../src/settings/source.ts';
import type { Viewer } from '../../src/users/viewer.ts';
import { runDeps } from '../testkit/conversations.ts';
import { eventually, quiet, someEntry } from '../testkit/outbox.ts';
import { type World, world, worldGraph } from '../testkit/world.ts';

// decisions.md, One spine: turns become events of the agent memory, with the conversation's id as their session.

let here: World;
let ada: Viewer;
let relay: Relay;
let feed: Projection;
const mode = { mode: 'separate', agentId: null } as const;
beforeAll(async () => {
  here = await world();
  ada = here.ada.viewer;
  const { clock, newId } = here.deps;
  const graph = worldGraph();
  feed = memoryFeed({
    ...here.deps,
    memoryMode: mode,
    random: Math.random,
    settings: fixedSettings(SETTINGS_DEFAULT),
  });
  const bus = openBus({ graph });
  relay = openRelay({ graph, clock, newId, bus, log: quiet }, { projections: [], chores: [] });
  afterAll(async () => {
    await relay.close();
    bus.close();
  });
});
const deps = () => ({ ...runDeps(here), wake: () => relay.wake() });
const events = async (sessionId: string) => {
  const { items } = await listMemoryEvents({ graph: worldGraph(), memoryMode: mode }, ada, {
    from: '2020-01-01T00:00:00Z',
    to: '2100-01-01T00:00:00Z',
    sessionId,
  });
  return items.map(({ item }) => item);
};
/** Gives the feed what the log has of a conversation, once it has so much. */
async function feeds(conversationId: string, count: number): Promise<void> {
  let entries: readonly NumberedEntry[] = [];
  const isThere = async () => {
    const from = { afterSeq: 0, limit: 100 };
    entries = await worldGraph().read((tx) => listEntries(tx, { conversationId }, from));
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
      'session_start system: Trip',
      'user_message user: Where to?',
      'session_end system: ',
    ];
    expect((await told(id)).sort()).toEqual(expected.sort());
    await feeds(id, 4);
    expect(await told(id)).toHaveLength(3);
  });

  it('keeps what Tools answered and sub-processes began and ended, without secrets and without what will be tried again', async () => {
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

  it('that is a fork repeats nothing that was remembered', async () => {
    const { id } = await createConversation(deps(), ada, {});
    const turn = await appendTurn(deps(), ada, { conversationId: id, content: 'Once only.' });
    const [spoken] = await worldGraph().read((tx) => listAlternatives(tx, ada.userId, [turn.id]));
    const fork = await forkConversation(deps(), ada, {
      conversationId: id,
      turnId: turn.id,
      alternativeId: spoken?.id ?? '',
    });
    await appendTurn(deps(), ada, { conversationId: fork.id, content: 'Said in the fork.' });
    await feeds(fork.id, 3);
    expect((await told(fork.id)).filter((line) => line.startsWith('user_message'))).toEqual([
      'user_message user: Said in the fork.',
    ]);
  });
});
