import { enrichEntity } from '../../src/memory-graph/entities/enrichment.mutations.ts';
import {
  getMemorySettings,
  type MemorySettings as SettingsModel,
  updateMemorySettings,
} from '../../src/settings/memory-settings.mutations.ts';
import { builder } from '../builder.ts';
import { Tool } from '../catalog/catalog.ts';
import { viewerOf } from '../context.ts';
import { payload, payloadType } from '../payload.ts';
import { EntityPayload } from './entities.ts';

const MemorySettings = builder.objectRef<SettingsModel>('MemorySettings').implement({
  description: 'Your memory settings.',
  fields: (t) => ({
    llmTool: t.field({
      type: Tool,
      nullable: true,
      description:
        'The LLM Tool whose connection and model the system uses for your conversations; null: local-llm.',
      resolve: ({ llmToolId }) => llmToolId,
    }),
  }),
});
const MemorySettingsPayload = payloadType(
  'MemorySettingsPayload',
  'memorySettings',
  MemorySettings,
);

const UpdateMemorySettingsInput = builder.inputType('UpdateMemorySettingsInput', {
  description: 'Changes to your memory settings. Omitted fields stay unchanged.',
  fields: (t) => ({
    llmToolId: t.id({
      description: 'Id of an LLM Tool that you may use; null resets to local-llm.',
    }),
  }),
});

builder.queryField('memorySettings', (t) =>
  t.field({
    type: MemorySettings,
    description: 'Your memory settings.',
    resolve: (_root, _args, context) => getMemorySettings(context, viewerOf(context)),
  }),
);

builder.mutationFields((t) => ({
  updateMemorySettings: t.field({
    type: MemorySettingsPayload,
    description: 'Changes your memory settings.',
    args: {
      input: t.arg({
        type: UpdateMemorySettingsInput,
        required: true,
        description: 'The changes.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('memorySettings', () => updateMemorySettings(context, viewerOf(context), input)),
  }),
  enrichEntity: t.field({
    type: EntityPayload,
    description: 'Starts a new enrichment of an entity, from all Episodes that mention it.',
    args: { uuid: t.arg.id({ required: true, description: 'Uuid of the entity.' }) },
    resolve: (_root, { uuid }, context) =>
      payload('entity', () => enrichEntity(context, viewerOf(context), uuid), 'arguments'),
  }),
}));
