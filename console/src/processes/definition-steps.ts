import type { Document } from 'yaml';
import type { CallablesQuery, DefinedStepFragment } from '../generated/documents.ts';
import { isRecord } from '../runs/context-schema.ts';

/** The steps of a text that is being edited, for the graph; a step without an id is left out. */
export function stepsOf(document: Document, callables: CallablesQuery): DefinedStepFragment[] {
  const value: unknown = document.toJS();
  const steps = isRecord(value) && Array.isArray(value['steps']) ? value['steps'] : [];
  const seen = new Set<string>();
  return steps.flatMap((step: unknown) => {
    if (!isRecord(step)) return [];
    const id = step['stepId'];
    if (typeof id !== 'string' || seen.has(id)) return [];
    seen.add(id);
    return [stepOf(id, step, callables)];
  });
}

function stepOf(
  id: string,
  step: Record<string, unknown>,
  callables: CallablesQuery,
): DefinedStepFragment {
  const execution = isRecord(step['execution']) ? step['execution'] : {};
  const output = isRecord(step['output']) ? step['output'] : {};
  return {
    id,
    description: textIn(step, 'description'),
    dependsOn: Array.isArray(step['dependsOn']) ? step['dependsOn'].map(String) : [],
    inputs: isRecord(step['inputs']) ? step['inputs'] : {},
    output: {
      variable: textIn(output, 'variable') ?? id,
      required: output['required'] !== false,
      tokenBudget: null,
    },
    execution: {
      mode: execution['mode'] === 'parallel' ? 'PARALLEL' : 'SEQUENTIAL',
      condition: textIn(execution, 'condition'),
      forEach: textIn(execution, 'forEach'),
      maxConcurrency: null,
      interactionMode: execution['interactionMode'] === 'manual' ? 'MANUAL' : 'AUTO',
      onFailure: 'FAIL',
      fallback: null,
      timeout: null,
      cacheSeconds: null,
      retry: null,
    },
    target: targetOf(step['calls'], callables),
    tools: [],
    agent: null,
  };
}

function textIn(record: Record<string, unknown>, key: string): string | null {
  const value = record[key];
  return typeof value === 'string' ? value : null;
}

/** The Tool or Process of a step; one that does not exist is drawn by its name. */
function targetOf(calls: unknown, { tools, processes }: CallablesQuery) {
  const { tool, process } = isRecord(calls) ? calls : {};
  const found = tools.nodes.find(({ name }) => name === tool);
  if (found !== undefined) return { ...found, __typename: 'Tool' as const };
  const name = String(process ?? tool ?? '?');
  const id = processes.nodes.find((one) => one.name === process)?.id ?? '';
  return { __typename: 'Process' as const, id, name };
}
