import { updateSettings } from '../../src/settings/settings.mutations.ts';
import {
  NUMBER_SETTINGS,
  type NumberSetting,
  type Settings as SettingsModel,
} from '../../src/settings/settings.ts';
import { builder } from '../builder.ts';
import { outputFields } from '../fields.ts';
import { inputOf, mutation, payloadType } from '../payload.ts';

const MEANINGS: Readonly<Record<NumberSetting, string>> = {
  enrichmentEdgeThreshold:
    'Number of Episodes and Summaries that must mention an entity before it is enriched.',
  introspectionCompressionThreshold:
    'Number of compressions of a conversation that start an introspection.',
  introspectionMaxRotation: 'Number of positions in the carousel of introspections.',
  dedupSimilarityThreshold: 'Cosine similarity from which two entities are merged.',
  activeEntitiesMax:
    'Number of entities of a conversation that mentions make active, counting those that the ' +
    'user pinned; 0: none.',
  compressionTokenThreshold:
    'Number of tokens in turns without a summary from which a conversation is compressed.',
  callGraphRetentionDays: 'Days until a finished call is deleted.',
  payloadTruncationThreshold:
    'Maximum size of a payload that is recorded in full with a call, in bytes of JSON.',
  segmentGapMinutes: 'Minutes of silence that end a segment.',
  segmentMaxTokens: 'Maximum number of tokens in a segment.',
  segmentOverlapEvents: 'Number of events of the previous segment that a segment repeats.',
  summaryTokensMin:
    'Minimum number of tokens in a segment or period that a model sums up; from a shorter ' +
    'one, sentences are quoted. 0: a model sums up all but a few sentences.',
  backgroundTokensPerDay:
    'Tokens that background work may use for one user on one day in UTC; then it waits until ' +
    'the next day. 0: no limit.',
  lineSupportThreshold:
    'Minimum share of the content words of a memory line that its evidence has to contain; ' +
    'names and numbers always have to be there.',
  memoryRetentionDays: 'Days until agent memory is deleted; 0: never.',
  runRetentionDays:
    "Days after its end until a user's run is deleted with its steps and events; 0: never. " +
    'Runs that answer a turn are kept.',
  systemRunRetentionDays:
    'Days until ended runs of the product are deleted, with their steps, events, calls and ' +
    'sessions; 0: never.',
  entryRetentionDays:
    'Days until delivered entries of the event log outside of runs are deleted; 0: never. ' +
    'Cursors of older events start at the oldest kept one.',
  sessionRetentionDays:
    'Days after its last event, or after its last recording if that was later, until a ' +
    'session of the session graph is deleted; 0: never.',
  forEachItemsMax: 'Maximum items of one forEach. Long lists take hours and many records.',
  stepsPerRunMax:
    'Maximum step executions of a run with all runs below it; each item of a forEach is one.',
  runsPerRunMax: 'Maximum runs of a run with all runs below it, itself included.',
  idempotencyRetentionDays: 'Days in which a repeated idempotency key gives the first result.',
};
const about = (name: NumberSetting) => {
  const { min, max, fallback } = NUMBER_SETTINGS[name];
  return `${MEANINGS[name]} From ${min} to ${max}. Default ${fallback}.`;
};

const NUMBERS = {
  enrichmentEdgeThreshold: ['Int', about('enrichmentEdgeThreshold')],
  introspectionCompressionThreshold: ['Int', about('introspectionCompressionThreshold')],
  introspectionMaxRotation: ['Int', about('introspectionMaxRotation')],
  activeEntitiesMax: ['Int', about('activeEntitiesMax')],
  compressionTokenThreshold: ['Int', about('compressionTokenThreshold')],
  callGraphRetentionDays: ['Int', about('callGraphRetentionDays')],
  payloadTruncationThreshold: ['Int', about('payloadTruncationThreshold')],
  segmentGapMinutes: ['Int', about('segmentGapMinutes')],
  segmentMaxTokens: ['Int', about('segmentMaxTokens')],
  segmentOverlapEvents: ['Int', about('segmentOverlapEvents')],
  summaryTokensMin: ['Int', about('summaryTokensMin')],
  backgroundTokensPerDay: ['Int', about('backgroundTokensPerDay')],
  memoryRetentionDays: ['Int', about('memoryRetentionDays')],
  runRetentionDays: ['Int', about('runRetentionDays')],
  systemRunRetentionDays: ['Int', about('systemRunRetentionDays')],
  entryRetentionDays: ['Int', about('entryRetentionDays')],
  sessionRetentionDays: ['Int', about('sessionRetentionDays')],
  forEachItemsMax: ['Int', about('forEachItemsMax')],
  stepsPerRunMax: ['Int', about('stepsPerRunMax')],
  runsPerRunMax: ['Int', about('runsPerRunMax')],
  idempotencyRetentionDays: ['Int', about('idempotencyRetentionDays')],
  dedupSimilarityThreshold: ['Float', about('dedupSimilarityThreshold')],
  lineSupportThreshold: ['Float', about('lineSupportThreshold')],
} as const satisfies Record<NumberSetting, readonly [string, string]>;
const LISTS: Readonly<Record<'redactedFields' | 'redactedPatterns', [['String'], string]>> = {
  redactedFields: [
    ['String'],
    'Names of fields whose values are never recorded. Case, _ and - are ignored.',
  ],
  redactedPatterns: [
    ['String'],
    'Patterns of secrets in texts, in RE2 syntax. `:base64:` stands for base64 of 40 ' +
      'characters or more.',
  ],
};
const SETTINGS = { ...NUMBERS, ...LISTS };

const Settings = builder.objectRef<SettingsModel>('Settings').implement({
  description: 'Settings of the installation that admins can change while the product runs.',
  fields: outputFields(SETTINGS),
});

const UpdateSettingsInput = inputOf(
  'UpdateSettingsInput',
  'Changes to the settings. Omitted fields stay unchanged; null resets to the default.',
  SETTINGS,
);

const SettingsPayload = payloadType('SettingsPayload', 'settings', Settings);

builder.queryField('settings', (t) =>
  t.field({
    type: Settings,
    nullable: true,
    description: 'The current settings. Only for admins.',
    authScopes: { admin: true },
    resolve: (_root, _args, { settings }) => settings.current(),
  }),
);

mutation('updateSettings', {
  description: 'Changes settings, all or nothing. Takes effect within 5 seconds. Only for admins.',
  admin: true,
  input: [UpdateSettingsInput, 'The changes.'],
  payload: SettingsPayload,
  run: updateSettings,
});
