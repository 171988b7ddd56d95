import type { Json, JsonObject } from '../../common/json.ts';
import { isJsonObject } from '../../common/json.ts';
import { STEP_TIMEOUT_SECONDS_DEFAULT } from '../../common/limits.ts';
import { found, type Problem, problem, refuse, refuseMissing } from '../../common/refusal.ts';
import { type RunError, ToolFault } from '../../common/tool-fault.ts';
import { validateJson } from '../../json-schema/json-schema.ts';
import type { Viewer } from '../../users/user.ts';
import type { CatalogDeps } from '../deps.ts';
import { openCallTarget } from './call-target.service.ts';
import { type CallTarget, findCallTargets } from './target.cypher.ts';
import { findTools } from './tool.cypher.ts';

export interface ToolTest {
  readonly output: Json;
  readonly durationMs: number;
  /** Why the call failed; null if it succeeded. */
  readonly error: RunError | null;
}

/**
 * Calls a read-only Tool once for the viewer, without recording the call. A mutating Tool runs only
 * in a Process, which records it (S4-EXEC-13).
 * A failed call is a result with `error`, not a Refusal.
 * @throws Refusal NOT_FOUND, STATE, DISABLED, SCHEMA_VIOLATION
 */
export async function testTool(
  deps: CatalogDeps,
  viewer: Viewer,
  input: { readonly id: string; readonly inputs: JsonObject },
): Promise<ToolTest> {
  refuseMissing(await deps.graph.read((tx) => findTools(tx, viewer, [input.id])), 'Tool');
  const target = found(await deps.graph.read((tx) => findCallTargets(tx, [input.id])), 'Tool');
  const { value, problems } = validateJson(target.inputSchema, input.inputs, ['inputs']);
  refuse([...checkTestable(target), ...problems]);

  const startedMs = performance.now();
  const outcome = await call(deps, viewer, target, isJsonObject(value) ? value : input.inputs);
  return { ...outcome, durationMs: performance.now() - startedMs };
}

function checkTestable({ mutating, enabled, ownerId, service }: CallTarget): Problem[] {
  const problems: Problem[] = [];
  if (mutating)
    problems.push(
      problem(
        'STATE',
        ['id'],
        'This Tool may change something, so it only runs in a Process: start a run of one ' +
          'that calls it.',
      ),
    );
  if (!enabled) problems.push(problem('DISABLED', ['id'], 'This Tool is disabled.'));
  if (!service.enabled)
    problems.push(problem('DISABLED', ['id'], `Its Service ${service.name} is disabled.`));
  if (service.ownerId !== ownerId && !service.shared)
    problems.push(
      problem('NOT_SHARED', ['id'], `Its Service ${service.name} is not shared any more.`),
    );
  return problems;
}

async function call(
  deps: CatalogDeps,
  viewer: Viewer,
  tool: CallTarget,
  inputs: JsonObject,
): Promise<Omit<ToolTest, 'durationMs'>> {
  try {
    const { output } = await deps.toolCalls.invoke({
      target: await openCallTarget(deps, tool, viewer.userId),
      operation: tool.operation,
      inputSchema: tool.inputSchema,
      outputSchema: tool.outputSchema,
      inputs,
      ownerId: viewer.userId,
      workspace: viewer.workspace,
      idempotencyKey: `test/${deps.newId()}`,
      maxOutputTokens: null,
      signal: AbortSignal.timeout(STEP_TIMEOUT_SECONDS_DEFAULT * 1_000),
    });
    const checked = validateJson(tool.outputSchema, output, ['output']);
    const [first] = checked.problems;
    if (first === undefined) return { output: checked.value, error: null };
    const message =
      `The output breaks the Tool's outputSchema at ${first.path.join('.')}: ` + first.message;
    return {
      output: null,
      error: { code: 'OUTPUT_INVALID', message, stepId: null, details: null },
    };
  } catch (error) {
    if (!(error instanceof ToolFault)) throw error;
    const { code, message, details } = error;
    return { output: null, error: { code, message, stepId: null, details } };
  }
}
