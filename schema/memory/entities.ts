import { isUuid } from '../../src/common/id.ts';
import { notFound, Refusal } from '../../src/common/refusal.ts';
import { previewMerges } from '../../src/memory-graph/doubles/doubles.cypher.ts';
import type { Merge } from '../../src/memory-graph/doubles/doubles.ts';
import { listActiveEntities } from '../../src/memory-graph/entities/active-entity.cypher.ts';
import {
  removeActiveEntity,
  setActiveEntity,
} from '../../src/memory-graph/entities/active-entity.mutations.ts';
import type { EntityReference as ReferenceModel } from '../../src/memory-graph/entities/active-entity.ts';
import { findEntities, listEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import type {
  Entity as EntityModel,
  EntitySource as SourceModel,
} from '../../src/memory-graph/entities/entity.ts';
import { listEntitySummaries } from '../../src/memory-graph/entities/entity-summary.cypher.ts';
import { chooseEntitySummary } from '../../src/memory-graph/entities/entity-summary.mutations.ts';
import type { EntitySummary as SummaryModel } from '../../src/memory-graph/entities/entity-summary.ts';
import { findFacts, listFactsOfEntities } from '../../src/memory-graph/entities/fact.cypher.ts';
import type { Fact as FactModel } from '../../src/memory-graph/entities/fact.ts';
import { createEntity } from '../../src/memory-graph/resolution/create-entity.mutations.ts';
import { mergeEntities } from '../../src/memory-graph/resolution/merge.mutations.ts';
import { settleSwitches } from '../../src/memory-graph/withdrawal/withdrawal.mutations.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { Conversation, ConversationPayload } from '../conversations/conversations.ts';
import { argFields, nullable, outputFields } from '../fields.ts';
import { listLoader, mapLoader } from '../loader.ts';
import { keyedNode, Node } from '../nodes.ts';
import { inputOf, mutation, payloadType } from '../payload.ts';
import { Process } from '../processes/processes.ts';

const EntityOrigin = enumOf('EntityOrigin', 'Source of an entity.', {
  user: 'A user created it.',
  graphiti: 'It was extracted from an Episode.',
  enrichment: 'An enrichment added data to it.',
});

export const Entity = keyedNode<EntityModel>('Entity', {
  key: ({ uuid }) => uuid,
  find: (context, uuid) => loadEntity(context, uuid),
  isDomainId: isUuid,
});
export const Fact = keyedNode<FactModel>('Fact', {
  key: ({ uuid }) => uuid,
  find: (context, uuid) => loadFact(context, uuid),
  isDomainId: isUuid,
});
const EntityConnection = connectionOf('Entity', Entity);

/** Entity by uuid, or by the uuid of a merged entity; null if the viewer cannot see it. */
export const loadEntity = mapLoader(
  (tx, { userId }, uuids) => findEntities(tx, userId, uuids),
  null,
);

/**
 * The entity of a stored reference.
 * @throws Refusal NOT_FOUND if it was forgotten since the reference was read
 */
export async function knownEntity(context: RequestContext, uuid: string): Promise<EntityModel> {
  const entity = await loadEntity(context, uuid);
  if (entity === null) throw new Refusal([notFound('entity', ['uuid'])]);
  return entity;
}

/** Fact by uuid; null if the viewer cannot see it. */
export const loadFact = listLoader(
  (tx, { userId }, uuids) => findFacts(tx, userId, uuids),
  ({ uuid }) => uuid,
);
const loadFacts = mapLoader((tx, { userId }, uuids) => listFactsOfEntities(tx, userId, uuids), []);
const loadActive = mapLoader((tx, { userId }, ids) => listActiveEntities(tx, userId, ids), []);

const loadSummaries = mapLoader(
  (tx, { userId }, uuids) => listEntitySummaries(tx, userId, uuids),
  [],
);

const SummaryAuthor = enumOf('SummaryAuthor', 'Author of a summary of an entity.', {
  user: 'The user wrote it.',
  system: 'Extraction or an enrichment wrote it.',
});
const EntitySummary = builder.objectRef<SummaryModel>('EntitySummary').implement({
  description:
    'A summary that an entity has, had, or that an enrichment proposes. It never changes ' +
    '(S4-ENT-08).',
  fields: outputFields({
    summaryId: ['ID', 'Id for chooseEntitySummary.', 'id'],
    text: ['String', 'The summary.'],
    author: [SummaryAuthor, 'Author of the text.'],
    createdAt: ['DateTime', 'Time when it was stored.'],
    runId: ['ID?', 'Id of the enrichment run that proposed it; null for other texts.'],
    isCurrent: ['Boolean', "Whether it is the entity's summary."],
    isProposed: ['Boolean', "Whether it is the newest proposal and not the entity's summary."],
  }),
});

const EntitySource = builder.objectRef<SourceModel>('EntitySource').implement({
  description: 'One source of an entity.',
  fields: outputFields({
    type: [EntityOrigin, 'Kind of source.'],
    createdAt: ['DateTime', 'Time of the entry.'],
    createdBy: ['ID?', 'Id of the user, for entities created by hand.'],
    episodeId: ['ID?', 'The Episode that it was extracted from.'],
    originalName: ['String?', 'Name of the entity in this source.'],
    confidence: ['Float?', 'Confidence of the model, from 0 to 1.'],
  }),
});

Entity.implement({
  description: 'A person, place, concept or other subject of your conversations.',
  interfaces: [Node],
  fields: outputFields({
    uuid: ['ID', 'Uuid of the entity. The uuids of merged entities resolve to it too.'],
    name: ['String', 'Display name.'],
    entityType: [
      'String?',
      'Person, Organization, Project, Concept, Object, Event or Place; null if unknown.',
    ],
    summary: ['String', 'Short summary of the known facts.'],
    groupId: [
      'String',
      'Your own group; of an entity that you made in a conversation, the group of that.',
    ],
    createdAt: ['DateTime', 'Time when it was first stored.'],
    validAt: ['DateTime?', 'Time from which it is known to exist.'],
    sources: [
      [EntitySource],
      'Sources, oldest first. A source is removed only together with the entity.',
    ],
    facets: ['JSONObject?', 'Facets (domain, status, sentiment, …), each a list of strings.'],
    typing: [
      'JSONObject?',
      'Its category, the confidence of category and facets, and their source.',
    ],
    enrichment: ['JSONObject?', 'Data found by enrichment.'],
    enrichedAt: ['DateTime?', 'Time of the last enrichment.'],
    enrichedBy: [nullable(Process), 'The Process of the last enrichment.', 'enrichedById'],
    edgeCount: ['Int', 'Number of Episodes and Summaries that mention it.'],
    mergedFrom: [['ID'], 'Uuids of the entities that were merged into it.'],
    summaries: [
      [EntitySummary],
      'Versions of its summary, newest first, at most 100: texts of its user, texts that ' +
        'were replaced, and proposals of enrichments. A summary that extraction has extended ' +
        'becomes a version when it is replaced.',
      ({ uuid }, _args, context) => loadSummaries(context, uuid),
    ],
    proposedSummary: [
      nullable(EntitySummary),
      "The newest proposal of an enrichment; null if it is the entity's summary or there is " +
        'none. chooseEntitySummary accepts it.',
      async ({ uuid }, _args, context) =>
        (await loadSummaries(context, uuid)).find(({ isProposed }) => isProposed) ?? null,
    ],
    facts: [
      [Fact],
      'Facts about it, newest first, at most 200. Facts that are no longer valid are included.',
      ({ uuid }, _args, context) => loadFacts(context, uuid),
    ],
    relatesTo: [
      [Fact],
      'Only facts that start at this entity and are still valid.',
      async ({ uuid }, _args, context) =>
        (await loadFacts(context, uuid)).filter(
          ({ sourceUuid, invalidAt, expiredAt }) =>
            sourceUuid === uuid && invalidAt === null && expiredAt === null,
        ),
    ],
  }),
});

Fact.implement({
  description: 'A relation between two entities, with its time of validity.',
  interfaces: [Node],
  fields: outputFields({
    uuid: ['ID', 'Uuid of the fact.'],
    name: ['String', 'Name of the relation, such as WORKS_AT.'],
    fact: ['String', 'The fact as a sentence.'],
    episodes: [['ID'], 'The Episodes that state the fact.'],
    validAt: ['DateTime?', 'Time when it became true; null if unknown.'],
    invalidAt: ['DateTime?', 'Time when it stopped being true; null if it is still true.'],
    expiredAt: ['DateTime?', 'Time when the end of the fact became known.'],
    createdAt: ['DateTime', 'Time when the fact became known.'],
    source: [
      Entity,
      'Entity at the start of the relation.',
      ({ sourceUuid }, _args, context) => knownEntity(context, sourceUuid),
    ],
    target: [
      Entity,
      'Entity at the end of the relation.',
      ({ targetUuid }, _args, context) => knownEntity(context, targetUuid),
    ],
  }),
});

export const EntityReference = builder.objectRef<ReferenceModel>('EntityReference').implement({
  description: 'An active entity: one in the working memory of a conversation.',
  fields: outputFields({
    entityUuid: ['ID', 'Uuid of the entity.'],
    name: ['String', 'Display name.'],
    category: ['String?', 'Type of the entity.'],
    relevanceScore: ['Float', 'Relevance in this conversation, from 0 to 1.'],
    source: [EntityOrigin, 'Source of the activation.'],
    addedAt: ['DateTime', 'Time of the activation.'],
    pinned: [
      'Boolean',
      'Whether you made it active. All others become active and inactive by themselves, as ' +
        'the conversation mentions them.',
    ],
    includeSummary: ['Boolean', 'Whether models receive its summary.'],
    includeFacets: ['Boolean', 'Whether models receive its facets.'],
    includeRelationships: ['Boolean', 'Whether models receive its currently valid facts.'],
    entity: [
      Entity,
      'The entity.',
      ({ entityUuid }, _args, context) => knownEntity(context, entityUuid),
    ],
  }),
});

builder.objectFields(
  Conversation,
  outputFields({
    activeEntities: [
      [EntityReference],
      'Active entities, most relevant first.',
      ({ id }, _args, context) => loadActive(context, id),
    ],
  }),
);

const PendingMerge = builder.objectRef<Merge>('PendingMerge').implement({
  description: 'Two entities of yours that the job memory-merge is going to make one.',
  fields: outputFields({
    kept: [
      nullable(Entity),
      'The entity that stays; null if it is gone since.',
      ({ keptUuid }, _args, context) => loadEntity(context, keptUuid),
    ],
    lost: [
      nullable(Entity),
      'The entity that it takes in; null if it is gone since.',
      ({ lostUuid }, _args, context) => loadEntity(context, lostUuid),
    ],
  }),
});

builder.queryFields((t) => ({
  pendingMerges: t.field({
    type: [PendingMerge],
    description:
      'What the job memory-merge would do to your entities that an older version kept for each ' +
      'conversation, before it does: at most those of 200 names. Empty when it has run. An admin ' +
      'can pause the job to look first (`pauseJob`).',
    resolve: (_root, _args, context) =>
      context.graph.read((tx) => previewMerges(tx, viewerOf(context).userId)),
  }),
  entity: t.field({
    type: Entity,
    nullable: true,
    description: 'An entity by uuid; null if it does not exist or is not yours.',
    args: argFields(t, {
      uuid: ['ID!', 'Uuid of the entity, or of one merged into it.'],
    }),
    resolve: async (_root, { uuid }, context) => {
      await settleSwitches(context, viewerOf(context).userId);
      return loadEntity(context, uuid);
    },
  }),
  entities: t.field({
    type: EntityConnection,
    description: 'Your entities, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      ...argFields(t, {
        conversationId: ['ID', 'Only entities of this conversation, and its active ones.'],
        category: ['String', 'Only entities of this type.'],
        query: ['String', 'Substring of the name or summary, case-insensitive.'],
      }),
    },
    resolve: async (_root, args, context) => {
      const { userId } = viewerOf(context);
      await settleSwitches(context, userId);
      return context.graph.read((tx) => listEntities(tx, userId, args));
    },
  }),
}));

export const EntityPayload = payloadType('EntityPayload', 'entity', Entity, {
  connection: EntityConnection,
  key: ({ createdAt, uuid }) => [createdAt, uuid],
});

const CreateEntityInput = inputOf('CreateEntityInput', 'Input for an entity created by hand.', {
  conversationId: ['ID', 'Id of the conversation in which it becomes active. Default: none.'],
  name: ['String!', 'Display name.'],
  category: ['String', 'Person, Organization, Project, Concept, Object, Event or Place.'],
  summary: ['String!', 'Short summary.'],
  facets: ['JSONObject', 'Facets (domain, status, sentiment, …), each a list of strings.'],
});
const MergeEntitiesInput = inputOf('MergeEntitiesInput', 'Input for merging two entities.', {
  keepUuid: [
    'ID!',
    'Uuid of the entity to keep. If only the other one was created by a user, the other one ' +
      'is kept.',
  ],
  mergeUuid: ['ID!', 'Uuid of the entity to merge into it.'],
});
const ChooseEntitySummaryInput = inputOf(
  'ChooseEntitySummaryInput',
  'Input for choosing a summary.',
  {
    entityUuid: ['ID!', 'Uuid of the entity.'],
    summaryId: ['ID!', 'Id of one of its summaries: a proposal, or a former text.'],
  },
);
const SetActiveEntityInput = inputOf(
  'SetActiveEntityInput',
  'Settings of an active entity. Omitted fields stay unchanged.',
  {
    conversationId: ['ID!', 'Id of the conversation.'],
    entityUuid: ['ID!', 'Uuid of the entity.'],
    relevanceScore: ['Float', 'Relevance from 0 to 1. Default 1 for a new one.'],
    includeSummary: ['Boolean', 'Whether models receive its summary. Default true for a new one.'],
    includeFacets: ['Boolean', 'Whether models receive its facets. Default false for a new one.'],
    includeRelationships: [
      'Boolean',
      'Whether models receive its currently valid facts. Default false for a new one.',
    ],
  },
);

const RemoveActiveEntityInput = inputOf('RemoveActiveEntityInput', 'Input of removeActiveEntity.', {
  conversationId: ['ID!', 'Id of the conversation.'],
  entityUuid: ['ID!', 'Uuid of the entity.'],
});

mutation('createEntity', {
  description: 'Creates an entity by hand. It is visible on every branch.',
  input: [CreateEntityInput, 'The new entity.'],
  payload: EntityPayload,
  run: createEntity,
});
mutation('mergeEntities', {
  description:
    'Merges two entities. The kept entity has the data of both, and both uuids resolve to it.',
  input: [MergeEntitiesInput, 'The entities.'],
  payload: EntityPayload,
  run: mergeEntities,
});
mutation('chooseEntitySummary', {
  description:
    'Makes a proposal, or a former text, the summary of an entity. Later enrichments do not ' +
    'replace it.',
  input: [ChooseEntitySummaryInput, 'The choice.'],
  payload: EntityPayload,
  run: chooseEntitySummary,
});
mutation('setActiveEntity', {
  description:
    'Makes an entity active in a conversation, or changes the settings of an active one.',
  input: [SetActiveEntityInput, 'The entity and its settings.'],
  payload: ConversationPayload,
  run: setActiveEntity,
});
mutation('removeActiveEntity', {
  description:
    'Removes an entity from the active ones of a conversation. The entity is not deleted.',
  input: [RemoveActiveEntityInput, 'The entity and the conversation.'],
  payload: ConversationPayload,
  run: removeActiveEntity,
});
