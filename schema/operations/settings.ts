import { updateSettings } from '../../src/settings/settings.mutations.ts';
import {
  NUMBER_SETTINGS,
  type NumberSetting,
  type Settings as SettingsModel,
} from '../../src/settings/settings.ts';
import { builder } from '../builder.ts';
import { viewerOf } from '../context.ts';
import { payload, payloadType } from '../payload.ts';

const MEANINGS: Readonly<Record<NumberSetting, string>> = {
  enrichmentEdgeThreshold: 'Episodes and Summaries that link to an Entity when it is enriched.',
  introspectionCompressionThreshold: 'Compressions of a conversation that start an introspection.',
  introspectionMaxRotation: 'Places of the carousel of introspections.',
  dedupSimilarityThreshold: 'Cosine from which two Entities are one.',
  compressionTokenThreshold:
    'Tokens of uncompressed turns from which a conversation is compressed.',
  callGraphRetentionDays: 'Days a finished call is kept.',
  payloadTruncationThreshold: 'Bytes of JSON up to which a payload of a call is recorded whole.',
  segmentGapMinutes: 'Minutes of silence that end a segment.',
  segmentMaxTokens: 'Tokens a segment may have.',
  segmentOverlapEvents: 'Events of the segment before that a segment repeats.',
  memoryRetentionDays: 'Days that agent memory is kept; 0 keeps it for good.',
};
const FIELDS_MEANING =
  'Names of fields whose values are never recorded; compared without case, _ and -.';
const PATTERNS_MEANING =
  'What secrets look like in texts, as patterns of the linear engine (RE2); `:base64:` stands for base64 of 40 characters or more.';

const about = (name: NumberSetting) => {
  const { min, max, fallback } = NUMBER_SETTINGS[name];
  return `${MEANINGS[name]} From ${min} to ${max}; ${fallback} by default.`;
};

const Settings = builder.objectRef<SettingsModel>('Settings').implement({
  description: 'What admins tune while the product runs; one of it per installation.',
  fields: (t) => {
    const int = (name: Exclude<NumberSetting, 'dedupSimilarityThreshold'>) =>
      t.exposeInt(name, { description: about(name) });
    return {
      enrichmentEdgeThreshold: int('enrichmentEdgeThreshold'),
      introspectionCompressionThreshold: int('introspectionCompressionThreshold'),
      introspectionMaxRotation: int('introspectionMaxRotation'),
      dedupSimilarityThreshold: t.exposeFloat('dedupSimilarityThreshold', {
        description: about('dedupSimilarityThreshold'),
      }),
      compressionTokenThreshold: int('compressionTokenThreshold'),
      callGraphRetentionDays: int('callGraphRetentionDays'),
      payloadTruncationThreshold: int('payloadTruncationThreshold'),
      redactedFields: t.stringList({
        description: FIELDS_MEANING,
        resolve: ({ redactedFields }) => [...redactedFields],
      }),
      redactedPatterns: t.stringList({
        description: PATTERNS_MEANING,
        resolve: ({ redactedPatterns }) => [...redactedPatterns],
      }),
      segmentGapMinutes: int('segmentGapMinutes'),
      segmentMaxTokens: int('segmentMaxTokens'),
      segmentOverlapEvents: int('segmentOverlapEvents'),
      memoryRetentionDays: int('memoryRetentionDays'),
    };
  },
});

const UpdateSettingsInput = builder.inputType('UpdateSettingsInput', {
  description: 'What changes of the settings: what is not named stays, null is the default again.',
  fields: (t) => {
    const int = (name: NumberSetting) => t.int({ description: about(name) });
    return {
      enrichmentEdgeThreshold: int('enrichmentEdgeThreshold'),
      introspectionCompressionThreshold: int('introspectionCompressionThreshold'),
      introspectionMaxRotation: int('introspectionMaxRotation'),
      dedupSimilarityThreshold: t.float({ description: about('dedupSimilarityThreshold') }),
      compressionTokenThreshold: int('compressionTokenThreshold'),
      callGraphRetentionDays: int('callGraphRetentionDays'),
      payloadTruncationThreshold: int('payloadTruncationThreshold'),
      redactedFields: t.stringList({ description: FIELDS_MEANING }),
      redactedPatterns: t.stringList({ description: PATTERNS_MEANING }),
      segmentGapMinutes: int('segmentGapMinutes'),
      segmentMaxTokens: int('segmentMaxTokens'),
      segmentOverlapEvents: int('segmentOverlapEvents'),
      memoryRetentionDays: int('memoryRetentionDays'),
    };
  },
});

const SettingsPayload = payloadType('SettingsPayload', 'settings', Settings);

builder.queryField('settings', (t) =>
  t.field({
    type: Settings,
    description: 'The settings as they are; for admins.',
    authScopes: { admin: true },
    resolve: (_root, _args, { settings }) => settings.current(),
  }),
);

builder.mutationField('updateSettings', (t) =>
  t.field({
    type: SettingsPayload,
    description: 'Changes settings, all of them or none; for admins. In force within 5 seconds.',
    authScopes: { admin: true },
    args: {
      input: t.arg({ type: UpdateSettingsInput, required: true, description: 'The changes.' }),
    },
    resolve: (_root, { input }, context) =>
      payload('settings', () => updateSettings(context, viewerOf(context), input)),
  }),
);
