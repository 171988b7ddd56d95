import { checkDescription } from '../../catalog/text-checks.ts';
import {
  FOR_EACH_CONCURRENCY_MAX,
  STEP_PAGES_MAX,
  STEP_TIMEOUT_SECONDS_MAX,
} from '../../common/limits.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import type { ProcessStep } from '../process.ts';

// No slash: step ids are part of keys such as `{runId}/{stepId}/{index}` and of event ids.
const STEP_ID = /^[A-Za-z0-9_.:-]{1,100}$/;
const DAY_SECONDS = 86_400;
const RETRY_ERRORS_MAX = 32;

/** Checks one step by itself: bounds of numbers, and fields that contradict each other. */
export function checkStepShape(step: ProcessStep, stepIndex: number): Problem[] {
  const at = (...path: string[]) => ['steps', stepIndex, ...path];
  const id = STEP_ID.test(step.id)
    ? []
    : [
        problem(
          'INVALID',
          at('stepId'),
          'A step id has letters, digits and _ . : - only, at most 100.',
        ),
      ];
  return [
    ...id,
    ...checkDescription(step.description, at('description').map(String)),
    ...checkNumbers(step, at),
    ...checkFailurePolicy(step, at),
    ...checkPages(step, at),
    ...checkFile(step, at),
    ...checkCombinations(step, at),
  ];
}

type At = (...path: string[]) => (string | number)[];

interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly only: 'whole' | 'any';
}

const POSITIVE = Number.MIN_VALUE;
const BOUNDS = {
  tokenBudget: { least: 1, most: Number.MAX_SAFE_INTEGER, only: 'whole' },
  timeout: { least: POSITIVE, most: STEP_TIMEOUT_SECONDS_MAX, only: 'any' },
  maxConcurrency: { least: 1, most: FOR_EACH_CONCURRENCY_MAX, only: 'whole' },
  failedItemsMax: { least: 0, most: Number.MAX_SAFE_INTEGER, only: 'whole' },
  failedShareMax: { least: 0, most: 1, only: 'any' },
  cacheSeconds: { least: POSITIVE, most: 365 * DAY_SECONDS, only: 'any' },
  maxPages: { least: 1, most: STEP_PAGES_MAX, only: 'whole' },
  maximumAttempts: { least: 1, most: 100, only: 'whole' },
  initialInterval: { least: POSITIVE, most: DAY_SECONDS, only: 'any' },
  backoffCoefficient: { least: 1, most: 100, only: 'any' },
  maximumInterval: { least: POSITIVE, most: DAY_SECONDS, only: 'any' },
} as const satisfies Record<string, Bounds>;

function checkNumbers({ output, execution }: ProcessStep, at: At): Problem[] {
  const { timeout, maxConcurrency, failedItemsMax, failedShareMax, cacheSeconds, retry } =
    execution;
  const given = [
    [['output'], { tokenBudget: output.tokenBudget }],
    [['execution'], { timeout, maxConcurrency, failedItemsMax, failedShareMax, cacheSeconds }],
    [['execution', 'pages'], { maxPages: execution.pages?.maxPages }],
    [
      ['execution', 'retry'],
      {
        maximumAttempts: retry?.maximumAttempts,
        initialInterval: retry?.initialInterval,
        backoffCoefficient: retry?.backoffCoefficient,
        maximumInterval: retry?.maximumInterval,
      },
    ],
  ] as const;
  const problems = given.flatMap(([path, numbers]) =>
    Object.entries(numbers).flatMap(([name, value]) => {
      const fault = value == null ? null : boundsFault(value, BOUNDS[name as keyof typeof BOUNDS]);
      return fault === null ? [] : [problem('INVALID', at(...path, name), `${name} ${fault}.`)];
    }),
  );
  if ((retry?.nonRetryableErrors.length ?? 0) > RETRY_ERRORS_MAX) {
    const path = at('execution', 'retry', 'nonRetryableErrors');
    problems.push(problem('INVALID', path, `At most ${RETRY_ERRORS_MAX} codes.`));
  }
  return problems;
}

function boundsFault(value: number, { least, most, only }: Bounds): string | null {
  if (value >= least && value <= most && (only === 'any' || Number.isInteger(value))) return null;
  const from = least === POSITIVE ? 'above 0' : `from ${least}`;
  const to =
    most === Number.MAX_SAFE_INTEGER
      ? ''
      : least === POSITIVE
        ? `, at most ${most}`
        : ` to ${most}`;
  return `is a ${only === 'whole' ? 'whole number' : 'number'} ${from}${to}`;
}

function checkFailurePolicy({ output, execution }: ProcessStep, at: At): Problem[] {
  const { onFailure, fallback } = execution;
  if (onFailure === 'continue' && output.required) {
    const message =
      "A required output can't CONTINUE without a value: make it optional, or give a fallback.";
    return [problem('INVALID', at('execution', 'onFailure'), message)];
  }
  if (onFailure === 'fallback' && output.required && fallback == null)
    return [
      problem('REQUIRED', at('execution', 'fallback'), 'FALLBACK needs a value to fall back to.'),
    ];
  if (onFailure !== 'fallback' && fallback != null)
    return [
      problem('INVALID', at('execution', 'fallback'), 'A fallback goes with onFailure FALLBACK.'),
    ];
  return [];
}

/** A path into a Tool's output: names, and positions in lists. */
const OUTPUT_PATH = /^[A-Za-z_0-9-]+(\.[A-Za-z_0-9-]+)*$/;

function checkPages({ execution, calls, tools }: ProcessStep, at: At): Problem[] {
  const { pages, forEach, interactionMode } = execution;
  if (pages == null) return [];
  const refused = (path: string[], message: string) =>
    problem('INVALID', at('execution', ...path), message);
  return [
    ...(['list', 'next'] as const).flatMap((name) =>
      OUTPUT_PATH.test(pages[name])
        ? []
        : [refused(['pages', name], `${name} is a path in the output, such as data.rows.`)],
    ),
    ...('toolId' in calls && (tools ?? []).length === 0
      ? []
      : [refused(['pages'], 'Only a step that calls a Tool, and offers none, has pages.')]),
    ...(forEach == null
      ? []
      : [refused(['pages'], 'A step has pages or forEach; a step after it has the other.')]),
    ...(interactionMode === 'manual'
      ? [refused(['interactionMode'], 'A step with pages does not wait for a person.')]
      : []),
  ];
}

function checkFile({ output, execution }: ProcessStep, at: At): Problem[] {
  if (output.asFile !== true) return [];
  const refused = (message: string) => [problem('INVALID', at('output', 'asFile'), message)];
  if (execution.forEach == null) return refused('asFile goes with forEach.');
  return output.required ? [] : refused('A list as a file is required: a part has no file.');
}

function checkCombinations({ execution, calls }: ProcessStep, at: At): Problem[] {
  const problems: Problem[] = [];
  for (const field of ['maxConcurrency', 'failedItemsMax', 'failedShareMax'] as const) {
    if (execution[field] != null && execution.forEach == null)
      problems.push(problem('INVALID', at('execution', field), `${field} goes with forEach.`));
  }
  if ('toolId' in calls) return problems;
  // The edge CALLS_PROCESS has only a timeout (S4-STEP-04).
  if (execution.interactionMode === 'manual') {
    const message =
      'Only a step that calls a Tool waits for a person; make the step inside the Process manual.';
    problems.push(problem('INVALID', at('execution', 'interactionMode'), message));
  }
  if (execution.cacheSeconds != null) {
    const message = 'Only a step that calls a Tool can answer from the cache.';
    problems.push(problem('INVALID', at('execution', 'cacheSeconds'), message));
  }
  return problems;
}
