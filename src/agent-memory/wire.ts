import { instantOf } from '../common/clock.ts';
import type { Problem, ProblemCode } from '../common/refusal.ts';
import type { JobState } from '../jobs/job.ts';
import type { GivenEvent, MemoryEvent } from './events/event.ts';
import type { Grip } from './grips/grip.ts';
import type { TocNode } from './toc/toc.ts';

// Converts between models and the messages of proto/memory.proto: int64 milliseconds, and enums
// whose zero means "unspecified" (S2-API-03).

/** An Event message as proto-loader decodes it: enums by name, int64 as text. */
export interface WireEvent {
  readonly event_id: string;
  readonly session_id: string;
  readonly timestamp_ms: string;
  /** A number where proto/memory.proto has no such name. */
  readonly event_type: string | number;
  readonly role: string | number;
  readonly text: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly agent_id?: string | null;
}

/** Unspecified enums and times out of range become texts that `checkEvent` refuses. */
export function fromWireEvent(event: WireEvent): GivenEvent {
  const ms = Number(event.timestamp_ms);
  const isTime = Number.isSafeInteger(ms) && Math.abs(ms) < 8.64e15;
  return {
    eventId: event.event_id === '' ? null : event.event_id,
    sessionId: event.session_id,
    timestamp: isTime ? instantOf(ms) : '',
    eventType: String(event.event_type).replace('EVENT_TYPE_', ''),
    role: String(event.role).replace('EVENT_ROLE_', ''),
    text: event.text,
    metadata: event.metadata,
    agentId: event.agent_id ?? null,
  };
}

const ms = (instant: string) => String(Date.parse(instant));

export function toWireEvent(event: MemoryEvent): WireEvent {
  return {
    event_id: event.eventId,
    session_id: event.sessionId,
    timestamp_ms: ms(event.timestamp),
    event_type: `EVENT_TYPE_${event.eventType.toUpperCase()}`,
    role: `EVENT_ROLE_${event.role.toUpperCase()}`,
    text: event.text,
    metadata: event.metadata,
    ...(event.agentId === null ? {} : { agent_id: event.agentId }),
  };
}

export function toWireNode(node: TocNode) {
  return {
    node_id: node.nodeId,
    level: `TOC_LEVEL_${node.level.toUpperCase()}`,
    title: node.title,
    start_time_ms: ms(node.startTime),
    end_time_ms: ms(node.endTime),
    bullets: node.bullets.map(({ text, gripIds }) => ({ text, grip_ids: gripIds })),
    keywords: node.keywords,
    child_node_ids: node.childNodeIds,
    version: node.version,
    created_at_ms: ms(node.createdAt),
  };
}

export function toWireGrip(grip: Grip) {
  return {
    grip_id: grip.gripId,
    excerpt: grip.excerpt,
    event_id_start: grip.eventIdStart,
    event_id_end: grip.eventIdEnd,
    timestamp_ms: ms(grip.timestamp),
    source: grip.source,
    ...(grip.tocNodeId === null ? {} : { toc_node_id: grip.tocNodeId }),
  };
}

export function toWireJob(job: JobState) {
  return {
    job_name: job.name,
    cron: job.cron,
    paused: job.paused,
    ...(job.lastRun === null ? {} : { last_run_ms: ms(job.lastRun) }),
    ...(job.nextRun === null ? {} : { next_run_ms: ms(job.nextRun) }),
    ...(job.lastError === null ? {} : { last_error: job.lastError }),
    ...(job.checkpoint === null ? {} : { checkpoint: job.checkpoint }),
    backlog: job.backlog,
  };
}

/** Codes of google.rpc.Code. */
export const GRPC_STATUS = {
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  ALREADY_EXISTS: 6,
  PERMISSION_DENIED: 7,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  INTERNAL: 13,
  UNAUTHENTICATED: 16,
} as const;

const STATUS_OF: Readonly<Partial<Record<ProblemCode, number>>> = {
  NOT_FOUND: GRPC_STATUS.NOT_FOUND,
  CONFLICT: GRPC_STATUS.ALREADY_EXISTS,
  FORBIDDEN: GRPC_STATUS.PERMISSION_DENIED,
  STATE: GRPC_STATUS.FAILED_PRECONDITION,
  TOO_LARGE: GRPC_STATUS.RESOURCE_EXHAUSTED,
};

/** Status of a refusal: that of its problems if they agree, else INVALID_ARGUMENT. */
export function statusOf(problems: readonly Problem[]): number {
  const statuses = new Set(
    problems.map(({ code }) => STATUS_OF[code] ?? GRPC_STATUS.INVALID_ARGUMENT),
  );
  const [only] = statuses;
  return statuses.size === 1 && only !== undefined ? only : GRPC_STATUS.INVALID_ARGUMENT;
}
