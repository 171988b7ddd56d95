import type { Json, JsonObject } from '../../common/json.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
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
  /** Only on the first event of a sub-run: the ToolCall it answers (S1-EDGE-02). */
  readonly parentId: string | null;
  readonly at: string;
}

/** What a run's stream tells, in the conversation-graph specification's kinds (S1-NODE). */
export type RunEvent = EventBase &
  (
    | { readonly kind: 'text' | 'reasoning'; readonly content: string }
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
      }
  );
type Told = RunEvent extends infer E
  ? E extends RunEvent
    ? Omit<E, 'runId' | 'parentId' | 'at'> & { parentId?: string }
    : never
  : never;

type Projections = {
  readonly [K in RunEntryKind]?: (
    payload: RunEntryPayloads[K],
    runId: string,
    entryId: string,
  ) => readonly Told[];
};

/**
 * An llm step that speaks for its run is Text; every other step is a ToolCall and its ToolResult, one pair per attempt.
 * An approval asked for is a Relay. Kinds that are not here show nowhere in the stream.
 */
const PROJECTIONS: Projections = {
  'run.requested': ({ processId }, runId) => [
    { kind: 'harness_start', id: `${runId}:harness_start`, agentId: processId },
  ],
  // A root run told of its start when it was requested.
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
    speaks ? [] : [{ kind: 'tool_call', id: callId(runId, place), name, input: shown(inputs) }],
  'step.text': ({ text, channel, ...place }, runId) => {
    const id = callId(runId, place);
    return [{ kind: channel, id: channel === 'text' ? id : `${id}/reasoning`, content: text }];
  },
  'step.ended': (payload, runId) => {
    const { name, output, error, usage, type, speaks, cached, ...place } = payload;
    const id = callId(runId, place);
    const result: Told = {
      kind: 'tool_result',
      id,
      name,
      output: error === null ? shown(output) : { error: error.message, code: error.code },
    };
    // An answer from the cache was never spoken, so it is said here.
    const said: readonly Told[] =
      speaks && cached && 'value' in output && typeof output.value === 'string'
        ? [{ kind: 'text', id, content: output.value }]
        : [];
    const spent: readonly Told[] =
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
    // What was decided or refused without an attempt had no ToolCall either.
    return [...(speaks || place.attempt === 0 ? said : [result]), ...spent];
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
  'step.waiting': ({ approvalId, name, inputs, ...place }, runId) => {
    const params = shown(inputs);
    return [
      {
        kind: 'relay',
        id: approvalId,
        relayKind: 'permission',
        tool: name,
        // The call it is about: the step's first attempt, once it is approved.
        toolCallId: callId(runId, { ...place, attempt: 1 }),
        params:
          typeof params === 'object' && params !== null && !Array.isArray(params) ? params : {},
      },
    ];
  },
};

/** The kinds of entries that show in a run's stream. */
export const RUN_EVENT_KINDS: readonly string[] = Object.keys(PROJECTIONS);

function callId(
  runId: string,
  place: { stepId: string; index: number | null; attempt: number },
): string {
  return attemptId(stepKey(runId, place.stepId, place.index), place.attempt);
}

function shown(value: EntryValue): Json {
  return 'value' in value ? value.value : { bytes: value.bytes };
}

/** The events one entry of the log stands for, in order; none for entries of other rooms. Pure. */
export function projectRunEvents(entry: OutboxEntry): RunEvent[] {
  const { kind, runId, at } = entry;
  if (runId === null || !isRunEntryKind(kind)) return [];
  return told(kind, entry, runId).map(({ parentId = null, ...event }) => ({
    ...event,
    parentId,
    runId,
    at,
  }));
}

function told<K extends RunEntryKind>(kind: K, entry: OutboxEntry, runId: string): readonly Told[] {
  const project = PROJECTIONS[kind];
  return project === undefined ? [] : project(runPayload(kind, entry), runId, entry.id);
}
