import { notFound, Refusal } from '../../src/common/refusal.ts';
import { findAlternatives } from '../../src/conversations/alternative.cypher.ts';
import type { Alternative as AlternativeModel } from '../../src/conversations/alternative.ts';
import {
  findConversations,
  listConversations,
} from '../../src/conversations/conversation.cypher.ts';
import type {
  Conversation as ConversationModel,
  ConversationFork as ForkModel,
} from '../../src/conversations/conversation.ts';
import { findTurns, listActivePath, listTurns } from '../../src/conversations/turn.cypher.ts';
import type { Turn as TurnModel } from '../../src/conversations/turn.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { Node, nodeType, Timestamped } from '../nodes.ts';
import { Owned } from '../operations/users.ts';
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
