import type { z } from 'zod';
import { isJsonObject } from '../common/json.ts';
import {
  type ConversationEntryPayloads,
  ConversationPayloads,
} from '../conversations/conversation-entry.ts';
import {
  type MemoryGraphEntryPayloads,
  MemoryGraphPayloads,
} from '../memory-graph/memory-graph-payloads.ts';
import type { Bus } from '../outbox/bus.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import { encodeCursor, type LogCursor } from '../outbox/entry.ts';
import { parsePayload } from '../outbox/entry-payload.ts';
import { type RunEntryPayloads, runPayload } from '../runs/events/run-payloads.ts';
import { attemptId, stepKey } from '../runs/steps/step-run.ts';
import { type WorkingMemoryEntryPayloads, WorkingMemoryPayloads } from './working-memory-entry.ts';

const KINDS = [
  'turn.added',
  'alternative.added',
  'alternative.activated',
  'alternative.completed',
  'episode.bound',
  'summary.added',
  'introspection.added',
  'memory.forgotten',
] as const satisfies (keyof Payloads)[];
type Payloads = ConversationEntryPayloads & MemoryGraphEntryPayloads & WorkingMemoryEntryPayloads;
type Kind = (typeof KINDS)[number];
const TEXT_KINDS = ['step.text', 'step.progress'] as const satisfies (keyof RunEntryPayloads)[];
const ALL_KINDS = [...KINDS, ...TEXT_KINDS];

const SCHEMAS: { readonly [K in Kind]: z.ZodType<Payloads[K]> } = {
  ...ConversationPayloads,
  ...MemoryGraphPayloads,
  ...WorkingMemoryPayloads,
};
/** Parses the payload of an entry of one kind. */
const readerOf =
  <K extends Kind>(kind: K) =>
  (entry: OutboxEntry, cursor: string): EventOf<K> => ({
    ...parsePayload(SCHEMAS[kind], kind, entry),
    kind,
    cursor,
    at: entry.at,
  });
type EventOf<K extends Kind> = Payloads[K] & {
  readonly kind: K;
  readonly cursor: string;
  readonly at: string;
};

/** A piece of the text of an answer while a model writes it. */
export interface TextAdded {
  readonly kind: 'text.added';
  readonly cursor: string;
  readonly at: string;
  readonly alternativeId: string;
  readonly runId: string;
  /** Id of the attempt that writes the text. */
  readonly textId: string;
  readonly content: string;
  /** Whether the attempt starts again: its earlier pieces are void, and `content` is empty. */
  readonly restarts: boolean;
}

/** One event of a conversation. A subscription with its `cursor` continues after it. */
export type ConversationEvent = { readonly [K in Kind]: EventOf<K> }[Kind] | TextAdded;

/** Finds the alternative that a run writes; null if it writes none. */
export type FindAnswer = (
  runId: string,
) => Promise<{ readonly id: string; readonly outcome: string | null } | null>;

const READERS: Readonly<Record<Kind, (entry: OutboxEntry, cursor: string) => ConversationEvent>> = {
  'turn.added': readerOf('turn.added'),
  'alternative.added': readerOf('alternative.added'),
  'alternative.activated': readerOf('alternative.activated'),
  'alternative.completed': readerOf('alternative.completed'),
  'episode.bound': readerOf('episode.bound'),
  'summary.added': readerOf('summary.added'),
  'introspection.added': readerOf('introspection.added'),
  'memory.forgotten': readerOf('memory.forgotten'),
};

/**
 * The events of a conversation: those of the room conversations, of the memory graph and of working
 * memory, merged in the order of the event log. It stands in working memory because this is the
 * highest of the three rooms: it may import the other two.
 *
 * First the past events after the cursor (null: all), then live ones, each once. It ends with
 * `signal` only. The caller has checked that the viewer may see the conversation.
 * @param findAnswer looked up once per run that writes text; absent: no text is sent. The text of
 * an answer that is complete by then is not sent, because `alternative.completed` follows.
 */
export async function* watchConversation(
  { bus }: { readonly bus: Bus },
  {
    conversationId,
    after,
    findAnswer,
  }: {
    readonly conversationId: string;
    readonly after: LogCursor | null;
    readonly findAnswer?: FindAnswer;
  },
  signal: AbortSignal,
): AsyncGenerator<ConversationEvent, void, void> {
  const filter = { conversationId, kinds: findAnswer === undefined ? KINDS : ALL_KINDS };
  const answers = new Map<string, Promise<string | null>>();
  const answerOf = (runId: string) => {
    const known = answers.get(runId);
    if (known !== undefined) return known;
    const found = Promise.resolve(findAnswer?.(runId) ?? null).then((answer) =>
      answer === null || answer.outcome !== null ? null : answer.id,
    );
    answers.set(runId, found);
    return found;
  };
  for await (const entry of bus.subscribe(filter, after?.seq ?? 0, signal)) {
    const cursor = encodeCursor({ seq: entry.seq, index: 0 });
    const kind = KINDS.find((one) => one === entry.kind);
    if (kind !== undefined) {
      yield READERS[kind](entry, cursor);
      continue;
    }
    const piece = pieceOf(entry);
    const alternativeId = piece === null ? null : await answerOf(piece.runId);
    if (piece === null || alternativeId === null) continue;
    yield { kind: 'text.added', ...piece, alternativeId, cursor, at: entry.at };
  }
}

/** The piece of text in an entry of a run; null if it has none, or is reasoning. */
function pieceOf(
  entry: OutboxEntry,
): Pick<TextAdded, 'runId' | 'textId' | 'content' | 'restarts'> | null {
  const { runId } = entry;
  if (runId === null) return null;
  if (entry.kind === 'step.text') {
    const { text, channel, ...place } = runPayload('step.text', entry);
    if (channel !== 'text') return null;
    return { runId, textId: textIdOf(runId, place), content: text, restarts: false };
  }
  const { content, ...place } = runPayload('step.progress', entry);
  if (!isJsonObject(content) || content['reset'] !== true) return null;
  return { runId, textId: textIdOf(runId, place), content: '', restarts: true };
}

const textIdOf = (
  runId: string,
  {
    stepId,
    index,
    attempt,
  }: { readonly stepId: string; readonly index: number | null; readonly attempt: number },
): string => attemptId(stepKey(runId, stepId, index), attempt);
