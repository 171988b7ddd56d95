import type { JsonObject } from '../../src/common/json.ts';
import type { Row } from '../../src/platform/neo4j/graph.ts';
import type { SessionEventInput } from '../../src/session-graph/events/raw-event.ts';
import type { SessionGraphDeps } from '../../src/session-graph/events/write-events.service.ts';
import type { TestClient } from './client.ts';
import { runCypher } from './graph.ts';
import { tempBlobs } from './temp-folder.ts';
import { worldDeps, worldGraph } from './world.ts';

export function streamDeps(): SessionGraphDeps {
  return { ...worldDeps(), blobs: tempBlobs() };
}

/** The examples' own moment: 1742018545123 (S0-ID-04), and so many milliseconds later. */
export function moment(laterMs = 0): string {
  return new Date(1_742_018_545_123 + laterMs).toISOString();
}

export function event(
  sessionId: string,
  name: string,
  data: JsonObject = {},
  laterMs = 0,
): SessionEventInput {
  return { sessionId, name, timestamp: moment(laterMs), data };
}

/** Records events of sessions over the API as this user. */
export const records = (user: TestClient, input: readonly SessionEventInput[]) =>
  user.one<{ recorded: number; duplicates: number; userErrors: object[] }>(
    `mutation ($input: [SessionEventInput!]!) { recordSessionEvents(input: $input) {
      recorded duplicates userErrors { code message path } } }`,
    { input },
  );

/**
 * The whole raw graph of a workspace, as text that can be compared: nodes with labels and
 * properties, and edges.
 */
export async function rawGraph(workspace: string): Promise<{ nodes: Row[]; edges: string[] }> {
  const graph = worldGraph();
  const [nodes, edges] = await Promise.all([
    runCypher(
      graph,
      `MATCH (n {workspace: $workspace}) WHERE n:Session OR n:ToolCall OR n:Event
        RETURN labels(n) AS labels, properties(n) AS props, n.node_id AS id ORDER BY id`,
      { workspace },
    ),
    runCypher(
      graph,
      `MATCH (a {workspace: $workspace})-[r]->(b {workspace: $workspace})
        RETURN a.node_id + ' ' + type(r) + ' ' + b.node_id AS edge ORDER BY edge`,
      { workspace },
    ),
  ]);
  return {
    nodes: nodes.map(({ id, labels, props }) => {
      // Bookkeeping differs between two recordings of the same events.
      const {
        layers_stale_since: _stale,
        layers_ms: _ms,
        stream_writes: _writes,
        recorded_at: _recorded,
        owner_id: _owner,
        workspace: _workspace,
        ...kept
      } = props as Record<string, unknown>;
      return { id, labels: [...(labels as string[])].sort(), props: kept };
    }),
    edges: edges.map(({ edge }) => String(edge)),
  };
}
