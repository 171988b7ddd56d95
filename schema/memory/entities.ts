import { listActiveEntities } from '../../src/memory-graph/entities/active-entity.cypher.ts';
import {
  removeActiveEntity,
  setActiveEntity,
} from '../../src/memory-graph/entities/active-entity.mutations.ts';
import type { EntityReference as ReferenceModel } from '../../src/memory-graph/entities/active-entity.ts';
import { findEntities, listEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import { createEntity } from '../../src/memory-graph/entities/entity.mutations.ts';
import type {
  Entity as EntityModel,
  EntitySource as SourceModel,
} from '../../src/memory-graph/entities/entity.ts';
import { findFacts, listFactsOfEntities } from '../../src/memory-graph/entities/fact.cypher.ts';
import type { Fact as FactModel } from '../../src/memory-graph/entities/fact.ts';
import { mergeEntities } from '../../src/memory-graph/entities/merge.mutations.ts';
import { builder, enumOf } from '../builder.ts';
import { connectionOf, pageArgs, pageCost } from '../connection.ts';
import { type RequestContext, viewerOf } from '../context.ts';
import { Conversation, ConversationPayload } from '../conversations/conversations.ts';
import { loader } from '../loader.ts';
import { payload, payloadType } from '../payload.ts';
import { Process } from '../processes/processes.ts';

const EntityOrigin = enumOf('EntityOrigin', 'Where an entity comes from.', {
  user: 'Somebody made it by hand.',
  graphiti: 'It was read from an Episode.',
  enrichment: 'An enrichment added to it.',
});

export const Entity = builder.objectRef<EntityModel>('Entity');
export const Fact = builder.objectRef<FactModel>('Fact');
const EntityConnection = connectionOf('Entity', Entity);

/** By uuid, one that was merged away too; null where there is none to see. */
export const loadEntity = loader(async (context, uuids: readonly string[]) => {
  const { userId } = viewerOf(context);
  const found = await context.graph.read((tx) => findEntities(tx, userId, uuids));
  return uuids.map((uuid) => found.get(uuid) ?? null);
});

/** @throws where a stored reference names none, which the graph does not allow */
export async function knownEntity(context: RequestContext, uuid: string): Promise<EntityModel> {
  const entity = await loadEntity(context, uuid);
  if (entity === null) throw new Error(`The entity ${uuid} is gone.`);
  return entity;
}

/** By uuid; null where there is none to see. */
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

const EntitySource = builder.objectRef<SourceModel>('EntitySource').implement({
  description: 'One place an entity comes from.',
  fields: (t) => ({
    type: t.expose('type', { type: EntityOrigin, description: 'What kind of place.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When.' }),
    createdBy: t.exposeID('createdBy', { nullable: true, description: 'The user, where by hand.' }),
    episodeId: t.exposeID('episodeId', {
      nullable: true,
      description: 'The Episode it was read from.',
    }),
    originalName: t.exposeString('originalName', {
      nullable: true,
      description: 'How it was called there.',
    }),
    confidence: t.exposeFloat('confidence', {
      nullable: true,
      description: 'How sure the model was, from 0 to 1.',
    }),
  }),
});

Entity.implement({
  description: 'A person, place, idea or other thing that your conversations speak of.',
  fields: (t) => ({
    uuid: t.exposeID('uuid', {
      description: 'Its uuid; one that was merged into it names it too.',
    }),
    name: t.exposeString('name', { description: 'How it is called.' }),
    entityType: t.exposeString('entityType', {
      nullable: true,
      description:
        'Person, Organization, Project, Concept, Object, Event or Place; null = unknown.',
    }),
    summary: t.exposeString('summary', { description: 'What is known of it, in short.' }),
    groupId: t.exposeString('groupId', {
      description: 'The conversation it first came up in, or your own group.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was first known.' }),
    validAt: t.expose('validAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when on it is known to be there.',
    }),
    sources: t.field({
      type: [EntitySource],
      description: 'Where it comes from, oldest first; none is ever taken away.',
      resolve: ({ sources }) => [...sources],
    }),
    facets: t.expose('facets', {
      type: 'JSONObject',
      nullable: true,
      description: 'Sides of it (domain, status, sentiment, …), each a list of texts.',
    }),
    typing: t.expose('typing', {
      type: 'JSONObject',
      nullable: true,
      description: 'Its category, how sure that and its facets are, and who said so.',
    }),
    enrichment: t.expose('enrichment', {
      type: 'JSONObject',
      nullable: true,
      description: 'What enrichment found out about it.',
    }),
    enrichedAt: t.expose('enrichedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was enriched last.',
    }),
    enrichedBy: t.field({
      type: Process,
      nullable: true,
      description: 'The Process that did.',
      resolve: ({ enrichedById }) => enrichedById,
    }),
    facts: t.field({
      type: [Fact],
      description: 'What is known of it, newest first, at most 200; what has ended is there too.',
      resolve: ({ uuid }, _args, context) => loadFacts(context, uuid),
    }),
    relatesTo: t.field({
      type: [Fact],
      description: 'Of these, what begins at it and still holds.',
      resolve: async ({ uuid }, _args, context) =>
        (await loadFacts(context, uuid)).filter(
          ({ sourceUuid, invalidAt, expiredAt }) =>
            sourceUuid === uuid && invalidAt === null && expiredAt === null,
        ),
    }),
    edgeCount: t.exposeInt('edgeCount', {
      description: 'How many Episodes and Summaries mention it.',
    }),
    mergedFrom: t.idList({
      description: 'The uuids that were merged into it.',
      resolve: ({ mergedFrom }) => [...mergedFrom],
    }),
  }),
});

Fact.implement({
  description: 'What holds between two entities, and when.',
  fields: (t) => ({
    uuid: t.exposeID('uuid', { description: 'Its uuid.' }),
    name: t.exposeString('name', { description: 'The relation, such as WORKS_AT.' }),
    fact: t.exposeString('fact', { description: 'The sentence.' }),
    source: t.field({
      type: Entity,
      description: 'The entity it begins at.',
      resolve: ({ sourceUuid }, _args, context) => knownEntity(context, sourceUuid),
    }),
    target: t.field({
      type: Entity,
      description: 'The entity it leads to.',
      resolve: ({ targetUuid }, _args, context) => knownEntity(context, targetUuid),
    }),
    episodes: t.idList({
      description: 'The Episodes that say so.',
      resolve: ({ episodes }) => [...episodes],
    }),
    validAt: t.expose('validAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it became true; null = not known.',
    }),
    invalidAt: t.expose('invalidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ceased to be; null = it still is.',
    }),
    expiredAt: t.expose('expiredAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When that became known.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it became known.' }),
  }),
});

export const EntityReference = builder.objectRef<ReferenceModel>('EntityReference').implement({
  description: 'An entity that a conversation has in mind.',
  fields: (t) => ({
    entityUuid: t.exposeID('entityUuid', { description: 'Which one.' }),
    name: t.exposeString('name', { description: 'How it is called.' }),
    category: t.exposeString('category', {
      nullable: true,
      description: 'What kind of thing it is.',
    }),
    relevanceScore: t.exposeFloat('relevanceScore', {
      description: 'How much it matters here, from 0 to 1.',
    }),
    source: t.expose('source', { type: EntityOrigin, description: 'Where it comes from.' }),
    addedAt: t.expose('addedAt', { type: 'DateTime', description: 'Since when.' }),
    includeSummary: t.exposeBoolean('includeSummary', {
      description: 'Whether a model is told its summary.',
    }),
    includeFacets: t.exposeBoolean('includeFacets', {
      description: 'Whether a model is told its facets.',
    }),
    includeRelationships: t.exposeBoolean('includeRelationships', {
      description: 'Whether a model is told the facts about it that hold now.',
    }),
    entity: t.field({
      type: Entity,
      description: 'The entity itself.',
      resolve: ({ entityUuid }, _args, context) => knownEntity(context, entityUuid),
    }),
  }),
});

builder.objectField(Conversation, 'activeEntities', (t) =>
  t.field({
    type: [EntityReference],
    description: 'What it has in mind, the most relevant first.',
    resolve: ({ id }, _args, context) => loadActive(context, id),
  }),
);

builder.queryFields((t) => ({
  entity: t.field({
    type: Entity,
    nullable: true,
    description: 'An entity by its uuid; null when there is none or it is not yours.',
    args: { uuid: t.arg.id({ required: true, description: 'Its uuid, or one merged into it.' }) },
    resolve: (_root, { uuid }, context) => loadEntity(context, uuid),
  }),
  entities: t.field({
    type: EntityConnection,
    description: 'Your entities, newest first.',
    complexity: pageCost,
    args: {
      ...pageArgs(t),
      conversationId: t.arg.id({
        description: 'Only those of this conversation, and those it has in mind.',
      }),
      category: t.arg.string({ description: 'Only those of this kind.' }),
      query: t.arg.string({ description: 'Found in name or summary, without regard to case.' }),
    },
    resolve: (_root, args, context) =>
      context.graph.read((tx) => listEntities(tx, viewerOf(context).userId, args)),
  }),
}));

export const EntityPayload = payloadType('EntityPayload', 'entity', Entity);

const CreateEntityInput = builder.inputType('CreateEntityInput', {
  description: 'An entity by hand.',
  fields: (t) => ({
    conversationId: t.id({
      description: 'The conversation that has it in mind at once; absent: it is in none.',
    }),
    name: t.string({ required: true, description: 'How it is called.' }),
    category: t.string({
      description: 'Person, Organization, Project, Concept, Object, Event or Place.',
    }),
    summary: t.string({ required: true, description: 'What it is, in short.' }),
    facets: t.field({
      type: 'JSONObject',
      description: 'Sides of it (domain, status, sentiment, …), each a list of texts.',
    }),
  }),
});
const MergeEntitiesInput = builder.inputType('MergeEntitiesInput', {
  description: 'Two entities that are one.',
  fields: (t) => ({
    keepUuid: t.id({
      required: true,
      description: 'The one to keep; where only the other was made by a user, that one stays.',
    }),
    mergeUuid: t.id({ required: true, description: 'The one that goes into it.' }),
  }),
});
const ActiveEntityInput = builder.inputType('ActiveEntityInput', {
  description: 'How a conversation has an entity in mind; what is left out stays as it is.',
  fields: (t) => ({
    conversationId: t.id({ required: true, description: 'The conversation.' }),
    entityUuid: t.id({ required: true, description: 'The entity.' }),
    relevanceScore: t.float({ description: 'From 0 to 1; a new one has 1.' }),
    includeSummary: t.boolean({
      description: 'Whether a model is told its summary; a new one: yes.',
    }),
    includeFacets: t.boolean({ description: 'Whether a model is told its facets; a new one: no.' }),
    includeRelationships: t.boolean({
      description: 'Whether a model is told the facts about it that hold now; a new one: no.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createEntity: t.field({
    type: EntityPayload,
    description: 'Makes an entity by hand; it is seen on every branch.',
    args: { input: t.arg({ type: CreateEntityInput, required: true, description: 'What it is.' }) },
    resolve: (_root, { input }, context) =>
      payload('entity', () => createEntity(context, viewerOf(context), input)),
  }),
  mergeEntities: t.field({
    type: EntityPayload,
    description:
      'Makes two entities one: all that is known of either is known of it, and both uuids name it.',
    args: { input: t.arg({ type: MergeEntitiesInput, required: true, description: 'Which.' }) },
    resolve: (_root, { input }, context) =>
      payload('entity', () => mergeEntities(context, viewerOf(context), input)),
  }),
  setActiveEntity: t.field({
    type: ConversationPayload,
    description: 'Has a conversation bear an entity in mind, or changes how.',
    args: { input: t.arg({ type: ActiveEntityInput, required: true, description: 'What.' }) },
    resolve: (_root, { input }, context) =>
      payload('conversation', () => setActiveEntity(context, viewerOf(context), input)),
  }),
  removeActiveEntity: t.field({
    type: ConversationPayload,
    description: 'Has a conversation let go of an entity; the entity stays.',
    args: {
      conversationId: t.arg.id({ required: true, description: 'The conversation.' }),
      entityUuid: t.arg.id({ required: true, description: 'The entity.' }),
    },
    resolve: (_root, input, context) =>
      payload(
        'conversation',
        () => removeActiveEntity(context, viewerOf(context), input),
        'arguments',
      ),
  }),
}));
