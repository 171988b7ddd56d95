import { schemaProperties, validateJson } from '../catalog/json-schema.ts';
import { checkDescription, checkName } from '../catalog/text-checks.ts';
import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../common/json.ts';
import { DEFINITION_BYTES_MAX, STEPS_PER_PROCESS_MAX } from '../common/limits.ts';
import { type Problem, problem, Refusal } from '../common/refusal.ts';
import { checkCondition } from './condition.ts';
import { listReferences } from './interpolation.ts';
import { variableNameFault } from './names.ts';
import { planStages } from './plan.ts';
import { ProcessDefinition, type ProcessStep } from './process.ts';
import { checkTemplate } from './template.ts';

/** A Tool as a definition's checks see it. */
export interface ToolTarget {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly shared: boolean;
  readonly mutating: boolean;
  readonly inputSchema: JsonObject;
  readonly operationType: string;
}

export interface ProcessTarget {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly shared: boolean;
  readonly initialContext: readonly string[];
}

/** What the steps may call: only what the author sees is in here. */
export interface KnownTargets {
  readonly tools: ReadonlyMap<string, ToolTarget>;
  readonly processes: ReadonlyMap<string, ProcessTarget>;
  /** A shared Process may only call what is shared. */
  readonly sharing: 'shared' | 'private';
}

// In keys such as `{runId}/{stepId}/{index}` and in event ids, so no slash.
const STEP_ID = /^[A-Za-z0-9_.:-]{1,100}$/;

/**
 * Reads a definition's shape, defaults filled in. @throws Refusal REQUIRED, INVALID: every fault of shape at once. What the shape
 * can't say (targets, variables, order) is checkDefinition's.
 */
export function readDefinition(input: unknown): ProcessDefinition {
  const parsed = ProcessDefinition.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new Refusal(
    parsed.error.issues
      .slice(0, 200)
      .map(({ path, message, code }) =>
        problem(
          code === 'invalid_type' && /undefined/.test(message) ? 'REQUIRED' : 'INVALID',
          path.map(String),
          message,
        ),
      ),
  );
}

/** What a step may read: everything that has ended before it starts. */
interface Known {
  readonly steps: ReadonlySet<string>;
  readonly context: ReadonlySet<string>;
}

/**
 * Everything that has to hold of a definition (S4-PROC-03…05, S4-STEP-01…08 and the fault table of decisions.md). All problems at
 * once; paths start at the definition: `steps.3.inputs.query`.
 */
export function checkDefinition(definition: ProcessDefinition, targets: KnownTargets): Problem[] {
  const { steps } = definition;
  const problems = [
    ...checkName(definition.name),
    ...checkDescription(definition.description),
    ...checkVariables(definition),
  ];
  if (steps.length === 0)
    problems.push(problem('REQUIRED', ['steps'], 'A Process needs at least one step.'));
  if (steps.length > STEPS_PER_PROCESS_MAX) {
    return [
      ...problems,
      problem('TOO_LARGE', ['steps'], `A Process may have ${STEPS_PER_PROCESS_MAX} steps.`),
    ];
  }
  const bytes = jsonBytes(definition);
  if (bytes > DEFINITION_BYTES_MAX) {
    return [
      ...problems,
      problem(
        'TOO_LARGE',
        [],
        `A Process may have ${DEFINITION_BYTES_MAX / 1024} KiB as JSON; this one has ${Math.ceil(bytes / 1024)}.`,
      ),
    ];
  }

  const order = new Map(steps.map(({ id }, place) => [id, place]));
  const stageOf = stagesByStep(steps);
  const context = new Set(definition.initialContext);
  const produced = new Map<string, number>();
  for (const [place, step] of steps.entries())
    if (!produced.has(step.output.variable)) produced.set(step.output.variable, place);

  const cyclic = stepsOnCycles(steps, order);
  for (const [place, step] of steps.entries()) {
    const stage = stageOf[place] ?? 0;
    const earlier = new Set(
      steps.flatMap(({ output }, at) => ((stageOf[at] ?? 0) < stage ? [output.variable] : [])),
    );
    const known: Known = { steps: earlier, context };
    const siblings = (name: string) => {
      const at = produced.get(name);
      return at !== undefined && at !== place && stageOf[at] === stage;
    };
    problems.push(
      ...checkStepShape(step, place),
      ...checkDependencies(step, place, { order, stageOf, cyclic }),
      ...checkReferences(step, place, known, siblings),
      ...checkExpressions(step, place, known),
      ...checkTarget(step, place, targets),
    );
  }
  return [...problems, ...checkOutput(definition, context, produced)];
}

function checkVariables({ initialContext, steps }: ProcessDefinition): Problem[] {
  const problems: Problem[] = [];
  const taken = new Set<string>();
  const ids = new Set<string>();
  const take = (name: string, path: (string | number)[]) => {
    const fault = variableNameFault(name);
    if (fault !== null)
      problems.push(problem('INVALID', path, `The name "${name.slice(0, 100)}" ${fault}.`));
    else if (taken.has(name))
      problems.push(
        problem(
          'TAKEN',
          path,
          `The variable "${name}" is set twice; each name stands for one value.`,
        ),
      );
    taken.add(name);
  };
  for (const [place, name] of initialContext.entries()) take(name, ['initialContext', place]);
  for (const [place, { id, output }] of steps.entries()) {
    take(output.variable, ['steps', place, 'output', 'variable']);
    const path = ['steps', place, 'id'];
    if (!STEP_ID.test(id))
      problems.push(
        problem('INVALID', path, 'A step id has letters, digits and _ . : - only, at most 100.'),
      );
    else if (ids.has(id))
      problems.push(problem('TAKEN', path, `There are two steps with the id "${id}".`));
    ids.add(id);
  }
  return problems;
}

/** What of a step contradicts itself. */
function checkStepShape({ execution, output, calls }: ProcessStep, place: number): Problem[] {
  const at = (...path: string[]) => ['steps', place, 'execution', ...path];
  const problems: Problem[] = [];
  if (execution.onFailure === 'continue' && output.required) {
    problems.push(
      problem(
        'INVALID',
        at('onFailure'),
        "A required output can't CONTINUE without one: make it optional, or give a fallback.",
      ),
    );
  }
  if (execution.onFailure === 'fallback' && output.required && execution.fallback == null) {
    problems.push(problem('REQUIRED', at('fallback'), 'FALLBACK needs a value to fall back to.'));
  }
  if (execution.onFailure !== 'fallback' && execution.fallback != null) {
    problems.push(
      problem('INVALID', at('fallback'), 'A fallback is used with onFailure FALLBACK only.'),
    );
  }
  if (execution.maxConcurrency != null && execution.forEach == null) {
    problems.push(problem('INVALID', at('maxConcurrency'), 'maxConcurrency goes with forEach.'));
  }
  if ('processId' in calls) {
    if (execution.interactionMode === 'manual') {
      problems.push(
        problem(
          'INVALID',
          at('interactionMode'),
          'Only a step that calls a Tool can wait for a person; make the step inside the Process manual.',
        ),
      );
    }
    if (execution.cacheSeconds != null) {
      problems.push(
        problem(
          'INVALID',
          at('cacheSeconds'),
          'Only a step that calls a Tool can answer from the cache.',
        ),
      );
    }
  }
  return problems;
}

interface Order {
  readonly order: ReadonlyMap<string, number>;
  readonly stageOf: readonly number[];
  readonly cyclic: ReadonlySet<string>;
}

/** S4-STEP-06, S4-STEP-07, S4-STEP-08. */
function checkDependencies(
  step: ProcessStep,
  place: number,
  { order, stageOf, cyclic }: Order,
): Problem[] {
  const problems: Problem[] = [];
  const seen = new Set<string>();
  for (const [index, id] of step.dependsOn.entries()) {
    const path = ['steps', place, 'dependsOn', index];
    const target = order.get(id);
    if (seen.has(id)) problems.push(problem('INVALID', path, `"${id}" is named twice.`));
    seen.add(id);
    if (target === undefined)
      problems.push(problem('NOT_FOUND', path, `There is no step "${id}" in this Process.`));
    else if (target === place)
      problems.push(problem('CYCLE', path, "A step can't wait for itself."));
    else if (stageOf[target] === stageOf[place]) {
      problems.push(
        problem(
          'PARALLEL_DEPENDENCY',
          path,
          `"${id}" runs at the same time as this step, so it can't be waited for; put a sequential step between, or make one sequential.`,
        ),
      );
    } else if (target > place) {
      problems.push(
        problem(
          'FORWARD_DEPENDENCY',
          path,
          `"${id}" comes later; steps depend on earlier ones only.`,
        ),
      );
    }
    if (target !== undefined && target > place && cyclic.has(step.id) && cyclic.has(id)) {
      problems.push(problem('CYCLE', path, `"${step.id}" and "${id}" wait for each other.`));
    }
  }
  return problems;
}

/** The ids of steps that can reach themselves over dependsOn. */
function stepsOnCycles(
  steps: readonly ProcessStep[],
  order: ReadonlyMap<string, number>,
): Set<string> {
  // Steps left when those without open dependencies are taken away, from both ends, lie on cycles or between two.
  const edges = steps.flatMap(({ id, dependsOn }) =>
    dependsOn.filter((to) => order.has(to)).map((to) => ({ from: id, to })),
  );
  let left = new Set(steps.map(({ id }) => id));
  for (let shrunk = true; shrunk; ) {
    const open = edges.filter(({ from, to }) => left.has(from) && left.has(to));
    const sources = new Set(open.map(({ from }) => from));
    const sinks = new Set(open.map(({ to }) => to));
    const next = new Set([...left].filter((id) => sources.has(id) && sinks.has(id)));
    shrunk = next.size < left.size;
    left = next;
  }
  return left;
}

function checkReferences(
  step: ProcessStep,
  place: number,
  known: Known,
  isSibling: (name: string) => boolean,
): Problem[] {
  const problems: Problem[] = [];
  // `{item}` outside forEach is text like any other brace, so it needs no check.
  const mode = step.execution.forEach == null ? 'no items' : 'items';
  for (const {
    root,
    path: [name = ''],
    at,
  } of listReferences(step.inputs, mode)) {
    const path = ['steps', place, 'inputs', ...at];
    if (root === 'step' && !known.steps.has(name)) {
      problems.push(
        isSibling(name)
          ? problem(
              'PARALLEL_DEPENDENCY',
              path,
              `{step.${name}} is set by a step that runs at the same time as this one.`,
            )
          : problem('UNKNOWN_VARIABLE', path, `{step.${name}} is no output of an earlier step.`),
      );
    }
    if (root === 'context' && !known.context.has(name)) {
      problems.push(
        problem('UNKNOWN_VARIABLE', path, `{context.${name}} is not in initialContext.`),
      );
    }
  }
  return problems;
}

function checkExpressions({ execution }: ProcessStep, place: number, known: Known): Problem[] {
  return (['condition', 'forEach'] as const).flatMap((kind) => {
    const source = execution[kind];
    return source == null
      ? []
      : checkCondition(source, ['steps', place, 'execution', kind], {
          ...known,
          wants: kind === 'condition' ? 'bool' : 'list',
        });
  });
}

function checkTarget(step: ProcessStep, place: number, targets: KnownTargets): Problem[] {
  const [kind, id] =
    'toolId' in step.calls
      ? (['toolId', step.calls.toolId] as const)
      : (['processId', step.calls.processId] as const);
  const path = ['steps', place, 'calls', kind];
  const target = kind === 'toolId' ? targets.tools.get(id) : targets.processes.get(id);
  if (target === undefined) {
    return [
      problem(
        'NOT_FOUND',
        path,
        `No ${kind === 'toolId' ? 'Tool' : 'Process'} with this id, or it is not yours to use.`,
      ),
    ];
  }
  const problems: Problem[] = [];
  if (targets.sharing === 'shared' && !target.shared) {
    problems.push(
      problem(
        'NOT_SHARED',
        path,
        `A shared Process may only call what is shared, and ${target.name} is not.`,
      ),
    );
  }
  if ('inputSchema' in target) {
    if (step.execution.cacheSeconds != null && target.mutating) {
      problems.push(
        problem(
          'INVALID',
          ['steps', place, 'execution', 'cacheSeconds'],
          `${target.name} may change something, so it can't answer from the cache.`,
        ),
      );
    }
    return [...problems, ...checkToolInputs(step.inputs, place, target)];
  }
  return [...problems, ...checkProcessInputs(step.inputs, place, target)];
}

/** S4-STEP-05: names exactly as the inputSchema has them, and literals that fit it; expressions are checked when they are bound. */
function checkToolInputs(
  inputs: JsonObject,
  place: number,
  { inputSchema, name }: ToolTarget,
): Problem[] {
  const at = (...path: string[]) => ['steps', place, 'inputs', ...path];
  const problems: Problem[] = [];
  const declared = isJsonObject(inputSchema['properties'] ?? null)
    ? (inputSchema['properties'] as JsonObject)
    : {};
  const names = new Set(schemaProperties(inputSchema));
  const required = Array.isArray(inputSchema['required'])
    ? inputSchema['required'].map(String)
    : [];
  for (const needed of required) {
    const property = declared[needed];
    const filled =
      property !== undefined && isJsonObject(property) && property['default'] !== undefined;
    if (!Object.hasOwn(inputs, needed) && !filled) {
      problems.push(
        problem('SCHEMA_VIOLATION', at(needed), `${name} requires the input "${needed}".`),
      );
    }
  }
  for (const [input, value] of Object.entries(inputs)) {
    if (!names.has(input)) {
      problems.push(
        problem(
          'SCHEMA_VIOLATION',
          at(input),
          `${name} has no input "${input}"; it has: ${[...names].join(', ') || 'none'}.`,
        ),
      );
      continue;
    }
    const property = declared[input];
    if (property === undefined || listReferences(value, 'items').length > 0) continue;
    problems.push(
      ...literalProblems(inputSchema, input, property, value).map((message) =>
        problem('SCHEMA_VIOLATION', at(input), message),
      ),
    );
  }
  return problems;
}

/** A literal is checked alone, with the schema's definitions at hand for its `$ref`s. */
function literalProblems(
  inputSchema: JsonObject,
  input: string,
  property: Json,
  value: Json,
): string[] {
  const { $schema, $defs, definitions } = inputSchema;
  const schema: JsonObject = {
    ...($schema === undefined ? {} : { $schema }),
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
    type: 'object',
    properties: { [input]: property },
  };
  return validateJson(schema, { [input]: value }, []).problems.map(({ message }) => message);
}

function checkProcessInputs(
  inputs: JsonObject,
  place: number,
  { initialContext, name }: ProcessTarget,
): Problem[] {
  const given = new Set(Object.keys(inputs));
  const wanted = new Set(initialContext);
  return [
    ...[...wanted]
      .filter((key) => !given.has(key))
      .map((key) =>
        problem(
          'SCHEMA_VIOLATION',
          ['steps', place, 'inputs', key],
          `${name} requires "${key}" in its initialContext.`,
        ),
      ),
    ...[...given]
      .filter((key) => !wanted.has(key))
      .map((key) =>
        problem(
          'SCHEMA_VIOLATION',
          ['steps', place, 'inputs', key],
          `${name} has no "${key}" in its initialContext.`,
        ),
      ),
  ];
}

/** S4-PROC-05. */
function checkOutput(
  { outputTemplate }: ProcessDefinition,
  context: ReadonlySet<string>,
  produced: ReadonlyMap<string, number>,
): Problem[] {
  const path = ['outputTemplate'];
  const { problems, variables } = checkTemplate(outputTemplate, path);
  const unknown = variables.filter((name) => !context.has(name) && !produced.has(name));
  return [
    ...problems,
    ...unknown.map((name) =>
      problem(
        'UNKNOWN_VARIABLE',
        path,
        `{{${name}}} is neither in initialContext nor the output of a step.`,
      ),
    ),
  ];
}

/** The stage of each step, by its place in the list. */
function stagesByStep(steps: readonly ProcessStep[]): number[] {
  return planStages(steps).flatMap((stage, index) => stage.map(() => index));
}
