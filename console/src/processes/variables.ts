import { typeName } from '../catalog/field-list.ts';
import type { DefinedStepFragment } from '../generated/documents.ts';
import { formSchema, isRecord, type Schema } from '../runs/context-schema.ts';
import { stagesOf } from '../runs/step-view.ts';

/** A value that a step or the output may use. */
export interface Variable {
  /** Path without braces: `context.city`, `step.weather.celsius`, `item`. */
  readonly path: string;
  /** Type in words, such as `text`. */
  readonly type: string;
  readonly group: 'Context' | 'Earlier steps' | 'This item';
  /** Where it comes from. */
  readonly from: string;
}

/** The part of a definition that its variables are read from. */
export interface Defined {
  readonly initialContext: readonly string[];
  readonly contextSchema: Schema | null;
  readonly steps: readonly DefinedStepFragment[];
}

/** Properties of one output that are offered. */
const PROPERTIES_MAX = 20;

/**
 * The variables that a step may read: the context, outputs of earlier stages with their first
 * properties, and the item of its loop. Null stands for the output template, after all steps.
 */
export function variablesAt(defined: Defined, stepId: string | null): Variable[] {
  const { steps, initialContext } = defined;
  const { properties } = formSchema(defined);
  const types = isRecord(properties) ? properties : {};
  const context = initialContext.map((name) => ({
    path: pathTo('context', name),
    type: typeName(types[name]),
    group: 'Context' as const,
    from: 'given to each run',
  }));
  const before = stepId === null ? new Set(steps.map(({ id }) => id)) : idsBefore(steps, stepId);
  const outputs = steps
    .filter(({ id }) => before.has(id))
    .flatMap((step) => {
      const schema = outputOf(step);
      const whole = pathTo('step', step.output.variable);
      const own = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};
      return [
        { path: whole, schema },
        ...Object.entries(own)
          .slice(0, PROPERTIES_MAX)
          .map(([name, property]) => ({ path: pathTo(whole, name), schema: property })),
      ].map(({ path, schema: type }) => ({
        path,
        type: typeName(type),
        group: 'Earlier steps' as const,
        from: `output of ${step.id}`,
      }));
    });
  const step = steps.find(({ id }) => id === stepId);
  const item =
    step?.execution.forEach == null && step?.execution.pages == null
      ? []
      : [
          { path: 'item', type: 'anything', group: 'This item' as const, from: 'of the list' },
          {
            path: 'index',
            type: 'whole number',
            group: 'This item' as const,
            from: 'its place, from 0',
          },
        ];
  return [...context, ...outputs, ...item];
}

function pathTo(root: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `${root}.${name}` : `${root}[${JSON.stringify(name)}]`;
}

/** Ids of the steps of earlier stages; parallel neighbours have no output yet. */
function idsBefore(steps: readonly DefinedStepFragment[], stepId: string): Set<string> {
  const stages = stagesOf(steps);
  const own = stages.findIndex((ids) => ids.includes(stepId));
  return new Set(stages.slice(0, Math.max(0, own)).flat());
}

/** The schema of a step's output; one of its loop is a list, or the file of it. */
function outputOf({ target, execution, output }: DefinedStepFragment): Schema {
  if (output.asFile)
    return {
      type: 'object',
      properties: { file: { type: 'string' }, items: { type: 'integer' } },
    };
  if (execution.pages !== null) return { type: 'array' };
  const one = target.__typename === 'Tool' ? target.outputSchema : { type: 'string' };
  return execution.forEach == null ? one : { type: 'array', items: one };
}

/** What a value of this schema may be, as one sentence. */
export function takes(schema: unknown): string {
  if (!isRecord(schema)) return '';
  const { enum: options, default: usual, description } = schema;
  const { minimum, maximum, minLength, maxLength } = schema;
  const parts = [
    Array.isArray(options)
      ? `one of ${options.map((one) => JSON.stringify(one)).join(', ')}`
      : typeName(schema),
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(typeof minLength === 'number' && minLength > 1 ? [`from ${minLength} characters`] : []),
    ...(maxLength === undefined ? [] : [`up to ${maxLength} characters`]),
    ...(usual === undefined ? [] : [`${JSON.stringify(usual)} if left out`]),
  ].join(', ');
  const sentence = `${parts.charAt(0).toUpperCase()}${parts.slice(1)}.`;
  return typeof description === 'string' ? `${description} ${sentence}` : sentence;
}
