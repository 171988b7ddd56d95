import { isUuid } from '../../src/common/id.ts';
import {
  findEpisodes,
  findEpisodesOfAlternatives,
  listEpisodesOfEntity,
  listMentions,
} from '../../src/memory-graph/episodes/episode.cypher.ts';
import type { Episode as EpisodeModel } from '../../src/memory-graph/episodes/episode.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { Alternative } from '../conversations/conversations.ts';
import { argFields, exposed } from '../fields.ts';
import { loader } from '../loader.ts';
import { keyedNode, Node } from '../nodes.ts';
import { Entity } from './entities.ts';

export const Episode = keyedNode<EpisodeModel>('Episode', {
  key: ({ uuid }) => uuid,
  find: (context, uuid) => loadEpisode(context, uuid),
  isDomainId: isUuid,
});
const EpisodeSource = enumOf('EpisodeSource', 'Kind of the content of an Episode.', {
  message: 'A message of a conversation.',
  text: 'A text, such as the result of a tool.',
  json: 'JSON.',
  fact_triple: 'A relation between two entities.',
  summary: 'A Summary of several turns.',
  introspection: 'An Introspection.',
});
const EpisodeConnection = connectionOf('Episode', Episode);

/** Episode by uuid; null if the viewer cannot see it. */
export const loadEpisode = loader(async (context, uuids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => findEpisodes(tx, userId, uuids));
  const byUuid = new Map(found.map((episode) => [episode.uuid, episode]));
  return uuids.map((uuid) => byUuid.get(uuid) ?? null);
});
const loadOfAlternative = loader(async (context, ids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => findEpisodesOfAlternatives(tx, userId, ids));
  return ids.map((id) => found.get(id) ?? null);
});
const loadMentions = loader(async (context, uuids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => listMentions(tx, userId, uuids));
  return uuids.map((uuid) => found.get(uuid) ?? []);
});

Episode.implement({
  description: 'A piece of content in the memory graph. Immutable.',
  interfaces: [Node],
  fields: (t) => ({
    ...exposed(t, {
      uuid: ['ID', 'Uuid of the Episode.'],
      name: [
        'String',
        'A very brief summary of the content, at most 80 characters; of a Summary or ' +
          'Introspection, its kind and id. Episodes of older versions have Turn:<alternative ' +
          'id>.',
      ],
      content: ['String', 'The content.'],
      groupId: ['String', 'The conversation that it belongs to.'],
      source: [EpisodeSource, 'Kind of the content.'],
      sourceDescription: ['String?', 'Description of the source.'],
      entityEdges: [['ID'], 'Facts extracted from this Episode.'],
      validAt: ['DateTime', 'Time of the content.'],
      createdAt: ['DateTime', 'Time when it was stored.'],
      compressionLevel: [
        'Int',
        '0 for original content. A summary has one more than its highest source.',
      ],
    }),
    mentions: t.field({
      type: [Entity],
      description: 'Entities that it mentions by name, at most 200.',
      resolve: ({ uuid }, _args, context) => loadMentions(context, uuid),
    }),
  }),
});

builder.objectField(Alternative, 'episode', (t) =>
  t.field({
    type: Episode,
    nullable: true,
    description:
      'The Episode of its content; null until the content is stored in the memory graph.',
    resolve: ({ id }, _args, context) => loadOfAlternative(context, id),
  }),
);

builder.objectField(Entity, 'episodes', (t) =>
  t.field({
    type: EpisodeConnection,
    description: 'Episodes that mention it, newest first.',
    complexity: pageCost,
    args: pageArgs(t),
    resolve: ({ uuid: entityUuid }, page, context) =>
      context.graph.read((tx) =>
        listEpisodesOfEntity(tx, viewerOf(context).userId, { ...page, entityUuid }),
      ),
  }),
);

builder.queryField('episode', (t) =>
  t.field({
    type: Episode,
    nullable: true,
    description: 'An Episode by uuid; null if it does not exist or is not yours.',
    args: argFields(t, { uuid: ['ID!', 'Uuid of the Episode.'] }),
    resolve: (_root, { uuid }, context) => loadEpisode(context, uuid),
  }),
);
