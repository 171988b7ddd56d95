import { isJsonObject, type JsonObject, jsonBytes } from '../../common/json.ts';
import { BODY_BYTES_MAX } from '../../common/limits.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { checkIdempotencyKey } from '../../idempotency/idempotency-key.ts';
import { validateJson } from '../../json-schema/json-schema.ts';
import type { ProcessDefinition } from '../../processes/process.ts';
import type { RunSnapshot } from '../run/snapshot.ts';

export interface StartProcessRun {
  readonly processId: string;
  readonly context: JsonObject;
  readonly conversationId?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
  /** Seconds; absent = no timeout. */
  readonly timeout?: number | null | undefined;
  readonly budget?:
    | { readonly tokens?: number | null | undefined; readonly costUsd?: number | null | undefined }
    | null
    | undefined;
}

const RUN_SECONDS_MAX = 366 * 24 * 60 * 60;

/** Checks the input alone, without reading the graph: INVALID, TOO_LARGE. */
export function checkStart({
  timeout,
  budget,
  idempotencyKey,
  context,
}: StartProcessRun): Problem[] {
  const problems: Problem[] = [];
  if (timeout !== null && timeout !== undefined && !(timeout > 0 && timeout <= RUN_SECONDS_MAX))
    problems.push(
      problem(
        'INVALID',
        ['timeout'],
        'The timeout is a number of seconds above 0, a year at most.',
      ),
    );
  problems.push(
    ...checkBudget(budget),
    ...checkIdempotencyKey(idempotencyKey),
    ...checkContextSize(context),
  );
  return problems;
}

/** TOO_LARGE at `context`, above 1 MiB of JSON. */
export function checkContextSize(context: JsonObject): Problem[] {
  if (jsonBytes(context) <= BODY_BYTES_MAX) return [];
  return [problem('TOO_LARGE', ['context'], 'The context is larger than 1 MiB.')];
}

/** INVALID at `budget`; a request without a budget is valid. */
export function checkBudget(budget: StartProcessRun['budget']): Problem[] {
  if (budget === null || budget === undefined) return [];
  const { tokens, costUsd } = budget;
  const problems: Problem[] = [];
  if (tokens !== null && tokens !== undefined && !(Number.isSafeInteger(tokens) && tokens > 0))
    problems.push(
      problem('INVALID', ['budget', 'tokens'], 'A budget of tokens is a whole number above 0.'),
    );
  if (costUsd !== null && costUsd !== undefined && !(Number.isFinite(costUsd) && costUsd > 0))
    problems.push(
      problem('INVALID', ['budget', 'costUsd'], 'A budget of money is a number above 0.'),
    );
  return problems;
}

/**
 * REQUIRED for each missing variable of the initial context, UNKNOWN_VARIABLE for each other one
 * (S4-EXEC-05).
 */
function checkContext(required: readonly string[], context: JsonObject): Problem[] {
  const missing = required
    .filter((name) => !Object.hasOwn(context, name))
    .map((name) =>
      problem('REQUIRED', ['context', name], `The Process needs ${name} in its context.`),
    );
  const unknown = Object.keys(context)
    .filter((name) => !required.includes(name))
    .map((name) => problem('UNKNOWN_VARIABLE', ['context', name], `The Process takes no ${name}.`));
  return [...missing, ...unknown];
}

/**
 * Checks an initial context as checkContext, and by the contextSchema of its Process:
 * SCHEMA_VIOLATION. The returned context has the schema's types and defaults; use it only if there
 * are no problems.
 */
export function fitContext(
  { initialContext, contextSchema }: ContextOwner,
  given: JsonObject,
): { readonly context: JsonObject; readonly problems: Problem[] } {
  const fitted =
    contextSchema == null
      ? { value: given, problems: [] }
      : validateJson(contextSchema, given, ['context']);
  const context = isJsonObject(fitted.value) ? fitted.value : given;
  const names = checkContext(initialContext, context);
  // A missing variable that the schema requires too is one problem.
  const reported = new Set(names.map(({ path }) => path.join('\n')));
  const others = fitted.problems.filter(({ path }) => !reported.has(path.join('\n')));
  return { context, problems: [...names, ...others] };
}

type ContextOwner = Pick<ProcessDefinition, 'initialContext' | 'contextSchema'>;

/**
 * INVALID for each LLM Tool without a price: the cost of its calls could not be counted against a
 * budget of money.
 */
export function checkPrices(snapshot: RunSnapshot, budget: StartProcessRun['budget']): Problem[] {
  if (budget?.costUsd === null || budget?.costUsd === undefined) return [];
  return Object.values(snapshot.tools)
    .filter(
      ({ operation, connectionParams }) =>
        operation.type === 'llm_call' && connectionParams['pricing'] === undefined,
    )
    .map(({ name }) =>
      problem(
        'INVALID',
        ['budget', 'costUsd'],
        `The Tool ${name} has no pricing in its connectionParams, so its cost can't be bounded.`,
      ),
    );
}
