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
import { payload, payloadType } from '../payload.ts';
import { EntityPayload } from './entities.ts';

const WaitReason = enumOf('BackgroundWaitReason', 'Reason why background work waits.', {
  budget: 'The tokens of the day are used up. It starts on the next day.',
  fault: 'The last try failed or was refused. It is tried again.',
});

const BackgroundWaiting = builder.objectRef<Waiting>('BackgroundWaiting').implement({
  description: 'Background work of one Process that waits.',
  fields: (t) => ({
    processName: t.exposeString('processName', { description: 'Name of the Process.' }),
    reason: t.expose('reason', { type: WaitReason, description: 'Reason why it waits.' }),
    count: t.exposeInt('count', { description: 'Number of pieces of work.' }),
    oldestAt: t.expose('since', {
      type: 'DateTime',
      description: 'Time since which the oldest waits.',
    }),
  }),
});

const BackgroundWork = builder.objectRef<BackgroundState>('BackgroundWork').implement({
  description: 'Your background work of today (UTC): extraction, summaries and the like.',
  fields: (t) => ({
    tokensPerDay: t.exposeInt('tokensPerDay', {
      description: 'Setting backgroundTokensPerDay; 0: no limit.',
    }),
    tokensUsed: t.exposeInt('tokensUsed', { description: 'Tokens used today, sent and received.' }),
    tokensReserved: t.exposeInt('tokensReserved', {
      description: 'Tokens reserved by runs in progress; an estimate.',
    }),
    resetsAt: t.expose('resetsAt', {
      type: 'DateTime',
      description: 'Time when the count begins anew.',
    }),
    waiting: t.field({
      type: [BackgroundWaiting],
      description: 'Work that waits, by Process and reason.',
      resolve: ({ waiting }) => [...waiting],
    }),
  }),
});

const MemorySettings = builder.objectRef<SettingsModel>('MemorySettings').implement({
  description: 'Your choice of model for chat and memory.',
  fields: (t) => ({
    llmTool: t.field({
      type: Tool,
      nullable: true,
      description:
        "The LLM Tool whose connection, Secret and model take the place of the system's LLM Tools: in answers to your messages, also of your own Processes that call them, and in work on your memory. Null: the model of the installation.",
      resolve: ({ llmToolId }) => llmToolId,
    }),
    backgroundWork: t.field({
      type: BackgroundWork,
      description: 'Your background work of today, with the work that waits.',
      resolve: async (_settings, _args, context) => {
        const { backgroundTokensPerDay } = await context.settings.current();
        return backgroundState(context, viewerOf(context), backgroundTokensPerDay);
      },
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
      description:
        'Id of an LLM Tool that you may use; null resets to the model of the installation.',
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

const EnrichEntityInput = builder.inputType('EnrichEntityInput', {
  description: 'Input of enrichEntity.',
  fields: (t) => ({ uuid: t.id({ required: true, description: 'Uuid of the entity.' }) }),
});

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
    args: {
      input: t.arg({ type: EnrichEntityInput, required: true, description: 'The entity.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('entity', () => enrichEntity(context, viewerOf(context), input.uuid)),
  }),
}));
