import { z } from 'zod';
import {
  FOR_EACH_ITEMS_MAX,
  INLINE_PAYLOAD_BYTES_MAX,
  RUNS_PER_TREE_MAX,
  STEP_EXECUTIONS_PER_TREE_MAX,
} from '../common/limits.ts';
import {
  BASE64_PATTERN,
  normalName,
  REDACTED_FIELDS_DEFAULT,
  REDACTED_PATTERNS_DEFAULT,
} from '../common/redaction.ts';
import { type Problem, problem } from '../common/refusal.ts';
import { PREVIEW_BYTES } from '../common/truncate.ts';
import { linearRegExp, patternFault } from '../json-schema/linear-pattern.ts';

/** Kind of the outbox entry of a change. Its payload is `{by, changed: [names]}`. */
export const SETTINGS_UPDATED = 'settings.updated';

interface NumberRule {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
  readonly whole: boolean;
}
const whole = (fallback: number, min: number, max: number): NumberRule => ({
  fallback,
  min,
  max,
  whole: true,
});

/** The numeric settings with their ranges. `fallback` is the default. */
export const NUMBER_SETTINGS = {
  /** S4-ENT-09: number of Episodes and Summaries linked to an Entity that starts its enrichment. */
  enrichmentEdgeThreshold: whole(5, 1, 1_000),
  /** S4-INTR-07: number of compressions of a conversation that starts an introspection. */
  introspectionCompressionThreshold: whole(5, 1, 20),
  /** S4-INTR-02: number of places in the carousel of introspections. */
  introspectionMaxRotation: whole(10, 1, 100),
  /** S4-ENT-07: minimum cosine similarity to merge two Entities. */
  dedupSimilarityThreshold: { fallback: 0.85, min: 0, max: 1, whole: false },
  /** S4-CONV-08: entities that are active by themselves, with the pinned ones; 0 = none. */
  activeEntitiesMax: whole(8, 0, 200),
  /** Minimum tokens on a conversation's uncompressed path to start a compression. */
  compressionTokenThreshold: whole(8_000, 100, 1_000_000),
  /** S3-RET-01: days to keep a finished call. */
  callGraphRetentionDays: whole(90, 1, 3_650),
  /**
   * S3-TRUNC-03: maximum bytes of JSON of a recorded payload. A limit below the preview's size
   * would save nothing.
   */
  payloadTruncationThreshold: whole(10_240, PREVIEW_BYTES, INLINE_PAYLOAD_BYTES_MAX),
  /** S2-SEG-02: minutes without an event that end a segment. */
  segmentGapMinutes: whole(30, 1, 1_440),
  /** S2-SEG-03: maximum tokens of a segment. */
  segmentMaxTokens: whole(4_000, 100, 100_000),
  /** S2-SEG-04: number of events of the previous segment that a segment repeats. */
  segmentOverlapEvents: whole(5, 0, 100),
  /** Minimum tokens of a segment or period that a model sums up; shorter ones are quoted. */
  summaryTokensMin: whole(500, 0, 100_000),
  /**
   * Tokens of language models that the product's background work may use for one user on one day
   * in UTC; 0 = no limit. A normal day stays far below the default.
   */
  backgroundTokensPerDay: whole(2_000_000, 0, 1_000_000_000),
  /** S2-GRIP-04: minimum share of a line's content words that its evidence has to contain. */
  lineSupportThreshold: { fallback: 0.75, min: 0, max: 1, whole: false },
  /** S2-EVT-06: days to keep agent memory; 0 = forever. */
  memoryRetentionDays: whole(0, 0, 36_500),
  /** Days to keep a user's finished run; 0 = forever. Answers of conversations are kept. */
  runRetentionDays: whole(90, 0, 36_500),
  /** Days to keep the product's own runs and their sessions; 0 = forever. */
  systemRunRetentionDays: whole(7, 0, 36_500),
  /** Days to keep delivered entries of the event log outside of runs; 0 = forever. */
  entryRetentionDays: whole(30, 0, 36_500),
  /** Days after its last event to keep a session of the session graph; 0 = forever. */
  sessionRetentionDays: whole(90, 0, 36_500),
  /** S4-EXEC-03: maximum items of one forEach. */
  forEachItemsMax: whole(FOR_EACH_ITEMS_MAX, FOR_EACH_ITEMS_MAX, 100_000),
  /** Maximum step executions of a run with all runs below it, items included. */
  stepsPerRunMax: whole(STEP_EXECUTIONS_PER_TREE_MAX, STEP_EXECUTIONS_PER_TREE_MAX, 1_000_000),
  /** Maximum runs of a run with all runs below it, itself included. */
  runsPerRunMax: whole(RUNS_PER_TREE_MAX, RUNS_PER_TREE_MAX, 10_000),
  /** Days in which a repeated idempotency key gives the first result. */
  idempotencyRetentionDays: whole(7, 1, 365),
} as const satisfies Record<string, NumberRule>;
export type NumberSetting = keyof typeof NUMBER_SETTINGS;
const NUMBERS = Object.keys(NUMBER_SETTINGS) as NumberSetting[];

export const REDACTED_FIELDS_MAX = 200;
export const REDACTED_PATTERNS_MAX = 50;
const FIELD_CHARS_MAX = 100;

/** Settings that an admin can change at run time; one set per installation. */
export const Settings = z.object({
  ...(Object.fromEntries(NUMBERS.map((name) => [name, z.number()])) as Record<
    NumberSetting,
    z.ZodNumber
  >),
  /** S3-RED-05: names of fields to redact. */
  redactedFields: z.array(z.string()).readonly(),
  redactedPatterns: z.array(z.string()).readonly(),
});
export type Settings = Readonly<z.infer<typeof Settings>>;

export const SETTINGS_DEFAULT: Settings = {
  ...(Object.fromEntries(NUMBERS.map((name) => [name, NUMBER_SETTINGS[name].fallback])) as Record<
    NumberSetting,
    number
  >),
  redactedFields: REDACTED_FIELDS_DEFAULT,
  redactedPatterns: REDACTED_PATTERNS_DEFAULT,
};

/** A change of settings. An absent setting stays; null resets it to its default. */
export type UpdateSettings = {
  readonly [Name in keyof Settings]?: Settings[Name] | null | undefined;
};

/** All problems of a change at once. */
export function checkSettings(input: UpdateSettings): Problem[] {
  return [
    ...NUMBERS.flatMap((name) => checkNumber(name, input[name])),
    ...checkFields(input.redactedFields),
    ...checkPatterns(input.redactedPatterns),
  ];
}

/** The settings that a change names, nulls replaced by defaults. Call it with a checked input. */
export function changedSettings(input: UpdateSettings): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(input)
      .filter(([name, value]) => name in SETTINGS_DEFAULT && value !== undefined)
      .map(([name, value]) => [name, value ?? SETTINGS_DEFAULT[name as keyof Settings]]),
  );
}

function checkNumber(name: NumberSetting, value: number | null | undefined): Problem[] {
  if (value == null) return [];
  const { min, max, whole } = NUMBER_SETTINGS[name];
  const fits = value >= min && value <= max && (!whole || Number.isInteger(value));
  const noun = whole ? 'a whole number' : 'a number';
  return fits
    ? []
    : [problem('INVALID', [name], `${name} has to be ${noun} from ${min} to ${max}.`)];
}

function checkFields(fields: readonly string[] | null | undefined): Problem[] {
  const name = 'redactedFields';
  if (fields == null) return [];
  const wrong = fields.flatMap((field, index) =>
    normalName(field) !== '' && field.length <= FIELD_CHARS_MAX
      ? []
      : [
          problem(
            'INVALID',
            [name, index],
            `A field's name has 1 to ${FIELD_CHARS_MAX} characters, not only _, - and spaces.`,
          ),
        ],
  );
  return [...checkCount(name, fields, REDACTED_FIELDS_MAX), ...wrong];
}

function checkPatterns(patterns: readonly string[] | null | undefined): Problem[] {
  const name = 'redactedPatterns';
  if (patterns == null) return [];
  const count = checkCount(name, patterns, REDACTED_PATTERNS_MAX);
  // The check compiles each pattern, so patterns beyond the limit are not checked.
  if (count.length > 0) return count;
  return patterns.flatMap((pattern, index) => {
    const fault = redactionFault(pattern);
    return fault === null ? [] : [problem('INVALID', [name, index], `The pattern ${fault}.`)];
  });
}

function redactionFault(pattern: string): string | null {
  if (pattern === BASE64_PATTERN) return null;
  if (pattern.trim() === '') return 'is empty';
  const fault = patternFault(pattern);
  if (fault !== null) return fault;
  return linearRegExp(pattern).test('')
    ? 'also fits an empty text, so it would fit everywhere'
    : null;
}

const checkCount = (name: string, given: readonly string[], max: number): Problem[] =>
  given.length <= max ? [] : [problem('TOO_LARGE', [name], `At most ${max} of them.`)];
