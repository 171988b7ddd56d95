import { setTimeout } from 'node:timers/promises';
import { type Clock, instant } from '../common/clock.ts';
import type { NewId } from '../common/id.ts';
import { isJsonObject, type Json, type JsonObject } from '../common/json.ts';
import { REDACTED } from '../common/redaction.ts';
import { appendEntries } from '../outbox/entry.cypher.ts';
import { type OutboxEntry, ownerEntry, ownerFor } from '../outbox/entry.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import type { SettingsSource } from '../settings/settings.projection.ts';
import type { Viewer } from '../users/user.ts';
import type { CallError } from './call.ts';
import { MUTATION_ENDED, type MutationEnded } from './mutation-entry.ts';
import { recordable, recordableError } from './recordable.ts';

/** One mutation of the API that is over, with its payloads whole; only what is recorded of them is redacted and cut (S3-FLOW-04). */
export interface EndedMutation {
  readonly requestId: string;
  readonly name: string;
  readonly viewer: Viewer;
  readonly args: JsonObject;
  /** The ids of what came of it. */
  readonly output: Json;
  readonly error: CallError | null;
  readonly startedAt: string;
}

/**
 * Records mutations as calls: one outbox entry each, in a transaction of their own that they share with whatever else ended in the
 * meantime, after the caller has the answer (docs/decisions/0002-mutations-as-calls.md).
 */
export interface CallRecorder {
  /** Never waits, never throws. */
  record(mutation: EndedMutation): void;
  /** Writes what waits. */
  close(): Promise<void>;
}

export interface RecorderDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly settings: SettingsSource;
  wake(): void;
  /** Mutations that could not be recorded. */
  onLost(error: unknown, count: number): void;
}

// Beyond it Neo4j has been away for long, and memory is worth more than the record of who asked.
const WAITING_MAX = 10_000;
const BATCH_MAX = 200;
/** So long what ends is gathered: nobody waits for the record, and somebody may wait for what the mutation began. */
const GATHER_MS = 100;

export function openCallRecorder(deps: RecorderDeps): CallRecorder {
  const waiting: OutboxEntry[] = [];
  const closing = new AbortController();
  let inWork: Promise<void> | null = null;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_MAX);
      try {
        await deps.graph.write((tx) => appendEntries(tx, batch));
        deps.wake();
      } catch (error) {
        deps.onLost(error, batch.length);
      }
    }
  }

  async function accept(mutation: EndedMutation): Promise<void> {
    const completedAt = instant(deps.clock);
    try {
      const entry = await entryOf(deps, mutation, completedAt);
      if (waiting.length >= WAITING_MAX) return deps.onLost(null, 1);
      waiting.push(entry);
    } catch (error) {
      return deps.onLost(error, 1);
    }
    inWork ??= work();
  }

  async function work(): Promise<void> {
    await setTimeout(GATHER_MS, undefined, { signal: closing.signal }).catch(() => {});
    await write();
    inWork = null;
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
      await inWork;
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
