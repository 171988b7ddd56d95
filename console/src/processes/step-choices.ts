import type { DefinedStepFragment } from '../generated/documents.ts';
import { isRecord } from '../runs/context-schema.ts';
import type { Callables } from './callables.ts';

/** Stands in a draft where its author has to choose. */
export const BLANK = '?';

/** Paths of the fields of a step that a draft may leave open. */
export const CHOICE_PATHS = {
  calls: 'calls',
  input: (name: string) => `inputs.${name}`,
  condition: 'execution.condition',
  forEach: 'execution.forEach',
} as const;

/** A choice that is left to the author of a draft. */
export interface OpenChoice {
  readonly stepId: string;
  /** Path of its field in the step. */
  readonly path: string;
}

/** The choices that the steps leave open, from top to bottom. */
export function openChoices(
  steps: readonly DefinedStepFragment[],
  callables: Callables | undefined,
): OpenChoice[] {
  return steps.flatMap((step) => {
    const { id: stepId, target, inputs, execution } = step;
    const missing = inputsOf(step, callables).filter(
      ({ name, isRequired }) => isRequired && !Object.hasOwn(inputs, name),
    );
    return [
      ...(target.name === BLANK ? [CHOICE_PATHS.calls] : []),
      ...missing.map(({ name }) => CHOICE_PATHS.input(name)),
      ...(execution.condition === BLANK ? [CHOICE_PATHS.condition] : []),
      ...(execution.forEach === BLANK ? [CHOICE_PATHS.forEach] : []),
    ].map((path) => ({ stepId, path }));
  });
}

interface Input {
  readonly name: string;
  readonly schema: unknown;
  readonly isRequired: boolean;
}

/** The inputs that the target declares, then those that only the text has. */
export function inputsOf(step: DefinedStepFragment, callables: Callables | undefined): Input[] {
  const { target, inputs } = step;
  const declared = target.__typename === 'Tool' ? toolInputs(target.inputSchema) : [];
  const context =
    target.__typename === 'Process'
      ? (callables?.processes.nodes.find(({ id }) => id === target.id)?.initialContext ?? [])
      : [];
  const known: Input[] = [
    ...declared,
    ...context.map((name) => ({ name, schema: null, isRequired: true })),
  ];
  const others = Object.keys(inputs).filter((name) => !known.some((one) => one.name === name));
  return [...known, ...others.map((name) => ({ name, schema: null, isRequired: false }))];
}

function toolInputs(schema: Readonly<Record<string, unknown>>): Input[] {
  const { properties, required } = schema;
  if (!isRecord(properties)) return [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: Array.isArray(required) && required.includes(name),
  }));
}
