import type { Json } from '../common/json.ts';
import { FOLLOW_UP_MS } from '../common/limits.ts';
import { truncated } from '../common/truncate.ts';
import type { NumberedEntry } from '../outbox/entry.ts';
import type { Projection } from '../outbox/projector.service.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { EntryValue } from '../runs/events/run-entry.ts';
import type { Payloads } from '../runs/run/payloads.service.ts';
import { findSystemRuns } from '../runs/run/run-origin.cypher.ts';
import type { SettingsSource } from '../settings/settings.projection.ts';
import type { Settings } from '../settings/settings.ts';
import { findLargeValues, type LargeValue, type StoredFact, writeFacts } from './call.cypher.ts';
import { CALL_ENTRY_KINDS, type CallFact, factsOf, roundsOf } from './call-fact.ts';
import { removeOperationNode } from './operation.cypher.ts';
import { recordable, recordableError, textOf } from './recordable.ts';
import { OPERATION_ENTRY_KINDS, removedOperationOf } from './stats.ts';

export interface CallGraphProjectionDeps {
  readonly graph: Graph;
  readonly settings: SettingsSource;
  /** Loads values that were too large for their entry. */
  readonly payloads: Pick<Payloads, 'load'>;
}

/**
 * Projects the outbox into the call graph (003): every run, every attempt of a step and every
 * mutation is a CallGraphNode. Idempotent; the outcome does not depend on how entries were
 * batched.
 */
export function callGraphProjection(deps: CallGraphProjectionDeps): Projection {
  return {
    name: 'call-graph',
    gatherMs: FOLLOW_UP_MS,
    kinds: [...CALL_ENTRY_KINDS, ...OPERATION_ENTRY_KINDS],
    handle: (entries) => projectCallGraph(deps, entries),
  };
}

export async function projectCallGraph(
  deps: CallGraphProjectionDeps,
  entries: readonly NumberedEntry[],
): Promise<void> {
  // Write the facts before a removal first, so that their calls move to the sentinel too.
  for (const part of split(entries, (entry) => removedOperationOf(entry) !== null)) {
    await projectPart(deps, part);
    const last = part.at(-1);
    const removed = last === undefined ? null : removedOperationOf(last);
    if (removed !== null) await deps.graph.write((tx) => removeOperationNode(tx, removed));
  }
}

async function projectPart(
  { graph, settings, payloads }: CallGraphProjectionDeps,
  entries: readonly NumberedEntry[],
): Promise<void> {
  const rounds = roundsOf(entries.map(factsOf));
  const rules = await settings.current();
  const rootRunIds = entries.map(({ rootRunId }) => rootRunId);
  const systemRuns = await graph.read((tx) => findSystemRuns(tx, rootRunIds));
  for (const { facts, orphans } of rounds) {
    if (facts.length === 0 && orphans.length === 0) continue;
    const large = await largeValues(graph, facts);
    const stored = await Promise.all(
      facts.map(async (fact) => ({
        ...(await toStored(fact, rules, payloads, large)),
        origin: systemRuns.has(fact.rootRunId ?? '') ? ('system' as const) : ('user' as const),
      })),
    );
    await graph.write((tx) =>
      writeFacts(tx, { facts: stored, orphans }, { retentionDays: rules.callGraphRetentionDays }),
    );
  }
}

/** Splits entries after each entry that `ends` matches. */
function split(
  entries: readonly NumberedEntry[],
  ends: (entry: NumberedEntry) => boolean,
): NumberedEntry[][] {
  const parts: NumberedEntry[][] = [[]];
  for (const entry of entries) {
    parts.at(-1)?.push(entry);
    if (ends(entry)) parts.push([]);
  }
  return parts;
}

const isLarge = (value: EntryValue | null): value is { readonly bytes: number } =>
  value !== null && !('value' in value) && value.bytes > 0;

/** Key of the record with the payloads: that of the StepRun (without attempt), or the run's id. */
function recordKeyOf({ requestId, rootRunId }: CallFact): string {
  const parts = requestId.split('/');
  return parts.length === 1 || rootRunId === null ? requestId : parts.slice(0, -1).join('/');
}

async function largeValues(
  graph: Graph,
  facts: readonly CallFact[],
): Promise<Map<string, LargeValue>> {
  const keys = facts
    .filter(({ input, output }) => isLarge(input) || isLarge(output))
    .map(recordKeyOf);
  return keys.length === 0 ? new Map() : graph.read((tx) => findLargeValues(tx, keys));
}

async function toStored(
  fact: CallFact,
  rules: Settings,
  payloads: Pick<Payloads, 'load'>,
  large: ReadonlyMap<string, LargeValue>,
): Promise<Omit<StoredFact, 'origin'>> {
  const record = large.get(recordKeyOf(fact));
  const text = async (value: EntryValue | null, name: 'input' | 'output') => {
    if (value === null) return null;
    if ('value' in value) return textOf(recordable(value.value, rules));
    const found = await loaded(payloads, record, name);
    // The record has no such value or was deleted: store the size only.
    return textOf(found === null ? truncated(value.bytes, '') : recordable(found, rules));
  };
  return {
    ...fact,
    error: fact.error === null ? null : recordableError(fact.error, rules),
    input: await text(fact.input, 'input'),
    output: await text(fact.output, 'output'),
  };
}

async function loaded(
  payloads: Pick<Payloads, 'load'>,
  record: LargeValue | undefined,
  name: 'input' | 'output',
): Promise<Json> {
  if (record === undefined) return null;
  const stored = { text: record[name], blob: record[`${name}Blob`] };
  try {
    return await payloads.load(stored);
  } catch {
    // The output of a run is plain text, not JSON. A blob may have been deleted.
    return stored.text;
  }
}
