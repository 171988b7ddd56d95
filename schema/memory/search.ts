import { nodeOfHit } from '../../src/agent-memory/search/event-search.cypher.ts';
import {
  type Ranked,
  SEARCH_LIMIT_DEFAULT,
  SEARCH_LIMIT_MAX,
} from '../../src/memory-graph/search/search.ts';
import { searchMemory } from '../../src/memory-graph/search/search-memory.service.ts';
import { builder, enumOf } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { Entity, Fact, loadEntity, loadFact } from './entities.ts';
import { Episode, loadEpisode } from './episodes.ts';
import { loadMemoryEvent, MemoryEvent } from './memory-events.ts';
import { loadTocNode, TocNode } from './toc.ts';

const SearchKind = enumOf('SearchKind', 'What is found.', {
  entity: 'A person, place, idea or other thing.',
  fact: 'What holds between two of them.',
  episode: 'What was said.',
  toc: 'A page of the table of contents.',
  event: 'An event of the agent memory.',
});
const Reranker = enumOf('Reranker', 'What decides the order.', {
  rrf: 'How far in front each way of searching has it (reciprocal rank fusion).',
  mmr: 'How near it is to the question, and how far from what else was found.',
  node_distance: 'How few steps it is from the centre.',
  episode_mentions: 'How often it was spoken of.',
});

const SearchHit = builder.objectRef<Ranked>('SearchHit').implement({
  description: 'Something that was found, and why.',
  fields: (t) => ({
    score: t.exposeFloat('score', { description: 'The higher the better, within one answer.' }),
    kind: t.expose('kind', { type: SearchKind, description: 'What it is.' }),
    entity: t.field({
      type: Entity,
      nullable: true,
      description: 'The entity, where it is one.',
      resolve: ({ kind, uuid }, _args, context) =>
        kind === 'entity' ? loadEntity(context, uuid) : null,
    }),
    fact: t.field({
      type: Fact,
      nullable: true,
      description: 'The fact, where it is one.',
      resolve: ({ kind, uuid }, _args, context) =>
        kind === 'fact' ? loadFact(context, uuid) : null,
    }),
    episode: t.field({
      type: Episode,
      nullable: true,
      description: 'The Episode, where it is one.',
      resolve: ({ kind, uuid }, _args, context) =>
        kind === 'episode' ? loadEpisode(context, uuid) : null,
    }),
    tocNode: t.field({
      type: TocNode,
      nullable: true,
      description: 'The page of the table of contents, where it is one.',
      resolve: ({ kind, uuid }, _args, context) =>
        kind === 'toc' ? loadTocNode(context, nodeOfHit(uuid)) : null,
    }),
    event: t.field({
      type: MemoryEvent,
      nullable: true,
      description: 'The event of the agent memory, where it is one.',
      resolve: ({ kind, uuid }, _args, context) =>
        kind === 'event' ? loadMemoryEvent(context, uuid) : null,
    }),
    matched: t.field({
      type: ['String'],
      description:
        'Why it was found: words and its place among them, meaning with place and cosine, graph with steps from the centre, around with the place of what was said around it.',
      resolve: ({ matched }) => [...matched],
    }),
  }),
});

const SearchInput = builder.inputType('SearchInput', {
  description: 'What to look for in your memory.',
  fields: (t) => ({
    query: t.string({ required: true, description: 'In words; up to 2,000 characters.' }),
    kinds: t.field({
      type: [SearchKind],
      description: 'Only these; absent: entities, facts and Episodes.',
    }),
    conversationId: t.id({
      description: 'Only what this conversation knows; absent: all that is yours.',
    }),
    groupIds: t.stringList({ description: 'Only these groups; what is not yours gives nothing.' }),
    allBranches: t.boolean({
      defaultValue: false,
      description: 'Also what was said on branches that are not on screen.',
    }),
    agentId: t.id({ description: 'Events and pages of this agent.' }),
    validAt: t.field({
      type: 'DateTime',
      description: 'What was true then; absent: what is true now.',
    }),
    knownAt: t.field({
      type: 'DateTime',
      description: 'What was known then; absent: what is known now.',
    }),
    limit: t.int({
      defaultValue: SEARCH_LIMIT_DEFAULT,
      description: `How many at most; up to ${SEARCH_LIMIT_MAX}.`,
    }),
    centerEntityUuid: t.id({ description: 'An entity whose surroundings are searched as well.' }),
    reranker: t.field({
      type: Reranker,
      defaultValue: 'rrf',
      description: 'What decides the order.',
    }),
  }),
});

builder.queryField('search', (t) =>
  t.field({
    type: [SearchHit],
    description:
      'Finds what is known by words, by meaning and by the graph, the best first. What was said on a branch that is not on screen is left out unless asked for.',
    complexity: ({ input }) => ({
      field: 10,
      multiplier: Math.max(1, Math.min(input.limit ?? SEARCH_LIMIT_DEFAULT, SEARCH_LIMIT_MAX)),
    }),
    args: { input: t.arg({ type: SearchInput, required: true, description: 'What.' }) },
    resolve: (_root, { input }, context) => searchMemory(context, viewerOf(context), input),
  }),
);
