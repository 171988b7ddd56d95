import { decodeCursor } from '../../src/outbox/entry.ts';
import type { RunEvent as RunEventModel } from '../../src/runs/events/run-event.ts';
import {
  type CursoredRunEvent,
  watchRun,
  watchRunEvents,
} from '../../src/runs/events/run-stream.service.ts';
import { getRun } from '../../src/runs/run/run.mutations.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { live } from '../live.ts';
import { ProcessRun } from './runs.ts';

type Of<Kind extends RunEventModel['kind']> = Extract<CursoredRunEvent, { readonly kind: Kind }>;

const TYPE_NAMES = {
  text: 'TextEvent',
  reasoning: 'ReasoningEvent',
  tool_call: 'ToolCallEvent',
  tool_progress: 'ToolProgressEvent',
  tool_result: 'ToolResultEvent',
  harness_start: 'HarnessStartEvent',
  harness_end: 'HarnessEndEvent',
  error: 'ErrorEvent',
  usage: 'UsageEvent',
  relay: 'RelayEvent',
} as const satisfies Record<RunEventModel['kind'], string>;

/** The stream of a run, in the kinds of the conversation-graph specification. */
export const RunEvent = builder.interfaceRef<CursoredRunEvent>('RunEvent').implement({
  description:
    "One event of a run's stream. Events of one id continue each other, as streamed text does.",
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Names the text, the call, … that it is of.' }),
    runId: t.exposeID('runId', { description: 'The run it happened in.' }),
    parentId: t.exposeID('parentId', {
      nullable: true,
      description: 'On the first event of a sub-run: the ToolCall it answers.',
    }),
    cursor: t.expose('cursor', {
      type: 'Cursor',
      description: 'Cursor of this event. Subscribe with it as `after` to continue without a gap.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When it happened.' }),
  }),
  resolveType: ({ kind }) => TYPE_NAMES[kind],
});

for (const [kind, what] of [
  ['text', 'Text of its answer, as it streams.'],
  ['reasoning', 'What the model thought on the way, as it streams.'],
] as const) {
  builder.objectRef<Of<typeof kind>>(TYPE_NAMES[kind]).implement({
    description: what,
    interfaces: [RunEvent],
    fields: (t) => ({
      content: t.exposeString('content', { description: 'The next piece; pieces of one id join.' }),
    }),
  });
}

builder.objectRef<Of<'tool_call'>>(TYPE_NAMES.tool_call).implement({
  description: 'A step calls its Tool or Process; one per attempt.',
  interfaces: [RunEvent],
  fields: (t) => ({
    name: t.exposeString('name', { description: "The Tool's or Process's name." }),
    input: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What it is called with; `{bytes}` where that is too large for an event.',
      resolve: ({ input }) => input,
    }),
  }),
});

builder.objectRef<Of<'tool_progress'>>(TYPE_NAMES.tool_progress).implement({
  description: 'How far a call is.',
  interfaces: [RunEvent],
  fields: (t) => ({
    toolCallId: t.exposeID('toolCallId', { description: 'The ToolCall.' }),
    name: t.exposeString('name', { description: 'The step.' }),
    content: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The content.',
      resolve: ({ content }) => content,
    }),
  }),
});

builder.objectRef<Of<'tool_result'>>(TYPE_NAMES.tool_result).implement({
  description: 'A call has ended; its id is that of its ToolCall.',
  interfaces: [RunEvent],
  fields: (t) => ({
    name: t.exposeString('name', { description: "The Tool's or Process's name." }),
    output: t.field({
      type: 'JSON',
      nullable: true,
      description: 'What came of it; `{error, code}` where it failed.',
      resolve: ({ output }) => output,
    }),
  }),
});

for (const [kind, what] of [
  ['harness_start', 'A run starts.'],
  ['harness_end', 'A run is over.'],
] as const) {
  builder.objectRef<Of<typeof kind>>(TYPE_NAMES[kind]).implement({
    description: what,
    interfaces: [RunEvent],
    fields: (t) => ({
      agentId: t.exposeID('agentId', { description: 'The Process it executes.' }),
    }),
  });
}

builder.objectRef<Of<'error'>>(TYPE_NAMES.error).implement({
  description: 'Why a run ended badly.',
  interfaces: [RunEvent],
  fields: (t) => ({
    message: t.exposeString('message', { description: 'What happened and what to do.' }),
  }),
});

builder.objectRef<Of<'usage'>>(TYPE_NAMES.usage).implement({
  description: 'What a call of a model has cost.',
  interfaces: [RunEvent],
  fields: (t) => ({
    inputTokens: t.exposeInt('inputTokens', { description: 'Tokens sent.' }),
    outputTokens: t.exposeInt('outputTokens', { description: 'Tokens received.' }),
  }),
});

builder.objectRef<Of<'relay'>>(TYPE_NAMES.relay).implement({
  description: 'A step waits for a person; its id is that of the Approval.',
  interfaces: [RunEvent],
  fields: (t) => ({
    relayKind: t.exposeString('relayKind', { description: 'What is asked: permission.' }),
    toolCallId: t.exposeID('toolCallId', { description: 'The ToolCall it is about.' }),
    tool: t.exposeString('tool', { description: 'What would be called.' }),
    params: t.field({
      type: 'JSONObject',
      description: 'What it would be called with.',
      resolve: ({ params }) => params,
    }),
  }),
});

builder.objectRef<CursoredRunEvent & { readonly content: object }>('UserEvent').implement({
  description: 'What a person said; in runs of a conversation.',
  interfaces: [RunEvent],
  fields: (t) => ({
    content: t.field({
      type: 'JSON',
      description: 'Text, or parts of several kinds.',
      resolve: ({ content }) => content,
    }),
  }),
});

builder.subscriptionFields((t) => ({
  runEvents: t.field({
    type: RunEvent,
    description:
      'The stream of a run: its history after the cursor, then live, each event once; completes when the run is over.',
    args: {
      runId: t.arg.id({ required: true, description: 'A run of yours.' }),
      after: t.arg({ type: 'Cursor', description: 'Only events after this cursor. Default: all.' }),
      includeChildren: t.arg.boolean({
        defaultValue: true,
        description: 'Whether the events of the runs below it belong to it.',
      }),
    },
    subscribe: async (_root, { runId, after, includeChildren }, context) => {
      const from = after === null || after === undefined ? null : decodeCursor(after);
      const run = await getRun(context, viewerOf(context), runId, ['runId']);
      const scope = includeChildren === false ? 'the run' : 'with sub-runs';
      return live(context, (signal) =>
        watchRunEvents(context, { run, after: from, scope }, signal),
      );
    },
    resolve: (event) => event,
  }),
  processRun: t.field({
    type: ProcessRun,
    description:
      'A run as it is, and again at each change of its status or of a step; completes when the run is over.',
    args: { id: t.arg.id({ required: true, description: 'A run of yours.' }) },
    subscribe: async (_root, { id }, context) => {
      const run = await getRun(context, viewerOf(context), id);
      return live(context, (signal) => watchRun(context, run, signal));
    },
    resolve: (id) => id,
  }),
}));
