import type { ApiDeps } from '../../../schema/context.ts';
import { ingestEvent } from '../../agent-memory/events/event.mutations.ts';
import { listMemoryEvents } from '../../agent-memory/events/event-list.service.ts';
import { expandGrip } from '../../agent-memory/grips/expand-grip.service.ts';
import { cursorOf, pageToken } from '../../agent-memory/page-token.service.ts';
import { browseToc, getTocNode, getTocRoot } from '../../agent-memory/toc/toc-browse.service.ts';
import {
  fromWireEvent,
  toWireEvent,
  toWireGrip,
  toWireJob,
  toWireNode,
  type WireEvent,
} from '../../agent-memory/wire.ts';
import { instantOf } from '../../common/clock.ts';
import { PAGE_MAX } from '../../common/limits.ts';
import type { Maybe } from '../../common/maybe.ts';
import { problem, refuse } from '../../common/refusal.ts';
import { pauseJob, resumeJob, showJobs } from '../../jobs/job.mutations.ts';
import type { Viewer } from '../../users/user.ts';

/** One RPC: from request message to response message. Refusals become a gRPC status. */
export type Handler = (deps: ApiDeps, viewer: Viewer, request: never) => Promise<object>;

interface WithAgent {
  readonly agent_id?: Maybe<string>;
}

/** The RPCs of proto/memory.proto (S2-API-01, S2-API-02). Each equals its GraphQL field. */
export const MEMORY_RPCS = {
  async IngestEvent(deps, viewer, { event }: { event: WireEvent | null }) {
    refuse(event === null ? [problem('REQUIRED', ['event'], 'There is no event.')] : []);
    if (event === null) throw new Error('Refused above.');
    const { event: kept, created } = await ingestEvent(deps, viewer, fromWireEvent(event));
    return { event_id: kept.eventId, created };
  },
  async GetTocRoot(deps, viewer, { agent_id }: WithAgent) {
    return { nodes: (await getTocRoot(deps, viewer, agent_id)).map(toWireNode) };
  },
  async GetNode(deps, viewer, request: WithAgent & { node_id: string; version?: Maybe<number> }) {
    const { node_id: nodeId, version, agent_id: agentId } = request;
    const node = await getTocNode(deps, viewer, { nodeId, version, agentId });
    return node === null ? {} : { node: toWireNode(node) };
  },
  async BrowseToc(
    deps,
    viewer,
    request: WithAgent & { parent_id: string; limit: number; token?: Maybe<string> },
  ) {
    const { nodes, nextToken, hasMore } = await browseToc(deps, viewer, {
      parentId: request.parent_id,
      limit: request.limit === 0 ? null : request.limit,
      token: request.token,
      agentId: request.agent_id,
    });
    const next = nextToken === null ? {} : { next_token: nextToken };
    return { nodes: nodes.map(toWireNode), has_more: hasMore, ...next };
  },
  async GetEvents(
    deps,
    viewer,
    request: WithAgent & {
      from_timestamp_ms: string;
      to_timestamp_ms: string;
      limit: number;
      session_id?: Maybe<string>;
      token?: Maybe<string>;
    },
  ) {
    const query = [
      request.from_timestamp_ms,
      request.to_timestamp_ms,
      request.session_id ?? null,
      request.agent_id ?? null,
    ];
    const after = request.token == null ? null : cursorOf(request.token, query);
    refuse([
      ...(request.limit >= 0 && request.limit <= PAGE_MAX
        ? []
        : [problem('INVALID', ['limit'], `limit is a whole number from 1 to ${PAGE_MAX}.`)]),
      ...(request.token != null && after === null
        ? [problem('INVALID', ['token'], 'This token is not of this query; take the one it gave.')]
        : []),
    ]);
    const { items, hasNextPage } = await listMemoryEvents(deps, viewer, {
      from: moment(request.from_timestamp_ms, 'from_timestamp_ms'),
      to: moment(request.to_timestamp_ms, 'to_timestamp_ms'),
      first: request.limit === 0 ? null : request.limit,
      after,
      sessionId: request.session_id,
      agentId: request.agent_id,
    });
    const last = items.at(-1)?.cursor;
    const next = hasNextPage && last !== undefined ? { next_token: pageToken(last, query) } : {};
    return { events: items.map(({ item }) => toWireEvent(item)), has_more: hasNextPage, ...next };
  },
  async ExpandGrip(
    deps,
    viewer,
    request: { grip_id: string; events_before?: Maybe<number>; events_after?: Maybe<number> },
  ) {
    const found = await expandGrip(deps, viewer, {
      gripId: request.grip_id,
      eventsBefore: request.events_before,
      eventsAfter: request.events_after,
    });
    if (found === null) return {};
    return {
      grip: toWireGrip(found.grip),
      events_before: found.eventsBefore.map(toWireEvent),
      excerpt_events: found.excerptEvents.map(toWireEvent),
      events_after: found.eventsAfter.map(toWireEvent),
    };
  },
  async GetSchedulerStatus(deps) {
    return { jobs: (await showJobs(deps)).map(toWireJob) };
  },
  async PauseJob(deps, viewer, { job_name }: { job_name: string }) {
    return { job: toWireJob(await pauseJob(deps, viewer, job_name)) };
  },
  async ResumeJob(deps, viewer, { job_name }: { job_name: string }) {
    return { job: toWireJob(await resumeJob(deps, viewer, job_name)) };
  },
} as const satisfies Record<string, Handler>;

export const ADMIN_RPCS: ReadonlySet<string> = new Set([
  'GetSchedulerStatus',
  'PauseJob',
  'ResumeJob',
]);

function moment(ms: string, name: string): string {
  const value = Number(ms);
  refuse(
    Number.isSafeInteger(value) && value >= 0 && value < 253_402_300_800_000
      ? []
      : [problem('INVALID', [name], 'A moment is milliseconds since 1970, up to the year 9999.')],
  );
  return instantOf(value);
}
