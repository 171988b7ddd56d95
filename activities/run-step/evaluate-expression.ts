import type { Json } from '../../src/common/json.ts';
import { fitsInBytes } from '../../src/common/json-size.ts';
import { conditionReferences } from '../../src/expressions/condition.ts';
import { valueAt } from '../../src/expressions/interpolation.ts';
import type { EvaluateCall, Evaluated } from '../../workflows/interpreter/contract.ts';
import type { RunContext } from '../deps.ts';
import { toStepFailure } from '../failure.ts';
import { loadContext, loadVariables } from './bind-step.ts';

// A plain path such as `step.rows.items` is read directly, whatever its size. Other expressions run
// in a process of the renderer.
const PLAIN_PATH = /^\s*(step|context)((?:\.[A-Za-z_][A-Za-z0-9_]*)+)\s*$/;

/** Evaluates a condition or forEach that reads a value too large for the workflow's history. */
export function createEvaluateExpression(
  deps: RunContext,
): (call: EvaluateCall) => Promise<Evaluated> {
  return async (call) => {
    try {
      return await evaluate(deps, call);
    } catch (error) {
      throw toStepFailure(deps, error, call.stepId, `evaluateExpression ${call.run.runId}`);
    }
  };
}

async function evaluate(
  deps: RunContext,
  { run, stepId, what, inlineBytesMax }: EvaluateCall,
): Promise<Evaluated> {
  const known = await deps.snapshots.get(run.snapshotHash);
  const definition = known.process(run.processId);
  const source = definition.steps.find(({ id }) => id === stepId)?.execution[what];
  if (source === null || source === undefined) throw new Error(`Step ${stepId} has no ${what}.`);
  const { steps, context } = conditionReferences(source);
  const scope = {
    step: await loadVariables(deps, run, definition, steps),
    context: context.length === 0 ? {} : await loadContext(deps, run),
  };
  const [, root, path] = PLAIN_PATH.exec(source) ?? [];
  const value: Json =
    root === 'step' || root === 'context'
      ? valueAt(scope[root], (path ?? '').slice(1).split('.'))
      : await deps.renderer.of(run.ownerId).evaluate(source, scope);
  if (fitsInBytes(value, inlineBytesMax)) return { kind: 'value', value };
  if (!Array.isArray(value)) return { kind: 'value', value: null };
  const { forEachItemsMax } = await deps.settings.current();
  // Refused by its count; nothing reads the list.
  if (value.length > forEachItemsMax) return { kind: 'list', count: value.length, blob: '' };
  const stored = await deps.payloads.store(run, `${stepId}/items`, value);
  // The workflow's limit may be below the limit of the store: then the list is stored inline and
  // there is no blob.
  if (stored.blob === null) return { kind: 'value', value };
  return { kind: 'list', count: value.length, blob: stored.blob };
}
