import { callGraphProjection } from '../src/call-graph/call-graph.projection.ts';
import { metricsProjection } from '../src/metrics/metrics.projection.ts';
import { listEntries } from '../src/outbox/entry.cypher.ts';
import type { NumberedEntry } from '../src/outbox/entry.ts';
import { openBlobStore } from '../src/platform/blobs/blob-store.ts';
import type { Graph } from '../src/platform/neo4j/graph.ts';
import { createPayloads } from '../src/runs/run/payloads.service.ts';
import { ownRunsProjection } from '../src/session-graph/events/own-runs.projection.ts';
import { SETTINGS_DEFAULT } from '../src/settings/settings.ts';
import { fixedSettings } from '../test/testkit/fixed.ts';
import type { Person } from './load.ts';

const BATCH = 500;

/** Data derived by projections, without times of writing and random ids. */
const PICTURES: Readonly<Record<string, string>> = {
  'call graph': `
    // faultsCallGraph
    MATCH (n:CallGraphNode {ownerId: $ownerId})
    RETURN n.requestId + ' ' + n.status + ' ' + coalesce(n.operationId, '') + ' '
      + toString(n.createdAt) AS line
    UNION ALL
    MATCH (a:CallGraphNode {ownerId: $ownerId})-[r:CALL_EDGE]->(b:CallGraphNode)
    RETURN a.requestId + ' ' + coalesce(r.edgeType, '') + ' ' + b.requestId AS line`,
  'session graph': `
    // faultsSessions
    MATCH (n {workspace: $workspace}) WHERE n:Session OR n:ToolCall OR n:Event
    RETURN n.node_id + ' '
      + head([label IN labels(n) WHERE label IN ['Session', 'ToolCall', 'Event']]) AS line
    UNION ALL
    MATCH (a {workspace: $workspace})
      -[r:HAS_EVENT|HAS_TOOL_CALL|HAS_FORK]->(b {workspace: $workspace})
    RETURN a.node_id + ' ' + type(r) + ' ' + b.node_id AS line`,
  metrics: `
    // faultsMetrics
    MATCH (v:MetricValue {ownerId: $ownerId})
    RETURN v.key + ' ' + toString(v.count) + ' ' + toString(round(v.sum, 3)) AS line`,
};
const DERIVED = [
  '(n:CallGraphNode {ownerId: $ownerId})',
  '(n:Event {workspace: $workspace})',
  '(n:ToolCall {workspace: $workspace})',
  '(n:Session {workspace: $workspace})',
  '(n:MetricValue {ownerId: $ownerId})',
];

type Pictures = Record<string, string[]>;

async function pictures(graph: Graph, { ownerId, workspace }: Person): Promise<Pictures> {
  const made: Pictures = {};
  for (const [name, cypher] of Object.entries(PICTURES)) {
    const rows = await graph.read((tx) => tx.run(cypher, { ownerId, workspace }));
    made[name] = rows.map(({ line }) => String(line)).sort();
  }
  return made;
}

/**
 * Deletes the projections' derivations for this person, derives them again from the log in this
 * process, and compares. The relay must not run.
 */
export async function checkRebuilt(graph: Graph, person: Person, blobs: string): Promise<string[]> {
  const before = await pictures(graph, person);
  const { ownerId, workspace } = person;
  for (const pattern of DERIVED)
    await graph.write((tx) =>
      tx.run(`// faultsForget\n MATCH ${pattern} DETACH DELETE n`, { ownerId, workspace }),
    );
  const settings = fixedSettings(SETTINGS_DEFAULT);
  const store = openBlobStore(blobs);
  const clock = { nowMs: () => Date.now() };
  const projections = [
    callGraphProjection({ graph, settings, payloads: createPayloads(store) }),
    ownRunsProjection({ graph, settings, clock, blobs: store }),
    metricsProjection({ graph }, `faults-${ownerId}`),
  ];
  for await (const page of entriesOf(graph, ownerId))
    for (const { kinds, handle } of projections) {
      const entries = page.filter(({ kind }) => kinds?.includes(kind) ?? true);
      if (entries.length > 0) await handle(entries);
    }
  const after = await pictures(graph, person);
  return Object.keys(before).flatMap((name) => {
    const [left, right] = [before[name] ?? [], after[name] ?? []];
    const missing = right.filter((line) => !left.includes(line));
    const surplus = left.filter((line) => !right.includes(line));
    if (missing.length + surplus.length === 0) return [];
    return [
      `${name}: ${missing.length} lines missing (${missing[0]}), ${surplus.length} too many ` +
        `(${surplus[0]})`,
    ];
  });
}

async function* entriesOf(graph: Graph, ownerId: string): AsyncGenerator<NumberedEntry[]> {
  for (let afterSeq = 0; ; ) {
    const from = afterSeq;
    const page = await graph.read((tx) => listEntries(tx, {}, { afterSeq: from, limit: BATCH }));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.filter((entry) => entry.ownerId === ownerId);
    afterSeq = last.seq;
  }
}
