import { textParam } from '../../src/platform/drivers/credentials.ts';
import { apiOf } from '../../src/platform/drivers/language-model.ts';
import type { CalledModel } from '../../src/runs/events/run-payloads.ts';
import type { ToolSnapshot } from '../../src/runs/run/snapshot.ts';

/** The model that a Tool calls; null for a Tool that calls none. */
export function modelOf(
  tool: Pick<ToolSnapshot, 'operation' | 'connectionParams'>,
): CalledModel | null {
  if (tool.operation.type !== 'llm_call') return null;
  const hasEndpoint = textParam(tool, 'endpoint') !== null;
  return { name: textParam(tool, 'model'), provider: hasEndpoint ? apiOf(tool) : null };
}
