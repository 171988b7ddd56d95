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
import { argFields, nullable, outputFields } from '../fields.ts';
import { listLoader, mapLoader } from '../loader.ts';
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
export const loadEpisode = listLoader(
  (tx, { userId }, uuids) => findEpisodes(tx, userId, uuids),
  ({ uuid }) => uuid,
);
const loadOfAlternative = mapLoader(
  (tx, { userId }, ids) => findEpisodesOfAlternatives(tx, userId, ids),
  null,
);
const loadMentions = mapLoader((tx, { userId }, uuids) => listMentions(tx, userId, uuids), []);

Episode.implement({
  description: 'A piece of content in the memory graph. Immutable.',
  interfaces: [Node],
  fields: outputFields({
    uuid: ['ID', 'Uuid of the Episode.'],
    name: [
      'String',
      'A very brief summary of the content, at most 80 characters; of a Summary or ' +
        'Introspection, its kind and id. Episodes of older versions have Turn:<alternative id>.',
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
    mentions: [
      [Entity],
      'Entities that it mentions by name, at most 200.',
      ({ uuid }, _args, context) => loadMentions(context, uuid),
    ],
  }),
});

builder.objectFields(
  Alternative,
  outputFields({
    episode: [
      nullable(Episode),
      'The Episode of its content; null until the content is stored in the memory graph.',
      ({ id }, _args, context) => loadOfAlternative(context, id),
    ],
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
