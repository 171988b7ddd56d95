import type { Instant } from '../common/clock.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { intOf } from '../platform/neo4j/row.ts';
import { readAll, readOne, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { ENTRY, toEntry } from './entry.cypher.ts';
import type { NumberedEntry } from './entry.ts';

/**
 * The right to relay. A former holder has an older epoch, so its statements no longer match the
 * lease.
 */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly epoch: number;
}

/** A lease as a process that waits for it has seen it. */
export interface LeaseSight {
  readonly epoch: number;
  /** Grows with each renewal; 0: the lease was given back. */
  readonly expiresAtMs: number;
  /** Whether Neo4j's clock says so. */
  readonly isExpired: boolean;
}

// Neo4j's clock decides about expiry, because all holders share it. It may jump: a process that has
// seen the same renewal for the whole `ttlMs` by its own steady clock takes the lease as well
// (`seen`). The first SET locks the node, so the compared values can't change before the commit.
const TAKE_LEASE = cypher`
  // takeLease
  MERGE (lease:Lease {name: $name})
  ON CREATE SET lease.epoch = 0, lease.expiresAtMs = 0
  SET lease.askedBy = $holder
  WITH lease
  WHERE lease.holder IS NULL OR lease.holder = $holder OR lease.expiresAtMs < timestamp()
    OR (lease.epoch = $seen.epoch AND lease.expiresAtMs = $seen.expiresAtMs)
  SET lease.holder = $holder, lease.epoch = lease.epoch + 1,
      lease.expiresAtMs = timestamp() + $ttlMs
  RETURN lease.epoch AS epoch
`;

const LOOK_AT_LEASE = cypher`
  // lookAtLease
  MATCH (lease:Lease {name: $name})
  RETURN lease.epoch AS epoch,
    CASE WHEN lease.holder IS NULL THEN 0 ELSE lease.expiresAtMs END AS expiresAtMs,
    lease.expiresAtMs < timestamp() AS isExpired
`;

/**
 * Looks without a lock, so that waiting processes do not block the holder. Null: no process has
 * ever held the lease.
 */
export async function lookAtLease(tx: ReadTx, name: string): Promise<LeaseSight | null> {
  const [row] = await tx.run(LOOK_AT_LEASE, { name });
  if (row === undefined) return null;
  return {
    epoch: intOf(row, 'epoch', 'Lease'),
    expiresAtMs: intOf(row, 'expiresAtMs', 'Lease'),
    isExpired: row['isExpired'] === true,
  };
}

/**
 * Takes the lease with the next epoch; null while another process holds it.
 * @param input `seen`: take it also from the holder of this renewal, which is lost
 */
export async function takeLease(
  tx: WriteTx,
  input: {
    readonly name: string;
    readonly holder: string;
    readonly ttlMs: number;
    readonly seen?: LeaseSight | null;
  },
): Promise<Lease | null> {
  const { name, holder, ttlMs, seen } = input;
  const { epoch = null, expiresAtMs = null } = seen ?? {};
  const [row] = await tx.run(TAKE_LEASE, { name, holder, ttlMs, seen: { epoch, expiresAtMs } });
  return row === undefined
    ? null
    : { name: input.name, holder: input.holder, epoch: intOf(row, 'epoch', 'Lease') };
}

const HELD_LEASE = /* cypher */ `
  MATCH (lease:Lease {name: $name})
  SET lease.askedBy = $holder
  WITH lease WHERE lease.holder = $holder AND lease.epoch = $epoch
`;

const RENEW_LEASE = cypher`
  // renewLease
  ${HELD_LEASE}
  SET lease.expiresAtMs = timestamp() + $ttlMs
  RETURN lease.epoch AS epoch
`;

/** Extends the lease by `ttlMs`. False when another process took it. */
export async function renewLease(tx: WriteTx, lease: Lease, ttlMs: number): Promise<boolean> {
  const rows = await tx.run(RENEW_LEASE, { ...lease, ttlMs });
  return rows.length > 0;
}

const RELEASE_LEASE = cypher`
  // releaseLease
  ${HELD_LEASE}
  SET lease.holder = null, lease.expiresAtMs = 0
`;

/** Gives the lease back, so that the next holder need not wait for its expiry. */
export const releaseLease = (tx: WriteTx, lease: Lease) =>
  runWrite(tx, RELEASE_LEASE, { ...lease });

// The lease selects the relay. The counter's lock ensures that even two relays never assign the
// same number. Both are locked before entries are searched, so entries numbered by another relay
// are no longer pending. `floor` is never set: it makes the search depend on the locked counter,
// else the planner could search first.
const NUMBER_ENTRIES = cypher`
  CYPHER replan=skip
  // numberEntries
  ${HELD_LEASE}
  SET lease.expiresAtMs = timestamp() + $ttlMs
  WITH lease
  MATCH (counter:Counter {name: 'outbox'})
  SET counter.lockedBy = $holder
  WITH counter
  CALL (counter) {
    MATCH (o:PendingEntry) USING INDEX o:PendingEntry(id) WHERE o.id > coalesce(counter.floor, '')
    WITH o ORDER BY o.id LIMIT $limit
    RETURN collect(o) AS batch
  }
  WITH counter, batch, counter.value AS base
  SET counter.value = base + size(batch)
  WITH base, batch
  UNWIND range(0, size(batch) - 1) AS index
  WITH batch[index] AS o, base + index + 1 AS seq
  SET o.seq = seq
  REMOVE o:PendingEntry
  RETURN ${ENTRY} AS entry
  ORDER BY seq
`;

/**
 * Numbers up to `limit` pending entries, oldest ids first, and renews the lease. Empty when no
 * entry is pending or the lease is lost; `renewLease` distinguishes the two.
 */
export const numberEntries = (
  tx: WriteTx,
  lease: Lease,
  { ttlMs, limit }: { readonly ttlMs: number; readonly limit: number },
): Promise<NumberedEntry[]> => readAll(tx, NUMBER_ENTRIES, { ...lease, ttlMs, limit }, toEntry);

const FIND_CHECKPOINT = cypher`
  // findCheckpoint
  MATCH (checkpoint:Checkpoint {name: $name})
  RETURN checkpoint.seq AS seq
`;

/** The last number that this projection has handled; null before its first. */
export function findCheckpoint(tx: ReadTx, name: string): Promise<number | null> {
  return readOne(tx, FIND_CHECKPOINT, { name }, (row) => intOf(row, 'seq', `Checkpoint ${name}`));
}

// Checkpoints only move forward, and only the holder saves them: a former holder must not reset its
// successor's.
const SAVE_CHECKPOINTS = cypher`
  // saveCheckpoints
  MATCH (lease:Lease {name: $lease.name})
  WHERE lease.holder = $lease.holder AND lease.epoch = $lease.epoch
  UNWIND $checkpoints AS row
  MERGE (checkpoint:Checkpoint {name: row.name})
  SET checkpoint.seq =
        CASE WHEN coalesce(checkpoint.seq, 0) < row.seq THEN row.seq ELSE checkpoint.seq END,
      checkpoint.savedAt = datetime($now)
`;

export const saveCheckpoints = (
  tx: WriteTx,
  input: {
    readonly lease: Lease;
    readonly checkpoints: readonly { readonly name: string; readonly seq: number }[];
    readonly now: Instant;
  },
) => runWrite(tx, SAVE_CHECKPOINTS, { ...input, lease: { ...input.lease } });

const INSERT_DEAD_LETTER = cypher`
  // insertDeadLetter
  MATCH (o:OutboxEntry {id: $entryId})
  MERGE (letter:DeadLetter {id: $projection + '/' + $entryId})
  ON CREATE SET letter.projection = $projection, letter.at = datetime($now)
  SET letter.attempts = $attempts, letter.error = $error
  MERGE (letter)-[:OF_ENTRY]->(o)
`;

/** Sets aside an entry that a projection can't handle; once per projection and entry. */
export const insertDeadLetter = (
  tx: WriteTx,
  input: {
    readonly projection: string;
    readonly entryId: string;
    readonly attempts: number;
    readonly error: string;
    readonly now: Instant;
  },
) => runWrite(tx, INSERT_DEAD_LETTER, input);
