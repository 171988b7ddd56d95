import type { SearchAttributePair } from '@temporalio/common';
import type { JsonObject } from '../../common/json.ts';
import type { ProcessRun } from '../run/run.ts';

/**
 * Custom search attributes of the workflow `executeProcess`, all Keywords: `temporal workflow list
 * --query 'AidenOwnerId = "…"'` (docs/operations.md). They hold ids only, because Temporal stores
 * them in plain text.
 */
export const RUN_ATTRIBUTES = {
  owner: 'AidenOwnerId',
  process: 'AidenProcessId',
  conversation: 'AidenConversationId',
  origin: 'AidenOrigin',
} as const;

export const RUN_ATTRIBUTE_NAMES: readonly string[] = Object.values(RUN_ATTRIBUTES);

/** The search attributes of a root run. Its sub-runs inherit them (workflows/interpreter). */
export function searchAttributesOf({
  ownerId,
  processId,
  conversationId,
  origin,
}: Pick<ProcessRun, 'ownerId' | 'processId' | 'conversationId' | 'origin'>): SearchAttributePair[] {
  return [
    keyword(RUN_ATTRIBUTES.owner, ownerId),
    keyword(RUN_ATTRIBUTES.process, processId),
    keyword(RUN_ATTRIBUTES.origin, origin),
    ...(conversationId === null ? [] : [keyword(RUN_ATTRIBUTES.conversation, conversationId)]),
  ];
}

/** The search attributes of a sub-run: those of its caller, with its own Process. */
export function childAttributesOf(
  caller: readonly SearchAttributePair[],
  processId: string,
): SearchAttributePair[] {
  const { process } = RUN_ATTRIBUTES;
  if (!caller.some(({ key }) => key.name === process)) return [];
  const kept = caller.filter(({ key }) => RUN_ATTRIBUTE_NAMES.includes(key.name));
  return [...kept.filter(({ key }) => key.name !== process), keyword(process, processId)];
}

function keyword(name: string, value: string): SearchAttributePair {
  return { key: { name, type: 'KEYWORD' }, value };
}

/** The memo of a root run, encoded as its payloads are. */
export function memoOf(run: ProcessRun): JsonObject {
  const { processName, processVersion, rootRunId, retryOfId } = run;
  return { process: processName, version: processVersion, rootRunId, retryOfId };
}
