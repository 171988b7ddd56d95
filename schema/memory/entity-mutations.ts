import {
  removeActiveEntity,
  setActiveEntity,
} from '../../src/memory-graph/entities/active-entity.mutations.ts';
import { createEntity } from '../../src/memory-graph/entities/entity.mutations.ts';
import { mergeEntities } from '../../src/memory-graph/entities/merge.mutations.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { ConversationPayload } from '../conversations/conversation-mutations.ts';
import { payload, payloadType } from '../payload.ts';
import { Entity } from './entities.ts';

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
