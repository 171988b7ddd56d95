import type { Document } from 'yaml';
import type { DefinedStepFragment } from '../generated/documents.ts';
import { isRecord } from '../runs/context-schema.ts';
import type { Callables } from './callables.ts';

/** The steps of a text that is being edited, for the graph; a step without an id is left out. */
export function stepsOf(document: Document, callables: Callables): DefinedStepFragment[] {
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
  callables: Callables,
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
      tokenBudget: numberIn(output, 'tokenBudget'),
      asFile: output['asFile'] === true,
    },
    execution: {
      mode: execution['mode'] === 'parallel' ? 'PARALLEL' : 'SEQUENTIAL',
      condition: textIn(execution, 'condition'),
      pages: pagesOf(execution['pages']),
      forEach: textIn(execution, 'forEach'),
      maxConcurrency: numberIn(execution, 'maxConcurrency'),
      failedItemsMax: numberIn(execution, 'failedItemsMax'),
      failedShareMax: numberIn(execution, 'failedShareMax'),
      interactionMode: execution['interactionMode'] === 'manual' ? 'MANUAL' : 'AUTO',
      onFailure: failureOf(execution, output),
      fallback: execution['fallback'] ?? null,
      timeout: numberIn(execution, 'timeout'),
      cacheSeconds: numberIn(execution, 'cacheSeconds'),
      retry: retryOf(execution['retry']),
    },
    target: targetOf(step['calls'], callables),
    tools: offeredOf(step['tools'], callables),
    agent: null,
  };
}

/** As the API has it where the text names none. */
function failureOf(
  execution: Record<string, unknown>,
  output: Record<string, unknown>,
): DefinedStepFragment['execution']['onFailure'] {
  const named = textIn(execution, 'onFailure')?.toUpperCase();
  if (named === 'CONTINUE' || named === 'FALLBACK' || named === 'FAIL') return named;
  return output['required'] === false ? 'CONTINUE' : 'FAIL';
}

function pagesOf(pages: unknown): DefinedStepFragment['execution']['pages'] {
  if (!isRecord(pages)) return null;
  return {
    list: textIn(pages, 'list') ?? '',
    next: textIn(pages, 'next') ?? '',
    first: pages['first'] ?? null,
    maxPages: numberIn(pages, 'maxPages') ?? 100,
  };
}

function retryOf(retry: unknown): DefinedStepFragment['execution']['retry'] {
  if (!isRecord(retry)) return null;
  const { nonRetryableErrors: codes } = retry;
  return {
    maximumAttempts: numberIn(retry, 'maximumAttempts') ?? 3,
    initialInterval: numberIn(retry, 'initialInterval') ?? 1,
    backoffCoefficient: numberIn(retry, 'backoffCoefficient') ?? 2,
    maximumInterval: numberIn(retry, 'maximumInterval') ?? 100,
    nonRetryableErrors: Array.isArray(codes) ? codes.map(String) : [],
  };
}

function numberIn(record: Record<string, unknown>, key: string): number | null {
  const value = record[key];
  return typeof value === 'number' ? value : null;
}

function textIn(record: Record<string, unknown>, key: string): string | null {
  const value = record[key];
  return typeof value === 'string' ? value : null;
}

/** The tools that a step offers to its model. */
function offeredOf(offered: unknown, callables: Callables): DefinedStepFragment['tools'] {
  if (!Array.isArray(offered)) return [];
  return offered.filter(isRecord).map((one) => ({
    name: textIn(one, 'name') ?? '',
    description: textIn(one, 'description'),
    permission: null,
    target: targetOf(one, callables),
  }));
}

/** The Tool or Process of a step; one that does not exist is drawn by its name. */
function targetOf(calls: unknown, { tools, processes }: Callables) {
  const { tool, process } = isRecord(calls) ? calls : {};
  const found = tools.nodes.find(({ name }) => name === tool);
  if (found !== undefined) return { ...found, __typename: 'Tool' as const };
  const name = String(process ?? tool ?? '?');
  const id = processes.nodes.find((one) => one.name === process)?.id ?? '';
  return { __typename: 'Process' as const, id, name };
}
