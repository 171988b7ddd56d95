import { encodeCursor } from '../../src/common/page.ts';
import { notFound, type Problem, Refusal } from '../../src/common/refusal.ts';
import { findAlternatives } from '../../src/conversations/alternative.cypher.ts';
import { activateAlternative } from '../../src/conversations/alternative.mutations.ts';
import type { Alternative as AlternativeModel } from '../../src/conversations/alternative.ts';
import {
  findConversations,
  listConversations,
} from '../../src/conversations/conversation.cypher.ts';
import {
  createConversation,
  updateConversation,
} from '../../src/conversations/conversation.mutations.ts';
import {
  type Conversation as ConversationModel,
  type ConversationFork as ForkModel,
  RECALL_DEFAULT,
  RECALL_TOKENS_MAX,
  type ConversationRecall as RecallModel,
} from '../../src/conversations/conversation.ts';
import { forkConversation } from '../../src/conversations/fork.mutations.ts';
import { listRated } from '../../src/conversations/rating.cypher.ts';
import { rateAlternative } from '../../src/conversations/rating.mutations.ts';
import type { Rating as RatingModel } from '../../src/conversations/rating.ts';
import { findTurns, listActivePath, listTurns } from '../../src/conversations/turn.cypher.ts';
import {
  addAlternative,
  appendTurn,
  generateTurn,
  sendMessage,
} from '../../src/conversations/turn.mutations.ts';
import type { Turn as TurnModel } from '../../src/conversations/turn.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, edgeOf, newestKey, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { argFields, exposed, nullable, outputFields, required } from '../fields.ts';
import { made, Node, nodeType, Timestamped } from '../nodes.ts';
import { inputOf, mutation, payloadOf, payloadType, USER_ERRORS } from '../payload.ts';
import { Process } from '../processes/processes.ts';
import { ProcessRun } from '../runs/runs.ts';
import { Owned } from '../users/users.ts';
import { ContentPart, ContentPartInput, partsShown, withParts } from './content-parts.ts';
import {
  contentOf,
  loadAlternativeOfRun,
  loadAlternatives,
  loadChildren,
  loadForks,
  loadRating,
} from './conversation-loaders.ts';

export const ConversationStatus = enumOf('ConversationStatus', 'Status of a conversation.', {
  active: 'It accepts turns.',
  archived: 'It accepts no turns until it is made active again.',
});
export const Speaker = enumOf('Speaker', 'Author of a turn.', {
  user: 'The user who owns the conversation.',
  agent: 'A Process.',
  system: 'The system, for instructions.',
});
export const TurnType = enumOf('TurnType', 'Kind of turn.', {
  message: 'A message.',
  tool_result: 'The result of a Tool.',
  summary: 'A summary of earlier turns.',
});
const CacheStatus = enumOf('CacheStatus', 'Whether an alternative answers the active path.', {
  valid: 'All that it answers is active, from its parent turn up to the root.',
  stale:
    'It answers an alternative that is not active, or one that does so, at any distance above ' +
    'it. A model does not receive it.',
  generating: 'Its run is in progress. The content is the text streamed so far.',
});

const RatingValue = enumOf('RatingValue', 'A verdict on an answer.', {
  up: 'The answer was good.',
  down: 'The answer was not good.',
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

const Rating = builder.objectRef<RatingModel>('Rating').implement({
  description: 'Your verdict on one answer. A later one replaces it.',
  fields: outputFields({
    value: [RatingValue, 'The verdict.'],
    comment: ['String?', 'A word on it.'],
    createdAt: ['DateTime', 'Time of the first verdict on this answer.'],
    updatedAt: ['DateTime', 'Time of this verdict.'],
  }),
});
const AlternativeConnection = connectionOf('Alternative', Alternative);

const ConversationFork = builder.objectRef<ForkModel>('ConversationFork').implement({
  description: 'Origin of a forked conversation.',
  fields: outputFields({
    conversation: [Conversation, 'The conversation that was forked.', 'conversationId'],
    originTurn: [ConversationTurn, 'The last turn that was copied.', 'originTurnId'],
    originAlternative: [
      Alternative,
      'The alternative of that turn that was copied and is active in the fork.',
      'originAlternativeId',
    ],
  }),
});

const ConversationRecall = builder.objectRef<RecallModel>('ConversationRecall').implement({
  description: 'How much of earlier talk the working memory of a conversation recalls.',
  fields: outputFields({
    tokens: ['Int', 'The most tokens of recalled memories (cl100k_base); 0 recalls nothing.'],
    otherConversations: [
      'Boolean',
      'Whether memories of your other conversations are recalled, too.',
    ],
  }),
});

Conversation.implement({
  description:
    'A tree of turns. It can be archived but not deleted, and its contents are immutable.',
  interfaces: [Node, Owned, Timestamped],
  fields: (t) => ({
    ...exposed(t, {
      title: ['String?', 'Display name.'],
      status: [ConversationStatus, 'Status of a conversation.'],
      defaultProcess: [
        nullable(Process),
        'The Process that was last chosen to answer, by a message or by an update. Each ' +
          'alternative has its own Process.',
        'defaultProcessId',
      ],
      recall: [
        ConversationRecall,
        'How much of earlier talk is recalled for an answer. A fork copies it.',
      ],
      forkedFrom: [
        nullable(ConversationFork),
        'Origin of the fork; null if the conversation is not a fork.',
      ],
      forks: [
        [Conversation],
        'Conversations forked from this one, oldest first.',
        ({ id }, _args, context) => loadForks(context, id),
      ],
    }),
    turns: t.field({
      type: ConversationTurnConnection,
      description: 'All turns of the tree, by sequence, then by creation time.',
      complexity: pageCost,
      args: pageArgs(t),
      resolve: ({ id: conversationId }, page, context) =>
        context.graph.read((tx) =>
          listTurns(tx, viewerOf(context).userId, { ...page, conversationId }),
        ),
    }),
    activePath: t.field({
      type: [ConversationTurn],
      description:
        'The active path, root first. Its turns may end in stale ones; the next turn follows the ' +
        'last that is not stale.',
      args: argFields(t, { from: ['ID', 'Return the path through this turn instead.'] }),
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
  }),
});

ConversationTurn.implement({
  description: 'A position in the tree of a conversation. Its contents are its alternatives.',
  interfaces: [Node],
  fields: outputFields({
    conversation: [Conversation, 'The conversation that it belongs to.', 'conversationId'],
    sequence: ['Int', 'Depth in the tree, from 1.'],
    speaker: [Speaker, 'Author of the turn.'],
    turnType: [TurnType, 'Kind of turn.'],
    createdAt: ['DateTime', 'Creation time.', 'timestamp'],
    parent: [nullable(ConversationTurn), 'The parent turn; null for the root.', 'parentId'],
    viaAlternative: [
      nullable(Alternative),
      "The parent's alternative that was active when this turn was created.",
      'viaAlternativeId',
    ],
    content: [
      'String',
      'Content of the first alternative.',
      async ({ id }, _args, context) =>
        contentOf((await loadAlternatives(context, id))[0], context),
    ],
    saidAt: [
      'DateTime',
      'Time at which the first alternative was said.',
      async ({ id, timestamp }, _args, context) =>
        (await loadAlternatives(context, id))[0]?.saidAt ?? timestamp,
    ],
    children: [
      [ConversationTurn],
      'Child turns, oldest first.',
      ({ id }, _args, context) => loadChildren(context, id),
    ],
    alternatives: [
      [Alternative],
      'All alternatives of this turn, by sequence.',
      ({ id }, _args, context) => loadAlternatives(context, id),
    ],
    activeAlternative: [
      Alternative,
      'The active alternative. A turn always has exactly one.',
      async ({ id }, _args, context) => {
        const active = (await loadAlternatives(context, id)).find(({ isActive }) => isActive);
        if (active === undefined) throw new Error(`The turn ${id} has no active alternative.`);
        return active;
      },
    ],
  }),
});

Alternative.implement({
  description: 'One version of a turn. Its content is written once.',
  interfaces: [Node],
  fields: outputFields({
    turn: [ConversationTurn, 'The turn that it is a version of.', 'turnId'],
    sequence: ['Int', 'Number of the version within its turn, from 1.'],
    isActive: ['Boolean', 'Whether it is the active alternative of its turn.'],
    createdAt: ['DateTime', 'Creation time.'],
    saidAt: [
      'DateTime',
      'Time at which it was said: saidAt of appendTurn, else the creation time.',
    ],
    hasChildren: ['Boolean', 'Whether another alternative answers it.'],
    cacheStatus: [CacheStatus, 'Whether it answers the active path.'],
    respondsTo: [
      nullable(Alternative),
      "The parent turn's alternative that it answers; null at the root.",
      'respondsToId',
    ],
    executedBy: [
      nullable(Process),
      'The Process that wrote it; null for users and the system.',
      'executedById',
    ],
    run: [
      nullable(ProcessRun),
      "The run that writes it. The run's status explains a missing answer.",
      'runId',
    ],
    content: [
      'String',
      'Its content; while it is generated, the text streamed so far.',
      (alternative, _args, context) => contentOf(alternative, context),
    ],
    parts: [
      [ContentPart],
      'Its content in parts: texts, images and files. A text alone is one part; `content` ' +
        'names images and files in brackets.',
      async (alternative, _args, context) =>
        partsShown(await contentOf(alternative, context), alternative.parts),
    ],
    rating: [
      nullable(Rating),
      'Your verdict on it; null if you gave none.',
      ({ id }, _args, context) => loadRating(context, id),
    ],
  }),
});

builder.objectFields(
  ProcessRun,
  outputFields({
    conversation: [
      nullable(Conversation),
      'The conversation that it belongs to.',
      ({ conversationId }) => conversationId,
    ],
    alternative: [
      nullable(Alternative),
      'The alternative that this run writes, if it answers in a conversation.',
      ({ id }, _args, context) => loadAlternativeOfRun(context, id),
    ],
  }),
);

builder.queryFields((t) => ({
  conversation: t.field({
    type: Conversation,
    nullable: true,
    description: 'A conversation by id; null if it does not exist or is not yours.',
    args: argFields(t, { id: ['ID!', 'Id of the conversation.'] }),
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
        description: 'Only conversations with this status. Default: all.',
      }),
      query: t.arg.string({
        description:
          'Text in the title or in a message, also in a version that is not on screen; ' +
          'case-insensitive. The newest 1,000 conversations are searched. Default or blank: all.',
      }),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listConversations(tx, viewerOf(context).userId, args)),
  }),
  ratedAlternatives: t.field({
    type: AlternativeConnection,
    description: 'Answers that you gave a verdict on, those rated last first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      value: t.arg({ type: RatingValue, description: 'Only these verdicts. Default: all.' }),
    },
    resolve: (_root, args, context) =>
      // Pothos loads the alternatives by their ids.
      context.graph.read((tx) => listRated(tx, viewerOf(context).userId, args)) as never,
  }),
  turn: t.field({
    type: ConversationTurn,
    nullable: true,
    description: 'A turn by id; null if it does not exist or is not yours.',
    args: argFields(t, { id: ['ID!', 'Id of the turn.'] }),
    resolve: (_root, { id }) => id,
  }),
}));

export const ConversationPayload = payloadType(
  'ConversationPayload',
  'conversation',
  Conversation,
  {
    connection: ConversationConnection,
    key: newestKey,
  },
);
export const TurnPayload = payloadType('TurnPayload', 'turn', ConversationTurn, {
  connection: ConversationTurnConnection,
  key: turnKey,
});
// The order of Conversation.turns.
function turnKey({ sequence, id }: { readonly sequence: number; readonly id: string }) {
  return [sequence, id];
}
const AlternativePayload = payloadType('AlternativePayload', 'alternative', Alternative);

const TurnEdge = edgeOf(ConversationTurnConnection) as never;
async function turnEdge(context: RequestContext, id: string | null) {
  if (id === null) return null as never;
  const turn = await ConversationTurn.getDataloader(context).load(id);
  if (turn === null || turn instanceof Error) throw new Error(`The turn ${id} is gone.`);
  return { cursor: encodeCursor(turnKey(turn)), node: turn } as never;
}

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
      'Result of sending a message: both turns and the run that answers, or the problems.',
    fields: outputFields({
      userTurn: [
        nullable(ConversationTurn),
        'The turn of the message; null if the input had problems.',
        ({ userTurn }, _args, _context, info) => made(ConversationTurn, userTurn, info),
      ],
      agentTurn: [
        nullable(ConversationTurn),
        'The turn of the answer; null if the input had problems.',
        ({ agentTurn }, _args, _context, info) => made(ConversationTurn, agentTurn, info),
      ],
      run: [
        nullable(ProcessRun),
        'The run that writes the answer; null if the input had problems.',
        ({ run }, _args, _context, info) => made(ProcessRun, run, info),
      ],
      userTurnEdge: [
        nullable(TurnEdge),
        'userTurn as an edge of Conversation.turns, so that clients can add it.',
        ({ userTurn }, _args, context) => turnEdge(context, userTurn),
      ],
      agentTurnEdge: [
        nullable(TurnEdge),
        'agentTurn as an edge of Conversation.turns, so that clients can add it.',
        ({ agentTurn }, _args, context) => turnEdge(context, agentTurn),
      ],
      userErrors: USER_ERRORS,
    }),
  });

const KEY = 'Idempotency key. The same input under the same key returns the first result.';
const PARENT =
  'Id of the alternative to follow. Default: the active alternative of the last turn on the ' +
  'active path that is not stale, or none for the first turn.';
const ACTIVATE =
  'Activates the parent alternative with all that it answers, up to the root. Without it, a ' +
  'parent that is inactive or stale gives STATE.';
const PARTS = 'Images, files and further texts that follow the text, at most 20.';
const CONTEXT =
  'Values for the variables of the Process. message, messages, recalled, workingMemory and ' +
  'conversationId are supplied; values given here take precedence.';

const RECALL_TOKENS =
  `The most tokens of recalled memories, 0 to ${RECALL_TOKENS_MAX}; 0 recalls nothing. null ` +
  `restores ${RECALL_DEFAULT.tokens}.`;
const RecallInput = inputOf(
  'RecallInput',
  'How much of earlier talk is recalled. Omitted fields stay unchanged.',
  {
    tokens: ['Int', RECALL_TOKENS],
    otherConversations: [
      'Boolean',
      'Whether to recall memories of your other conversations. null restores true.',
    ],
  },
);
const CreateConversationInput = inputOf(
  'CreateConversationInput',
  'Input for a new conversation.',
  {
    title: ['String', 'Display name.'],
    defaultProcessId: ['ID', 'Id of the default Process that answers.'],
    recall: [RecallInput, `Default: ${RECALL_DEFAULT.tokens} tokens, from all your conversations.`],
  },
);
const UpdateConversationInput = inputOf(
  'UpdateConversationInput',
  'Changes to a conversation. Omitted fields stay unchanged.',
  {
    id: ['ID!', 'Id of the conversation.'],
    title: ['String', 'Display name; null removes it.'],
    defaultProcessId: ['ID', 'Id of the default Process; null removes it.'],
    status: [ConversationStatus, 'New status: archive or reactivate the conversation.'],
    recall: [RecallInput, 'null restores the defaults.'],
  },
);
const AppendTurnInput = inputOf('AppendTurnInput', 'Input for a turn without an answer.', {
  conversationId: ['ID!', 'Id of the conversation.'],
  speaker: [required(Speaker), 'Author of the turn.', 'user'],
  turnType: [required(TurnType), 'Kind of turn.', 'message'],
  content: [
    'String!',
    'The text, up to 256 KiB with its parts. It may be empty if there are parts.',
  ],
  parts: [[ContentPartInput], PARTS],
  saidAt: [
    'DateTime',
    'Time at which an imported turn was said, from 1970 to now. Default: now. Up to 60 s in the ' +
      'future counts as now; later is INVALID. Any order is accepted: it may be before the parent.',
  ],
  parentAlternativeId: ['ID', PARENT],
  activateParent: ['Boolean', ACTIVATE, false],
  idempotencyKey: ['String', KEY],
});
const SendMessageInput = inputOf(
  'SendMessageInput',
  'Input for a message that a Process answers.',
  {
    conversationId: ['ID!', 'Id of the conversation.'],
    content: [
      'String!',
      'The text, up to 256 KiB with its parts. It may be empty if there are parts.',
    ],
    parts: [[ContentPartInput], PARTS],
    processId: [
      'ID',
      "Id of the Process that answers. Default: the conversation's default Process.",
    ],
    parentAlternativeId: ['ID', PARENT],
    activateParent: ['Boolean', ACTIVATE, false],
    context: ['JSONObject', CONTEXT],
    idempotencyKey: ['String', KEY],
  },
);
const GenerateTurnInput = inputOf(
  'GenerateTurnInput',
  'Input for an answer to an existing alternative.',
  {
    conversationId: ['ID!', 'Id of the conversation.'],
    parentAlternativeId: ['ID!', 'Id of the alternative to answer.'],
    activateParent: ['Boolean', ACTIVATE, false],
    processId: ['ID!', 'Id of the Process that answers.'],
    context: ['JSONObject', CONTEXT],
    idempotencyKey: ['String', KEY],
  },
);
const AddAlternativeInput = inputOf(
  'AddAlternativeInput',
  'Input for another alternative of a turn.',
  {
    turnId: ['ID!', 'Id of the turn.'],
    content: ['String', 'The new content. Only for turns of users and of the system.'],
    parts: [[ContentPartInput], PARTS],
    sameAsId: [
      'ID',
      'Id of an alternative of this turn that has the content and the parts, in their place. So ' +
        'a message is said again after another version of the turn above it.',
    ],
    processId: [
      'ID',
      'Id of the Process that answers. Only for turns of agents. Default: the Process of the ' +
        "active alternative, else the conversation's default.",
    ],
    respondsToId: ['ID', "Id of the parent's alternative to answer. Default: the active one."],
    context: ['JSONObject', CONTEXT],
    idempotencyKey: ['String', KEY],
  },
);
const ForkConversationInput = inputOf(
  'ForkConversationInput',
  'Input for forking a conversation.',
  {
    conversationId: ['ID!', 'Id of the conversation.'],
    turnId: ['ID!', 'Id of the last turn to copy.'],
    alternativeId: [
      'ID!',
      'Id of the alternative of that turn that the fork shows, with all that it answers.',
    ],
    title: ['String', 'Display name of the fork. Default: that of the original.'],
  },
);

mutation('createConversation', {
  description: 'Creates a conversation of your own.',
  input: [CreateConversationInput, 'The new conversation.'],
  payload: ConversationPayload,
  run: createConversation,
});
mutation('updateConversation', {
  description: 'Changes the name, default Process, status or recall of a conversation.',
  input: [UpdateConversationInput, 'The changes.'],
  payload: ConversationPayload,
  run: updateConversation,
});
mutation('forkConversation', {
  description: 'Creates a conversation of its own from a copy of the path to this alternative.',
  input: [ForkConversationInput, 'Id of the conversation.'],
  payload: ConversationPayload,
  run: forkConversation,
});
mutation('appendTurn', {
  description: 'Adds a turn without starting a run.',
  input: [AppendTurnInput, 'The turn.'],
  payload: TurnPayload,
  run: (context, viewer, input) => appendTurn(context, viewer, withParts(input)),
});
mutation('generateTurn', {
  description: 'Starts a Process that answers any alternative in a new turn.',
  input: [GenerateTurnInput, 'The answer to generate.'],
  payload: TurnPayload,
  run: generateTurn,
});
mutation('addAlternative', {
  description:
    'Creates another alternative of a turn and makes it active: an edit, or a regenerated answer.',
  input: [AddAlternativeInput, 'The alternative.'],
  payload: AlternativePayload,
  run: (context, viewer, input) => addAlternative(context, viewer, withParts(input)),
});
const ActivateAlternativeInput = inputOf(
  'ActivateAlternativeInput',
  'Input for another active alternative.',
  {
    id: ['ID!', 'Id of the alternative.'],
    wholePath: [
      'Boolean',
      'Also activates all that it answers, up to the root, so that it is not stale.',
      false,
    ],
  },
);
mutation('activateAlternative', {
  description:
    'Makes this alternative the active one of its turn. The turns that continued it come on ' +
    'screen again.',
  input: [ActivateAlternativeInput, 'The alternative.'],
  payload: AlternativePayload,
  run: activateAlternative,
});
const RateAlternativeInput = inputOf('RateAlternativeInput', 'A verdict on an answer.', {
  id: ['ID!', 'Id of the alternative. Its turn is one of an agent.'],
  value: [RatingValue, 'The verdict. null removes it with its comment.'],
  comment: ['String', 'A word on it, up to 2,000 characters.'],
});
mutation('rateAlternative', {
  description:
    'Keeps your verdict on an answer, over an earlier one. It is part of your data: exported and ' +
    'deleted with it.',
  input: [RateAlternativeInput, 'The verdict.'],
  payload: AlternativePayload,
  run: rateAlternative,
});

builder.mutationFields((t) => ({
  sendMessage: t.field({
    type: SendMessagePayload,
    description:
      'Adds a message and starts a Process to answer it. runEvents of the run streams the ' +
      'text of the answer.',
    args: { input: t.arg({ type: SendMessageInput, required: true, description: 'The message.' }) },
    resolve: (_root, { input }, context) =>
      payloadOf<typeof NOTHING_SENT>(NOTHING_SENT, () =>
        sendMessage(context, viewerOf(context), withParts(input)),
      ),
  }),
}));
