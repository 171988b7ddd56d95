import { notFound, type Problem, Refusal } from '../../src/common/refusal.ts';
import {
  addAlternative,
  generateTurn,
  sendMessage,
} from '../../src/conversations/agent-turn.mutations.ts';
import { findAlternatives } from '../../src/conversations/alternative.cypher.ts';
import type { Alternative as AlternativeModel } from '../../src/conversations/alternative.ts';
import {
  findConversations,
  listConversations,
} from '../../src/conversations/conversation.cypher.ts';
import {
  createConversation,
  updateConversation,
} from '../../src/conversations/conversation.mutations.ts';
import type {
  Conversation as ConversationModel,
  ConversationFork as ForkModel,
} from '../../src/conversations/conversation.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { findTurns, listActivePath, listTurns } from '../../src/conversations/turn.cypher.ts';
import { activateAlternative, appendTurn } from '../../src/conversations/turn.mutations.ts';
import type { Turn as TurnModel } from '../../src/conversations/turn.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { made, Node, nodeType, Timestamped } from '../nodes.ts';
import { Owned } from '../operations/users.ts';
import { payload, payloadOf, payloadType, userErrorsField } from '../payload.ts';
import { Process } from '../processes/processes.ts';
import { ProcessRun } from '../runs/runs.ts';
import {
  contentOf,
  loadAlternativeOfRun,
  loadAlternatives,
  loadChildren,
  loadForks,
} from './conversation-loaders.ts';

export const ConversationStatus = enumOf('ConversationStatus', 'Whether it goes on.', {
  active: 'It takes turns.',
  archived: 'It is kept as it is, until it is made active again.',
});
export const Speaker = enumOf('Speaker', 'Who speaks at a turn.', {
  user: 'The person it belongs to.',
  agent: 'A Process.',
  system: 'Whoever sets the rules.',
});
export const TurnType = enumOf('TurnType', 'What kind of turn it is.', {
  message: 'Something said.',
  tool_result: 'What a Tool gave.',
  summary: 'What was said before, in short.',
});
const CacheStatus = enumOf('CacheStatus', 'Whether an alternative answers what is on screen.', {
  valid: 'It does.',
  stale: 'An answer of an agent to another version of its parent than the active one.',
  generating: 'Its run is at work; content is what has streamed so far.',
});

export const Conversation = nodeType<ConversationModel>('Conversation', {
  label: 'Conversation',
  load: (context, ids) =>
    context.graph.read((tx) => findConversations(tx, viewerOf(context).userId, ids)),
});
export const ConversationTurn = nodeType<TurnModel>('ConversationTurn', {
  label: 'ConversationTurn',
  load: (context, ids) => context.graph.read((tx) => findTurns(tx, viewerOf(context).userId, ids)),
});
export const Alternative = nodeType<AlternativeModel>('Alternative', {
  label: 'Alternative',
  load: (context, ids) =>
    context.graph.read((tx) => findAlternatives(tx, viewerOf(context).userId, ids)),
});
const ConversationConnection = connectionOf('Conversation', Conversation);
const ConversationTurnConnection = connectionOf('ConversationTurn', ConversationTurn);

const ConversationFork = builder.objectRef<ForkModel>('ConversationFork').implement({
  description: 'Where a conversation was forked off.',
  fields: (t) => ({
    conversation: t.field({
      type: Conversation,
      description: 'The conversation it was forked off.',
      resolve: ({ conversationId }) => conversationId,
    }),
    originTurn: t.field({
      type: ConversationTurn,
      description: 'The last turn that was copied.',
      resolve: ({ originTurnId }) => originTurnId,
    }),
    originAlternative: t.field({
      type: Alternative,
      description: 'The alternative of that turn that was copied as the active one.',
      resolve: ({ originAlternativeId }) => originAlternativeId,
    }),
  }),
});

Conversation.implement({
  description: 'A tree of turns. It is archived, never deleted, and nothing said in it changes.',
  interfaces: [Node, Owned, Timestamped],
  fields: (t) => ({
    title: t.exposeString('title', { nullable: true, description: 'How it is called.' }),
    status: t.expose('status', { type: ConversationStatus, description: 'Whether it goes on.' }),
    defaultProcess: t.field({
      type: Process,
      nullable: true,
      description:
        'What was chosen last for an answer, or by hand; what ran stands at each alternative.',
      resolve: ({ defaultProcessId }) => defaultProcessId,
    }),
    turns: t.field({
      type: ConversationTurnConnection,
      description: 'All turns of the tree, by sequence, then in the order they were made.',
      complexity: pageCost,
      args: pageArgs(t),
      resolve: ({ id: conversationId }, page, context) =>
        context.graph.read((tx) =>
          listTurns(tx, viewerOf(context).userId, { ...page, conversationId }),
        ),
    }),
    activePath: t.field({
      type: [ConversationTurn],
      description: 'What is on screen, root first.',
      args: { from: t.arg.id({ description: 'The path that leads through this turn.' }) },
      resolve: async ({ id: conversationId }, { from }, context) => {
        const { userId } = viewerOf(context);
        const throughTurnId = from ?? null;
        const path = await context.graph.read((tx) =>
          listActivePath(tx, userId, { conversationId, throughTurnId }),
        );
        if (path.length === 0 && throughTurnId !== null)
          throw new Refusal([notFound('turn', ['from'])]);
        return path;
      },
    }),
    forkedFrom: t.expose('forkedFrom', {
      type: ConversationFork,
      nullable: true,
      description: 'Where it was forked off; null where it was started anew.',
    }),
    forks: t.field({
      type: [Conversation],
      description: 'The conversations that were forked off it, oldest first.',
      resolve: ({ id }, _args, context) => loadForks(context, id),
    }),
  }),
});

ConversationTurn.implement({
  description: 'A place in the tree of a conversation; what was said there are its alternatives.',
  interfaces: [Node],
  fields: (t) => ({
    conversation: t.field({
      type: Conversation,
      description: 'The conversation it belongs to.',
      resolve: ({ conversationId }) => conversationId,
    }),
    sequence: t.exposeInt('sequence', { description: 'How deep in the tree it is, from 1.' }),
    speaker: t.expose('speaker', { type: Speaker, description: 'Who speaks.' }),
    turnType: t.expose('turnType', { type: TurnType, description: 'What kind of turn it is.' }),
    content: t.string({
      description: 'What was said there first; the alternatives have every version.',
      resolve: async ({ id }, _args, context) =>
        contentOf((await loadAlternatives(context, id))[0], context),
    }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When it was made.' }),
    parent: t.field({
      type: ConversationTurn,
      nullable: true,
      description: 'The turn it follows; null for the root.',
      resolve: ({ parentId }) => parentId,
    }),
    viaAlternative: t.field({
      type: Alternative,
      nullable: true,
      description: 'The alternative of the parent that was active when it was made.',
      resolve: ({ viaAlternativeId }) => viaAlternativeId,
    }),
    children: t.field({
      type: [ConversationTurn],
      description: 'The turns that follow it, oldest first.',
      resolve: ({ id }, _args, context) => loadChildren(context, id),
    }),
    alternatives: t.field({
      type: [Alternative],
      description: 'Every version of it, by sequence.',
      resolve: ({ id }, _args, context) => loadAlternatives(context, id),
    }),
    activeAlternative: t.field({
      type: Alternative,
      description: 'The version that is on screen; there is always exactly one.',
      resolve: async ({ id }, _args, context) => {
        const active = (await loadAlternatives(context, id)).find(({ isActive }) => isActive);
        if (active === undefined) throw new Error(`The turn ${id} has no active alternative.`);
        return active;
      },
    }),
  }),
});

Alternative.implement({
  description: 'One version of what was said at a turn. Its content is written once.',
  interfaces: [Node],
  fields: (t) => ({
    turn: t.field({
      type: ConversationTurn,
      description: 'The turn it is a version of.',
      resolve: ({ turnId }) => turnId,
    }),
    sequence: t.exposeInt('sequence', { description: 'Which version it is, from 1.' }),
    isActive: t.exposeBoolean('isActive', { description: 'Whether it is on screen.' }),
    content: t.string({
      description: 'What was said; while it is generated, what has streamed so far.',
      resolve: (alternative, _args, context) => contentOf(alternative, context),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    hasChildren: t.exposeBoolean('hasChildren', { description: 'Whether anything answers it.' }),
    cacheStatus: t.expose('cacheStatus', {
      type: CacheStatus,
      description: 'Whether it answers what is on screen.',
    }),
    respondsTo: t.field({
      type: Alternative,
      nullable: true,
      description: 'The alternative of the parent turn that it answers; null at the root.',
      resolve: ({ respondsToId }) => respondsToId,
    }),
    executedBy: t.field({
      type: Process,
      nullable: true,
      description: 'The Process that wrote it; null for what people and the system said.',
      resolve: ({ executedById }) => executedById,
    }),
    run: t.field({
      type: ProcessRun,
      nullable: true,
      description: 'The run that writes it; its status says why an answer is missing.',
      resolve: ({ runId }) => runId,
    }),
  }),
});

builder.objectFields(ProcessRun, (t) => ({
  conversation: t.field({
    type: Conversation,
    nullable: true,
    description: 'The conversation it belongs to.',
    resolve: ({ conversationId }) => conversationId,
  }),
  alternative: t.field({
    type: Alternative,
    nullable: true,
    description: 'What it writes, where it answers in a conversation.',
    resolve: ({ id }, _args, context) => loadAlternativeOfRun(context, id),
  }),
}));

builder.queryFields((t) => ({
  conversation: t.field({
    type: Conversation,
    nullable: true,
    description: 'A conversation by its id; null when there is none or it is not yours.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }) => id,
  }),
  conversations: t.field({
    type: ConversationConnection,
    description: 'Your conversations, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      status: t.arg({
        type: ConversationStatus,
        defaultValue: 'active',
        description: 'Only these; null = all.',
      }),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listConversations(tx, viewerOf(context).userId, args)),
  }),
  turn: t.field({
    type: ConversationTurn,
    nullable: true,
    description: 'A turn by its id; null when there is none or it is not yours.',
    args: { id: t.arg.id({ required: true, description: 'Its id.' }) },
    resolve: (_root, { id }) => id,
  }),
}));

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
