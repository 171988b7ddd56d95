import { firstChars } from '../../common/well-formed.ts';
import { parentOf, type RawEvent, toolCallIdOf, toolCallNodeId } from './raw-event.ts';

/**
 * Facts about a session that events contain: earliest start, latest end and resume. The result
 * does not depend on the order of the events.
 */
export interface SessionFacts {
  readonly id: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Status of the latest end, if it has one. */
  readonly endStatus: string | null;
  readonly resumedAt: string | null;
  /** A session with a parent is no root, even before its fork event arrives (S0-NODE-03). */
  readonly hasParent: boolean;
}

export interface Fork {
  readonly parentId: string;
  readonly childId: string;
}

/** The start of a tool call; only tool:pre makes the node (S0-NODE-04). */
export interface CallStart {
  readonly nodeId: string;
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly startedAt: string;
  readonly toolName: string | null;
  readonly parallelGroupId: string | null;
}

/** Sessions, forks and calls that a batch adds to the graph, in addition to its Event nodes. */
export interface SessionGraphPlan {
  readonly sessions: readonly SessionFacts[];
  readonly forks: readonly Fork[];
  readonly calls: readonly CallStart[];
}

/**
 * Collects the facts of a batch about sessions and calls. Facts merge in any order and any number
 * of times (S0-NODE-02, S0-TC-02). The lists are sorted, so that all writers lock in the same
 * order.
 */
export function planSessionGraph(events: readonly RawEvent[]): SessionGraphPlan {
  const sessions = new Map<string, SessionFacts>();
  const forks = new Map<string, Fork>();
  const calls = new Map<string, CallStart>();
  for (const event of events) {
    const { name, sessionId, data } = event;
    sessions.set(sessionId, addFacts(sessions.get(sessionId), event));
    if (name === 'session:fork') {
      const parentId = parentOf(data);
      if (parentId !== null) forks.set(sessionId, { parentId, childId: sessionId });
    }
    const call = name === 'tool:pre' ? callStart(event) : null;
    if (call !== null) {
      const known = calls.get(call.nodeId);
      if (known === undefined || rankOf(call) < rankOf(known)) calls.set(call.nodeId, call);
    }
  }
  return { sessions: sorted(sessions), forks: sorted(forks), calls: sorted(calls) };
}

function addFacts(known: SessionFacts | undefined, event: RawEvent): SessionFacts {
  const { name, sessionId, atMs, data } = event;
  const at = new Date(atMs).toISOString();
  const facts = known ?? {
    id: sessionId,
    startedAt: at,
    endedAt: null,
    endStatus: null,
    resumedAt: null,
    hasParent: false,
  };
  const status = typeof data['status'] === 'string' ? firstChars(data['status'], 100) : null;
  // Of two ends in one millisecond the same one wins in any order.
  const rank = `${at} ${status ?? ''}`;
  const isLatestEnd =
    name === 'session:end' &&
    (facts.endedAt === null || rank > `${facts.endedAt} ${facts.endStatus ?? ''}`);
  return {
    ...facts,
    startedAt: earliest(facts.startedAt, at),
    ...(isLatestEnd ? { endedAt: at, endStatus: status } : {}),
    resumedAt: name === 'session:resume' ? latest(facts.resumedAt, at) : facts.resumedAt,
    hasParent: facts.hasParent || hasParent(event),
  };
}

function hasParent({ name, data }: RawEvent): boolean {
  if (name.startsWith('session:')) return parentOf(data) !== null;
  return typeof data['parent_id'] === 'string' && data['parent_id'] !== '';
}

function earliest(known: string, at: string): string {
  if (at < known) return at;
  return known;
}

const latest = (known: string | null, at: string): string =>
  known === null || at > known ? at : known;

function callStart(event: RawEvent): CallStart | null {
  const toolCallId = toolCallIdOf(event);
  if (toolCallId === null) return null;
  const { sessionId, atMs, data } = event;
  const text = (key: string) => (data[key] == null ? null : String(data[key]));
  return {
    nodeId: toolCallNodeId(sessionId, toolCallId),
    sessionId,
    toolCallId,
    startedAt: new Date(atMs).toISOString(),
    toolName: text('tool_name'),
    parallelGroupId: text('parallel_group_id'),
  };
}

/** The earliest start wins; of two in one millisecond the same one wins in any order. */
const rankOf = ({ startedAt, toolName }: CallStart): string => `${startedAt} ${toolName ?? ''}`;

const sorted = <T>(values: ReadonlyMap<string, T>): T[] =>
  [...values]
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([, value]) => value);
