import { notFound, Refusal } from '../../src/common/refusal.ts';
import type { ContextMessage as MessageModel } from '../../src/working-memory/context.ts';
import {
  readWorkingMemory,
  type WorkingMemoryPlace,
} from '../../src/working-memory/working-memory.cypher.ts';
import type {
  PathEntry as PathEntryModel,
  TokenBreakdown as TokensModel,
  WorkingMemory as WorkingMemoryModel,
} from '../../src/working-memory/working-memory.ts';
import { builder } from '../builder.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { Conversation } from '../conversations/conversations.ts';
import { EntityReference } from './entities.ts';

const PathEntry = builder.objectRef<PathEntryModel>('PathEntry').implement({
  description: 'A turn of the path and the alternative that stands for it.',
  fields: (t) => ({
    turnId: t.exposeID('turnId', { description: 'The turn.' }),
    alternativeId: t.exposeID('alternativeId', { description: 'The alternative.' }),
    episodeId: t.exposeID('episodeId', {
      nullable: true,
      description: 'The Episode of its content; null until the content is stored in the memory graph.',
    }),
  }),
});

const TokenBreakdown = builder.objectRef<TokensModel>('TokenBreakdown').implement({
  description: 'Tokens by part (cl100k_base).',
  fields: (t) => ({
    immediatePath: t.exposeInt('immediatePath', { description: 'Of the turns of the path.' }),
    summaries: t.exposeInt('summaries', { description: 'Of summaries.' }),
    activeEntities: t.exposeInt('activeEntities', { description: 'Of active entities.' }),
    introspection: t.exposeInt('introspection', { description: 'Of introspections.' }),
  }),
});

const ContextMessage = builder.objectRef<MessageModel>('ContextMessage').implement({
  description: 'A message as a model takes it.',
  fields: (t) => ({
    role: t.exposeString('role', { description: 'user, assistant or system.' }),
    content: t.exposeString('content', { description: 'The content.' }),
    tokens: t.exposeInt('tokens', { description: 'Its tokens (cl100k_base).' }),
  }),
});

const WorkingMemory = builder.objectRef<WorkingMemoryModel>('WorkingMemory').implement({
  description: 'What a conversation has in mind at a turn, computed when it is asked for.',
  fields: (t) => ({
    conversationId: t.exposeID('conversationId', { description: 'Id of the conversation.' }),
    currentTurnId: t.exposeID('currentTurnId', {
      nullable: true,
      description: 'The turn it is assembled from; null where there is none yet.',
    }),
    currentAlternativeId: t.exposeID('currentAlternativeId', {
      nullable: true,
      description: 'The alternative it is traced back from.',
    }),
    immediatePath: t.field({
      type: [PathEntry],
      description: 'From the root to here: what is complete and answers what is on screen.',
      resolve: ({ immediatePath }) => [...immediatePath],
    }),
    summaries: t.idList({
      description: 'The summaries that stand for turns of the path.',
      resolve: ({ summaries }) => [...summaries],
    }),
    activeEntities: t.field({
      type: [EntityReference],
      description: 'The entities it has in mind, the most relevant first.',
      resolve: ({ activeEntities }) => [...activeEntities],
    }),
    introspectionContext: t.idList({
      description: 'The Episodes of your introspections.',
      resolve: ({ introspectionContext }) => [...introspectionContext],
    }),
    totalTokens: t.exposeInt('totalTokens', { description: 'The sum of all parts.' }),
    tokenBreakdown: t.expose('tokenBreakdown', {
      type: TokenBreakdown,
      description: 'Tokens by part.',
    }),
    lastUpdated: t.expose('lastUpdated', {
      type: 'DateTime',
      description: 'When anything of the conversation changed last.',
    }),
    excludedStale: t.field({
      type: [PathEntry],
      description: 'On the path, but an answer to another version of its parent.',
      resolve: ({ excludedStale }) => [...excludedStale],
    }),
    messages: t.field({
      type: [ContextMessage],
      description: 'What a model would be given, in order.',
      resolve: ({ messages }) => [...messages],
    }),
  }),
});

/** @throws Refusal NOT_FOUND at the argument that names nothing the viewer can see */
async function remember(
  context: RequestContext,
  where: WorkingMemoryPlace,
): Promise<WorkingMemoryModel> {
  const { userId } = viewerOf(context);
  const memory = await context.graph.read((tx) => readWorkingMemory(tx, userId, where));
  if (!('missing' in memory)) return memory;
  const noun = { conversationId: 'conversation', turnId: 'turn', alternativeId: 'alternative' };
  throw new Refusal([notFound(noun[memory.missing], [memory.missing])]);
}

const TURN = 'From this turn up to the root; absent: from where what is on screen ends.';
const ALTERNATIVE = 'Of that turn, instead of its active one.';

builder.queryField('workingMemory', (t) =>
  t.field({
    type: WorkingMemory,
    description: 'What a model would be given at a place of a conversation, and what it costs.',
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
    description: 'What a model would be given at a place of it, and what it costs.',
    args: {
      turnId: t.arg.id({ description: TURN }),
      alternativeId: t.arg.id({ description: ALTERNATIVE }),
    },
    resolve: ({ id: conversationId }, where, context) =>
      remember(context, { ...where, conversationId }),
  }),
);
