import { storeOf } from '../../src/agent-memory/store.ts';
import { notFound, Refusal } from '../../src/common/refusal.ts';
import { settleSwitches } from '../../src/memory-graph/withdrawal/withdrawal.mutations.ts';
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
import { argFields, nullable, outputFields } from '../fields.ts';
import { MessageRole } from '../runs/message-role.ts';
import { EntityReference } from './entities.ts';

const PathEntry = builder.objectRef<PathEntryModel>('PathEntry').implement({
  description: 'A turn of the path, with the alternative that is used.',
  fields: outputFields({
    turnId: ['ID', 'The turn.'],
    alternativeId: ['ID', 'The alternative.'],
    episodeId: [
      'ID?',
      'The Episode of its content; null until the content is stored in the memory graph.',
    ],
  }),
});

const TokenBreakdown = builder.objectRef<TokensModel>('TokenBreakdown').implement({
  description: 'Tokens by part (cl100k_base).',
  fields: outputFields({
    immediatePath: ['Int', 'Tokens of the turns of the path.'],
    summaries: ['Int', 'Tokens of summaries.'],
    activeEntities: ['Int', 'Tokens of active entities.'],
    introspection: ['Int', 'Tokens of introspections.'],
    recalled: ['Int', 'Tokens of recalled memories.'],
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
  fields: outputFields({
    conversation: [
      nullable(Conversation),
      'The conversation; null for events from outside, and for entities that you made.',
      'conversationId',
    ],
    turnId: ['ID?', 'Id of the turn.'],
    alternativeId: ['ID?', 'Id of the alternative that was said.'],
    episodeId: ['ID?', 'Uuid of its Episode.'],
    eventId: ['ID?', 'Id of the event; null if the source is a turn.'],
    speaker: [Speaker, 'Author of the turn or event.'],
    saidBy: ['String', 'Name of the user or of the Process; Assistant if no Process wrote it.'],
    saidAt: ['DateTime', 'Time at which it was said.'],
  }),
});

const RecalledMemory = builder.objectRef<RecalledModel>('RecalledMemory').implement({
  description:
    'A memory that the message being answered calls for, found by its words (docs/decisions/0028).',
  fields: outputFields({
    kind: [RecallKind, 'Kind of memory.'],
    targetId: [
      'ID',
      'Uuid of the fact, entity or Episode; for a line of the table of contents the id of ' +
        'its node.',
      'id',
    ],
    text: ['String', 'The sentence, or the part of the turn that fits the message; … marks a cut.'],
    inReplyTo: ['String?', 'The question that the turn answers, if it answers one.'],
    corrects: ['String?', 'The earlier statement that the turn takes back or changes, if any.'],
    isQuotation: ['Boolean', 'Whether the text is word for word what was said.'],
    relevance: ['Float', '0 to 1; comparable within one working memory only.'],
    sources: [
      [RecallSource],
      'Where it was said, at most 3: your own words first, then the newest. Never empty.',
    ],
    tokens: ['Int', 'Tokens of its line in the messages (cl100k_base).'],
  }),
});

const ContextMessage = builder.objectRef<MessageModel>('ContextMessage').implement({
  description: 'A message in the format of models.',
  fields: outputFields({
    role: [MessageRole, 'Role of its author.'],
    content: ['String', 'The content as text.'],
    tokens: ['Int', 'Tokens of the message (cl100k_base).'],
    parts: [
      [ContentPart],
      'The content in parts: texts, images and files.',
      ({ content, parts }) => partsShown(content, parts ?? null),
    ],
  }),
});

const WorkingMemory = builder.objectRef<WorkingMemoryModel>('WorkingMemory').implement({
  description: 'Working memory of a conversation at a turn, computed on request.',
  fields: outputFields({
    conversationId: ['ID', 'Id of the conversation.'],
    currentTurnId: [
      'ID?',
      'The last turn that is not stale: the next turn follows it. Null in a conversation ' +
        'without turns.',
    ],
    currentAlternativeId: ['ID?', 'The alternative of that turn.'],
    immediatePath: [
      [PathEntry],
      'Turns from the root to the last turn: alternatives that are complete and current.',
    ],
    summaries: [['ID'], 'Summaries that replace turns of the path.'],
    activeEntities: [[EntityReference], 'Active entities, most relevant first.'],
    introspectionContext: [['ID'], 'Episodes of your introspections.'],
    recalled: [
      [RecalledMemory],
      'Memories that the last message of the user calls for, best first, from this and other ' +
        'conversations. Conversation.recall limits them. One system message quotes them.',
    ],
    recallReason: [
      'String?',
      'Why nothing is recalled, in words; null where memories are recalled.',
    ],
    totalTokens: ['Int', 'Total number of tokens.'],
    tokenBreakdown: [TokenBreakdown, 'Tokens by part.'],
    updatedAt: ['DateTime', 'Time of the last change of the conversation.', 'lastUpdated'],
    excludedStale: [
      [PathEntry],
      'Alternatives on the path that answer a version which is not active, and all that ' +
        'follow them. A model does not receive them.',
    ],
    messages: [[ContextMessage], 'The messages that a model would receive, in order.'],
  }),
});

/** @throws Refusal NOT_FOUND at the argument that names nothing the viewer can see */
async function remember(
  context: RequestContext,
  where: WorkingMemoryPlace,
): Promise<WorkingMemoryModel> {
  const viewer = viewerOf(context);
  const { key: store } = storeOf(viewer, context.memoryMode, null);
  await settleSwitches(context, viewer.userId);
  const memory = await context.graph.read((tx) =>
    readWorkingMemory(tx, viewer.userId, { ...where, store }),
  );
  if (!('missing' in memory)) return memory;
  const noun = { conversationId: 'conversation', turnId: 'turn', alternativeId: 'alternative' };
  throw new Refusal([notFound(noun[memory.missing], [memory.missing])]);
}

const TURN = 'Id of the last turn of the path. Default: the end of the active path.';
const ALTERNATIVE =
  'Id of an alternative of that turn. The path then leads to it by the alternatives that each ' +
  'one answers, active or not. Default: the path of active alternatives.';

builder.queryField('workingMemory', (t) =>
  t.field({
    type: WorkingMemory,
    description:
      'Working memory at a turn of a conversation: the messages that a model would receive, ' +
      'and their tokens.',
    args: argFields(t, {
      conversationId: ['ID!', 'Id of a conversation of yours.'],
      turnId: ['ID', TURN],
      alternativeId: ['ID', ALTERNATIVE],
    }),
    resolve: (_root, where, context) => remember(context, where),
  }),
);

builder.objectField(Conversation, 'workingMemory', (t) =>
  t.field({
    type: WorkingMemory,
    description:
      'Working memory at a turn: the messages that a model would receive, and their tokens.',
    args: argFields(t, {
      turnId: ['ID', TURN],
      alternativeId: ['ID', ALTERNATIVE],
    }),
    resolve: ({ id: conversationId }, where, context) =>
      remember(context, { ...where, conversationId }),
  }),
);
