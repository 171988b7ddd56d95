import {
  findEpisodes,
  findEpisodesOfAlternatives,
  listEpisodesOfEntity,
  listMentions,
} from '../../src/memory-graph/episodes/episode.cypher.ts';
import type { Episode as EpisodeModel } from '../../src/memory-graph/episodes/episode.ts';
import { builder } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { viewerOf } from '../context.ts';
import { Alternative } from '../conversations/conversations.ts';
import { loader } from '../loader.ts';
import { Entity } from './entities.ts';

export const Episode = builder.objectRef<EpisodeModel>('Episode');
const EpisodeConnection = connectionOf('Episode', Episode);

/** By uuid; null where there is none to see. */
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
  description: 'What was said, as the memory graph keeps it. It never changes.',
  fields: (t) => ({
    uuid: t.exposeID('uuid', { description: 'Its uuid.' }),
    name: t.exposeString('name', { description: 'Turn:<alternative id>, where it is of a turn.' }),
    content: t.exposeString('content', { description: 'What was said.' }),
    groupId: t.exposeString('groupId', { description: 'The conversation it belongs to.' }),
    source: t.exposeString('source', {
      description: 'message, text, json, fact_triple, summary or introspection.',
    }),
    sourceDescription: t.exposeString('sourceDescription', {
      nullable: true,
      description: 'Where it comes from, in words.',
    }),
    entityEdges: t.idList({
      description: 'The facts that were read out of it.',
      resolve: ({ entityEdges }) => [...entityEdges],
    }),
    validAt: t.expose('validAt', { type: 'DateTime', description: 'When it was said.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was kept.' }),
    compressionLevel: t.exposeInt('compressionLevel', {
      description: '0 for what was said itself; a summary is one above what it sums up.',
    }),
    mentions: t.field({
      type: [Entity],
      description: 'What it speaks of, by name; at most 200.',
      resolve: ({ uuid }, _args, context) => loadMentions(context, uuid),
    }),
  }),
});

builder.objectField(Alternative, 'episode', (t) =>
  t.field({
    type: Episode,
    nullable: true,
    description: 'The Episode of its content; null until it is bound to one.',
    resolve: ({ id }, _args, context) => loadOfAlternative(context, id),
  }),
);

builder.objectField(Entity, 'episodes', (t) =>
  t.field({
    type: EpisodeConnection,
    description: 'The Episodes that mention it, the newest first.',
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
    description: 'An Episode by its uuid; null when there is none or it is not yours.',
    args: { uuid: t.arg.id({ required: true, description: 'Its uuid.' }) },
    resolve: (_root, { uuid }, context) => loadEpisode(context, uuid),
  }),
);
