import { findConversations } from '../../src/conversations/conversation.cypher.ts';
import { findTurns } from '../../src/conversations/turn.cypher.ts';
import type { ReadTx } from '../../src/platform/neo4j/graph.ts';
import { findProcesses } from '../../src/processes/process.cypher.ts';
import type { Viewer } from '../../src/users/user.ts';
import {
  findSummaries,
  listCompressionCounters,
  listSummaries,
  listSummaryEpisodes,
} from '../../src/working-memory/summaries/summary.cypher.ts';
import {
  createSummary,
  deleteSummary,
  rebindSummary,
} from '../../src/working-memory/summaries/summary.mutations.ts';
import type { Summary as SummaryModel } from '../../src/working-memory/summaries/summary.ts';
import { compressConversation } from '../../src/working-memory/upkeep/compression.mutations.ts';
import { builder } from '../builder.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { Conversation, ConversationTurn } from '../conversations/conversations.ts';
import { inputFields, outputFields, required } from '../fields.ts';
import { loader, mapLoader } from '../loader.ts';
import { Node, nodeType } from '../nodes.ts';
import { DeletePayload, idInput, inputOf, mutation, payloadType } from '../payload.ts';
import { Process } from '../processes/processes.ts';
import { ProcessRunPayload } from '../runs/runs.ts';
import { Episode } from './episodes.ts';

export const Summary = nodeType<SummaryModel>('Summary', {
  label: 'Summary',
  load: (context, ids) =>
    context.graph.read((tx) => findSummaries(tx, viewerOf(context).userId, ids)),
});

const loadEpisodes = loader(async (context, summaries: readonly SummaryModel[]) => {
  const found = await context.graph.read((tx) => listSummaryEpisodes(tx, summaries));
  return summaries.map(({ id }) => found.get(id) ?? { sources: [], bound: [] });
});
/** Summary of an event. A deleted summary is loaded with its last data. */
export const loadOnceAdded = loader(async (context, ids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => findSummaries(tx, userId, ids, 'deletedToo'));
  return ids.map(
    (id) => found.find((one) => one.id === id) ?? new Error(`The Summary ${id} is gone.`),
  );
});
const loadSummaries = mapLoader((tx, { userId }, ids) => listSummaries(tx, userId, ids), []);
const loadCounters = mapLoader(
  (tx, { userId }, ids) => listCompressionCounters(tx, userId, ids),
  0,
);

/**
 * Loads an object that a Summary refers to. The viewer's own objects come from the request's
 * loaders. An admin who repairs another user's summary sees the object as its owner does.
 */
async function pointedAt<Model>(
  context: RequestContext,
  { ownerId }: SummaryModel,
  id: string,
  find: (tx: ReadTx, owner: Viewer, ids: readonly string[]) => Promise<Model[]>,
): Promise<Model | string> {
  if (ownerId === viewerOf(context).userId) return id;
  const owner: Viewer = { userId: ownerId, name: '', roles: ['user'], workspace: ownerId };
  const [found] = await context.graph.read((tx) => find(tx, owner, [id]));
  return found ?? id;
}

Summary.implement({
  description: 'A summary that replaces several turns in the working memory.',
  interfaces: [Node],
  fields: outputFields({
    conversation: [
      Conversation,
      'The conversation that it belongs to. Immutable.',
      (summary, _args, context) =>
        pointedAt(context, summary, summary.conversationId, (tx, { userId }, ids) =>
          findConversations(tx, userId, ids),
        ),
    ],
    compressionLevel: [
      'Int',
      '1 for a summary of turns. A summary of summaries has one more than its highest source.',
    ],
    tokenCount: ['Int', 'Tokens of its content (cl100k_base).'],
    createdAt: ['DateTime', 'Creation time.'],
    content: ['String', 'Current content.'],
    episode: [
      Episode,
      'Episode of the current content.',
      async (summary, _args, context) => {
        const [bound] = (await loadEpisodes(context, summary)).bound;
        if (bound === undefined) throw new Error(`The Summary ${summary.id} has no Episode.`);
        return bound;
      },
    ],
    previousEpisodes: [
      [Episode],
      'Episodes of earlier contents, newest first.',
      async (summary, _args, context) => (await loadEpisodes(context, summary)).bound.slice(1),
    ],
    sources: [
      [Episode],
      'The Episodes that it summarizes, in order.',
      async (summary, _args, context) => [...(await loadEpisodes(context, summary)).sources],
    ],
    coversUpTo: [
      ConversationTurn,
      'The last turn that it covers.',
      (summary, _args, context) =>
        pointedAt(context, summary, summary.coversUpToId, (tx, { userId }, ids) =>
          findTurns(tx, userId, ids),
        ),
    ],
    createdByProcess: [
      Process,
      'The Process that wrote it, or that an admin named as its author.',
      (summary, _args, context) =>
        pointedAt(context, summary, summary.createdByProcessId, findProcesses),
    ],
  }),
});

builder.objectFields(
  Conversation,
  outputFields({
    summaries: [
      [Summary],
      'Summaries of all branches, oldest first.',
      ({ id }, _args, context) => loadSummaries(context, id),
    ],
    compressionsSinceIntrospection: [
      'Int',
      'Number of compressions since the last introspection.',
      ({ id }, _args, context) => loadCounters(context, id),
    ],
  }),
);

/** Declares the input of a mutation that replaces the content of an object. */
export const rebindInput = (name: 'RebindSummaryInput' | 'RebindIntrospectionInput') =>
  builder.inputType(name, {
    description: 'Input for new content of an object whose content is an Episode.',
    fields: inputFields({
      id: ['ID!', 'Id of the object.'],
      content: ['String!', 'The new content.'],
    }),
  });
const RebindSummaryInput = rebindInput('RebindSummaryInput');
const CompressConversationInput = inputOf('CompressConversationInput', 'Input for a compression.', {
  conversationId: ['ID!', 'Id of a conversation of yours.'],
  upToTurnId: ['ID', 'Id of the last turn to cover, on the active path. Default: the whole path.'],
  processId: [
    'ID',
    "Id of the Process that summarizes. Default: the system's. It may declare text, " +
      'messages, maxTokens, sentences and level in its context.',
  ],
});
const CreateSummaryInput = inputOf('CreateSummaryInput', 'Input for a summary created by hand.', {
  conversationId: ['ID!', 'Id of the conversation.'],
  sourceEpisodeIds: [
    required(['ID']),
    'Ids of the Episodes to cover: turns or summaries on one path, in order.',
  ],
  coversUpToTurnId: ['ID!', 'Id of the turn of the last source.'],
  content: ['String!', 'The content.'],
  processId: ['ID!', 'Id of the Process to name as the author.'],
});
const SummaryPayload = payloadType('SummaryPayload', 'summary', Summary);

mutation('compressConversation', {
  description:
    'Summarizes the oldest turns without a summary, or else the summaries. The returned run ' +
    'shows the progress.',
  input: [CompressConversationInput, 'The part to summarize.'],
  payload: ProcessRunPayload,
  run: compressConversation,
});
mutation('createSummary', {
  description: 'Creates a missing summary by hand, in any conversation. Only for admins.',
  admin: true,
  input: [CreateSummaryInput, 'The summary.'],
  payload: SummaryPayload,
  run: createSummary,
});
mutation('rebindSummary', {
  description:
    'Replaces the content of a summary. The former content stays in its history. Only for admins.',
  admin: true,
  input: [RebindSummaryInput, 'The new content.'],
  payload: SummaryPayload,
  run: rebindSummary,
});
mutation('deleteSummary', {
  description:
    'Removes a summary from all contexts. Paths that become too long are compressed again. ' +
    'Only for admins.',
  admin: true,
  input: [idInput('DeleteSummaryInput', 'Id of the summary.'), 'The summary.'],
  payload: DeletePayload,
  run: deleteSummary,
});
