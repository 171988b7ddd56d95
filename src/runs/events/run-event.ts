import type { Json, JsonObject } from '../../common/json.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { questionOf } from '../memory/memory-question.ts';
import type { MessagePart } from '../run/stored.ts';
import { attemptId, stepKey } from '../steps/step-run.ts';
import {
  type EntryValue,
  isRunEntryKind,
  type RunEntryKind,
  type RunEntryPayloads,
  runPayload,
} from './run-payloads.ts';

interface EventBase {
  readonly id: string;
  readonly runId: string;
  /**
   * Only on the first event of a run (S1-EDGE-02): the ToolCall that a sub-run answers, or the
   * message that a run of a conversation answers. On a message: the message before it.
   */
  readonly parentId: string | null;
  readonly at: string;
}

/**
 * One event of a run's stream, with the kinds of the conversation-graph specification (S1-NODE).
 */
export type RunEvent = EventBase &
  (
    | { readonly kind: 'text' | 'reasoning'; readonly content: string }
    | { readonly kind: 'user'; readonly content: string | readonly MessagePart[] }
    | { readonly kind: 'tool_call'; readonly name: string; readonly input: Json }
    | {
        readonly kind: 'tool_progress';
        readonly toolCallId: string;
        readonly name: string;
        readonly content: Json;
      }
    | { readonly kind: 'tool_result'; readonly name: string; readonly output: Json }
    | { readonly kind: 'harness_start' | 'harness_end'; readonly agentId: string }
    | { readonly kind: 'error'; readonly message: string }
    | { readonly kind: 'usage'; readonly inputTokens: number; readonly outputTokens: number }
    | {
        readonly kind: 'relay';
        readonly relayKind: 'permission';
        readonly toolCallId: string;
        readonly tool: string;
        readonly params: JsonObject;
        /** Set where the step asks for the runner's memory instead of for its call. */
        readonly question?: string;
      }
  );
type EventDraft = RunEvent extends infer E
  ? E extends RunEvent
    ? Omit<E, 'runId' | 'parentId' | 'at'> & { parentId?: string | null; runId?: string }
    : never
  : never;

type Projections = {
  readonly [K in RunEntryKind]?: (
    payload: RunEntryPayloads[K],
    runId: string,
    entryId: string,
  ) => readonly EventDraft[];
};

/**
 * The events of each kind of entry. An LLM step that streams the run's answer gives `text`; every
 * other step gives `tool_call` and `tool_result`, one pair per attempt. A requested approval gives
 * `relay`. A run that answers a user's message begins with that message, as `user`. Other entries
 * give no event.
 */
const PROJECTIONS: Projections = {
  'run.requested': ({ processId, answers }, runId) => [
    ...messageOf(answers ?? null),
    {
      kind: 'harness_start',
      id: `${runId}:harness_start`,
      agentId: processId,
      parentId: answers?.nodeId ?? null,
    },
  ],
  // A root run has its harness_start from `run.requested`.
  'run.started': ({ processId, parent }, runId) =>
    parent === null
      ? []
      : [
          {
            kind: 'harness_start',
            id: `${runId}:harness_start`,
            agentId: processId,
            parentId: attemptId(stepKey(parent.runId, parent.stepId, parent.index), parent.attempt),
          },
        ],
  'run.ended': ({ processId, error }, runId) => [
    ...(error === null
      ? []
      : [{ kind: 'error' as const, id: `${runId}:error`, message: error.message }]),
    { kind: 'harness_end', id: `${runId}:harness_end`, agentId: processId },
  ],
  'step.started': ({ name, inputs, speaks, ...place }, runId) =>
    speaks ? [] : [{ kind: 'tool_call', id: callId(runId, place), name, input: toJson(inputs) }],
  'step.text': ({ text, channel, ...place }, runId) => {
    const id = callId(runId, place);
    return [{ kind: channel, id: channel === 'text' ? id : `${id}/reasoning`, content: text }];
  },
  'step.ended': (payload, runId) => {
    const { name, output, error, usage, type, speaks, cached, ...place } = payload;
    const id = callId(runId, place);
    const result: EventDraft = {
      kind: 'tool_result',
      id,
      name,
      output: error === null ? toJson(output) : { error: error.message, code: error.code },
    };
    // A cached answer was not streamed, so its text is added here.
    const cachedText: readonly EventDraft[] =
      speaks && cached && 'value' in output && typeof output.value === 'string'
        ? [{ kind: 'text', id, content: output.value }]
        : [];
    const usageEvents: readonly EventDraft[] =
      type === 'llm_call' && usage.llmCalls > 0
        ? [
            {
              kind: 'usage',
              id: `${id}:usage`,
              inputTokens: usage.inputTokens,
              outputTokens: usage.outputTokens,
            },
          ]
        : [];
    // Attempt 0 is a decision or a refusal: it had no `tool_call`.
    return [...(speaks || place.attempt === 0 ? cachedText : [result]), ...usageEvents];
  },
  'step.progress': ({ content, ...place }, runId, entryId) => [
    {
      kind: 'tool_progress',
      id: entryId,
      toolCallId: callId(runId, place),
      name: place.stepId,
      content,
    },
  ],
  'step.waiting': ({ approvalId, name, inputs, memory, ...place }, runId) => {
    const params = toJson(inputs);
    return [
      {
        kind: 'relay',
        id: approvalId,
        relayKind: 'permission',
        tool: name,
        // The id of the step's first attempt, which starts after the approval.
        toolCallId: callId(runId, { ...place, attempt: 1 }),
        params:
          typeof params === 'object' && params !== null && !Array.isArray(params) ? params : {},
        ...(memory == null ? {} : { question: questionOf(memory) }),
      },
    ];
  },
};

/** Kinds of entries that give events. */
export const RUN_EVENT_KINDS: readonly string[] = Object.keys(PROJECTIONS);

/** The user's message that a run answers. Its run is the message itself (S1-ID-03, S1-EDGE-04). */
function messageOf(answers: RunEntryPayloads['run.requested']['answers'] | null): EventDraft[] {
  const said = answers?.said ?? null;
  if (answers == null || said === null) return [];
  const { alternativeId: runId, content, parentId } = said;
  return [{ kind: 'user', id: answers.nodeId, runId, content, parentId }];
}

const callId = (
  runId: string,
  place: { stepId: string; index: number | null; attempt: number },
): string => attemptId(stepKey(runId, place.stepId, place.index), place.attempt);

const toJson = (value: EntryValue): Json =>
  'value' in value ? value.value : { bytes: value.bytes };

/** The events of one outbox entry, in order; none where the entry belongs to no run. */
export function projectRunEvents(entry: OutboxEntry): RunEvent[] {
  const { kind, runId, at } = entry;
  if (runId === null || !isRunEntryKind(kind)) return [];
  return draftEvents(kind, entry, runId).map(({ parentId = null, ...event }) => ({
    runId,
    ...event,
    parentId,
    at,
  }));
}

function draftEvents<K extends RunEntryKind>(
  kind: K,
  entry: OutboxEntry,
  runId: string,
): readonly EventDraft[] {
  const project = PROJECTIONS[kind];
  return project === undefined ? [] : project(runPayload(kind, entry), runId, entry.id);
}
