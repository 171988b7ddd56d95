import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../../src/common/json.ts';
import type { RunError } from '../../src/common/tool-fault.ts';
import { conditionReferences } from '../../src/expressions/condition.ts';
import { bindInputs, InputsTooLarge, referencesOf } from '../../src/expressions/interpolation.ts';
import type { ProcessStep } from '../../src/processes/process.ts';
import type { ValueOrRef } from '../../src/runs/run/run.ts';
import type { ProcessSnapshot } from '../../src/runs/run/snapshot.ts';
import {
  type CarriedItems,
  createEndedItems,
  type EndedItems,
} from '../../src/runs/steps/ended-items.ts';
import { runError } from './failures.ts';

/** The end of a step. A skip has an `error` only where a failure caused it. */
export interface StepState {
  readonly status: 'completed' | 'failed' | 'skipped';
  readonly value: ValueOrRef;
  readonly error: RunError | null;
}
/** The end of one step instance while its step is still open. */
export type StepInstanceState = { readonly value: ValueOrRef } | { readonly error: RunError };

export interface CarriedValues {
  readonly steps: Readonly<Record<string, StepState>>;
  /** By step, then by index ('' for the step itself). */
  readonly units: Readonly<Record<string, Readonly<Record<string, StepInstanceState>>>>;
  /** Further items that have ended, by step. Absent: none. */
  readonly items?: Readonly<Record<string, CarriedItems>>;
  /** How far steps with pages are. Absent: none has one. */
  readonly pages?: Readonly<Record<string, EndedPages>>;
}

/** The pages of a step that have ended. */
export interface EndedPages {
  readonly count: number;
  /** The cursor of the next page. */
  readonly next: Json;
  readonly bytes: number;
}

/** The variables of a run: small values inline, large ones as references to the record. */
export interface Values {
  readonly context: ValueOrRef;
  stepState(stepId: string): StepState | null;
  endStep(stepId: string, state: StepState): void;
  instanceState(stepId: string, index: number | null): StepInstanceState | null;
  endInstance(stepId: string, index: number | null, state: StepInstanceState): void;
  endedPages(stepId: string): EndedPages | null;
  endPage(stepId: string, pages: EndedPages): void;
  /** The bound inputs of the step; null where a value they use is a reference. */
  bind(step: ProcessStep, item: { value: Json; index: number } | null): JsonObject | null;
  /** The variables that an expression reads; null where one of them is a reference. */
  scopeOf(expression: string): { step: JsonObject; context: JsonObject } | null;
  carry(): CarriedValues;
}

// Maximum bytes of values carried inline into the next workflow execution. The other values are
// read from the record.
const CARRIED_BYTES_MAX = 1024 * 1024;
/** Items of a step that are kept with their values; those of others are in the record. */
const ITEMS_KEPT_MAX = 1_000;
const NOTHING: ValueOrRef = { inline: null };

export function createValues(
  definition: ProcessSnapshot,
  context: ValueOrRef,
  carried: CarriedValues | null,
): Values {
  const states = new Map<string, StepState>(Object.entries(carried?.steps ?? {}));
  const units = new Map<string, Map<string, StepInstanceState>>(
    Object.entries(carried?.units ?? {}).map(([stepId, open]) => [
      stepId,
      new Map(Object.entries(open)),
    ]),
  );
  const ended = new Map<string, EndedItems>(
    Object.entries(carried?.items ?? {}).map(([id, items]) => [id, createEndedItems(items)]),
  );
  const pages = new Map(Object.entries(carried?.pages ?? {}));
  const stepOf = new Map(definition.steps.map(({ id, output }) => [output.variable, id]));
  const references = new Map<string, ReturnType<typeof referencesOf>>();

  function inline(held: ValueOrRef): { value: Json } | null {
    return 'inline' in held ? { value: held.inline } : null;
  }

  function gather(
    variables: readonly string[],
    names: readonly string[],
  ): { step: JsonObject; context: JsonObject } | null {
    const step: JsonObject = {};
    for (const variable of variables) {
      const found = inline(states.get(stepOf.get(variable) ?? '')?.value ?? NOTHING);
      if (found === null) return null;
      step[variable] = found.value;
    }
    const whole = names.length === 0 ? { value: {} } : inline(context);
    if (whole === null) return null;
    return { step, context: isJsonObject(whole.value) ? whole.value : {} };
  }

  return {
    context,
    stepState: (stepId) => states.get(stepId) ?? null,
    endStep(stepId, state) {
      states.set(stepId, state);
      // The value of the step contains those of its instances.
      units.delete(stepId);
      ended.delete(stepId);
      pages.delete(stepId);
    },
    instanceState(stepId, index) {
      const known = units.get(stepId)?.get(String(index ?? '')) ?? null;
      if (known !== null || index === null) return known;
      const end = ended.get(stepId)?.find(index) ?? null;
      if (end === null) return null;
      return end === 'failed'
        ? { error: runError('TOOL_FAILED', 'The item failed; its record says why.', stepId) }
        : { value: { ref: true, bytes: end.bytes } };
    },
    endInstance(stepId, index, state) {
      const open = getOrAdd(units, stepId, () => new Map<string, StepInstanceState>());
      if (index === null || open.size < ITEMS_KEPT_MAX) open.set(String(index ?? ''), state);
      else
        getOrAdd(ended, stepId, createEndedItems).add(
          index,
          'error' in state ? 'failed' : { bytes: bytesOf(state.value) },
        );
    },
    endedPages: (stepId) => pages.get(stepId) ?? null,
    endPage: (stepId, ended) => void pages.set(stepId, ended),
    bind(step, item) {
      let needs = references.get(step.id);
      if (needs === undefined) {
        needs = referencesOf(step.inputs);
        references.set(step.id, needs);
      }
      const scope = gather(needs.steps, needs.context);
      if (scope === null) return null;
      try {
        return bindInputs(
          step.inputs,
          item === null ? scope : { ...scope, item: item.value, index: item.index },
        );
      } catch (error) {
        // The activity finds the same, and records the failure.
        if (error instanceof InputsTooLarge) return null;
        throw error;
      }
    },
    scopeOf(expression) {
      const { steps, context: names } = conditionReferences(expression);
      return gather(steps, names);
    },
    carry() {
      let left = CARRIED_BYTES_MAX;
      const shrink = (held: ValueOrRef): ValueOrRef => {
        if (!('inline' in held)) return held;
        const bytes = jsonBytes(held.inline);
        if (bytes > left) return { ref: true, bytes };
        left -= bytes;
        return held;
      };
      const keep = (instance: StepInstanceState): StepInstanceState =>
        'value' in instance ? { value: shrink(instance.value) } : instance;
      return {
        steps: Object.fromEntries(
          [...states].map(([id, state]) => [id, { ...state, value: shrink(state.value) }]),
        ),
        units: Object.fromEntries(
          [...units].map(([stepId, open]) => [
            stepId,
            Object.fromEntries([...open].map(([index, instance]) => [index, keep(instance)])),
          ]),
        ),
        ...(ended.size === 0
          ? {}
          : { items: Object.fromEntries([...ended].map(([id, items]) => [id, items.carry()])) }),
        ...(pages.size === 0 ? {} : { pages: Object.fromEntries(pages) }),
      };
    },
  };
}

const bytesOf = (held: ValueOrRef): number =>
  'inline' in held ? jsonBytes(held.inline) : held.bytes;

function getOrAdd<K, V>(map: Map<K, V>, key: K, create: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = create();
  map.set(key, made);
  return made;
}
