import { getCursor } from '../../src/outbox/cursor.service.ts';
import type { RunEvent as RunEventModel } from '../../src/runs/events/run-event.ts';
import {
  type CursoredRunEvent,
  watchRun,
  watchRunEvents,
} from '../../src/runs/events/run-stream.service.ts';
import { getRun } from '../../src/runs/run/get-run.service.ts';
import { builder, enumOf } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { argFields, outputFields } from '../fields.ts';
import { live } from '../live.ts';
import { ProcessRun } from './runs.ts';

type Of<Kind extends RunEventModel['kind']> = Extract<CursoredRunEvent, { readonly kind: Kind }>;

const TYPE_NAMES = {
  user: 'UserEvent',
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

const RelayKind = enumOf('RelayKind', 'Kind of a request to the user.', {
  permission: 'It asks whether a step may be executed.',
});

const CALL_ID =
  'Id of the call, an attempt of a step: its ToolCallEvent, ToolProgressEvents and ' +
  'ToolResultEvent have the same.';

/** An event of a run's stream. The kinds are those of the conversation-graph specification. */
export const RunEvent = builder.interfaceRef<CursoredRunEvent>('RunEvent').implement({
  description:
    "One event of a run's stream. It has an id of its own, but is no Node: `runEvents` sends " +
    'it again after an earlier cursor.',
  fields: (t) => ({
    id: t.exposeID('eventId', { description: 'Id of the event, unique over all events.' }),
    runId: t.exposeID('runId', {
      description:
        'Id of the run of the event; of a UserEvent, id of the alternative with the message.',
    }),
    parentId: t.exposeID('parentId', {
      nullable: true,
      description:
        'On the first event of a sub-run: callId of the ToolCallEvent that it executes. On the ' +
        'first event of a run that answers in a conversation, and on a UserEvent: the node of ' +
        'the message before it, <alternative>:user or <run>:harness_end (S1-EDGE-02).',
    }),
    cursor: t.expose('cursor', {
      type: 'Cursor',
      description: 'Cursor of this event. Subscribe with it as `after` to continue without a gap.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'Time of the event.' }),
  }),
  resolveType: ({ kind }) => TYPE_NAMES[kind],
});

for (const [kind, what] of [
  ['text', 'A piece of streamed answer text.'],
  ['reasoning', "A piece of the model's streamed reasoning."],
] as const)
  builder.objectRef<Of<typeof kind>>(TYPE_NAMES[kind]).implement({
    description: what,
    interfaces: [RunEvent],
    fields: outputFields({
      textId: ['ID', 'Id of the text that the piece belongs to.', 'id'],
      content: ['String', 'The next piece of text. Pieces with the same textId are concatenated.'],
    }),
  });

builder.objectRef<Of<'tool_call'>>(TYPE_NAMES.tool_call).implement({
  description: 'A step calls its Tool or Process. One event per attempt.',
  interfaces: [RunEvent],
  fields: outputFields({
    callId: ['ID', CALL_ID, 'id'],
    name: ['String', 'Name of the Tool or Process.'],
    input: ['JSON?', 'Inputs of the call; `{bytes}` if they are too large for an event.'],
  }),
});

builder.objectRef<Of<'tool_progress'>>(TYPE_NAMES.tool_progress).implement({
  description: 'A call reports its progress.',
  interfaces: [RunEvent],
  fields: outputFields({
    callId: ['ID', CALL_ID, 'toolCallId'],
    name: ['String', 'Id of the step.'],
    content: ['JSON?', 'Progress of the call.'],
  }),
});

builder.objectRef<Of<'tool_result'>>(TYPE_NAMES.tool_result).implement({
  description: 'A call ended. The event has the callId of its ToolCallEvent.',
  interfaces: [RunEvent],
  fields: outputFields({
    callId: ['ID', CALL_ID, 'id'],
    name: ['String', 'Name of the Tool or Process.'],
    output: ['JSON?', 'Output of the call; `{error, code}` if it failed.'],
  }),
});

for (const [kind, what] of [
  ['harness_start', 'A run started.'],
  ['harness_end', 'A run ended.'],
] as const)
  builder.objectRef<Of<typeof kind>>(TYPE_NAMES[kind]).implement({
    description: what,
    interfaces: [RunEvent],
    fields: outputFields({
      processId: ['ID', 'Id of the Process.', 'agentId'],
    }),
  });

builder.objectRef<Of<'error'>>(TYPE_NAMES.error).implement({
  description: 'Error of the run.',
  interfaces: [RunEvent],
  fields: outputFields({
    message: ['String', 'Description of the error and its remedy.'],
  }),
});

builder.objectRef<Of<'usage'>>(TYPE_NAMES.usage).implement({
  description: 'Tokens used by a call of a model.',
  interfaces: [RunEvent],
  fields: outputFields({
    inputTokens: ['Int', 'Number of tokens sent.'],
    outputTokens: ['Int', 'Number of tokens received.'],
  }),
});

builder.objectRef<Of<'relay'>>(TYPE_NAMES.relay).implement({
  description: "A step waits for a user's decision.",
  interfaces: [RunEvent],
  fields: outputFields({
    approvalId: ['ID', 'Id of the Approval.', 'id'],
    relayKind: [RelayKind, 'Kind of request.'],
    callId: ['ID', 'callId that the call of the step will have once it is approved.', 'toolCallId'],
    tool: ['String', 'Name of the Tool or Process to be called.'],
    params: ['JSONObject', 'Inputs of the call.'],
    question: [
      'String?',
      'The question, if the step asks to use your memory for a Process of another user; ' +
        'null: whether it may make its call.',
    ],
  }),
});

builder.objectRef<Of<'user'>>(TYPE_NAMES.user).implement({
  description:
    "The user's message that a run of a conversation answers. It comes first, with the " +
    "message's alternative as its runId.",
  interfaces: [RunEvent],
  fields: outputFields({
    content: [
      'JSON',
      'Its text (above 32 Ki characters its beginning), or the list of its parts: {type, ' +
        'text}, {type, uri, mediaType, alt} or {type, uri, mediaType, name}.',
      ({ content }) => (typeof content === 'string' ? content : [...content]),
    ],
  }),
});

builder.subscriptionFields((t) => ({
  runEvents: t.field({
    type: RunEvent,
    description:
      'Events of a run: its history after the cursor, then live. Each event is sent once. ' +
      'Completes when the run ends.',
    args: argFields(t, {
      runId: ['ID!', 'Id of a run of yours.'],
      after: ['Cursor', 'Only events after this cursor. Default: all.'],
      includeChildren: ['Boolean', 'Whether to include events of the runs below it.', true],
    }),
    subscribe: async (_root, { runId, after, includeChildren }, context) => {
      const from = await getCursor(context, after);
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
      'Sends a run now and at each change of its status or of a step. Completes when the run ends.',
    args: argFields(t, { id: ['ID!', 'Id of a run of yours.'] }),
    subscribe: async (_root, { id }, context) => {
      const run = await getRun(context, viewerOf(context), id);
      return live(context, (signal) => watchRun(context, run, signal));
    },
    resolve: (run) => run,
  }),
}));
