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
  }),
});

const ContextMessage = builder.objectRef<MessageModel>('ContextMessage').implement({
  description: 'A message in the format of models.',
  fields: (t) => ({
    role: t.exposeString('role', { description: 'user, assistant or system.' }),
    content: t.exposeString('content', { description: 'The content.' }),
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
    totalTokens: t.exposeInt('totalTokens', { description: 'Total number of tokens.' }),
    tokenBreakdown: t.expose('tokenBreakdown', {
      type: TokenBreakdown,
      description: 'Tokens by part.',
    }),
    lastUpdated: t.expose('lastUpdated', {
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
  const { userId } = viewerOf(context);
  const memory = await context.graph.read((tx) => readWorkingMemory(tx, userId, where));
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
