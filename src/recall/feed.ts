import { createHash } from 'node:crypto';
import { redactorOf } from '../calls/redact.ts';
import type { Clock } from '../common/clock.ts';
import type { JsonObject } from '../common/json.ts';
import { FOLLOW_UP_MS } from '../common/limits.ts';
import { turnOfStatus } from '../conversations/conversation-entry.ts';
import type { NumberedEntry } from '../outbox/entry.ts';
import type { Projection } from '../outbox/projection.ts';
import type { SettingsSource } from '../settings/source.ts';
import type { Viewer } from '../users/viewer.ts';
import { type IngestDeps, ingestEvents } from './event.mutations.ts';
import type { GivenEvent } from './event-checks.ts';
import { findMemoryWork, findSpokenTexts, type SpokenText } from './feed.cypher.ts';
import { cut } from './summary.ts';
import { ulidFrom } from './ulid.ts';

const TEXT_CHARS_MAX = 64 * 1024;

export interface FeedDeps extends IngestDeps {
  readonly settings: SettingsSource;
}

type Told = Pick<GivenEvent, 'eventType' | 'role' | 'text'> & {
  readonly metadata?: Readonly<Record<string, string | null | undefined>>;
};
type Teller = (entry: NumberedEntry, spoken: SpokenText | undefined) => readonly Told[];

const system = (eventType: string, text: string, metadata: Told['metadata'] = {}): Told => ({
  eventType,
  role: 'system',
  text,
  metadata,
});
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What each fact of a conversation is in the words of the agent memory (decisions.md, One spine). */
const TELLERS: Readonly<Record<string, Teller>> = {
  'conversation.created': ({ payload }) => [system('session_start', text(payload['title']))],
  'conversation.updated': ({ payload }) =>
    turnOfStatus(payload) === 'archived' ? [system('session_end', '')] : [],
  // What a fork copies was remembered when it was said.
  'turn.added': ({ payload }, spoken) =>
    payload['copiedFromId'] === null ? said(payload, spoken) : [],
  'alternative.added': ({ payload }, spoken) => said(payload, spoken),
  'alternative.completed': ({ payload, runId }, spoken) =>
    answered(spoken?.content ?? '', { alternativeId: text(payload['alternativeId']), runId }),
  'step.ended': ({ payload, runId }) => {
    const { call, willRetry, speaks, name, stepId, status } = payload;
    // What an agent says is its message; an attempt that is repeated is no result.
    if (call === null || willRetry === true || speaks === true) return [];
    const metadata = { tool: text(name), stepId: text(stepId), status: text(status), runId };
    return [{ eventType: 'tool_result', role: 'tool', text: resultOf(payload), metadata }];
  },
  'run.started': ({ payload, runId }) =>
    payload['parent'] === null
      ? []
      : [system('subagent_start', text(payload['processName']), { runId })],
  'run.ended': ({ payload, runId, runPath }) =>
    runPath.length < 2
      ? []
      : [system('subagent_stop', '', { runId, status: text(payload['status']) })],
};

function said(payload: JsonObject, spoken: SpokenText | undefined): readonly Told[] {
  if (spoken === undefined || spoken.content.trim() === '') return [];
  const metadata = { alternativeId: text(payload['alternativeId']) };
  // A run's text follows with `alternative.completed`; a text given by appendTurn has no such entry.
  if (spoken.speaker === 'agent')
    return spoken.runId === null ? answered(spoken.content, metadata) : [];
  const role = spoken.speaker === 'system' ? 'system' : 'user';
  return [{ eventType: 'user_message', role, text: spoken.content, metadata }];
}

function answered(content: string, metadata: Told['metadata'] = {}): readonly Told[] {
  const stop = { eventType: 'assistant_stop', role: 'assistant', text: '', metadata };
  return content.trim() === ''
    ? [stop]
    : [{ eventType: 'assistant_message', role: 'assistant', text: content, metadata }, stop];
}

function resultOf({ name, output, error }: JsonObject): string {
  const failed = (error as { message?: string } | null)?.message;
  const { value } = (output ?? {}) as { value?: unknown };
  const shown = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  return `${text(name)}: ${failed ?? shown}`;
}

/**
 * Aiden's own conversations as events of the agent memory: what was said, what Tools answered, which sub-processes were
 * called, when it began and was archived. Runs that do memory work are left out, with all their sub-runs. An event's id
 * follows from the entry it is made of, so nothing comes twice.
 */
export function memoryFeed(deps: FeedDeps): Projection {
  return {
    name: 'agent-memory',
    gatherMs: FOLLOW_UP_MS,
    kinds: Object.keys(TELLERS),
    startsAt: 'now',
    async handle(entries) {
      const inTalks = entries.filter(({ conversationId }) => conversationId !== null);
      if (inTalks.length === 0) return;
      const ids = inTalks.flatMap(({ payload }) => text(payload['alternativeId']) || []);
      const rootRunIds = inTalks.flatMap(({ rootRunId }) => rootRunId ?? []);
      const [spoken, memoryWork] = await deps.graph.read((tx) =>
        Promise.all([
          findSpokenTexts(tx, [...new Set(ids)]),
          findMemoryWork(tx, [...new Set(rootRunIds)]),
        ]),
      );
      const own = inTalks.filter(({ rootRunId }) => !memoryWork.has(rootRunId ?? ''));
      const redactor = redactorOf(await deps.settings.current());
      const places = Map.groupBy(own, ({ ownerId, workspace }) =>
        JSON.stringify([ownerId, workspace]),
      );
      for (const place of places.values()) {
        const given = place.flatMap((entry) => {
          const tell = TELLERS[entry.kind];
          const told = tell?.(entry, spoken.get(text(entry.payload['alternativeId']))) ?? [];
          return told.map((one, index) => eventOf(entry, one, index, (all) => redactor.text(all)));
        });
        await keepAll(deps, place, given);
      }
    },
  };
}

function eventOf(
  entry: NumberedEntry,
  { metadata = {}, ...told }: Told,
  index: number,
  redact: (text: string) => string,
): GivenEvent {
  const pairs = Object.entries(metadata).filter(([, value]) => value != null && value !== '');
  const digest = createHash('sha256').update(entry.id).digest();
  return {
    ...told,
    text: cut(redact(told.text), TEXT_CHARS_MAX),
    eventId: ulidFrom(Date.parse(entry.at), digest, index),
    sessionId: entry.conversationId ?? '',
    timestamp: entry.at,
    metadata: Object.fromEntries(pairs) as JsonObject,
  };
}

async function keepAll(
  deps: FeedDeps,
  entries: readonly NumberedEntry[],
  given: readonly GivenEvent[],
): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  const { ownerId: userId, workspace } = first;
  const viewer: Viewer = { userId, workspace, name: userId, roles: ['user'] };
  // What another machine wrote may be a little ahead of this one's clock, and has happened all the same.
  const latestMs = Math.max(...given.map(({ timestamp }) => Date.parse(timestamp)), 0);
  const clock: Clock = { nowMs: () => Math.max(deps.clock.nowMs(), latestMs) };
  const { problems } = await ingestEvents({ ...deps, clock }, viewer, given);
  // What is known under other rules of redaction stays as it was kept.
  const wrong = problems.find(({ code }) => code !== 'CONFLICT');
  if (wrong !== undefined) throw new Error(`The memory did not take an event: ${wrong.message}`);
}
