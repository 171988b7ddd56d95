import { isUuid } from '../../src/common/id.ts';
import { notFound, Refusal } from '../../src/common/refusal.ts';
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
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { Conversation, ConversationPayload } from '../conversations/conversations.ts';
import { loader } from '../loader.ts';
import { keyedNode, Node } from '../nodes.ts';
import { payload, payloadType } from '../payload.ts';
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
export const loadEntity = loader(async (context, uuids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => findEntities(tx, userId, uuids));
  return uuids.map((uuid) => found.get(uuid) ?? null);
});

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
export const loadFact = loader(async (context, uuids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => findFacts(tx, userId, uuids));
  const byUuid = new Map(found.map((fact) => [fact.uuid, fact]));
  return uuids.map((uuid) => byUuid.get(uuid) ?? null);
});
const loadFacts = loader(async (context, uuids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const facts = await context.graph.read((tx) => listFactsOfEntities(tx, userId, uuids));
  return uuids.map((uuid) => facts.get(uuid) ?? []);
});
const loadActive = loader(async (context, ids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const active = await context.graph.read((tx) => listActiveEntities(tx, userId, ids));
  return ids.map((id) => active.get(id) ?? []);
});

const loadSummaries = loader(async (context, uuids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => listEntitySummaries(tx, userId, uuids));
  return uuids.map((uuid) => found.get(uuid) ?? []);
});

const SummaryAuthor = enumOf('SummaryAuthor', 'Author of a summary of an entity.', {
  user: 'The user wrote it.',
  system: 'Extraction or an enrichment wrote it.',
});
const EntitySummary = builder.objectRef<SummaryModel>('EntitySummary').implement({
  description:
    'A summary that an entity has, had, or that an enrichment proposes. It never changes (S4-ENT-08).',
  fields: (t) => ({
    summaryId: t.exposeID('id', { description: 'Id for chooseEntitySummary.' }),
    text: t.exposeString('text', { description: 'The summary.' }),
    author: t.expose('author', { type: SummaryAuthor, description: 'Author of the text.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time when it was stored.' }),
    runId: t.exposeID('runId', {
      nullable: true,
      description: 'Id of the enrichment run that proposed it; null for other texts.',
    }),
    isCurrent: t.exposeBoolean('isCurrent', { description: "Whether it is the entity's summary." }),
    isProposed: t.exposeBoolean('isProposed', {
      description: "Whether it is the newest proposal and not the entity's summary.",
    }),
  }),
});

const EntitySource = builder.objectRef<SourceModel>('EntitySource').implement({
  description: 'One source of an entity.',
  fields: (t) => ({
    type: t.expose('type', { type: EntityOrigin, description: 'Kind of source.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the entry.' }),
    createdBy: t.exposeID('createdBy', {
      nullable: true,
      description: 'Id of the user, for entities created by hand.',
    }),
    episodeId: t.exposeID('episodeId', {
      nullable: true,
      description: 'The Episode that it was extracted from.',
    }),
    originalName: t.exposeString('originalName', {
      nullable: true,
      description: 'Name of the entity in this source.',
    }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      description: 'Confidence of the model, from 0 to 1.',
    }),
  }),
});

Entity.implement({
  description: 'A person, place, concept or other subject of your conversations.',
  interfaces: [Node],
  fields: (t) => ({
    uuid: t.exposeID('uuid', {
      description: 'Uuid of the entity. The uuids of merged entities resolve to it too.',
    }),
    name: t.exposeString('name', { description: 'Display name.' }),
    entityType: t.exposeString('entityType', {
      nullable: true,
      description:
        'Person, Organization, Project, Concept, Object, Event or Place; null if unknown.',
    }),
    summary: t.exposeString('summary', { description: 'Short summary of the known facts.' }),
    summaries: t.field({
      type: [EntitySummary],
      description:
        'Versions of its summary, newest first, at most 100: texts of its user, texts that were replaced, and proposals of enrichments. A summary that extraction has extended becomes a version when it is replaced.',
      resolve: ({ uuid }, _args, context) => loadSummaries(context, uuid),
    }),
    proposedSummary: t.field({
      type: EntitySummary,
      nullable: true,
      description:
        "The newest proposal of an enrichment; null if it is the entity's summary or there is none. chooseEntitySummary accepts it.",
      resolve: async ({ uuid }, _args, context) =>
        (await loadSummaries(context, uuid)).find(({ isProposed }) => isProposed) ?? null,
    }),
    groupId: t.exposeString('groupId', {
      description: 'Group of the conversation that first mentioned it, or your own group.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when it was first stored.',
    }),
    validAt: t.expose('validAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time from which it is known to exist.',
    }),
    sources: t.field({
      type: [EntitySource],
      description: 'Sources, oldest first. A source is removed only together with the entity.',
      resolve: ({ sources }) => [...sources],
    }),
    facets: t.expose('facets', {
      type: 'JSONObject',
      nullable: true,
      description: 'Facets (domain, status, sentiment, …), each a list of strings.',
    }),
    typing: t.expose('typing', {
      type: 'JSONObject',
      nullable: true,
      description: 'Its category, the confidence of category and facets, and their source.',
    }),
    enrichment: t.expose('enrichment', {
      type: 'JSONObject',
      nullable: true,
      description: 'Data found by enrichment.',
    }),
    enrichedAt: t.expose('enrichedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last enrichment.',
    }),
    enrichedBy: t.field({
      type: Process,
      nullable: true,
      description: 'The Process of the last enrichment.',
      resolve: ({ enrichedById }) => enrichedById,
    }),
    facts: t.field({
      type: [Fact],
      description:
        'Facts about it, newest first, at most 200. Facts that are no longer valid are included.',
      resolve: ({ uuid }, _args, context) => loadFacts(context, uuid),
    }),
    relatesTo: t.field({
      type: [Fact],
      description: 'Only facts that start at this entity and are still valid.',
      resolve: async ({ uuid }, _args, context) =>
        (await loadFacts(context, uuid)).filter(
          ({ sourceUuid, invalidAt, expiredAt }) =>
            sourceUuid === uuid && invalidAt === null && expiredAt === null,
        ),
    }),
    edgeCount: t.exposeInt('edgeCount', {
      description: 'Number of Episodes and Summaries that mention it.',
    }),
    mergedFrom: t.idList({
      description: 'Uuids of the entities that were merged into it.',
      resolve: ({ mergedFrom }) => [...mergedFrom],
    }),
  }),
});

Fact.implement({
  description: 'A relation between two entities, with its time of validity.',
  interfaces: [Node],
  fields: (t) => ({
    uuid: t.exposeID('uuid', { description: 'Uuid of the fact.' }),
    name: t.exposeString('name', { description: 'Name of the relation, such as WORKS_AT.' }),
    fact: t.exposeString('fact', { description: 'The fact as a sentence.' }),
    source: t.field({
      type: Entity,
      description: 'Entity at the start of the relation.',
      resolve: ({ sourceUuid }, _args, context) => knownEntity(context, sourceUuid),
    }),
    target: t.field({
      type: Entity,
      description: 'Entity at the end of the relation.',
      resolve: ({ targetUuid }, _args, context) => knownEntity(context, targetUuid),
    }),
    episodes: t.idList({
      description: 'The Episodes that state the fact.',
      resolve: ({ episodes }) => [...episodes],
    }),
    validAt: t.expose('validAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when it became true; null if unknown.',
    }),
    invalidAt: t.expose('invalidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when it stopped being true; null if it is still true.',
    }),
    expiredAt: t.expose('expiredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time when the end of the fact became known.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Time when the fact became known.',
    }),
  }),
});

export const EntityReference = builder.objectRef<ReferenceModel>('EntityReference').implement({
  description: 'An active entity: one in the working memory of a conversation.',
  fields: (t) => ({
    entityUuid: t.exposeID('entityUuid', { description: 'Uuid of the entity.' }),
    name: t.exposeString('name', { description: 'Display name.' }),
    category: t.exposeString('category', {
      nullable: true,
      description: 'Type of the entity.',
    }),
    relevanceScore: t.exposeFloat('relevanceScore', {
      description: 'Relevance in this conversation, from 0 to 1.',
    }),
    source: t.expose('source', { type: EntityOrigin, description: 'Source of the activation.' }),
    addedAt: t.expose('addedAt', { type: 'DateTime', description: 'Time of the activation.' }),
    pinned: t.exposeBoolean('pinned', {
      description:
        'Whether you made it active. All others become active and inactive by themselves, as the conversation mentions them.',
    }),
    includeSummary: t.exposeBoolean('includeSummary', {
      description: 'Whether models receive its summary.',
    }),
    includeFacets: t.exposeBoolean('includeFacets', {
      description: 'Whether models receive its facets.',
    }),
    includeRelationships: t.exposeBoolean('includeRelationships', {
      description: 'Whether models receive its currently valid facts.',
    }),
    entity: t.field({
      type: Entity,
      description: 'The entity.',
      resolve: ({ entityUuid }, _args, context) => knownEntity(context, entityUuid),
    }),
  }),
});

builder.objectField(Conversation, 'activeEntities', (t) =>
  t.field({
    type: [EntityReference],
    description: 'Active entities, most relevant first.',
    resolve: ({ id }, _args, context) => loadActive(context, id),
  }),
);

builder.queryFields((t) => ({
  entity: t.field({
    type: Entity,
    nullable: true,
    description: 'An entity by uuid; null if it does not exist or is not yours.',
    args: {
      uuid: t.arg.id({
        required: true,
        description: 'Uuid of the entity, or of one merged into it.',
      }),
    },
    resolve: (_root, { uuid }, context) => loadEntity(context, uuid),
  }),
  entities: t.field({
    type: EntityConnection,
    description: 'Your entities, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      conversationId: t.arg.id({
        description: 'Only entities of this conversation, and its active ones.',
      }),
      category: t.arg.string({ description: 'Only entities of this type.' }),
      query: t.arg.string({ description: 'Substring of the name or summary, case-insensitive.' }),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listEntities(tx, viewerOf(context).userId, args)),
  }),
}));

export const EntityPayload = payloadType('EntityPayload', 'entity', Entity, {
  connection: EntityConnection,
  key: ({ createdAt, uuid }) => [createdAt, uuid],
});

const CreateEntityInput = builder.inputType('CreateEntityInput', {
  description: 'Input for an entity created by hand.',
  fields: (t) => ({
    conversationId: t.id({
      description: 'Id of the conversation in which it becomes active. Default: none.',
    }),
    name: t.string({ required: true, description: 'Display name.' }),
    category: t.string({
      description: 'Person, Organization, Project, Concept, Object, Event or Place.',
    }),
    summary: t.string({ required: true, description: 'Short summary.' }),
    facets: t.field({
      type: 'JSONObject',
      description: 'Facets (domain, status, sentiment, …), each a list of strings.',
    }),
  }),
});
const MergeEntitiesInput = builder.inputType('MergeEntitiesInput', {
  description: 'Input for merging two entities.',
  fields: (t) => ({
    keepUuid: t.id({
      required: true,
      description:
        'Uuid of the entity to keep. If only the other one was created by a user, the other one is kept.',
    }),
    mergeUuid: t.id({ required: true, description: 'Uuid of the entity to merge into it.' }),
  }),
});
const ChooseEntitySummaryInput = builder.inputType('ChooseEntitySummaryInput', {
  description: 'Input for choosing a summary.',
  fields: (t) => ({
    entityUuid: t.id({ required: true, description: 'Uuid of the entity.' }),
    summaryId: t.id({
      required: true,
      description: 'Id of one of its summaries: a proposal, or a former text.',
    }),
  }),
});
const SetActiveEntityInput = builder.inputType('SetActiveEntityInput', {
  description: 'Settings of an active entity. Omitted fields stay unchanged.',
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'Id of the conversation.' }),
    entityUuid: t.id({ required: true, description: 'Uuid of the entity.' }),
    relevanceScore: t.float({ description: 'Relevance from 0 to 1. Default 1 for a new one.' }),
    includeSummary: t.boolean({
      description: 'Whether models receive its summary. Default true for a new one.',
    }),
    includeFacets: t.boolean({
      description: 'Whether models receive its facets. Default false for a new one.',
    }),
    includeRelationships: t.boolean({
      description: 'Whether models receive its currently valid facts. Default false for a new one.',
    }),
  }),
});

const RemoveActiveEntityInput = builder.inputType('RemoveActiveEntityInput', {
  description: 'Input of removeActiveEntity.',
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'Id of the conversation.' }),
    entityUuid: t.id({ required: true, description: 'Uuid of the entity.' }),
  }),
});

builder.mutationFields((t) => ({
  createEntity: t.field({
    type: EntityPayload,
    description: 'Creates an entity by hand. It is visible on every branch.',
    args: {
      input: t.arg({ type: CreateEntityInput, required: true, description: 'The new entity.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('entity', () => createEntity(context, viewerOf(context), input)),
  }),
  mergeEntities: t.field({
    type: EntityPayload,
    description:
      'Merges two entities. The kept entity has the data of both, and both uuids resolve to it.',
    args: {
      input: t.arg({ type: MergeEntitiesInput, required: true, description: 'The entities.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('entity', () => mergeEntities(context, viewerOf(context), input)),
  }),
  chooseEntitySummary: t.field({
    type: EntityPayload,
    description:
      'Makes a proposal, or a former text, the summary of an entity. Later enrichments do not replace it.',
    args: {
      input: t.arg({ type: ChooseEntitySummaryInput, required: true, description: 'The choice.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('entity', () => chooseEntitySummary(context, viewerOf(context), input)),
  }),
  setActiveEntity: t.field({
    type: ConversationPayload,
    description:
      'Makes an entity active in a conversation, or changes the settings of an active one.',
    args: {
      input: t.arg({
        type: SetActiveEntityInput,
        required: true,
        description: 'The entity and its settings.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('conversation', () => setActiveEntity(context, viewerOf(context), input)),
  }),
  removeActiveEntity: t.field({
    type: ConversationPayload,
    description:
      'Removes an entity from the active ones of a conversation. The entity is not deleted.',
    args: {
      input: t.arg({
        type: RemoveActiveEntityInput,
        required: true,
        description: 'The entity and the conversation.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('conversation', () => removeActiveEntity(context, viewerOf(context), input)),
  }),
}));
