import { storeOf } from '../../src/agent-memory/store.ts';
import { notFound, Refusal } from '../../src/common/refusal.ts';
import type { ContextMessage as MessageModel } from '../../src/working-memory/context.ts';
import type {
  RecalledMemory as RecalledModel,
  RecallSource as SourceModel,
} from '../../src/working-memory/recall/recall.ts';
import {
  readWorkingMemory,
  type WorkingMemoryPlace,
} from '../../src/working-memory/working-memory.cypher.ts';
import type {
  PathEntry as PathEntryModel,
  TokenBreakdown as TokensModel,
  WorkingMemory as WorkingMemoryModel,
} from '../../src/working-memory/working-memory.ts';
import { builder, enumOf } from '../builder.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { ContentPart, partsShown } from '../conversations/content-parts.ts';
import { Conversation, Speaker } from '../conversations/conversations.ts';
import { MessageRole } from '../runs/message-role.ts';
import { EntityReference } from './entities.ts';

const PathEntry = builder.objectRef<PathEntryModel>('PathEntry').implement({
  description: 'A turn of the path, with the alternative that is used.',
  fields: (t) => ({
    turnId: t.exposeID('turnId', { description: 'The turn.' }),
    alternativeId: t.exposeID('alternativeId', { description: 'The alternative.' }),
    episodeId: t.exposeID('episodeId', {
      nullable: true,
      description:
        'The Episode of its content; null until the content is stored in the memory graph.',
    }),
  }),
});

const TokenBreakdown = builder.objectRef<TokensModel>('TokenBreakdown').implement({
  description: 'Tokens by part (cl100k_base).',
  fields: (t) => ({
    immediatePath: t.exposeInt('immediatePath', {
      description: 'Tokens of the turns of the path.',
    }),
    summaries: t.exposeInt('summaries', { description: 'Tokens of summaries.' }),
    activeEntities: t.exposeInt('activeEntities', { description: 'Tokens of active entities.' }),
    introspection: t.exposeInt('introspection', { description: 'Tokens of introspections.' }),
    recalled: t.exposeInt('recalled', { description: 'Tokens of recalled memories.' }),
  }),
});

const RecallKind = enumOf('RecallKind', 'Kind of a recalled memory.', {
  fact: 'A fact of the memory graph that holds now.',
  entity: 'An entity of the memory graph, with its summary.',
  episode: 'A turn of a conversation, word for word.',
  toc: 'A line of the table of contents of the agent memory.',
});

const RecallSource = builder.objectRef<SourceModel>('RecallSource').implement({
  description:
    'The place where a recalled memory was said: a turn, or an event of the agent memory.',
  fields: (t) => ({
    conversation: t.field({
      type: Conversation,
      nullable: true,
      description:
        'The conversation; null for events from outside, and for entities that you made.',
      resolve: ({ conversationId }) => conversationId,
    }),
    turnId: t.exposeID('turnId', { nullable: true, description: 'Id of the turn.' }),
    alternativeId: t.exposeID('alternativeId', {
      nullable: true,
      description: 'Id of the alternative that was said.',
    }),
    episodeId: t.exposeID('episodeId', { nullable: true, description: 'Uuid of its Episode.' }),
    eventId: t.exposeID('eventId', {
      nullable: true,
      description: 'Id of the event; null if the source is a turn.',
    }),
    speaker: t.expose('speaker', { type: Speaker, description: 'Author of the turn or event.' }),
    saidBy: t.exposeString('saidBy', {
      description: 'Name of the user or of the Process; Assistant if no Process wrote it.',
    }),
    saidAt: t.expose('saidAt', { type: 'DateTime', description: 'Time at which it was said.' }),
  }),
});

const RecalledMemory = builder.objectRef<RecalledModel>('RecalledMemory').implement({
  description:
    'A memory that the message being answered calls for, found by its words (docs/decisions/0028).',
  fields: (t) => ({
    kind: t.expose('kind', { type: RecallKind, description: 'Kind of memory.' }),
    targetId: t.exposeID('id', {
      description:
        'Uuid of the fact, entity or Episode; for a line of the table of contents the id of its node.',
    }),
    text: t.exposeString('text', {
      description: 'The sentence, or the part of the turn that fits the message; … marks a cut.',
    }),
    inReplyTo: t.exposeString('inReplyTo', {
      nullable: true,
      description: 'The question that the turn answers, if it answers one.',
    }),
    isQuotation: t.exposeBoolean('isQuotation', {
      description: 'Whether the text is word for word what was said.',
    }),
    relevance: t.exposeFloat('relevance', {
      description: '0 to 1; comparable within one working memory only.',
    }),
    sources: t.field({
      type: [RecallSource],
      description:
        'Where it was said, at most 3: your own words first, then the newest. Never empty.',
      resolve: ({ sources }) => [...sources],
    }),
    tokens: t.exposeInt('tokens', {
      description: 'Tokens of its line in the messages (cl100k_base).',
    }),
  }),
});

const ContextMessage = builder.objectRef<MessageModel>('ContextMessage').implement({
  description: 'A message in the format of models.',
  fields: (t) => ({
    role: t.expose('role', { type: MessageRole, description: 'Role of its author.' }),
    content: t.exposeString('content', { description: 'The content as text.' }),
    parts: t.field({
      type: [ContentPart],
      description: 'The content in parts: texts, images and files.',
      resolve: ({ content, parts }) => partsShown(content, parts ?? null),
    }),
    tokens: t.exposeInt('tokens', { description: 'Tokens of the message (cl100k_base).' }),
  }),
});

const WorkingMemory = builder.objectRef<WorkingMemoryModel>('WorkingMemory').implement({
  description: 'Working memory of a conversation at a turn, computed on request.',
  fields: (t) => ({
    conversationId: t.exposeID('conversationId', { description: 'Id of the conversation.' }),
    currentTurnId: t.exposeID('currentTurnId', {
      nullable: true,
      description: 'The last turn of the path; null if the conversation has no turns.',
    }),
    currentAlternativeId: t.exposeID('currentAlternativeId', {
      nullable: true,
      description: 'The alternative at the end of the path.',
    }),
    immediatePath: t.field({
      type: [PathEntry],
      description:
        'Turns from the root to the last turn: alternatives that are complete and current.',
      resolve: ({ immediatePath }) => [...immediatePath],
    }),
    summaries: t.idList({
      description: 'Summaries that replace turns of the path.',
      resolve: ({ summaries }) => [...summaries],
    }),
    activeEntities: t.field({
      type: [EntityReference],
      description: 'Active entities, most relevant first.',
      resolve: ({ activeEntities }) => [...activeEntities],
    }),
    introspectionContext: t.idList({
      description: 'Episodes of your introspections.',
      resolve: ({ introspectionContext }) => [...introspectionContext],
    }),
    recalled: t.field({
      type: [RecalledMemory],
      description:
        'Memories that the last message of the user calls for, best first, from this and other conversations. Conversation.recall limits them. One system message quotes them.',
      resolve: ({ recalled }) => [...recalled],
    }),
    totalTokens: t.exposeInt('totalTokens', { description: 'Total number of tokens.' }),
    tokenBreakdown: t.expose('tokenBreakdown', {
      type: TokenBreakdown,
      description: 'Tokens by part.',
    }),
    updatedAt: t.expose('lastUpdated', {
      type: 'DateTime',
      description: 'Time of the last change of the conversation.',
    }),
    excludedStale: t.field({
      type: [PathEntry],
      description: 'Alternatives on the path that answer a former alternative of their parent.',
      resolve: ({ excludedStale }) => [...excludedStale],
    }),
    messages: t.field({
      type: [ContextMessage],
      description: 'The messages that a model would receive, in order.',
      resolve: ({ messages }) => [...messages],
    }),
  }),
});

/** @throws Refusal NOT_FOUND at the argument that names nothing the viewer can see */
async function remember(
  context: RequestContext,
  where: WorkingMemoryPlace,
): Promise<WorkingMemoryModel> {
  const viewer = viewerOf(context);
  const { key: store } = storeOf(viewer, context.memoryMode, null);
  const memory = await context.graph.read((tx) =>
    readWorkingMemory(tx, viewer.userId, { ...where, store }),
  );
  if (!('missing' in memory)) return memory;
  const noun = { conversationId: 'conversation', turnId: 'turn', alternativeId: 'alternative' };
  throw new Refusal([notFound(noun[memory.missing], [memory.missing])]);
}

const TURN = 'Id of the last turn of the path. Default: the end of the active path.';
const ALTERNATIVE = 'Id of an alternative of that turn. Default: the active one.';

builder.queryField('workingMemory', (t) =>
  t.field({
    type: WorkingMemory,
    description:
      'Working memory at a turn of a conversation: the messages that a model would receive, and their tokens.',
    args: {
      conversationId: t.arg.id({ required: true, description: 'Id of a conversation of yours.' }),
      turnId: t.arg.id({ description: TURN }),
      alternativeId: t.arg.id({ description: ALTERNATIVE }),
    },
    resolve: (_root, where, context) => remember(context, where),
  }),
);

builder.objectField(Conversation, 'workingMemory', (t) =>
  t.field({
    type: WorkingMemory,
    description:
      'Working memory at a turn: the messages that a model would receive, and their tokens.',
    args: {
      turnId: t.arg.id({ description: TURN }),
      alternativeId: t.arg.id({ description: ALTERNATIVE }),
    },
    resolve: ({ id: conversationId }, where, context) =>
      remember(context, { ...where, conversationId }),
  }),
);
