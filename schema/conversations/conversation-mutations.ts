import type { Problem } from '../../src/common/refusal.ts';
import { activateAlternative } from '../../src/conversations/alternative.mutations.ts';
import {
  createConversation,
  updateConversation,
} from '../../src/conversations/conversation.mutations.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import {
  addAlternative,
  appendTurn,
  generateTurn,
  sendMessage,
} from '../../src/conversations/turn.mutations.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { made } from '../nodes.ts';
import { payload, payloadOf, payloadType, userErrorsField } from '../payload.ts';
import { ProcessRun } from '../runs/runs.ts';
import {
  Alternative,
  Conversation,
  ConversationStatus,
  ConversationTurn,
  Speaker,
  TurnType,
} from './conversations.ts';

export const ConversationPayload = payloadType('ConversationPayload', 'conversation', Conversation);
const TurnPayload = payloadType('TurnPayload', 'turn', ConversationTurn);
const AlternativePayload = payloadType('AlternativePayload', 'alternative', Alternative);

const NOTHING_SENT: { userTurn: string | null; agentTurn: string | null; run: string | null } = {
  userTurn: null,
  agentTurn: null,
  run: null,
};
const SendMessagePayload = builder
  .objectRef<typeof NOTHING_SENT & { readonly userErrors: readonly Problem[] }>(
    'SendMessagePayload',
  )
  .implement({
    description:
      'What came of a message: both turns and the run that answers, or what to put right.',
    fields: (t) => ({
      userTurn: t.field({
        type: ConversationTurn,
        nullable: true,
        description: 'What was said; null when anything was wrong.',
        resolve: ({ userTurn }, _args, _context, info) => made(ConversationTurn, userTurn, info),
      }),
      agentTurn: t.field({
        type: ConversationTurn,
        nullable: true,
        description: 'The turn of the answer; null when anything was wrong.',
        resolve: ({ agentTurn }, _args, _context, info) => made(ConversationTurn, agentTurn, info),
      }),
      run: t.field({
        type: ProcessRun,
        nullable: true,
        description: 'The run that writes the answer; null when anything was wrong.',
        resolve: ({ run }, _args, _context, info) => made(ProcessRun, run, info),
      }),
      userErrors: userErrorsField(t as never),
    }),
  });

const KEY = 'Does it at most once under this key; the same input again gives what it made.';
const PARENT =
  'What it follows; absent: the active alternative of the last turn on screen, and no turn yet: it is the root.';
const ACTIVATE = 'Makes a parent that is not active the active one; without it that is STATE.';
const CONTEXT =
  'Values for the variables of the Process. What it asks for of message, messages, workingMemory and conversationId is supplied; what stands here wins.';

const CreateConversationInput = builder.inputType('CreateConversationInput', {
  description: 'A new conversation.',
  fields: (t) => ({
    title: t.string({ description: 'How it is called.' }),
    defaultProcessId: t.id({ description: 'What answers in it, where nothing else is said.' }),
  }),
});
const UpdateConversationInput = builder.inputType('UpdateConversationInput', {
  description: 'What to change of a conversation; what is left out stays.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Which one.' }),
    title: t.string({ description: 'How it is called; null takes it away.' }),
    defaultProcessId: t.id({ description: 'What answers in it; null takes it away.' }),
    status: t.field({ type: ConversationStatus, description: 'Archives it, or takes it back.' }),
  }),
});
const AppendTurnInput = builder.inputType('AppendTurnInput', {
  description: 'Something said that nobody is asked to answer.',
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'Where.' }),
    speaker: t.field({
      type: Speaker,
      required: true,
      defaultValue: 'user',
      description: 'Who says it.',
    }),
    turnType: t.field({
      type: TurnType,
      required: true,
      defaultValue: 'message',
      description: 'What kind of turn it is.',
    }),
    content: t.string({ required: true, description: 'What; up to 256 KiB.' }),
    parentAlternativeId: t.id({ description: PARENT }),
    activateParent: t.boolean({ defaultValue: false, description: ACTIVATE }),
    idempotencyKey: t.string({ description: KEY }),
  }),
});
const SendMessageInput = builder.inputType('SendMessageInput', {
  description: 'A message to be answered.',
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'Where.' }),
    content: t.string({ required: true, description: 'What; up to 256 KiB.' }),
    processId: t.id({ description: 'What answers; absent: the default Process.' }),
    parentAlternativeId: t.id({ description: PARENT }),
    activateParent: t.boolean({ defaultValue: false, description: ACTIVATE }),
    context: t.field({ type: 'JSONObject', description: CONTEXT }),
    idempotencyKey: t.string({ description: KEY }),
  }),
});
const GenerateTurnInput = builder.inputType('GenerateTurnInput', {
  description: 'An answer to what stands there already.',
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'Where.' }),
    parentAlternativeId: t.id({ required: true, description: 'What is answered.' }),
    activateParent: t.boolean({ defaultValue: false, description: ACTIVATE }),
    processId: t.id({ required: true, description: 'What answers.' }),
    context: t.field({ type: 'JSONObject', description: CONTEXT }),
    idempotencyKey: t.string({ description: KEY }),
  }),
});
const AddAlternativeInput = builder.inputType('AddAlternativeInput', {
  description: 'Another version of a turn.',
  fields: (t) => ({
    turnId: t.id({ required: true, description: 'Of which turn.' }),
    content: t.string({ description: "What is said instead; for users' and system turns only." }),
    processId: t.id({
      description:
        "What answers; for agents' turns only. Absent: what wrote the active version, else the default Process.",
    }),
    respondsToId: t.id({
      description: 'Which alternative of the parent turn it answers; absent: the active one.',
    }),
    context: t.field({ type: 'JSONObject', description: CONTEXT }),
    idempotencyKey: t.string({ description: KEY }),
  }),
});
const ForkConversationInput = builder.inputType('ForkConversationInput', {
  description: 'Where to fork off.',
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'The conversation.' }),
    turnId: t.id({ required: true, description: 'The last turn to take along.' }),
    alternativeId: t.id({ required: true, description: 'The version of it that is shown.' }),
    title: t.string({ description: 'How the fork is called; absent: as the original.' }),
  }),
});

builder.mutationFields((t) => ({
  createConversation: t.field({
    type: ConversationPayload,
    description: 'Starts a conversation of your own.',
    args: {
      input: t.arg({ type: CreateConversationInput, required: true, description: 'What it is.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('conversation', () => createConversation(context, viewerOf(context), input)),
  }),
  updateConversation: t.field({
    type: ConversationPayload,
    description:
      'Renames a conversation, chooses its default Process, archives it or takes it back.',
    args: {
      input: t.arg({ type: UpdateConversationInput, required: true, description: 'What changes.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('conversation', () => updateConversation(context, viewerOf(context), input)),
  }),
  forkConversation: t.field({
    type: ConversationPayload,
    description: 'A conversation of its own that starts as a copy of the path to this alternative.',
    args: {
      input: t.arg({ type: ForkConversationInput, required: true, description: 'Where.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('conversation', () => forkConversation(context, viewerOf(context), input)),
  }),
  appendTurn: t.field({
    type: TurnPayload,
    description: 'Says something; nobody is asked to answer.',
    args: { input: t.arg({ type: AppendTurnInput, required: true, description: 'What.' }) },
    resolve: (_root, { input }, context) =>
      payload('turn', () => appendTurn(context, viewerOf(context), input)),
  }),
  sendMessage: t.field({
    type: SendMessagePayload,
    description:
      "Says something and has a Process answer it; runEvents of the run streams the answer's text.",
    args: { input: t.arg({ type: SendMessageInput, required: true, description: 'What.' }) },
    resolve: (_root, { input }, context) =>
      payloadOf<typeof NOTHING_SENT>(NOTHING_SENT, () =>
        sendMessage(context, viewerOf(context), input),
      ),
  }),
  generateTurn: t.field({
    type: TurnPayload,
    description: 'Has a Process answer any alternative, in a turn of its own.',
    args: { input: t.arg({ type: GenerateTurnInput, required: true, description: 'What.' }) },
    resolve: (_root, { input }, context) =>
      payload('turn', () => generateTurn(context, viewerOf(context), input)),
  }),
  addAlternative: t.field({
    type: AlternativePayload,
    description:
      'Another version of a turn, active at once: an edit, or an answer generated again.',
    args: { input: t.arg({ type: AddAlternativeInput, required: true, description: 'What.' }) },
    resolve: (_root, { input }, context) =>
      payload('alternative', () => addAlternative(context, viewerOf(context), input)),
  }),
  activateAlternative: t.field({
    type: AlternativePayload,
    description: 'Shows this version of its turn.',
    args: { id: t.arg.id({ required: true, description: 'Which one.' }) },
    resolve: (_root, input, context) =>
      payload(
        'alternative',
        () => activateAlternative(context, viewerOf(context), input),
        'arguments',
      ),
  }),
}));
