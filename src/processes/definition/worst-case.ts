import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject } from '../../common/json.ts';
import {
  AGENT_CALLS_PER_ROUND_MAX,
  AGENT_ROUNDS_DEFAULT,
  AGENT_TOOL_CALLS_DEFAULT,
  READ_ONLY_ATTEMPTS_DEFAULT,
} from '../../common/limits.ts';
import type { Settings } from '../../settings/settings.ts';
import type { ProcessDefinition, ProcessStep } from '../process.ts';

/** The part of a Process that bounds its runs. */
export type BoundedProcess = Pick<
  ProcessDefinition,
  'steps' | 'maxRecursionDepth' | 'contextSchema'
>;

/** The part of a Tool that bounds its calls. */
export interface BoundedTool {
  readonly mutating: boolean;
  readonly asksModel: boolean;
  /** A broken structured output gets one repair, which is a second answer. */
  readonly isRepaired: boolean;
  /** `connectionParams.maxTokens`; null: no limit. */
  readonly maxTokens: number | null;
}

/** The most that one run may do, with all runs below it. */
export interface WorstCase {
  /** Null: more than `stepExecutionsLimit`, so a run stops there. */
  readonly stepExecutions: number | null;
  /** Attempts to call Tools, retries included; null where `stepExecutions` is. */
  readonly toolAttempts: number | null;
  /** Tokens that models may write; null: no bound. */
  readonly answerTokens: number | null;
  /**
   * Steps of the root with a forEach over a list without a bound, or with a sub-Process that has
   * one. `itemsLimit` applies to such a list.
   */
  readonly unboundedStepIds: readonly string[];
  readonly itemsLimit: number;
  readonly stepExecutionsLimit: number;
}

export type RunLimits = Pick<Settings, 'forEachItemsMax' | 'stepsPerRunMax'>;

interface Amount {
  readonly steps: number;
  readonly attempts: number;
  readonly tokens: number;
  readonly hasUnboundedList: boolean;
}

const NOTHING: Amount = { steps: 0, attempts: 0, tokens: 0, hasUnboundedList: false };

/**
 * Bounds a run: all conditions true, all lists and loops of agents as long as allowed, and each
 * attempt but the last one failed. Does not count attempts that are lost with their Worker.
 * @param called the reachable Processes by id; an absent one starts no run
 * @param tools the reachable Tools by id; of an absent one the largest bounds are taken
 */
export function findWorstCase(
  process: BoundedProcess,
  called: ReadonlyMap<string, BoundedProcess>,
  tools: ReadonlyMap<string, BoundedTool>,
  { forEachItemsMax: itemsLimit, stepsPerRunMax: stepExecutionsLimit }: RunLimits,
): WorstCase {
  const known = new Map<string, Amount>();

  function ofProcess(id: string, depth: number, limit: number): Amount {
    const found = called.get(id);
    // The engine refuses deeper calls.
    if (found === undefined || depth > limit) return NOTHING;
    const depthMax = Math.min(limit, found.maxRecursionDepth);
    const key = `${id} ${depth} ${depthMax}`;
    const done = known.get(key);
    if (done !== undefined) return done;
    const amount = found.steps
      .map((step) => ofStep(found, step, depth, depthMax))
      .reduce(sum, NOTHING);
    known.set(key, amount);
    return amount;
  }

  function ofStep(at: BoundedProcess, step: ProcessStep, depth: number, limit: number): Amount {
    const items = itemsOf(at, step, itemsLimit);
    const offered = (step.tools ?? []).filter(({ permission }) => permission !== 'deny');
    const isAgent = (step.tools ?? []).length > 0;
    const rounds = isAgent ? (step.agent?.maxRounds ?? AGENT_ROUNDS_DEFAULT) : 1;
    const main = times(rounds, ofTarget(step, depth, limit, isAgent ? 'round' : 'step'));
    // The last round calls no tool.
    const calls = Math.min(
      step.agent?.maxToolCalls ?? AGENT_TOOL_CALLS_DEFAULT,
      (rounds - 1) * AGENT_CALLS_PER_ROUND_MAX,
    );
    const dearest = offered
      .map((tool) => ofTarget(asStep(step, tool), depth, limit, 'call'))
      .reduce(most, NOTHING);
    const once = [
      { ...NOTHING, steps: 1 + (isAgent ? rounds + (offered.length > 0 ? calls : 0) : 0) },
      main,
      ...(isAgent ? [times(calls, dearest)] : []),
    ].reduce(sum, NOTHING);
    const all = times(items ?? itemsLimit, once);
    // The step itself counts also where its list is empty.
    return {
      ...all,
      steps: Math.max(1, all.steps),
      hasUnboundedList: once.hasUnboundedList || items === null,
    };
  }

  /** The amount of a step's target. The step's own execution is not in it. */
  function ofTarget(
    { calls, execution, output }: Pick<ProcessStep, 'calls' | 'execution' | 'output'>,
    depth: number,
    limit: number,
    as: 'step' | 'round' | 'call',
  ): Amount {
    const retries = as === 'call' ? undefined : execution.retry?.maximumAttempts;
    // Each attempt to call a Process is a new run.
    if ('processId' in calls)
      return times(retries ?? 1, ofProcess(calls.processId, depth + 1, limit));
    const tool = tools.get(calls.toolId);
    const attempts = retries ?? (tool?.mutating === true ? 1 : READ_ONLY_ATTEMPTS_DEFAULT);
    return { ...NOTHING, attempts, tokens: product(attempts, answerOf(tool, output, as)) };
  }

  const own = process.steps.map((step) => ({
    id: step.id,
    amount: ofStep(process, step, 0, process.maxRecursionDepth),
  }));
  const { steps, attempts, tokens } = own.map(({ amount }) => amount).reduce(sum, NOTHING);
  const isBounded = steps <= stepExecutionsLimit;
  return {
    stepExecutions: isBounded ? steps : null,
    toolAttempts: isBounded ? attempts : null,
    answerTokens: isBounded && Number.isFinite(tokens) ? tokens : null,
    unboundedStepIds: own.flatMap(({ id, amount }) => (amount.hasUnboundedList ? [id] : [])),
    itemsLimit,
    stepExecutionsLimit,
  };
}

/** An offered tool as a step that calls it. */
function asStep(step: ProcessStep, tool: NonNullable<ProcessStep['tools']>[number]) {
  const calls = 'toolId' in tool ? { toolId: tool.toolId } : { processId: tool.processId };
  return { ...step, calls };
}

/** The most items of a step; null where neither the definition nor a schema bounds its list. */
function itemsOf(
  { contextSchema }: BoundedProcess,
  { execution }: ProcessStep,
  itemsLimit: number,
): number | null {
  const { forEach, pages } = execution;
  if (pages != null) return pages.maxPages;
  if (forEach == null) return 1;
  // A run whose context breaks the schema does not start.
  const [, variable] = /^\s*context\.([A-Za-z_]\w*)\s*$/.exec(forEach) ?? [];
  const properties = contextSchema == null ? undefined : entryOf(contextSchema, 'properties');
  if (variable === undefined || !isJsonObject(properties)) return null;
  const property = entryOf(properties, variable);
  const items = isJsonObject(property) ? entryOf(property, 'maxItems') : undefined;
  return typeof items === 'number' ? Math.min(items, itemsLimit) : null;
}

/** The most tokens that a model may write in one attempt. */
function answerOf(
  tool: BoundedTool | undefined,
  { tokenBudget }: ProcessStep['output'],
  as: 'step' | 'round' | 'call',
): number {
  if (tool === undefined) return Number.POSITIVE_INFINITY;
  if (!tool.asksModel) return 0;
  // A budget of the step cuts the answer. It does not cut rounds, which may request calls.
  const budget = as === 'step' ? tokenBudget : null;
  const answer = Math.min(
    tool.maxTokens ?? Number.POSITIVE_INFINITY,
    budget ?? Number.POSITIVE_INFINITY,
  );
  return answer * (tool.isRepaired ? 2 : 1);
}

/** As `left * right`, but 0 times a missing bound is 0. */
const product = (left: number, right: number): number =>
  left === 0 || right === 0 ? 0 : left * right;

const times = (count: number, { steps, attempts, tokens, hasUnboundedList }: Amount): Amount => ({
  steps: product(count, steps),
  attempts: product(count, attempts),
  tokens: product(count, tokens),
  hasUnboundedList,
});

const sum = (left: Amount, right: Amount): Amount => ({
  steps: left.steps + right.steps,
  attempts: left.attempts + right.attempts,
  tokens: left.tokens + right.tokens,
  hasUnboundedList: left.hasUnboundedList || right.hasUnboundedList,
});

/** The larger of both in each respect. */
const most = (left: Amount, right: Amount): Amount => ({
  steps: Math.max(left.steps, right.steps),
  attempts: Math.max(left.attempts, right.attempts),
  tokens: Math.max(left.tokens, right.tokens),
  hasUnboundedList: left.hasUnboundedList || right.hasUnboundedList,
});
