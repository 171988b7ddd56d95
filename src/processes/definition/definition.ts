import { checkDescription, checkName } from '../../catalog/text-checks.ts';
import { didYouMean } from '../../common/did-you-mean.ts';
import { type Json, jsonBytes } from '../../common/json.ts';
import {
  DEFINITION_BYTES_MAX,
  RECURSION_DEPTH_MAX,
  STEPS_PER_PROCESS_MAX,
} from '../../common/limits.ts';
import { type Problem, problem, Refusal } from '../../common/refusal.ts';
import { problemOf } from '../../common/shape.ts';
import { readCondition } from '../../expressions/condition.ts';
import { listReferences, objectsOf, textsOf } from '../../expressions/interpolation.ts';
import { isPrototypeKey, variableNameFault } from '../../expressions/names.ts';
import {
  bracesInCondition,
  findNearReferences,
  meantInCondition,
  meantInTemplate,
  nearReferenceMessage,
  type ReadableNames,
  referencesInCondition,
  referencesInTemplate,
  unquotedReference,
} from '../../expressions/near-reference.ts';
import { checkTemplate } from '../../expressions/template.ts';
import { hasItems, ProcessDefinition, type ProcessStep } from '../process.ts';
import { checkAgent } from './agent-checks.ts';
import { checkBindings } from './binding-types.ts';
import { checkContextSchema } from './context-schema.ts';
import { checkDependencies } from './dependencies.ts';
import { planStages } from './plan.ts';
import { checkStepShape } from './step-checks.ts';
import { checkTarget, type KnownTargets } from './target-checks.ts';

export type { KnownTargets, ProcessTarget, ToolTarget } from './target-checks.ts';

/**
 * Parses the shape of a definition and fills in defaults. checkDefinition checks the rest: targets,
 * variables, order.
 * @throws Refusal REQUIRED, INVALID with all problems of the shape at once
 */
export function readDefinition(input: unknown): ProcessDefinition {
  const parsed = ProcessDefinition.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new Refusal(parsed.error.issues.slice(0, 200).map((issue) => problemOf(issue, input)));
}

/**
 * Checks a definition (S4-PROC-03…05, S4-STEP-01…08 and the fault table of docs/decisions/0019).
 * Returns all problems at once. Paths start at the definition: `steps.3.inputs.query`.
 */
export function checkDefinition(definition: ProcessDefinition, targets: KnownTargets): Problem[] {
  const { steps } = definition;
  const problems = [
    ...checkName(definition.name),
    ...checkDescription(definition.description),
    ...checkBudgets(definition),
    ...checkVariables(definition),
    ...checkContextSchema(definition),
  ];
  if (steps.length === 0)
    problems.push(problem('REQUIRED', ['steps'], 'A Process needs at least one step.'));
  const tooLarge = checkSize(definition);
  // The following checks take quadratic time in the number of steps.
  if (tooLarge.length > 0) return [...problems, ...tooLarge];

  const stageOf = planStages(steps).flatMap((stage, index) => stage.map(() => index));
  problems.push(...checkDependencies(steps, stageOf));
  for (const [stepIndex, step] of steps.entries())
    problems.push(
      ...checkStepShape(step, stepIndex),
      ...checkReferences(step, stepIndex, namesKnownAt(definition, stageOf, stepIndex)),
      ...checkTarget(step, stepIndex, targets),
      ...checkAgent(step, stepIndex, targets),
    );
  // A schema with problems could mislead the check of types.
  const schemaHolds = !problems.some(({ code }) => code === 'SCHEMA_INVALID');
  return [
    ...problems,
    ...(schemaHolds ? checkBindings(definition, targets) : []),
    ...checkOutput(definition),
  ];
}

function checkSize(definition: ProcessDefinition): Problem[] {
  if (definition.steps.length > STEPS_PER_PROCESS_MAX) {
    const message = `A Process may have at most ${STEPS_PER_PROCESS_MAX} steps.`;
    return [problem('TOO_LARGE', ['steps'], message)];
  }
  const bytes = jsonBytes(definition);
  if (bytes <= DEFINITION_BYTES_MAX) return [];
  const [most, is] = [DEFINITION_BYTES_MAX, bytes].map((count) => Math.ceil(count / 1024));
  return [problem('TOO_LARGE', [], `A Process may have ${most} KiB as JSON; this one has ${is}.`)];
}

function checkBudgets({ tokenBudget, maxRecursionDepth }: ProcessDefinition): Problem[] {
  const problems: Problem[] = [];
  if (tokenBudget != null && !(Number.isSafeInteger(tokenBudget) && tokenBudget > 0))
    problems.push(problem('INVALID', ['tokenBudget'], 'A token budget is a whole number from 1.'));
  if (
    !(
      Number.isInteger(maxRecursionDepth) &&
      maxRecursionDepth >= 0 &&
      maxRecursionDepth <= RECURSION_DEPTH_MAX
    )
  ) {
    const message = `maxRecursionDepth is a whole number from 0 to ${RECURSION_DEPTH_MAX}.`;
    problems.push(problem('INVALID', ['maxRecursionDepth'], message));
  }
  return problems;
}

/**
 * Variable names are unique over initialContext and outputs. Step ids are unique within their
 * Process (S4-STEP-01).
 */
function checkVariables({ initialContext, steps }: ProcessDefinition): Problem[] {
  const problems: Problem[] = [];
  const taken = new Set<string>();
  const ids = new Set<string>();
  const take = (name: string, path: (string | number)[]) => {
    const fault = variableNameFault(name);
    if (fault !== null) problems.push(problem('INVALID', path, `The name "${name}" ${fault}.`));
    else if (taken.has(name)) {
      problems.push(problem('TAKEN', path, `There is a variable "${name}" already.`));
    }
    taken.add(name);
  };
  for (const [index, name] of initialContext.entries()) take(name, ['initialContext', index]);
  for (const [stepIndex, { id, output }] of steps.entries()) {
    take(output.variable, ['steps', stepIndex, 'output', 'variable']);
    if (ids.has(id))
      problems.push(
        problem('TAKEN', ['steps', stepIndex, 'stepId'], `There is a step "${id}" already.`),
      );
    ids.add(id);
  }
  return problems;
}

/**
 * The names that a step may read. `siblings` are outputs of parallel steps, which it may not read.
 */
interface KnownNames {
  readonly steps: ReadonlySet<string>;
  readonly siblings: ReadonlySet<string>;
  readonly stepIds: ReadonlyMap<string, string>;
  readonly context: ReadonlySet<string>;
}

function namesKnownAt(
  definition: ProcessDefinition,
  stageOf: readonly number[],
  stepIndex: number,
): KnownNames {
  const earlier = definition.steps.slice(0, stepIndex);
  const before = earlier.map(({ output }) => output.variable);
  const ended = (_name: unknown, at: number) => stageOf[at] !== stageOf[stepIndex];
  return {
    stepIds: variablesOfSteps(earlier.filter(ended)),
    steps: new Set(before.filter(ended)),
    siblings: new Set(before.filter((name, at) => !ended(name, at))),
    context: new Set(definition.initialContext),
  };
}

const variablesOfSteps = (steps: readonly ProcessStep[]): ReadonlyMap<string, string> =>
  new Map(steps.map(({ id, output }) => [id, output.variable]));

/**
 * Checks that every name in a step's inputs, condition and forEach has its value before the step
 * starts.
 */
function checkReferences(step: ProcessStep, stepIndex: number, known: KnownNames): Problem[] {
  const problems: Problem[] = [];
  // Outside forEach and pages `{item}` has no value.
  const mode = hasItems(step) ? 'items' : 'no items';
  for (const { root, path, at } of listReferences(step.inputs as Json, mode)) {
    const where = ['steps', stepIndex, 'inputs', ...at];
    const [name = ''] = path;
    const key = path.find(isPrototypeKey);
    if (key !== undefined) problems.push(problem('INVALID', where, `No value has ${key}.`));
    else if (root === 'step') problems.push(...checkStepName(name, where, known));
    else if (root === 'context') problems.push(...checkContextName(name, where, known));
  }
  const names: ReadableNames = { ...known, mode };
  for (const { text, at } of textsOf(step.inputs)) {
    const where = ['steps', stepIndex, 'inputs', ...at];
    for (const near of findNearReferences(text, names))
      problems.push(problem('UNKNOWN_VARIABLE', where, nearReferenceMessage(near, mode)));
  }
  for (const { object, at } of objectsOf(step.inputs as Json)) {
    const meant = at.length === 0 ? null : unquotedReference(object);
    if (meant === null) continue;
    const message = `YAML reads ${meant} without quotes as a map. Quote it: "${meant}".`;
    problems.push(problem('INVALID', ['steps', stepIndex, 'inputs', ...at], message));
  }
  for (const [kind, wants] of [
    ['condition', 'bool'],
    ['forEach', 'list'],
  ] as const) {
    const source = step.execution[kind];
    if (source == null) continue;
    const where = ['steps', stepIndex, 'execution', kind];
    const outside: ReadableNames = { ...known, mode: 'no items' };
    const reading = readCondition(source, where, wants, (name) =>
      meantInCondition(source, name, outside),
    );
    problems.push(
      ...bracesInCondition(source, outside).map(({ found, meant }) => {
        const hint = meant === null ? '' : ` Did you mean ${meant}?`;
        return problem(
          'CONDITION_INVALID',
          where,
          `${found}: an expression reads values without braces and signs.${hint}`,
        );
      }),
      ...referencesInCondition(source).map(({ found, meant }) => {
        const message =
          `${found} is not filled in inside a text. Did you mean ${meant}, without quotes and ` +
          'braces?';
        return problem('CONDITION_INVALID', where, message);
      }),
      ...reading.problems,
      ...reading.steps.flatMap((name) => checkStepName(name, where, known)),
      ...reading.context.flatMap((name) => checkContextName(name, where, known)),
    );
  }
  return problems;
}

function checkStepName(
  name: string,
  path: (string | number)[],
  { steps, siblings, stepIds }: KnownNames,
): Problem[] {
  if (steps.has(name)) return [];
  if (siblings.has(name)) {
    const message = `step.${name} is set by a step that runs at the same time as this one.`;
    return [problem('PARALLEL_DEPENDENCY', path, message)];
  }
  const variable = stepIds.get(name);
  const meant =
    variable === undefined
      ? didYouMean(name, steps)
      : ` Did you mean "${variable}", which the step "${name}" sets?`;
  const message = `step.${name} is the output of no earlier step.${meant}`;
  return [problem('UNKNOWN_VARIABLE', path, message)];
}

function checkContextName(
  name: string,
  path: (string | number)[],
  { context }: KnownNames,
): Problem[] {
  if (context.has(name)) return [];
  const message = `context.${name} is not in initialContext.${didYouMean(name, context)}`;
  return [problem('UNKNOWN_VARIABLE', path, message)];
}

/** S4-PROC-05: the output template reads initialContext and outputs only. */
function checkOutput({ outputTemplate, initialContext, steps }: ProcessDefinition): Problem[] {
  const path = ['outputTemplate'];
  const known = new Set([...initialContext, ...steps.map(({ output }) => output.variable)]);
  const { problems, variables } = checkTemplate(outputTemplate, path);
  const unknown = variables.filter((name) => !known.has(name));
  const template = typeof outputTemplate === 'string' ? outputTemplate : '';
  const names: ReadableNames = {
    steps: new Set(steps.map(({ output }) => output.variable)),
    stepIds: variablesOfSteps(steps),
    context: new Set(initialContext),
    mode: 'no items',
  };
  return [
    ...problems,
    ...referencesInTemplate(template, names).map(({ found, meant }) => {
      const hint = meant === null ? '' : ` Did you mean ${meant}?`;
      const message = `${found} is no value of a template, which prints it as it is.${hint}`;
      return problem('TEMPLATE_INVALID', path, message);
    }),
    ...unknown.map((name) => {
      const meant = meantInTemplate(template, name, names);
      const hint = meant === null ? didYouMean(name, known) : ` Did you mean ${meant}?`;
      const message = `{{${name}}} is neither in initialContext nor the output of a step.${hint}`;
      return problem('UNKNOWN_VARIABLE', path, message);
    }),
  ];
}
