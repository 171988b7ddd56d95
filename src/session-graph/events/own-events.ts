import type { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { textOfParts } from '../../common/parts-text.ts';
import { firstChars } from '../../common/well-formed.ts';
import {
  type ConversationEntryPayloads,
  ConversationPayloads,
  turnOfStatus,
} from '../../conversations/conversation-entry.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { parsePayload } from '../../outbox/entry-payload.ts';
import {
  type CalledModel,
  type EntryValue,
  type RunEntryPayloads,
  RunPayloads,
  runPayload,
} from '../../runs/events/run-payloads.ts';
import { attemptId, stepKey } from '../../runs/steps/step-run.ts';
import type { RawEvent } from './raw-event.ts';

/** Payloads of the outbox entries that become events of the session graph (docs/decisions/0015). */
export interface OwnPayloads
  extends Omit<RunEntryPayloads, 'step.text' | 'step.progress'>,
    Pick<ConversationEntryPayloads, 'conversation.created' | 'conversation.updated'> {}
export type OwnKind = keyof OwnPayloads;

/** The run of an entry, with its session. */
export interface OwnRun {
  readonly runId: string;
  /** A conversation, a root run, or `{run}_{agent}` for a sub-process run. */
  readonly sessionId: string;
  readonly parentSessionId: string | null;
  readonly conversationId: string | null;
  readonly agent: string;
}

type OwnEvent = readonly [name: string, data: JsonObject, disambiguator?: string | null];
type DeriveEvents<K extends OwnKind> = (
  payload: OwnPayloads[K],
  run: OwnRun,
) => readonly OwnEvent[];

interface Place {
  readonly stepId: string;
  readonly index: number | null;
  readonly attempt: number;
}
const callIdOf = ({ runId }: { runId: string }, { stepId, index, attempt }: Place) =>
  attemptId(stepKey(runId, stepId, index), attempt);

// A value too large for an entry is replaced by its size; the StepRun or the run has the value.
const shown = (value: EntryValue): Json =>
  'value' in value ? value.value : { $bytes: value.bytes };

/** Disambiguator: several runs of a conversation may write events in one millisecond. */
const ofRun = (run: OwnRun) => (run.conversationId === run.sessionId ? run.runId : null);

const UPDATED = {
  archived: 'session:end',
  'taken up again': 'session:resume',
  'as it was': 'conversation:updated',
} as const;

const RUN_STARTS: DeriveEvents<'run.requested'> = (
  { processId, processName, processVersion, steps },
  run,
) => {
  const about = { run_id: run.runId, process_id: processId, process_version: processVersion };
  const isOwnSession = run.sessionId !== run.conversationId;
  return [
    ...(isOwnSession ? [['session:start', { ...about, agent: processName }] as const] : []),
    ['execution:start', about, ofRun(run)],
    ['recipe:start', { ...about, ...recipe(processName, steps) }, ofRun(run)],
  ];
};

/** How to derive events from each kind of entry. Streamed text and progress become no events. */
const DERIVATIONS: { readonly [K in OwnKind]: DeriveEvents<K> } = {
  'conversation.created': ({ title, forkedFromId }) => [
    ['session:start', { title, forked_from: forkedFromId, agent: 'conversation' }],
  ],
  'conversation.updated': ({ title, status, wasStatus }) => [
    [UPDATED[turnOfStatus({ status, wasStatus })], { title, status }],
  ],
  'run.requested': RUN_STARTS,
  'run.started': ({ processId, processName, processVersion, steps, context, parent }, run) => {
    const prompt = promptOf(shown(context));
    const asked: OwnEvent = ['prompt:submit', { run_id: run.runId, prompt }, ofRun(run)];
    if (parent === null) return [asked];
    const tool_call_id = callIdOf(parent, parent);
    const about = { run_id: run.runId, process_id: processId, process_version: processVersion };
    return [
      [
        'session:fork',
        {
          ...about,
          parent: run.parentSessionId,
          parent_id: run.parentSessionId,
          metadata: {
            agent_name: run.agent,
            tool_call_id,
            recipe_name: processName,
            recipe_step: parent.stepId,
            recipe_step_index: parent.index,
            parallel_group_id: parent.parallelGroupId ?? null,
          },
        },
      ],
      ['execution:start', about],
      ['recipe:start', { ...about, ...recipe(processName, steps) }],
      asked,
    ];
  },
  'run.waiting': ({ status, error }, run) => [
    ['execution:waiting', { run_id: run.runId, status, error: error?.message ?? null }, ofRun(run)],
  ],
  'run.ended': ({ status, output, error, usage }, run) => {
    const about = { run_id: run.runId, status };
    const failure: JsonObject =
      error === null ? {} : { error: { code: error.code, message: error.message } };
    const isOwnSession = run.sessionId !== run.conversationId;
    return [
      ['recipe:complete', { ...about, recipe_name: run.agent }, ofRun(run)],
      ['prompt:complete', { ...about, response_preview: previewOf(shown(output)) }, ofRun(run)],
      ['execution:end', { ...about, ...failure, output: shown(output) }, ofRun(run)],
      ['orchestrator:complete', { ...about, usage: { ...usage } }, ofRun(run)],
      ...(isOwnSession ? [['session:end', about] as const] : []),
    ];
  },
  'step.started': ({ name, type, inputs, model, parallelGroupId, ...place }, run) => {
    const tool_call_id = callIdOf(run, place);
    const about = { run_id: run.runId, step_id: place.stepId, tool_call_id };
    const step: OwnEvent = [
      // Each item of a forEach is an iteration of one step.
      place.index === null ? 'recipe:step' : 'recipe:loop_iteration',
      { ...about, current_step: place.stepId, description: name, status: 'running' },
      tool_call_id,
    ];
    const beside = { parallel_group_id: parallelGroupId ?? null };
    if (type === 'llm_call')
      return [
        step,
        ['llm:request', { ...about, ...calledModel(model), inputs: shown(inputs) }, tool_call_id],
      ];
    const pre: OwnEvent = [
      'tool:pre',
      { ...about, ...beside, tool_name: name, tool_input: shown(inputs) },
    ];
    const delegated: readonly OwnEvent[] =
      type === 'process'
        ? [['delegate:start', { ...about, ...beside, agent: agentName(name) }, tool_call_id]]
        : [];
    return [step, pre, ...delegated];
  },
  'step.ended': (payload, run) => {
    const { name, type, status, output, error, usage, willRetry, childRunId, model, ...place } =
      payload;
    // Attempt 0: the step was decided or refused without a call.
    if (place.attempt === 0) return [];
    const tool_call_id = callIdOf(run, place);
    const about = { run_id: run.runId, step_id: place.stepId, tool_call_id, status };
    const outcome: JsonObject =
      error === null
        ? { result: shown(output) }
        : { error: { code: error.code, message: error.message }, will_retry: willRetry };
    if (type === 'llm_call') {
      const derived = { ...about, ...calledModel(model), usage: { ...usage }, ...outcome };
      return [['llm:response', derived, tool_call_id]];
    }
    const after = error === null ? 'tool:post' : 'tool:error';
    const ended: OwnEvent = [after, { ...about, tool_name: name, ...outcome }];
    if (type !== 'process') return [ended];
    return [
      ended,
      ['delegate:complete', { ...about, agent: agentName(name), run: childRunId }, tool_call_id],
    ];
  },
  'step.skipped': ({ reason, ...place }, run) => [
    ['step:skipped', { run_id: run.runId, step_id: place.stepId, reason }, callIdOf(run, place)],
  ],
  'step.waiting': ({ approvalId, name, inputs, ...place }, run) => [
    [
      'approval:requested',
      {
        run_id: run.runId,
        step_id: place.stepId,
        approval_id: approvalId,
        tool_name: name,
        tool_input: shown(inputs),
      },
      approvalId,
    ],
  ],
  'step.decided': ({ approvalId, decision, decidedBy, note, ...place }, run) => [
    [
      'approval:decided',
      {
        run_id: run.runId,
        step_id: place.stepId,
        approval_id: approvalId,
        decision,
        decided_by: decidedBy,
        note,
      },
      approvalId,
    ],
  ],
};
const isOwnKind = (kind: string): kind is OwnKind => Object.hasOwn(DERIVATIONS, kind);
export const OWN_KINDS = Object.keys(DERIVATIONS).filter(isOwnKind);

const SCHEMAS: { readonly [K in OwnKind]: z.ZodType<OwnPayloads[K]> } = {
  ...RunPayloads,
  ...ConversationPayloads,
};

const deriveEvents = <K extends OwnKind>(
  kind: K,
  entry: OutboxEntry,
  run: OwnRun,
): readonly OwnEvent[] => DERIVATIONS[kind](parsePayload(SCHEMAS[kind], kind, entry), run);

/** Derives the event in the parent's session; `DERIVATIONS` makes those in the child's session. */
function spawnEvents(payload: OwnPayloads['run.started'], run: OwnRun): readonly OwnEvent[] {
  const { parent } = payload;
  if (parent === null || run.parentSessionId === null) return [];
  const tool_call_id = callIdOf(parent, parent);
  const data = {
    agent: run.agent,
    sub_session_id: run.sessionId,
    parent_session_id: run.parentSessionId,
    tool_call_id,
    parallel_group_id: parent.parallelGroupId ?? null,
  };
  return [['delegate:agent_spawned', data, tool_call_id]];
}

/**
 * Derives the events of one outbox entry, deterministically. `run` is null for entries of
 * conversations. The events are not redacted yet.
 */
export function ownEvents(entry: OutboxEntry, run: OwnRun | null): RawEvent[] {
  const { kind } = entry;
  if (!isOwnKind(kind)) return [];
  const at = run ?? conversationOf(entry);
  if (at === null) return [];
  const event = (sessionId: string, [name, data, disambiguator = null]: OwnEvent): RawEvent => ({
    name,
    sessionId,
    atMs: Date.parse(entry.at),
    data,
    disambiguator,
  });
  const above = kind === 'run.started' ? spawnEvents(runPayload(kind, entry), at) : [];
  return [
    ...deriveEvents(kind, entry, at).map((derived) => event(at.sessionId, derived)),
    ...above.map((derived) => event(at.parentSessionId ?? '', derived)),
  ];
}

function conversationOf({ conversationId, runId }: OutboxEntry): OwnRun | null {
  if (conversationId === null || runId !== null) return null;
  return { runId: '', sessionId: conversationId, parentSessionId: null, conversationId, agent: '' };
}

/** S0-ID-02: a forked session is named after its run and the agent, which here is the Process. */
export function ownSessionId(run: {
  readonly runId: string;
  readonly runPath: readonly string[];
  readonly conversationId: string | null;
  readonly processName: string;
}): string {
  if (run.runPath.length <= 1) return run.conversationId ?? run.runId;
  return `${run.runId}_${agentName(run.processName)}`;
}

/** Replaces the characters that a session id must not have. */
export function agentName(processName: string): string {
  return firstChars(processName.replace(/[^A-Za-z0-9_:.-]+/g, '-'), 100) || 'process';
}

/** Nothing where an entry of an older version does not name the model. */
const calledModel = (model: CalledModel | null | undefined): JsonObject =>
  model == null ? {} : { model: model.name, provider: model.provider };

function recipe(processName: string, steps: number | undefined): JsonObject {
  return { recipe_name: processName, status: 'running', total_steps: steps ?? null };
}

/** What the user says in the context of a run: its `message`, or the last one of its `messages`. */
function promptOf(context: Json): Json {
  if (!isJsonObject(context)) return context;
  const { message, messages } = context;
  if (typeof message === 'string') return message;
  const said = Array.isArray(messages)
    ? messages.findLast((one) => isJsonObject(one) && one['role'] === 'user')
    : null;
  const content = isJsonObject(said) ? said['content'] : null;
  if (typeof content === 'string') return content;
  return (Array.isArray(content) && textOfParts(content)) || context;
}

const previewOf = (output: Json): string =>
  firstChars(typeof output === 'string' ? output : JSON.stringify(output), 500);
