import {
  type CallGraphProjectionDeps,
  projectCallGraph,
} from '../../src/call-graph/call-graph.projection.ts';
import { findCallGraph, findCallPayloads } from '../../src/call-graph/call-read.cypher.ts';
import type { Json } from '../../src/common/json.ts';
import type { NumberedEntry, OutboxEntry } from '../../src/outbox/entry.ts';
import {
  type EntryRun,
  type RunEntryKind,
  type RunEntryPayloads,
  runEntry,
} from '../../src/runs/events/run-entry.ts';
import { SETTINGS_DEFAULT, type Settings } from '../../src/settings/settings.ts';
import type { Viewer } from '../../src/users/user.ts';
import { fixedSettings } from './fixed.ts';
import { newId } from './outbox.ts';
import { worldGraph } from './world.ts';

/** Records runs as the engine would: its one clock ticks 10 ms per entry. */
export function storyteller(
  viewer: Viewer,
  startMs = Date.parse('2026-03-01T12:00:00.000Z'),
  conversationId: string | null = null,
) {
  const entries: NumberedEntry[] = [];
  let nowMs = startMs;
  const clock = { nowMs: () => (nowMs += 10) };
  const add = (entry: OutboxEntry) => {
    entries.push({ ...entry, seq: entries.length + 1 });
    return entries.length;
  };

  function run(parent?: Pick<EntryRun, 'runId' | 'rootRunId' | 'runPath'>) {
    const runId = newId();
    const place = {
      runId,
      rootRunId: parent?.rootRunId ?? runId,
      runPath: [...(parent?.runPath ?? []), runId],
      ownerId: viewer.userId,
      workspace: viewer.workspace,
      conversationId,
    };
    return {
      ...place,
      tell: <K extends RunEntryKind>(kind: K, payload: RunEntryPayloads[K]) =>
        add(runEntry({ clock, newId }, place, kind, payload)),
    };
  }
  return { entries, run, add, clock };
}

export const PROCESS = { processId: 'p-1', processName: 'Answer', processVersion: 1 };
const NO_USAGE = { inputTokens: 0, outputTokens: 0, costUsd: null, llmCalls: 0, toolCalls: 0 };

const stepOf = (stepId: string) => ({
  stepId,
  index: null,
  attempt: 1,
  name: `Tool of ${stepId}`,
  type: 'rest_call' as const,
  targetId: `tool-${stepId}`,
  speaks: false,
});

export function startedStep(
  stepId: string,
  inputs: Json,
  more: Partial<RunEntryPayloads['step.started']> = {},
): RunEntryPayloads['step.started'] {
  return { ...stepOf(stepId), inputs: { value: inputs }, ...more };
}

export function endedStep(
  stepId: string,
  output: Json,
  more: Partial<RunEntryPayloads['step.ended']> = {},
): RunEntryPayloads['step.ended'] {
  return {
    ...stepOf(stepId),
    status: 'completed',
    output: { value: output },
    outputTruncated: false,
    error: null,
    usage: NO_USAGE,
    cached: false,
    willRetry: false,
    childRunId: null,
    call: null,
    ...more,
  };
}

export function startedRun(
  context: Json,
  parent: RunEntryPayloads['run.started']['parent'] = null,
): RunEntryPayloads['run.started'] {
  return { ...PROCESS, depth: parent === null ? 0 : 1, context: { value: context }, parent };
}

export function endedRun(
  output: Json,
  more: Partial<RunEntryPayloads['run.ended']> = {},
): RunEntryPayloads['run.ended'] {
  return {
    processId: PROCESS.processId,
    status: 'completed',
    output: { value: output },
    outputTruncated: false,
    error: null,
    usage: NO_USAGE,
    startedAt: null,
    ...more,
  };
}

export function projectionDeps(settings: Partial<Settings> = {}): CallGraphProjectionDeps {
  return {
    graph: worldGraph(),
    settings: fixedSettings({ ...SETTINGS_DEFAULT, ...settings }),
    payloads: { load: async () => null },
  };
}

/** Projects the entries in batches of this size. */
export async function project(
  entries: readonly NumberedEntry[],
  {
    deps = projectionDeps(),
    batch = entries.length,
  }: { deps?: CallGraphProjectionDeps; batch?: number } = {},
): Promise<void> {
  for (let from = 0; from < entries.length; from += batch)
    await projectCallGraph(deps, entries.slice(from, from + batch));
}

/** A call graph without generated ids of edges, sorted, payloads included. */
export async function picture(viewer: Viewer, requestId: string) {
  return worldGraph().read(async (tx) => {
    const graph = await findCallGraph(tx, viewer, requestId);
    if (graph === null) return null;
    const ids = graph.nodes.map(({ id }) => id);
    const payloads = await findCallPayloads(tx, ids);
    const requestIds = new Map(graph.nodes.map(({ id, requestId: name }) => [id, name]));
    const by =
      <T>(key: (item: T) => string) =>
      (left: T, right: T) =>
        key(left) < key(right) ? -1 : 1;
    return {
      nodes: graph.nodes
        .map((node) => {
          const { input, output, error } = payloads.get(node.id) ?? {};
          return { ...node, input, output, error };
        })
        .sort(by((node) => node.requestId)),
      edges: graph.edges
        .map(
          (edge) =>
            `${requestIds.get(edge.source)} ${edge.edgeType} ${requestIds.get(edge.target)}`,
        )
        .sort(),
    };
  });
}
