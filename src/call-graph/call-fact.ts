import type { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import type { JsonObject } from '../common/json.ts';
import type { RunError } from '../common/tool-fault.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import { parsePayload } from '../outbox/entry-payload.ts';
import {
  type EntryValue,
  type RunEntryKind,
  type RunEntryPayloads,
  RunPayloads,
} from '../runs/events/run-payloads.ts';
import { attemptId, stepKey } from '../runs/steps/step-run.ts';
import {
  type CallError,
  type CallIdentity,
  type CallStatus,
  type OperationRef,
  statusesBefore,
} from './call.ts';
import { MUTATION_ENDED, MutationEnded } from './mutation-entry.ts';

/**
 * The data about one call in one outbox entry. Facts of a call merge in any order and any number of
 * times: known values are kept, and the furthest status wins (`mergeFacts`; call.cypher.ts does the
 * same in Cypher).
 */
export interface CallFact {
  readonly requestId: string;
  /** Id of the outbox entry; that of the first entry becomes the id of the node. */
  readonly entryId: string;
  readonly at: Instant;
  readonly operation: OperationRef;
  readonly status: CallStatus;
  readonly ownerId: string;
  readonly workspace: string;
  /** Null if the call belongs to no run. */
  readonly rootRunId: string | null;
  readonly parentRequestId: string | null;
  /** Null: the identity of the root run's call. */
  readonly identity: CallIdentity | null;
  readonly input: EntryValue | null;
  readonly output: EntryValue | null;
  readonly error: CallError | null;
  readonly startedAt: Instant | null;
  readonly completedAt: Instant | null;
  /** `runId/stepId/` of the steps that the call waited for. */
  readonly dependsOn: readonly string[];
  /** Request id of the call whose authority this call uses, if that is not the parent. */
  readonly requestedBy: string | null;
}

/** Calls that a later entry shows to be over, although no entry of their end exists. */
export type Orphans =
  | { readonly requestId: string; readonly at: Instant }
  | { readonly rootRunId: string; readonly at: Instant };

export interface CallFacts {
  readonly facts: readonly CallFact[];
  readonly orphans: readonly Orphans[];
}

/** Kinds of outbox entries with data about calls. */
export const CALL_ENTRY_KINDS = [
  'run.requested',
  'run.started',
  'run.ended',
  'step.started',
  'step.ended',
  MUTATION_ENDED,
] as const;
type CallEntryKind = (typeof CALL_ENTRY_KINDS)[number];

/** Operation of a step that calls a Process. The sub-run is a call of the Process itself. */
export const CALL_PROCESS: OperationRef = {
  id: 'call_process',
  name: 'call_process',
  namespace: 'system',
};

const NOTHING: CallFacts = { facts: [], orphans: [] };

type CallPayloads = Pick<RunEntryPayloads, CallEntryKind & RunEntryKind> & {
  [MUTATION_ENDED]: MutationEnded;
};
type Facts = {
  readonly [K in CallEntryKind]: (payload: CallPayloads[K], entry: OutboxEntry) => CallFacts;
};
const SCHEMAS: { readonly [K in CallEntryKind]: z.ZodType<CallPayloads[K]> } = {
  ...RunPayloads,
  [MUTATION_ENDED]: MutationEnded,
};

const FACTS: Facts = {
  'run.requested': (payload, entry) =>
    oneFact(entry, {
      requestId: entry.runId ?? '',
      operation: processOf(payload),
      status: 'pending',
      parentRequestId: payload.callId ?? null,
      identity: identityOf(entry, payload.scopes ?? []),
    }),
  'run.started': (payload, entry) =>
    oneFact(entry, {
      requestId: entry.runId ?? '',
      operation: processOf(payload),
      status: 'running',
      parentRequestId:
        payload.parent === null ? null : callIdOf(payload.parent.runId, payload.parent),
      input: payload.context,
      startedAt: entry.at,
      requestedBy: payload.parent === null ? null : entry.rootRunId,
    }),
  'run.ended': (payload, entry) =>
    oneFact(entry, {
      requestId: entry.runId ?? '',
      operation: { id: payload.processId, name: payload.processId, namespace: 'process' },
      status: ENDED[payload.status] ?? 'failed',
      output: payload.error === null ? payload.output : null,
      error: errorOf(payload.error),
      completedAt: entry.at,
      // The end of the root run ends all calls of its tree, also those that a lost worker left
      // open.
      orphans:
        entry.runId === entry.rootRunId ? [{ rootRunId: entry.rootRunId ?? '', at: entry.at }] : [],
    }),
  'step.started': (payload, entry) =>
    oneFact(entry, {
      requestId: callIdOf(entry.runId ?? '', payload),
      operation: targetOf(payload.type, payload.targetId, payload.name),
      status: 'running',
      parentRequestId: entry.runId,
      input: payload.inputs,
      startedAt: entry.at,
      dependsOn: (payload.dependsOn ?? []).map((stepId) => `${entry.runId}/${stepId}/`),
      // A new attempt shows that the attempt before it is over, even without an entry of its end.
      orphans:
        payload.attempt < 2
          ? []
          : [
              {
                requestId: callIdOf(entry.runId ?? '', {
                  ...payload,
                  attempt: payload.attempt - 1,
                }),
                at: entry.at,
              },
            ],
    }),
  'step.ended': (payload, entry) =>
    // The step was refused or decided without a call.
    payload.attempt === 0 || payload.targetId === undefined
      ? NOTHING
      : oneFact(entry, {
          requestId: callIdOf(entry.runId ?? '', payload),
          operation: targetOf(payload.type, payload.targetId, payload.name),
          status: ENDED[payload.status] ?? 'failed',
          parentRequestId: entry.runId,
          output: payload.error === null ? payload.output : null,
          error: errorOf(payload.error),
          completedAt: entry.at,
        }),
  [MUTATION_ENDED]: (payload, entry) =>
    oneFact(entry, {
      requestId: payload.requestId,
      operation: {
        id: `mutation:${payload.name}`,
        name: payload.name,
        namespace: 'mutation',
      },
      status: payload.error === null ? 'completed' : 'failed',
      identity: identityOf(entry, payload.scopes),
      input: { value: payload.input },
      output: payload.error === null ? { value: payload.output } : null,
      error: payload.error,
      startedAt: payload.startedAt,
      completedAt: payload.completedAt,
    }),
};

/** Derives the facts of one entry; none for entries of other kinds. */
export function factsOf(entry: OutboxEntry): CallFacts {
  const { kind } = entry;
  return isCallEntryKind(kind) ? readFacts(kind, entry) : NOTHING;
}

const isCallEntryKind = (kind: string): kind is CallEntryKind => Object.hasOwn(FACTS, kind);

const readFacts = <K extends CallEntryKind>(kind: K, entry: OutboxEntry): CallFacts =>
  FACTS[kind](parsePayload(SCHEMAS[kind], kind, entry), entry);

// Timeout = failed, cancel = aborted (docs/decisions/0022).
const ENDED: Readonly<Record<string, CallStatus>> = {
  completed: 'completed',
  failed: 'failed',
  timed_out: 'failed',
  cancelled: 'aborted',
};

type Given = Pick<CallFact, 'requestId' | 'operation' | 'status'> &
  Partial<CallFact> & { readonly orphans?: readonly Orphans[] };

const oneFact = (entry: OutboxEntry, { orphans = [], ...given }: Given): CallFacts => ({
  facts: [
    {
      entryId: entry.id,
      at: entry.at,
      ownerId: entry.ownerId,
      workspace: entry.workspace,
      rootRunId: entry.rootRunId,
      parentRequestId: null,
      identity: null,
      input: null,
      output: null,
      error: null,
      startedAt: null,
      completedAt: null,
      dependsOn: [],
      requestedBy: null,
      ...given,
    },
  ],
  orphans,
});

const callIdOf = (
  runId: string,
  place: { readonly stepId: string; readonly index: number | null; readonly attempt: number },
): string => attemptId(stepKey(runId, place.stepId, place.index), place.attempt);

function identityOf(entry: OutboxEntry, scopes: readonly string[]): CallIdentity {
  const resources: JsonObject = { workspace: entry.workspace };
  return { id: entry.ownerId, scopes: [...scopes], resources };
}

function processOf(payload: { processId: string; processName: string }): OperationRef {
  return { id: payload.processId, name: payload.processName, namespace: 'process' };
}

const targetOf = (type: string, targetId: string, name: string): OperationRef =>
  type === 'process' ? CALL_PROCESS : { id: targetId, name, namespace: 'tool' };

function errorOf(error: RunError | null): CallError | null {
  if (error === null) return null;
  const { code, message, details } = error;
  return details === null ? { code, message } : { code, message, details };
}

/** Merges two facts of one call: known values are kept, the furthest status and first end win. */
export function mergeFacts(first: CallFact, second: CallFact): CallFact {
  const isFurther = statusesBefore(second.status).includes(first.status);
  const end = isFurther ? second : first;
  return {
    ...first,
    operation: first.operation,
    at: first.at,
    status: end.status,
    parentRequestId: first.parentRequestId ?? second.parentRequestId,
    identity: first.identity ?? second.identity,
    input: first.input ?? second.input,
    output: end.output,
    error: end.error,
    startedAt: first.startedAt ?? second.startedAt,
    completedAt: end.completedAt,
    dependsOn: first.dependsOn.length > 0 ? first.dependsOn : second.dependsOn,
    requestedBy: first.requestedBy ?? second.requestedBy,
  };
}

/**
 * Divides facts into rounds; each round is one write. A round has one fact per call, and no fact
 * of a call or tree after its orphaning. The outcome does not depend on how entries were batched.
 */
export function roundsOf(all: readonly CallFacts[]): CallFacts[] {
  const rounds: { facts: Map<string, CallFact>; orphans: Orphans[]; ended: Set<string> }[] = [];
  for (const { facts, orphans } of all) {
    let round = rounds.at(-1);
    const touchesEnded = facts.some(
      ({ requestId, rootRunId }) =>
        round?.ended.has(requestId) || (rootRunId !== null && round?.ended.has(rootRunId)),
    );
    if (round === undefined || touchesEnded) {
      round = { facts: new Map(), orphans: [], ended: new Set() };
      rounds.push(round);
    }
    for (const one of facts) {
      const known = round.facts.get(one.requestId);
      round.facts.set(one.requestId, known === undefined ? one : mergeFacts(known, one));
    }
    for (const orphan of orphans) {
      round.orphans.push(orphan);
      round.ended.add('requestId' in orphan ? orphan.requestId : orphan.rootRunId);
    }
  }
  return rounds.map(({ facts, orphans }) => ({ facts: [...facts.values()], orphans }));
}
