import type { JsonObject } from '../common/json.ts';
import type { Row } from '../platform/neo4j/graph.ts';
import type { Viewer } from '../users/viewer.ts';
import { type AgentSession, type SessionEvent, sessionState, type ToolCall } from './session.ts';

/** Whose graph is read: both have to hold for every node (decisions.md, Identity and access). */
export type Reader = Pick<Viewer, 'userId' | 'workspace'>;
export const scope = ({ userId, workspace }: Reader) => ({ ownerId: userId, workspace });

export const SESSION = /* cypher */ `
  {props: properties(s), labels: labels(s), parentId: [(p:Session)-[:HAS_FORK]->(s) | p.node_id][0]}
`;
export const EVENT = /* cypher */ `{props: properties(e), labels: labels(e)}`;
export const CALL = /* cypher */ `tc {.node_id, .tool_call_id, .tool_name, .session_id, .parallel_group_id, .started_at, .ended_at}`;

const text = (value: unknown): string | null => (value == null ? null : String(value));

// What keeps the graph in order and says nothing about the session or event.
const OWN_KEYS = [
  'owner_id',
  'feed',
  'content_hash',
  'layers_stale_since',
  'layers_ms',
  'stream_writes',
  'awaits_tool_call',
];

export function toSession(row: Row): AgentSession {
  const props = row['props'] as Record<string, unknown>;
  const { ended_at, end_status, resumed_at, ...rest } = props;
  const state = sessionState({
    endedAt: text(ended_at),
    endStatus: text(end_status),
    resumedAt: text(resumed_at),
  });
  return {
    nodeId: String(props['node_id']),
    workspace: String(props['workspace']),
    labels: labelsOf(row),
    parentId: text(row['parentId']),
    startedAt: text(props['started_at']),
    ...state,
    properties: without(rest, OWN_KEYS),
  };
}

export function toEvent(row: Row): SessionEvent {
  const props = row['props'] as Record<string, unknown>;
  return {
    nodeId: String(props['node_id']),
    name: String(props['event_name']),
    labels: labelsOf(row),
    occurredAt: String(props['occurred_at']),
    properties: without(props, [...OWN_KEYS, 'data']),
    data: JSON.parse(String(props['data'])) as JsonObject,
  };
}

export function toCall(row: Row): ToolCall {
  const startedAt = text(row['started_at']);
  const endedAt = text(row['ended_at']);
  return {
    nodeId: String(row['node_id']),
    toolCallId: String(row['tool_call_id']),
    toolName: text(row['tool_name']) ?? '',
    sessionId: String(row['session_id']),
    parallelGroupId: text(row['parallel_group_id']),
    startedAt,
    endedAt,
    durationMs:
      startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt),
  };
}

/** The base label first, as the document lists them. */
function labelsOf(row: Row): string[] {
  return [...(row['labels'] as string[])].sort((left, right) => left.length - right.length);
}

function without(props: Readonly<Record<string, unknown>>, keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(props).filter(([key]) => !keys.includes(key)),
  ) as JsonObject;
}
