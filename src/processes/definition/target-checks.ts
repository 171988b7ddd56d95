import { didYouMean } from '../../common/did-you-mean.ts';
import { entryOf } from '../../common/entry-of.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { listReferences } from '../../expressions/interpolation.ts';
import { schemaProperties, validateJson } from '../../json-schema/json-schema.ts';
import type { ProcessStep } from '../process.ts';
import { optionalVariables } from './context-schema.ts';

/** The part of a Tool that the checks of a definition read. */
export interface ToolTarget {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly shared: boolean;
  readonly mutating: boolean;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject;
  readonly operationType: string;
}

export interface ProcessTarget {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly shared: boolean;
  readonly initialContext: readonly string[];
  readonly contextSchema?: JsonObject | null | undefined;
}

/** Tools and Processes that the steps may call: those visible to the author. */
export interface KnownTargets {
  readonly tools: ReadonlyMap<string, ToolTarget>;
  readonly processes: ReadonlyMap<string, ProcessTarget>;
  /** 'shared': the Process is shared, so it may call shared targets only. */
  readonly sharing: 'shared' | 'private';
}

/**
 * Checks that the author may use the step's target, and that the step gives it valid inputs
 * (S4-STEP-03, S4-STEP-05).
 */
export function checkTarget(
  step: ProcessStep,
  stepIndex: number,
  targets: KnownTargets,
): Problem[] {
  const at = (...path: string[]) => ['steps', stepIndex, ...path];
  const kind = 'toolId' in step.calls ? 'toolId' : 'processId';
  const tool = 'toolId' in step.calls ? targets.tools.get(step.calls.toolId) : undefined;
  const called =
    'processId' in step.calls ? targets.processes.get(step.calls.processId) : undefined;
  const target = tool ?? called;
  if (target === undefined) {
    const noun = kind === 'toolId' ? 'Tool' : 'Process';
    const message = `No ${noun} with this id, or it is not yours to use.`;
    return [problem('NOT_FOUND', at('calls', kind), message)];
  }
  const problems: Problem[] = [];
  if (targets.sharing === 'shared' && !target.shared) {
    const message = `A shared Process may only call what is shared, and ${target.name} is not.`;
    problems.push(problem('NOT_SHARED', at('calls', kind), message));
  }
  if (tool?.mutating === true && step.execution.cacheSeconds != null) {
    const message = `${tool.name} may change something, so it can't answer from the cache.`;
    problems.push(problem('INVALID', at('execution', 'cacheSeconds'), message));
  }
  const path = at('inputs');
  if (tool !== undefined) problems.push(...checkToolInputs(step.inputs, path, tool));
  if (called !== undefined) problems.push(...checkProcessInputs(step.inputs, path, called));
  return problems;
}

/**
 * Checks names and literals against the inputSchema. Expressions are checked when the step runs.
 */
function checkToolInputs(
  inputs: JsonObject,
  path: (string | number)[],
  { inputSchema, name }: ToolTarget,
): Problem[] {
  const problems: Problem[] = [];
  const violation = (input: string, message: string) =>
    problems.push(problem('SCHEMA_VIOLATION', [...path, input], message));
  const declared = entryOf(inputSchema, 'properties');
  const propertyOf = (input: string): Json =>
    isJsonObject(declared) ? (entryOf(declared, input) ?? null) : null;
  const names = schemaProperties(inputSchema);
  const required = entryOf(inputSchema, 'required');

  for (const needed of Array.isArray(required) ? required.map(String) : []) {
    const property = propertyOf(needed);
    const filledIn = isJsonObject(property) && entryOf(property, 'default') !== undefined;
    if (!Object.hasOwn(inputs, needed) && !filledIn)
      violation(needed, `${name} requires the input "${needed}".`);
  }
  for (const [input, value] of Object.entries(inputs)) {
    if (!names.includes(input)) {
      if (acceptsOtherInputs(inputSchema)) continue;
      const known = names.join(', ') || 'none';
      const meant = didYouMean(input, names);
      violation(input, `${name} has no input "${input}"; it has: ${known}.${meant}`);
    } else if (listReferences(value, 'items').length === 0) {
      for (const message of literalFaults(inputSchema, input, propertyOf(input), value))
        violation(input, message);
    }
  }
  return problems;
}

/** Whether the schema explicitly accepts inputs that it does not name. */
function acceptsOtherInputs(schema: JsonObject): boolean {
  const additional = entryOf(schema, 'additionalProperties');
  return (
    additional === true ||
    isJsonObject(additional) ||
    entryOf(schema, 'patternProperties') !== undefined
  );
}

/** Problems of one literal. The schema's definitions are included for its `$ref`s. */
function literalFaults(
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

/** Literals of inputs whose schema names them. Expressions are checked when the step runs. */
function literalsOf(inputs: JsonObject, schema: JsonObject, path: (string | number)[]): Problem[] {
  const declared = entryOf(schema, 'properties');
  if (!isJsonObject(declared)) return [];
  return Object.entries(inputs).flatMap(([input, value]) => {
    const property = entryOf(declared, input);
    if (property === undefined || listReferences(value, 'items').length > 0) return [];
    return literalFaults(schema, input, property, value).map((message) =>
      problem('SCHEMA_VIOLATION', [...path, input], message),
    );
  });
}

/** Checks the names of the inputs, and their literals, against the called Process. */
export function checkProcessInputs(
  inputs: JsonObject,
  path: (string | number)[],
  { initialContext, contextSchema, name }: ProcessTarget,
): Problem[] {
  const optional = optionalVariables(contextSchema);
  const missing = initialContext.filter((key) => !Object.hasOwn(inputs, key) && !optional.has(key));
  const unknown = Object.keys(inputs).filter((key) => !initialContext.includes(key));
  return [
    ...missing.map((key) =>
      problem(
        'SCHEMA_VIOLATION',
        [...path, key],
        `${name} requires "${key}" in its initialContext.`,
      ),
    ),
    ...unknown.map((key) =>
      problem(
        'SCHEMA_VIOLATION',
        [...path, key],
        `${name} has no "${key}" in its initialContext.${didYouMean(key, initialContext)}`,
      ),
    ),
    ...(contextSchema == null ? [] : literalsOf(inputs, contextSchema, path)),
  ];
}

/** Ids of the Tools and Processes that the steps call or offer, each once. */
export function targetIds(steps: readonly Pick<ProcessStep, 'calls' | 'tools'>[]): {
  toolIds: string[];
  processIds: string[];
} {
  const toolIds = new Set<string>();
  const processIds = new Set<string>();
  for (const { calls, tools } of steps) {
    for (const target of [calls, ...(tools ?? [])]) {
      if ('toolId' in target) toolIds.add(target.toolId);
      else processIds.add(target.processId);
    }
  }
  return { toolIds: [...toolIds], processIds: [...processIds] };
}
