import type { JsonObject } from '../../common/json.ts';
import type { PageArgs } from '../../common/page.ts';
import { type Problem, problem } from '../../common/refusal.ts';
import type { RunOrigin } from '../../runs/run/run-origin.ts';
import { LABEL } from './event-node.ts';

/** A root or forked session of the session graph. */
export interface AgentSession {
  readonly nodeId: string;
  readonly workspace: string;
  readonly origin: RunOrigin;
  readonly labels: readonly string[];
  readonly parentId: string | null;
  readonly startedAt: string | null;
  /** Null while the session is active, also after a resume. */
  readonly endedAt: string | null;
  /** `active`, or the status of its end; `ended` if the end has none. */
  readonly status: string;
  readonly properties: JsonObject;
}

export interface SessionEvent {
  readonly nodeId: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly occurredAt: string;
  /** Lifted fields and the rest of the node, without `data`. */
  readonly properties: JsonObject;
  /** The whole payload, or `{"$blob_ref", "preview"}` if it is in the blob store. */
  readonly data: JsonObject;
}

/** The lifecycle of one tool invocation (S0-TC-01). */
export interface ToolCall {
  readonly nodeId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly sessionId: string;
  readonly parallelGroupId: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** Null until both ends are known. */
  readonly durationMs: number | null;
}

/** Filter of `sessionEvents`; all given conditions have to match. */
export interface EventFilter extends PageArgs {
  readonly names?: readonly string[] | null | undefined;
  readonly label?: string | null | undefined;
  readonly toolName?: string | null | undefined;
  /** `from` is inclusive, `to` exclusive; RFC 3339. */
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

const NAMES_MAX = 100;

export function checkEventFilter({ names, label, toolName, from, to }: EventFilter): Problem[] {
  const problems: Problem[] = [];
  if (names != null && names.length > NAMES_MAX)
    problems.push(problem('INVALID', ['names'], `At most ${NAMES_MAX} names at once.`));
  if (label != null && !LABEL.test(label))
    problems.push(problem('INVALID', ['label'], 'A label is made of letters and digits.'));
  if (toolName != null && toolName.length > 400)
    problems.push(problem('INVALID', ['toolName'], 'A toolName has at most 400 characters.'));
  if (from != null && to != null && from > to)
    problems.push(problem('INVALID', ['to'], 'The end lies before the beginning.'));
  return problems;
}

/** State of a session: an end counts until a later resume. */
export function sessionState(times: {
  readonly endedAt: string | null;
  readonly resumedAt: string | null;
  readonly endStatus: string | null;
}): { readonly endedAt: string | null; readonly status: string } {
  const { endedAt, resumedAt, endStatus } = times;
  if (endedAt === null || (resumedAt !== null && resumedAt > endedAt))
    return { endedAt: null, status: 'active' };
  return { endedAt, status: endStatus ?? 'ended' };
}
