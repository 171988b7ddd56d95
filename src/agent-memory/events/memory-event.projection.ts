import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Clock } from '../../common/clock.ts';
import { FOLLOW_UP_MS } from '../../common/limits.ts';
import { redactorOf } from '../../common/redact.ts';
import { firstChars } from '../../common/well-formed.ts';
import {
  type ConversationEntryPayloads,
  ConversationPayloads,
  turnOfStatus,
} from '../../conversations/conversation-entry.ts';
import type { NumberedEntry } from '../../outbox/entry.ts';
import { parsePayload } from '../../outbox/entry-payload.ts';
import type { Projection } from '../../outbox/projector.service.ts';
import { type RunEntryPayloads, RunPayloads } from '../../runs/events/run-payloads.ts';
import { findSystemRuns } from '../../runs/run/run-origin.cypher.ts';
import type { SettingsSource } from '../../settings/settings.projection.ts';
import type { Viewer } from '../../users/user.ts';
import { type IngestDeps, ingestEvents } from './event.mutations.ts';
import type { GivenEvent } from './event.ts';
import { findSpokenTexts, type SpokenText } from './spoken-text.cypher.ts';
import { ulidFrom } from './ulid.ts';

const TEXT_CHARS_MAX = 64 * 1024;

export interface MemoryEventProjectionDeps extends IngestDeps {
  readonly settings: SettingsSource;
}

type DerivedEvent = Pick<GivenEvent, 'eventType' | 'role' | 'text'> & {
  readonly metadata?: Readonly<Record<string, string | null | undefined>>;
  /** Default: the time of its entry. */
  readonly timestamp?: string | undefined;
};
/** Kinds of outbox entries from which the agent memory derives events. */
const SCHEMAS = {
  'conversation.created': ConversationPayloads['conversation.created'],
  'conversation.updated': ConversationPayloads['conversation.updated'],
  'turn.added': ConversationPayloads['turn.added'],
  'alternative.added': ConversationPayloads['alternative.added'],
  'alternative.completed': ConversationPayloads['alternative.completed'],
  'step.ended': RunPayloads['step.ended'],
  'run.started': RunPayloads['run.started'],
  'run.ended': RunPayloads['run.ended'],
} as const;
type Kind = keyof typeof SCHEMAS;
type Payload<K extends Kind> = (ConversationEntryPayloads & RunEntryPayloads)[K];
const PARSED: { readonly [K in Kind]: z.ZodType<Payload<K>> } = SCHEMAS;
const isKind = (kind: string): kind is Kind => Object.hasOwn(SCHEMAS, kind);

type DeriveEvents<K extends Kind> = (
  payload: Payload<K>,
  entry: NumberedEntry,
  spoken: SpokenText | undefined,
) => readonly DerivedEvent[];

const system = (
  eventType: string,
  text: string,
  metadata: DerivedEvent['metadata'] = {},
): DerivedEvent => ({
  eventType,
  role: 'system',
  text,
  metadata,
});

/** How to derive memory events from each kind of entry. */
const DERIVATIONS: { readonly [K in Kind]: DeriveEvents<K> } = {
  // A title was not said, so it is no text of an event.
  'conversation.created': () => [system('session_start', '')],
  'conversation.updated': (payload) =>
    turnOfStatus(payload) === 'archived' ? [system('session_end', '')] : [],
  // A copied turn has its event already, from the conversation that was forked.
  'turn.added': (payload, _entry, spoken) =>
    payload.copiedFromId === null ? messageEvents(payload, spoken) : [],
  'alternative.added': (payload, _entry, spoken) => messageEvents(payload, spoken),
  'alternative.completed': ({ alternativeId }, { runId }, spoken) =>
    answerEvents(spoken?.content ?? '', { alternativeId, runId }),
  'step.ended': (payload, { runId }) => {
    const { call, willRetry, speaks, name, stepId, status } = payload;
    // The output of a speaking step becomes the message; a failed attempt that is retried is no
    // result.
    if (call === null || willRetry || speaks) return [];
    const metadata = { tool: name, stepId, status, runId };
    return [{ eventType: 'tool_result', role: 'tool', text: resultOf(payload), metadata }];
  },
  'run.started': ({ parent, processName }, { runId }) =>
    parent === null ? [] : [system('subagent_start', processName, { runId })],
  'run.ended': ({ status }, { runId, runPath }) =>
    runPath.length < 2 ? [] : [system('subagent_stop', '', { runId, status })],
};

function deriveEvents<K extends Kind>(
  kind: K,
  entry: NumberedEntry,
  spoken: ReadonlyMap<string, SpokenText>,
): readonly DerivedEvent[] {
  const about = alternativeIn(entry);
  const payload = parsePayload(PARSED[kind], kind, entry);
  return DERIVATIONS[kind](payload, entry, about === null ? undefined : spoken.get(about));
}

/** Id of the alternative an entry is about; null for entries of runs. */
function alternativeIn({ payload }: NumberedEntry): string | null {
  const id = payload['alternativeId'];
  return typeof id === 'string' && id !== '' ? id : null;
}

function messageEvents(
  { alternativeId }: { readonly alternativeId: string },
  spoken: SpokenText | undefined,
): readonly DerivedEvent[] {
  if (spoken === undefined || spoken.content.trim() === '') return [];
  // What a Tool returned was said by none of the two who talk.
  if (spoken.turnType === 'tool_result')
    return [
      {
        ...{ eventType: 'tool_result', role: 'tool', text: spoken.content },
        ...{ metadata: { alternativeId }, timestamp: spoken.saidAt ?? undefined },
      },
    ];
  // The text of a run comes with `alternative.completed`. appendTurn writes no such entry.
  const timestamp = spoken.saidAt ?? undefined;
  if (spoken.speaker === 'agent') {
    if (spoken.runId !== null) return [];
    return answerEvents(spoken.content, { alternativeId }).map((one) => ({ ...one, timestamp }));
  }
  const role = spoken.speaker === 'system' ? 'system' : 'user';
  const metadata = { alternativeId };
  return [{ eventType: 'user_message', role, text: spoken.content, metadata, timestamp }];
}

function answerEvents(
  content: string,
  metadata: DerivedEvent['metadata'] = {},
): readonly DerivedEvent[] {
  const stop = { eventType: 'assistant_stop', role: 'assistant', text: '', metadata };
  return content.trim() === ''
    ? [stop]
    : [{ eventType: 'assistant_message', role: 'assistant', text: content, metadata }, stop];
}

function resultOf({ name, output, error }: Payload<'step.ended'>): string {
  const value = 'value' in output ? output.value : null;
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return `${name}: ${error?.message ?? shown}`;
}

/**
 * Derives events of the agent memory from Aiden's conversations: messages, results of Tools, calls
 * of sub-processes, beginning and archiving. Runs of the product itself are left out with their
 * sub-runs at any depth (docs/decisions/0024). The id of an event is derived from its entry, so
 * projecting an entry twice is idempotent.
 */
export function memoryEventProjection(deps: MemoryEventProjectionDeps): Projection {
  return {
    name: 'agent-memory',
    gatherMs: FOLLOW_UP_MS,
    kinds: Object.keys(SCHEMAS),
    startsAt: 'now',
    async handle(entries) {
      const inConversations = entries.filter(({ conversationId }) => conversationId !== null);
      if (inConversations.length === 0) return;
      const ids = inConversations.flatMap((entry) => alternativeIn(entry) ?? []);
      const rootRunIds = inConversations.map(({ rootRunId }) => rootRunId);
      const [spoken, systemRuns] = await deps.graph.read((tx) =>
        Promise.all([findSpokenTexts(tx, [...new Set(ids)]), findSystemRuns(tx, rootRunIds)]),
      );
      const relevant = inConversations.filter(({ rootRunId }) => !systemRuns.has(rootRunId ?? ''));
      const redactor = redactorOf(await deps.settings.current());
      const places = Map.groupBy(relevant, ({ ownerId, workspace }) =>
        JSON.stringify([ownerId, workspace]),
      );
      for (const place of places.values()) {
        const given = place.flatMap((entry) => {
          const told = isKind(entry.kind) ? deriveEvents(entry.kind, entry, spoken) : [];
          return told.map((one, index) => eventOf(entry, one, index, (all) => redactor.text(all)));
        });
        await ingestAll(deps, place, given);
      }
    },
  };
}

function eventOf(
  entry: NumberedEntry,
  { metadata = {}, ...told }: DerivedEvent,
  index: number,
  redact: (text: string) => string,
): GivenEvent {
  const pairs = Object.entries(metadata).flatMap(([name, value]) =>
    value == null || value === '' ? [] : [[name, value] as const],
  );
  // The id keeps the time of the entry, so turns that were said at one time stay in their order.
  const digest = createHash('sha256').update(entry.id).digest();
  return {
    ...told,
    text: firstChars(redact(told.text), TEXT_CHARS_MAX),
    eventId: ulidFrom(Date.parse(entry.at), digest, index),
    sessionId: entry.conversationId ?? '',
    timestamp: told.timestamp ?? entry.at,
    metadata: Object.fromEntries(pairs),
  };
}

async function ingestAll(
  deps: MemoryEventProjectionDeps,
  entries: readonly NumberedEntry[],
  given: readonly GivenEvent[],
): Promise<void> {
  const [first] = entries;
  if (first === undefined) return;
  const { ownerId: userId, workspace } = first;
  const viewer: Viewer = { userId, workspace, name: userId, roles: ['user'] };
  // The clock of the machine that wrote the entry may be ahead: it must not count as the future.
  const latestMs = Math.max(...given.map(({ timestamp }) => Date.parse(timestamp)), 0);
  const clock: Clock = { nowMs: () => Math.max(deps.clock.nowMs(), latestMs) };
  const { problems } = await ingestEvents({ ...deps, clock }, viewer, given);
  // CONFLICT: the event was stored under other redaction settings. It stays as stored.
  const wrong = problems.find(({ code }) => code !== 'CONFLICT');
  if (wrong !== undefined) throw new Error(`The agent memory refused an event: ${wrong.message}`);
}
