import { setTimeout } from 'node:timers/promises';
import { type Clock, instant } from '../common/clock.ts';
import type { NewId } from '../common/id.ts';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import { REDACTED } from '../common/redaction.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import { type OutboxEntry, ownerEntry, ownerFor } from '../outbox/entry.ts';
import { writeAndWake } from '../outbox/write-and-wake.mutations.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { SettingsSource } from '../settings/settings.projection.ts';
import type { Viewer } from '../users/user.ts';
import type { CallError } from './call.ts';
import { MUTATION_ENDED, type MutationEnded } from './mutation-entry.ts';
import { recordable, recordableError } from './recordable.ts';

/**
 * A finished mutation of the API with whole payloads. The record is redacted and cut (S3-FLOW-04).
 */
export interface EndedMutation {
  readonly requestId: string;
  readonly name: string;
  readonly viewer: Viewer;
  readonly args: JsonObject;
  /** Ids in the result. */
  readonly output: Json;
  readonly error: CallError | null;
  readonly startedAt: string;
}

/**
 * Records mutations as calls, after the caller has the answer. Each is one outbox entry; the
 * entries of 100 ms share a transaction (docs/decisions/0002-mutations-as-calls.md).
 */
export interface CallRecorder {
  /** Queues the record; never blocks and never throws. */
  record(mutation: EndedMutation): void;
  /** Writes the queued records. */
  close(): Promise<void>;
}

export interface RecorderDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly settings: SettingsSource;
  wake(): void;
  /** Called with the number of mutations that could not be recorded. */
  onLost(error: unknown, count: number): void;
}

// Maximum queue length. It is reached only if Neo4j is down for long; more records are lost.
const QUEUE_MAX = 10_000;
const BATCH_MAX = 200;
/** Delay before a batch is written; it leaves Neo4j to the work that the mutations started. */
const BATCH_DELAY_MS = 100;

export function openCallRecorder(deps: RecorderDeps): CallRecorder {
  const queue: OutboxEntry[] = [];
  const closing = new AbortController();
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH_MAX);
      try {
        await writeAndWake(deps, (tx) => appendEntries(tx, batch));
      } catch (error) {
        deps.onLost(error, batch.length);
      }
    }
  }

  async function accept(mutation: EndedMutation): Promise<void> {
    const completedAt = instant(deps.clock);
    try {
      const entry = await entryOf(deps, mutation, completedAt);
      if (queue.length >= QUEUE_MAX) return deps.onLost(null, 1);
      queue.push(entry);
    } catch (error) {
      return deps.onLost(error, 1);
    }
    writing ??= work();
  }

  async function work(): Promise<void> {
    await setTimeout(BATCH_DELAY_MS, undefined, { signal: closing.signal }).catch(() => {});
    await write();
    writing = null;
  }

  const accepting = new Set<Promise<void>>();
  return {
    record(mutation) {
      const accepted = accept(mutation).finally(() => accepting.delete(accepted));
      accepting.add(accepted);
    },
    async close() {
      closing.abort();
      await Promise.all(accepting);
      await writing;
    },
  };
}

async function entryOf(
  deps: RecorderDeps,
  { requestId, name, viewer, args, output, error, startedAt }: EndedMutation,
  completedAt: string,
): Promise<OutboxEntry> {
  const rules = await deps.settings.current();
  const payload: MutationEnded = {
    requestId,
    name,
    scopes: viewer.roles,
    input: recordable(withoutSecrets(name, args), rules),
    output: recordable(output, rules),
    error: error === null ? null : recordableError(error, rules),
    startedAt,
    completedAt,
  };
  const entry = ownerEntry(deps, ownerFor(viewer), MUTATION_ENDED, payload);
  return { ...entry, at: completedAt };
}

/** `value` of a Secret is never recorded, whatever the settings say (docs/decisions/0017). */
function withoutSecrets(name: string, args: JsonObject): JsonObject {
  const input = args['input'];
  if (!/Secret$/.test(name) || !isJsonObject(input) || !('value' in input)) return args;
  return { ...args, input: { ...input, value: REDACTED } };
}
