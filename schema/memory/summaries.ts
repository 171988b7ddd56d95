import { findConversations } from '../../src/conversations/conversation.cypher.ts';
import { findTurns } from '../../src/conversations/turn.cypher.ts';
import type { ReadTx } from '../../src/platform/neo4j/graph.ts';
import { findProcesses } from '../../src/processes/process.cypher.ts';
import type { Viewer } from '../../src/users/user.ts';
import { compressConversation } from '../../src/working-memory/summaries/compression.mutations.ts';
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
import { builder } from '../builder.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { Conversation, ConversationTurn } from '../conversations/conversations.ts';
import { loader } from '../loader.ts';
import { Node, nodeType } from '../nodes.ts';
import { DeletePayload, payload, payloadType } from '../payload.ts';
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
/** As its events tell of it: what was deleted since is shown as it was. */
export const loadOnceAdded = loader(async (context, ids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => findSummaries(tx, userId, ids, 'deletedToo'));
  return ids.map(
    (id) => found.find((one) => one.id === id) ?? new Error(`The Summary ${id} is gone.`),
  );
});
const loadSummaries = loader(async (context, ids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => listSummaries(tx, userId, ids));
  return ids.map((id) => found.get(id) ?? []);
});
const loadCounters = loader(async (context, ids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => listCompressionCounters(tx, userId, ids));
  return ids.map((id) => found.get(id) ?? 0);
});

/**
 * What a Summary points at: by the request's loaders where it is the viewer's own; an admin who repairs somebody's sees it as its
 * owner does.
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
  description: 'What stands for several turns in working memory, in short.',
  interfaces: [Node],
  fields: (t) => ({
    conversation: t.field({
      type: Conversation,
      description: 'The conversation it belongs to, for good.',
      resolve: (summary, _args, context) =>
        pointedAt(context, summary, summary.conversationId, (tx, { userId }, ids) =>
          findConversations(tx, userId, ids),
        ),
    }),
    compressionLevel: t.exposeInt('compressionLevel', {
      description: '1 for a summary of turns; else one above the highest it sums up.',
    }),
    tokenCount: t.exposeInt('tokenCount', {
      description: 'Tokens of its content (cl100k_base).',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
    content: t.exposeString('content', { description: 'What it says now.' }),
    episode: t.field({
      type: Episode,
      description: 'The Episode it is bound to now.',
      resolve: async (summary, _args, context) => {
        const [bound] = (await loadEpisodes(context, summary)).bound;
        if (bound === undefined) throw new Error(`The Summary ${summary.id} has no Episode.`);
        return bound;
      },
    }),
    previousEpisodes: t.field({
      type: [Episode],
      description: 'What it was bound to before, the newest first.',
      resolve: async (summary, _args, context) =>
        (await loadEpisodes(context, summary)).bound.slice(1),
    }),
    sources: t.field({
      type: [Episode],
      description: 'What it sums up, in order.',
      resolve: async (summary, _args, context) => [
        ...(await loadEpisodes(context, summary)).sources,
      ],
    }),
    coversUpTo: t.field({
      type: ConversationTurn,
      description: 'The last turn it stands for.',
      resolve: (summary, _args, context) =>
        pointedAt(context, summary, summary.coversUpToId, (tx, { userId }, ids) =>
          findTurns(tx, userId, ids),
        ),
    }),
    createdByProcess: t.field({
      type: Process,
      description: 'The Process that made it, or that an admin named for it.',
      resolve: (summary, _args, context) =>
        pointedAt(context, summary, summary.createdByProcessId, findProcesses),
    }),
  }),
});

builder.objectFields(Conversation, (t) => ({
  summaries: t.field({
    type: [Summary],
    description: 'Its summaries, of all branches, the oldest first.',
    resolve: ({ id }, _args, context) => loadSummaries(context, id),
  }),
  compressionsSinceIntrospection: t.int({
    description: 'How often it was compressed since it was last reflected on.',
    resolve: ({ id }, _args, context) => loadCounters(context, id),
  }),
}));

export const RebindContentInput = builder.inputType('RebindContentInput', {
  description: 'Another text for a thing whose content is an Episode.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The thing.' }),
    content: t.string({ required: true, description: 'What it says from now on.' }),
  }),
});
const CompressInput = builder.inputType('CompressInput', {
  description: 'What to sum up.',
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'A conversation of yours.' }),
    upToTurnId: t.id({ description: 'The last turn, on the active path; absent = all of it.' }),
    processId: t.id({
      description:
        'Who does it; absent = the system. It may ask for text, messages, maxTokens, sentences and level in its context.',
    }),
  }),
});
const CreateSummaryInput = builder.inputType('CreateSummaryInput', {
  description: 'A summary by hand.',
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'The conversation.' }),
    sourceEpisodeIds: t.idList({
      required: true,
      description: 'What it sums up: Episodes of turns or summaries on one path, in order.',
    }),
    coversUpToTurnId: t.id({ required: true, description: 'The turn of the last source.' }),
    content: t.string({ required: true, description: 'What it says.' }),
    processId: t.id({ required: true, description: 'The Process it is put down to.' }),
  }),
});
const SummaryPayload = payloadType('SummaryPayload', 'summary', Summary);

builder.mutationFields((t) => ({
  compressConversation: t.field({
    type: ProcessRunPayload,
    description:
      'Sums up the first turns that are not summed up yet, or else the summaries; the run tells how far it is.',
    args: { input: t.arg({ type: CompressInput, required: true, description: 'What.' }) },
    resolve: (_root, { input }, context) =>
      payload('run', () => compressConversation(context, viewerOf(context), input)),
  }),
  createSummary: t.field({
    type: SummaryPayload,
    description: 'Fills a gap by hand, in any conversation; for admins.',
    authScopes: { admin: true },
    args: { input: t.arg({ type: CreateSummaryInput, required: true, description: 'What.' }) },
    resolve: (_root, { input }, context) =>
      payload('summary', () => createSummary(context, viewerOf(context), input)),
  }),
  rebindSummary: t.field({
    type: SummaryPayload,
    description: 'Puts another text in its place and keeps the one before; for admins.',
    authScopes: { admin: true },
    args: { input: t.arg({ type: RebindContentInput, required: true, description: 'What.' }) },
    resolve: (_root, { input }, context) =>
      payload('summary', () => rebindSummary(context, viewerOf(context), input)),
  }),
  deleteSummary: t.field({
    type: DeletePayload,
    description:
      'Takes it out of every context; what is too long without it is compressed anew. For admins.',
    authScopes: { admin: true },
    args: { id: t.arg.id({ required: true, description: 'The summary.' }) },
    resolve: (_root, input, context) =>
      payload('deletedId', () => deleteSummary(context, viewerOf(context), input), 'arguments'),
  }),
}));
