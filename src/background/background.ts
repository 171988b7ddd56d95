import { z } from 'zod';
import { entryOf } from '../common/entry-of.ts';
import type { JsonObject } from '../common/json.ts';
import { wholeWordsAt } from '../text/whole-words.ts';
import type { WorkReason } from './work.ts';

/**
 * Why work waits, as the API names it. `budget`: the owner's tokens of the day are used up;
 * `fault`: the last try failed or was refused.
 */
export const WAIT_REASONS = ['budget', 'fault'] as const satisfies readonly WorkReason[];

/** The day in UTC that a moment belongs to: 2026-01-31. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;

/** The first moment of the next day in UTC, when budgets are whole again. */
export function nextDay(ms: number): string {
  return new Date(ms - (ms % DAY_MS) + DAY_MS).toISOString();
}

/** Tokens of the shipped prompts and an answer, beside those of the context. */
const FIXED_TOKENS = 1_000;
const CHARS_PER_TOKEN = 4;

/**
 * Estimated tokens of a background run, reserved until its usage is known. Two runs that start at
 * the same time so do not share the last tokens of a day.
 */
export function estimatedTokens(context: JsonObject): number {
  return FIXED_TOKENS + Math.ceil(JSON.stringify(context).length / CHARS_PER_TOKEN);
}

/** The state of a user's background work. */
export interface BackgroundState {
  /** Limit per day; 0 = none. */
  readonly tokensPerDay: number;
  readonly tokensUsed: number;
  /** Reserved by runs in progress. */
  readonly tokensReserved: number;
  /** When the count begins anew. */
  readonly resetsAt: string;
  readonly waiting: readonly Waiting[];
}

/** The items that wait for one Process. */
export const Waiting = z.object({
  processName: z.string(),
  reason: z.enum(WAIT_REASONS),
  count: z.int(),
  /** When the oldest of them began to wait. */
  since: z.string(),
});
export type Waiting = z.infer<typeof Waiting>;

/** A fault of background work that has not been mended: of one Process, over some users. */
export const BackgroundFault = z.object({
  processName: z.string(),
  code: z.string(),
  message: z.string(),
  since: z.string(),
  users: z.int(),
});
export type BackgroundFault = z.infer<typeof BackgroundFault>;

export interface HealthWarning {
  readonly subject: string;
  readonly message: string;
  readonly since: string;
  /** Number of pieces of work that wait. */
  readonly waiting: number;
  readonly advice: string;
}

const ADVICE: Readonly<Record<string, string>> = {
  NOT_FOUND: 'Restart Aiden: it loads its Processes anew. Waiting work then starts by itself.',
  DISABLED: 'Enable the Process. Waiting work then starts by itself.',
  TARGET_DISABLED: 'Enable the Tool and the Process that it calls. Waiting work starts by itself.',
  INTERNAL: 'Read the log of the Workers. It is tried again by itself.',
  REQUIRED: 'Make the initialContext of the Process as shipped, or give it back its name.',
  UNKNOWN_VARIABLE: 'Make the initialContext of the Process as shipped.',
  OUTPUT_INVALID:
    'The answer of the model does not fit. Choose another model in memorySettings, ' +
    'or mend the prompt of the Process.',
};
const UNREACHABLE =
  'Check that the model answers (aiden doctor), its address, key and limits, ' +
  'or choose another Tool in memorySettings. It is tried again by itself.';

/** Warnings for the faults and the waiting work, those that began first before others. */
export function warningsOf(
  faults: readonly BackgroundFault[],
  waiting: readonly (Waiting & { readonly users: number })[],
  resetsAt: string,
): HealthWarning[] {
  const ofFaults = faults.map(({ processName, code, message, since, users }) => ({
    subject: processName,
    message: `${named(processName, message)}${users > 1 ? ` (${users} users)` : ''}`,
    since,
    waiting: waiting
      .filter((one) => one.processName === processName && one.reason === 'fault')
      .reduce((sum, { count }) => sum + count, 0),
    advice: entryOf(ADVICE, code) ?? UNREACHABLE,
  }));
  const budget = waiting.filter(({ reason }) => reason === 'budget');
  const first = budget.map(({ since }) => since).toSorted()[0];
  const names = [...new Set(budget.map(({ processName }) => processName))].toSorted();
  const ofBudget =
    first === undefined
      ? []
      : [
          {
            subject: 'budget',
            message:
              `The tokens of the day for background work are used up: ${names.join(', ')} wait ` +
              `until ${resetsAt}.`,
            since: first,
            waiting: budget.reduce((sum, { count }) => sum + count, 0),
            advice: 'Raise the setting backgroundTokensPerDay (0: no limit), or wait.',
          },
        ];
  return [...ofFaults, ...ofBudget].toSorted((a, b) => (a.since < b.since ? -1 : 1));
}

/** The message with the name of the Process, once: many faults name it themselves. */
function named(processName: string, message: string): string {
  const isNamed = wholeWordsAt(message, processName).next().done !== true;
  return isNamed ? message : `${processName}: ${message}`;
}
