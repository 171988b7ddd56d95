import { nodeOfHit } from '../../src/agent-memory/search/event-search.cypher.ts';
import type { HitRef, Ranked } from '../../src/memory-graph/search/rank.ts';
import { type Reason, sentenceOf } from '../../src/memory-graph/search/relevance.ts';
import { SEARCH_LIMIT_DEFAULT, SEARCH_LIMIT_MAX } from '../../src/memory-graph/search/search.ts';
import {
  type SearchAnswer as AnswerModel,
  searchMemory,
} from '../../src/memory-graph/search/search-memory.service.ts';
import { builder, enumOf } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { nullable, outputFields } from '../fields.ts';
import { inputOf } from '../payload.ts';
import { Entity, Fact, loadEntity, loadFact } from './entities.ts';
import { Episode, loadEpisode } from './episodes.ts';
import { loadMemoryEvent, MemoryEvent } from './memory-events.ts';
import { loadStatement, Statement } from './statements.ts';
import { loadTocNode, TocNode } from './toc.ts';

const SearchKind = enumOf('SearchKind', 'Kind of search result.', {
  entity: 'An entity.',
  fact: 'A fact: a relation between two entities.',
  statement: 'A statement: what was said, word for word, with its times.',
  episode: 'An Episode.',
  note: 'A note of an introspection, in the carousel or archived: an Episode, too.',
  toc: 'A node of the table of contents.',
  event: 'An event of the agent memory.',
});
const Reranker = enumOf('Reranker', 'Ranking of the results.', {
  relevance:
    'Relevance to the query: words, meaning, surroundings and speaker, on one scale for all kinds.',
  rrf: 'Reciprocal rank fusion: the ranks of all search methods combined.',
  mmr: 'Similarity to the query, less similarity to other results (maximal marginal relevance).',
  node_distance: 'Number of steps from the centre in the graph.',
  episode_mentions: 'Number of mentions.',
});

const ReasonMeasure = enumOf('SearchMeasure', 'Part of the relevance of a search result.', {
  words: 'Words of the query, ignoring endings; rare words count more.',
  meaning: 'Similarity of the embeddings, as far as the embedding model can tell texts apart.',
  around: 'Words of the query in the turns before and after, and in the same sitting.',
  speaker: 'The query names the speaker, or says `I` or `you`.',
  time: 'The query names a time, as `in May` or `on 3 June 2023`, and it was said then.',
  graph:
    'Distance from `centerEntityUuid` in the graph, or words of the query that facts of the same ' +
    'entities have.',
  question: 'The text itself asks. Lowers the score.',
});
const SearchReason = builder.objectRef<Reason>('SearchReason').implement({
  description: 'Why a search result matches: one part of its relevance.',
  fields: outputFields({
    measure: [ReasonMeasure, 'The part.'],
    points: [
      'Float',
      'Points of the relevance; comparable within one answer only. Can be negative.',
    ],
    text: ['String', 'Explanation for people, such as `has the words swim, Daisy`.'],
  }),
});
const SearchHitRef = builder.objectRef<HitRef>('SearchHitRef').implement({
  description: 'A search result by its kind and id.',
  fields: outputFields({
    kind: [SearchKind, 'Kind of result.'],
    targetId: [
      'ID',
      'Uuid of the entity, fact, statement or Episode; id of the event or node.',
      ({ kind, uuid }) => (kind === 'toc' ? nodeOfHit(uuid).nodeId : uuid),
    ],
  }),
});

/** Id of the hit, or of the first result merged into it, of one kind. */
const idOf = ({ kind, uuid, same }: Ranked, wanted: HitRef['kind']): string | null =>
  [{ kind, uuid }, ...same].find((one) => one.kind === wanted)?.uuid ?? null;

const SearchHit = builder.objectRef<Ranked>('SearchHit').implement({
  description:
    'A search result and the reasons for it. Results with equal texts are one: an event and ' +
    'the Episode of its turn, a turn and its copies in forks.',
  fields: outputFields({
    score: ['Float', 'Score. Higher is better; comparable within one answer only.'],
    kind: [SearchKind, 'Kind of result.'],
    same: [[SearchHitRef], 'Further results with the same text, merged into this one.'],
    matched: [
      ['String'],
      'Places: `words` or `meaning` with the rank, `graph` with the steps from the centre, ' +
        '`around` with the rank of the surrounding part of the conversation.',
    ],
    reasons: [[SearchReason], 'Why the result matches, in parts.'],
    entity: [
      nullable(Entity),
      'The entity, if the result is one.',
      ({ kind, uuid }, _args, context) => (kind === 'entity' ? loadEntity(context, uuid) : null),
    ],
    fact: [
      nullable(Fact),
      'The fact, if the result is one.',
      ({ kind, uuid }, _args, context) => (kind === 'fact' ? loadFact(context, uuid) : null),
    ],
    episode: [
      nullable(Episode),
      'The Episode, if the result is one or a note.',
      (hit, _args, context) => {
        const uuid = idOf(hit, 'episode') ?? idOf(hit, 'note');
        return uuid === null ? null : loadEpisode(context, uuid);
      },
    ],
    statement: [
      nullable(Statement),
      'The statement, if the result is one, or has the text of one that was found too.',
      (hit, _args, context) => {
        const uuid = idOf(hit, 'statement');
        return uuid === null ? null : loadStatement(context, uuid);
      },
    ],
    tocNode: [
      nullable(TocNode),
      'The node of the table of contents, if the result is one.',
      ({ kind, uuid }, _args, context) =>
        kind === 'toc' ? loadTocNode(context, nodeOfHit(uuid)) : null,
    ],
    event: [
      nullable(MemoryEvent),
      'The event of the agent memory, if the result is one, or has the text of one that was ' +
        'found too.',
      (hit, _args, context) => {
        const id = idOf(hit, 'event');
        return id === null ? null : loadMemoryEvent(context, id);
      },
    ],
    why: [
      'String',
      'Why the result matches, as one sentence for people. May be empty.',
      ({ reasons }) => sentenceOf(reasons),
    ],
  }),
});

const SearchInput = inputOf('SearchInput', 'Query for a search in your memory.', {
  query: ['String!', 'Text to search for, up to 2,000 characters.'],
  kinds: [
    [SearchKind],
    'Kinds of results. Default: all; with `groupIds` or `knownAt` entities, facts and ' +
      'Episodes. Notes are found in a search of all your memory only. Turns of conversations ' +
      'are found as Episodes; as events too only where EVENT is named.',
  ],
  conversationId: ['ID', 'Only the memory of this conversation. Default: all your memory.'],
  groupIds: [
    ['String'],
    'Only memories of these groups: ids of conversations, or the group of your entities. ' +
      'Groups of other users give no results.',
  ],
  allBranches: ['Boolean', 'Whether to include Episodes of inactive branches.', false],
  agentId: ['ID', 'Only events and nodes of this agent. Default: those of all agents.'],
  validAt: ['DateTime', 'Only facts true at this time. Default: now.'],
  knownAt: ['DateTime', 'Only facts known at this time. Default: now.'],
  limit: ['Int', `Maximum number of results, up to ${SEARCH_LIMIT_MAX}.`, SEARCH_LIMIT_DEFAULT],
  centerEntityUuid: ['ID', 'Uuid of an entity whose neighbourhood is searched too.'],
  reranker: [Reranker, 'Ranking of the results.', 'relevance'],
});

const SearchAnswer = builder.objectRef<AnswerModel>('SearchAnswer').implement({
  description: 'What your memory answers to a query, and whether it does.',
  fields: outputFields({
    answerable: [
      'Boolean',
      'Whether the memory answers the query. The cut is fitted on public questions: about one ' +
        'in twenty that have an answer is missed.',
    ],
    reason: [
      'String',
      'Why it answers, or why it does not, such as `The nearest memory has only the word live.`',
    ],
  }),
});
// The fields of an answer count `limit` times; its lists have no size beside that.
const HITS = { type: [SearchHit] as [typeof SearchHit], complexity: { field: 1, multiplier: 1 } };
builder.objectFields(SearchAnswer, (t) => ({
  hits: t.expose('hits', {
    ...HITS,
    description: 'The results that fit, best first; none if nothing answers.',
  }),
  nearest: t.expose('nearest', {
    ...HITS,
    description: 'The nearest results that do not fit, best first.',
  }),
}));

const complexityOf = (input: { readonly limit?: number | null | undefined }) => ({
  field: 10,
  multiplier: Math.max(1, Math.min(input.limit ?? SEARCH_LIMIT_DEFAULT, SEARCH_LIMIT_MAX)),
});

builder.queryField('searchMemory', (t) =>
  t.field({
    type: SearchAnswer,
    description:
      'Searches your memory by words, by meaning and by the graph: one list of all kinds by ' +
      'relevance, best first, and whether it answers. A query without words finds nothing. ' +
      'A query for the changes of a time ("what changed since May?", in English) gives the ' +
      'statements that ended others then, in the order of time, with these in their reasons. ' +
      'Episodes of inactive branches are excluded by default.',
    complexity: ({ input }) => complexityOf(input),
    args: { input: t.arg({ type: SearchInput, required: true, description: 'The query.' }) },
    resolve: (_root, { input }, context) => searchMemory(context, viewerOf(context), input),
  }),
);

builder.queryField('search', (t) =>
  t.field({
    type: [SearchHit],
    description: 'The `hits` of `searchMemory`.',
    deprecationReason: 'Use `searchMemory`, which tells whether anything answers.',
    complexity: ({ input }) => complexityOf(input),
    args: { input: t.arg({ type: SearchInput, required: true, description: 'The query.' }) },
    resolve: async (_root, { input }, context) =>
      (await searchMemory(context, viewerOf(context), input)).hits,
  }),
);
