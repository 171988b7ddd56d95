import { backgroundState } from '../../src/background/background.mutations.ts';
import type { BackgroundState, Waiting } from '../../src/background/background.ts';
import { enrichEntity } from '../../src/memory-graph/entities/enrichment.mutations.ts';
import {
  getMemorySettings,
  type MemorySettings as SettingsModel,
  updateMemorySettings,
} from '../../src/settings/memory-settings.mutations.ts';
import { builder, enumOf } from '../builder.ts';
import { Tool } from '../catalog/catalog.ts';
import { viewerOf } from '../context.ts';
import { nullable, outputFields } from '../fields.ts';
import { inputOf, mutation, payloadType } from '../payload.ts';
import { EntityPayload } from './entities.ts';

const WaitReason = enumOf('BackgroundWaitReason', 'Reason why background work waits.', {
  budget: 'The tokens of the day are used up. It starts on the next day.',
  fault: 'The last try failed or was refused. It is tried again.',
});

const BackgroundWaiting = builder.objectRef<Waiting>('BackgroundWaiting').implement({
  description: 'Background work of one Process that waits.',
  fields: outputFields({
    processName: ['String', 'Name of the Process.'],
    reason: [WaitReason, 'Reason why it waits.'],
    count: ['Int', 'Number of pieces of work.'],
    oldestAt: ['DateTime', 'Time since which the oldest waits.', 'since'],
  }),
});

const BackgroundWork = builder.objectRef<BackgroundState>('BackgroundWork').implement({
  description: 'Your background work of today (UTC): extraction, summaries and the like.',
  fields: outputFields({
    tokensPerDay: ['Int', 'Setting backgroundTokensPerDay; 0: no limit.'],
    tokensUsed: ['Int', 'Tokens used today, sent and received.'],
    tokensReserved: ['Int', 'Tokens reserved by runs in progress; an estimate.'],
    resetsAt: ['DateTime', 'Time when the count begins anew.'],
    waiting: [[BackgroundWaiting], 'Work that waits, by Process and reason.'],
  }),
});

const MemorySettings = builder.objectRef<SettingsModel>('MemorySettings').implement({
  description: 'Your choice of model for chat and memory.',
  fields: outputFields({
    llmTool: [
      nullable(Tool),
      "The LLM Tool whose connection, Secret and model take the place of the system's LLM " +
        'Tools: in answers to your messages, also of your own Processes that call them, and ' +
        'in work on your memory. Null: the model of the installation.',
      ({ llmToolId }) => llmToolId,
    ],
    backgroundWork: [
      BackgroundWork,
      'Your background work of today, with the work that waits.',
      async (_settings, _args, context) => {
        const { backgroundTokensPerDay } = await context.settings.current();
        return backgroundState(context, viewerOf(context), backgroundTokensPerDay);
      },
    ],
  }),
});
const MemorySettingsPayload = payloadType(
  'MemorySettingsPayload',
  'memorySettings',
  MemorySettings,
);

const UpdateMemorySettingsInput = inputOf(
  'UpdateMemorySettingsInput',
  'Changes to your memory settings. Omitted fields stay unchanged.',
  {
    llmToolId: [
      'ID',
      'Id of an LLM Tool that you may use; null resets to the model of the installation.',
    ],
  },
);

builder.queryField('memorySettings', (t) =>
  t.field({
    type: MemorySettings,
    description: 'Your memory settings.',
    resolve: (_root, _args, context) => getMemorySettings(context, viewerOf(context)),
  }),
);

const EnrichEntityInput = inputOf('EnrichEntityInput', 'Input of enrichEntity.', {
  uuid: ['ID!', 'Uuid of the entity.'],
});

mutation('updateMemorySettings', {
  description: 'Changes your memory settings.',
  input: [UpdateMemorySettingsInput, 'The changes.'],
  payload: MemorySettingsPayload,
  run: updateMemorySettings,
});
mutation('enrichEntity', {
  description: 'Starts a new enrichment of an entity, from all Episodes that mention it.',
  input: [EnrichEntityInput, 'The entity.'],
  payload: EntityPayload,
  run: (context, viewer, input) => enrichEntity(context, viewer, input.uuid),
});
