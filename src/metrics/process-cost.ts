import { z } from 'zod';
import { type Problem, problem } from '../common/refusal.ts';
import { numberOrNull } from '../common/stored.ts';
import { checkWindow, type Window, windowMs } from '../common/window.ts';

/** The cost of the runs of one Process in a time range, sub-runs included. */
export const ProcessCost = z.object({
  processId: z.string(),
  /** Ended runs, also those started by other Processes. */
  runs: z.number(),
  failedRuns: z.number(),
  /** Tokens in and out. */
  tokens: z.number(),
  /** Null where no Tool has a price. */
  costUsd: numberOrNull,
});
export type ProcessCost = z.infer<typeof ProcessCost>;

export const PROCESS_COSTS_DEFAULT = 20;
export const PROCESS_COSTS_MAX = 200;
/** Built-in values are kept for 90 days. */
const WINDOW_MS_MAX = 92 * 24 * 60 * 60 * 1_000;

export function checkProcessCosts({
  first,
  ...window
}: Window & { readonly first: number }): Problem[] {
  return [
    ...checkWindow(window),
    ...(windowMs(window) > WINDOW_MS_MAX ? [problem('INVALID', ['from'], 'At most 92 days.')] : []),
    ...(first < 1 || first > PROCESS_COSTS_MAX
      ? [problem('INVALID', ['first'], `first is a number from 1 to ${PROCESS_COSTS_MAX}.`)]
      : []),
  ];
}
