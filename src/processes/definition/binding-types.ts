import { entryOf } from '../../common/entry-of.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import { listReferences, parseText, type Reference } from '../../expressions/interpolation.ts';
import {
  FitWork,
  findMisfit,
  itemsOf,
  type Misfit,
  type SchemaPlace,
  type ValueSource,
  valuesAt,
  valuesOf,
  wholeSchema,
} from '../../json-schema/schema-fit.ts';
import { hasItems, type ProcessDefinition, type ProcessStep } from '../process.ts';
import type { KnownTargets } from './target-checks.ts';

/** Where a value comes from, or goes to: the name of a schema for a message, and the schema. */
interface Named<T> {
  readonly title: string;
  readonly values: T;
  /** The values are a forEach step's outputs, so each path in the schema begins with `items`. */
  readonly each?: boolean;
}
type Source = Named<ValueSource>;

const TEXT: Source = {
  title: 'this text',
  values: valuesOf({ type: 'string' }),
};
const INDEX: Source = { title: 'index', values: valuesOf({ type: 'integer' }) };

/**
 * Checks the types between steps (docs/decisions/0056): TYPE_MISMATCH for an input or a forEach
 * whose value can never fit, judged by the producer's schema and the consumer's. A step that is
 * skipped or fails has another value (null, its fallback), which this check does not count.
 */
export function checkBindings(
  { steps, contextSchema, initialContext }: ProcessDefinition,
  targets: KnownTargets,
): Problem[] {
  // One bound for all bindings, because an author chooses how many there are.
  const work = new FitWork();
  const sources = new Map(steps.map((step) => [step.output.variable, outputOf(step, targets)]));
  const context: Source | null =
    contextSchema == null ? null : contextOf(contextSchema, initialContext);
  const sourceOf = ({ root, path: [name = '', ...rest] }: Reference): Source | null => {
    const from = root === 'context' ? context : (sources.get(name) ?? null);
    if (from === null) return null;
    const path = root === 'context' ? [name, ...rest] : rest;
    return { ...from, values: valuesAt(from.values, path, work) };
  };
  return steps.flatMap((step, stepIndex) => {
    const { problems, item } = checkItems(step, stepIndex, { sourceOf, work });
    return [...problems, ...checkInputs(step, stepIndex, targets, { item, sourceOf, work })];
  });
}

/**
 * Every run has each variable of its initial context, also those that the schema makes optional.
 */
function contextOf(schema: JsonObject, initialContext: readonly string[]): Source {
  const whole = wholeSchema(schema);
  const always = { ...whole, schema: { type: 'object', required: [...initialContext] } };
  return { title: 'contextSchema', values: [[whole, always]] };
}

/** The values of a step's variable; null where nothing is known of them. */
function outputOf(step: ProcessStep, targets: KnownTargets): Source | null {
  const { calls, execution, output } = step;
  if (output.asFile === true) return { title: 'the file of a list', values: valuesOf(FILE_SCHEMA) };
  // The list in a page is not looked for in the schema.
  if (execution.pages != null) return { title: 'the items of all pages', values: valuesOf(LIST) };
  let source: Source;
  if ('processId' in calls) {
    const called = targets.processes.get(calls.processId);
    if (called === undefined) return null;
    source = { title: `the result of ${called.name}`, values: valuesOf({ type: 'string' }) };
  } else {
    const tool = targets.tools.get(calls.toolId);
    if (tool === undefined) return null;
    source = { title: `the outputSchema of ${tool.name}`, values: valuesOf(tool.outputSchema) };
  }
  if (execution.forEach == null) return source;
  // The list keeps the output's schema as its root, because `$ref` points into that.
  const lists = source.values.map((places) =>
    places.map(({ schema, ...place }) => ({ ...place, schema: { type: 'array', items: schema } })),
  );
  return { ...source, values: lists, each: true };
}

const LIST: JsonObject = { type: 'array' };
const FILE_SCHEMA: JsonObject = {
  type: 'object',
  required: ['file', 'items'],
  properties: { file: { type: 'string' }, items: { type: 'integer' } },
};

type SourceOf = (reference: Reference) => Source | null;

const PLAIN_PATH = /^(step|context)\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)$/;

/** Checks a forEach that is a plain path. `item`: the values of `{item}`, as far as known. */
function checkItems(
  { execution: { forEach } }: ProcessStep,
  stepIndex: number,
  { sourceOf, work }: { readonly sourceOf: SourceOf; readonly work: FitWork },
): { readonly problems: Problem[]; readonly item: Source | null } {
  const plain = forEach == null ? null : PLAIN_PATH.exec(forEach.trim());
  const [, root, path] = plain ?? [];
  const none = { problems: [], item: null };
  if ((root !== 'step' && root !== 'context') || path === undefined) return none;
  const list = sourceOf({ root, path: path.split('.') });
  if (list === null) return none;
  const misfit = findMisfit(list.values, wholeSchema(LIST_OR_NULL), [], work);
  if (misfit === null) {
    const values = itemsOf(list.values, work);
    return { problems: [], item: values === null ? null : { ...list, values } };
  }
  const message =
    `forEach needs a list, but ${forEach} is ${misfit.gives} ` +
    `(${placeOf(list, misfit.produced)}).`;
  const where = ['steps', stepIndex, 'execution', 'forEach'];
  return { problems: [problem('TYPE_MISMATCH', where, message)], item: null };
}
// The engine takes null, the variable of a skipped step, as an empty list.
const LIST_OR_NULL: JsonObject = { anyOf: [{ type: 'array' }, { const: null }] };

function checkInputs(
  step: ProcessStep,
  stepIndex: number,
  targets: KnownTargets,
  scope: ItemScope,
): Problem[] {
  const target = inputSchemaOf(step, targets);
  if (target === null) return [];
  const mode = hasItems(step) ? 'items' : 'no items';
  const places = new Map(listReferences(step.inputs, mode).map(({ at }) => [at.join('\n'), at]));
  return [...places.values()].flatMap((at) => {
    const { text, keys } = textAt(step.inputs, at);
    const [only, ...others] = parseText(text, mode);
    const isWhole = others.length === 0 && typeof only === 'object';
    const source = isWhole ? referenced(only, scope) : TEXT;
    if (source === null) return [];
    const misfit = findMisfit(source.values, wholeSchema(target.values), keys, scope.work);
    if (misfit === null) return [];
    const subject = isWhole ? text : 'The text with expressions';
    const where = ['steps', stepIndex, 'inputs', ...at];
    return [problem('TYPE_MISMATCH', where, messageOf(subject, source, target, misfit))];
  });
}

/** The sources of the references in one step's inputs. */
interface ItemScope {
  /** The values of `{item}`; null where nothing is known of them. */
  readonly item: Source | null;
  readonly sourceOf: SourceOf;
  readonly work: FitWork;
}

function referenced(reference: Reference, { item, sourceOf, work }: ItemScope): Source | null {
  if (reference.root === 'index') return INDEX;
  if (reference.root !== 'item') return sourceOf(reference);
  return item === null ? null : { ...item, values: valuesAt(item.values, reference.path, work) };
}

function inputSchemaOf({ calls }: ProcessStep, targets: KnownTargets): Named<JsonObject> | null {
  if ('toolId' in calls) {
    const tool = targets.tools.get(calls.toolId);
    if (tool === undefined) return null;
    return { title: `the inputSchema of ${tool.name}`, values: tool.inputSchema };
  }
  const called = targets.processes.get(calls.processId);
  if (called?.contextSchema == null) return null;
  return { title: `the contextSchema of ${called.name}`, values: called.contextSchema };
}

/** The text at a path that listReferences gave, and the path with list positions as numbers. */
function textAt(
  inputs: JsonObject,
  at: readonly string[],
): { readonly text: string; readonly keys: (string | number)[] } {
  let value: Json = inputs;
  const keys: (string | number)[] = [];
  for (const key of at) {
    keys.push(Array.isArray(value) ? Number(key) : key);
    value = Array.isArray(value) ? (value[Number(key)] ?? null) : valueIn(value, key);
  }
  return { text: typeof value === 'string' ? value : '', keys };
}

function valueIn(value: Json, key: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return entryOf(value, key) ?? null;
}

function messageOf(
  subject: string,
  source: Source,
  target: Named<JsonObject>,
  { at, produced, consumed, gives, takes }: Misfit,
): string {
  const inside = at.length === 0 ? '' : `, at ${at.join('.')},`;
  const from = source === TEXT ? '' : ` (${placeOf(source, produced)})`;
  return (
    `${subject}${inside} is ${gives}${from}, but ${takes} is wanted ` +
    `(${placeOf(target, consumed)}).`
  );
}

/** A place in a schema, for a person: `the outputSchema of search, properties.title`. */
function placeOf({ title, each }: Named<unknown>, place: SchemaPlace): string {
  const path = each === true ? place.path.slice(1) : place.path;
  return path.length === 0 ? title : `${title}, ${path.join('.')}`;
}
