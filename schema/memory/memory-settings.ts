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
  description: 'What you chose for your memory.',
  fields: (t) => ({
    llmTool: t.field({
      type: Tool,
      nullable: true,
      description:
        'Through whose connection and model the system reads your conversations; null: local-llm.',
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
  description: 'What to change of your memory settings; what is left out stays.',
  fields: (t) => ({
    llmToolId: t.id({ description: 'An LLM Tool you may use; null goes back to local-llm.' }),
  }),
});

builder.queryField('memorySettings', (t) =>
  t.field({
    type: MemorySettings,
    description: 'What you chose for your memory.',
    resolve: (_root, _args, context) => getMemorySettings(context, viewerOf(context)),
  }),
);

builder.mutationFields((t) => ({
  updateMemorySettings: t.field({
    type: MemorySettingsPayload,
    description: 'Chooses what reads your conversations.',
    args: {
      input: t.arg({
        type: UpdateMemorySettingsInput,
        required: true,
        description: 'What changes.',
      }),
    },
    resolve: (_root, { input }, context) =>
      payload('memorySettings', () => updateMemorySettings(context, viewerOf(context), input)),
  }),
  enrichEntity: t.field({
    type: EntityPayload,
    description: 'Has the system describe an entity anew, from all that was said of it.',
    args: { uuid: t.arg.id({ required: true, description: 'Which one.' }) },
    resolve: (_root, { uuid }, context) =>
      payload('entity', () => enrichEntity(context, viewerOf(context), uuid), 'arguments'),
  }),
}));
