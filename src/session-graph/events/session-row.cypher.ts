import { z } from 'zod';
import type { JsonObject } from '../../common/json.ts';
import { JsonMap, jsonText, orNull, textOrNull } from '../../common/stored.ts';
import { parseRow } from '../../platform/neo4j/row.ts';
import { RUN_ORIGINS } from '../../runs/run/run-origin.ts';
import type { Viewer } from '../../users/user.ts';
import { type AgentSession, type SessionEvent, sessionState, type ToolCall } from './session.ts';

/** Owner and workspace; every node read has to match both (docs/decisions/0016). */
export type Reader = Pick<Viewer, 'userId' | 'workspace'>;
export const scope = ({ userId, workspace }: Reader) => ({ ownerId: userId, workspace });

export const SESSION = /* cypher */ `
  {props: properties(s), labels: labels(s), parentId: [(p:Session)-[:HAS_FORK]->(s) | p.node_id][0]}
`;
export const EVENT = /* cypher */ `{props: properties(e), labels: labels(e)}`;
export const CALL = /* cypher */ `tc {.node_id, .tool_call_id, .tool_name, .session_id,
  .parallel_group_id,
    .started_at, .ended_at}`;

// Bookkeeping properties that are no part of a session or event.
const OWN_KEYS = [
  'owner_id',
  'origin',
  'feed',
  'content_hash',
  'layers_stale_since',
  'layers_ms',
  'stream_writes',
  'recorded_at',
  'awaits_tool_call',
];

const NodeRow = { props: JsonMap, labels: z.array(z.string()) };
const SessionProps = z.object({
  node_id: z.string(),
  workspace: z.string(),
  started_at: textOrNull,
  ended_at: textOrNull,
  end_status: textOrNull,
  resumed_at: textOrNull,
  /** Null until a migration has reached the session. */
  origin: orNull(z.enum(RUN_ORIGINS)),
});
const SessionRow = z.object({ ...NodeRow, parentId: textOrNull });

/** @throws DamagedRow */
export function toSession(row: unknown): AgentSession {
  const { props, labels, parentId } = parseRow(SessionRow, row, 'Session');
  const session = parseRow(SessionProps, props, 'Session');
  const { ended_at, end_status, resumed_at, ...rest } = props;
  const state = sessionState({
    endedAt: session.ended_at,
    endStatus: session.end_status,
    resumedAt: session.resumed_at,
  });
  return {
    nodeId: session.node_id,
    origin: session.origin ?? 'user',
    workspace: session.workspace,
    labels: shortestFirst(labels),
    parentId,
    startedAt: session.started_at,
    ...state,
    properties: without(rest, OWN_KEYS),
  };
}

const EventProps = z.object({
  node_id: z.string(),
  event_name: z.string(),
  occurred_at: z.string(),
  data: jsonText(JsonMap),
});
const EventRow = z.object(NodeRow);

/** @throws DamagedRow */
export function toEvent(row: unknown): SessionEvent {
  const { props, labels } = parseRow(EventRow, row, 'Event');
  const event = parseRow(EventProps, props, 'Event');
  return {
    nodeId: event.node_id,
    name: event.event_name,
    labels: shortestFirst(labels),
    occurredAt: event.occurred_at,
    properties: without(props, [...OWN_KEYS, 'data']),
    data: event.data,
  };
}

const CallRow = z.object({
  node_id: z.string(),
  tool_call_id: z.string(),
  /** Absent if the tool:pre event names no tool. */
  tool_name: textOrNull,
  session_id: z.string(),
  parallel_group_id: textOrNull,
  started_at: textOrNull,
  ended_at: textOrNull,
});

/** @throws DamagedRow */
export function toCall(row: unknown): ToolCall {
  const call = parseRow(CallRow, row, 'ToolCall');
  const { started_at: startedAt, ended_at: endedAt } = call;
  return {
    nodeId: call.node_id,
    toolCallId: call.tool_call_id,
    toolName: call.tool_name ?? '',
    sessionId: call.session_id,
    parallelGroupId: call.parallel_group_id,
    startedAt,
    endedAt,
    durationMs:
      startedAt === null || endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt),
  };
}

/** Puts the base label first, as in the specification. */
const shortestFirst = (labels: readonly string[]): string[] =>
  [...labels].sort((left, right) => left.length - right.length);

const without = (props: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(props).filter(([key]) => !keys.includes(key)));
