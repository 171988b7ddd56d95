import { z } from 'zod';
import { newestFirst, type PageArgs } from '../../common/page.ts';
import { isTrue } from '../../common/stored.ts';
import { appendEntries, CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { listing, listPage } from '../../platform/neo4j/list-page.ts';
import { countOf, parseRow, textsOf } from '../../platform/neo4j/row.ts';
import { readAll } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { agreementKey, type MemoryDemand } from './memory-question.ts';

/** A user's agreement that a Process of another user may use the memory (docs/decisions/0093). */
const MemoryAgreement = z.object({
  id: z.string(),
  ownerId: z.string(),
  processId: z.string(),
  processName: z.string(),
  version: z.int(),
  reads: z.boolean(),
  writes: z.boolean(),
  digest: z.string(),
  createdAt: z.string(),
});
export type MemoryAgreement = z.infer<typeof MemoryAgreement>;

const toAgreement = (row: unknown): MemoryAgreement =>
  parseRow(MemoryAgreement, row, 'MemoryAgreement');

const AGREEMENT = `n {.id, .ownerId, .processId, .processName, .version, .reads, .writes, .digest,
    createdAt: toString(n.createdAt)}`;

/** Clauses that write an agreement once. `owner` and `process` are bound; `agreement` is a map. */
export const MERGE_AGREEMENT = /* cypher */ `
  MERGE (n:MemoryAgreement {key: agreement.key})
  ON CREATE SET n:Resource, n += agreement, n.createdAt = datetime(agreement.createdAt)
  MERGE (n)-[:OWNED_BY]->(owner)
  MERGE (n)-[:AGREES_TO]->(process)
`;

/** The map `agreement` of MERGE_AGREEMENT. */
export function agreementParams(
  { processId, processName, version, reads, writes, digest }: MemoryDemand,
  { id, ownerId, now }: { readonly id: string; readonly ownerId: string; readonly now: string },
) {
  const key = agreementKey(ownerId, { processId, digest });
  const facts = { processId, processName, version, reads, writes, digest };
  return { id, key, ownerId, ...facts, createdAt: now };
}

const INSERT = cypher`
  // insertMemoryAgreement
  UNWIND [$agreement] AS agreement
  MATCH (owner:User {id: agreement.ownerId}), (process:Process {id: agreement.processId})
  ${MERGE_AGREEMENT}
  WITH n, n.id = agreement.id AS isNew
  CALL (n, isNew) {
    WITH n WHERE isNew
    ${CREATE_ENTRIES}
  }
  RETURN ${AGREEMENT} AS agreement
`;

/** Writes an agreement once. @returns the stored one; null where the Process is gone */
export async function insertAgreement(
  tx: WriteTx,
  agreement: ReturnType<typeof agreementParams>,
  entry: OutboxEntry,
): Promise<MemoryAgreement | null> {
  const [row] = await tx.run(INSERT, { agreement, entries: entryParams([entry]) });
  return row === undefined ? null : toAgreement(row['agreement']);
}

const DELETE = cypher`
  // deleteMemoryAgreements
  MATCH (n:MemoryAgreement {ownerId: $ownerId}) WHERE n.processId = $processId
  DETACH DELETE n
  RETURN count(*) AS deleted
`;

/** Deletes the user's agreements for all versions of a Process. @returns how many */
export async function deleteAgreements(
  tx: WriteTx,
  input: { readonly ownerId: string; readonly processId: string; readonly entry: OutboxEntry },
): Promise<number> {
  const { entry, ...which } = input;
  const deleted = countOf(await tx.run(DELETE, which), 'deleted');
  if (deleted > 0) await appendEntries(tx, [entry]);
  return deleted;
}

const FIND = cypher`
  // findMemoryAgreements
  MATCH (n:MemoryAgreement) WHERE n.id IN $ids AND n.ownerId = $viewerId
  RETURN ${AGREEMENT} AS agreement
`;

/** The viewer's agreements with these ids, in any order. */
export const findAgreements = (tx: ReadTx, viewerId: string, ids: readonly string[]) =>
  readAll(tx, FIND, { ids, viewerId }, ({ agreement }) => toAgreement(agreement));

const AGREEMENTS = listing({
  name: 'listMemoryAgreements',
  match: 'MATCH (n:MemoryAgreement) WHERE n.ownerId = $viewerId',
  order: newestFirst('n'),
  item: AGREEMENT,
});

/** The viewer's agreements, newest first. */
export const listAgreements = (tx: ReadTx, viewerId: string, page: PageArgs) =>
  listPage(tx, AGREEMENTS, page, { viewerId }, toAgreement);

const FIND_KEYS = cypher`
  // findAgreementKeys
  UNWIND $keys AS key
  MATCH (n:MemoryAgreement {key: key})
  RETURN n.key AS key
`;

/** The keys among these under which an agreement is stored. */
export async function findAgreementKeys(
  tx: ReadTx,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  return new Set(textsOf(await tx.run(FIND_KEYS, { keys }), 'key', 'MemoryAgreement'));
}

const FIND_CHAIN = cypher`
  // findProcessChain
  UNWIND range(0, size($runPath) - 1) AS depth
  MATCH (run:ProcessRun {id: $runPath[depth]}) WHERE run.ownerId = $ownerId
  RETURN run.processId AS processId ORDER BY depth
`;

/** Ids of the Processes from the root run down to a run; fewer where a run is gone. */
export async function findProcessChain(
  tx: ReadTx,
  run: { readonly runPath: readonly string[]; readonly ownerId: string },
): Promise<string[]> {
  const { runPath, ownerId } = run;
  return textsOf(await tx.run(FIND_CHAIN, { runPath, ownerId }), 'processId', 'ProcessRun');
}

const FIND_CONSENT = cypher`
  // findMemoryConsent
  OPTIONAL MATCH (n:MemoryAgreement {key: $key})
  OPTIONAL MATCH (s:StepRun {key: $stepKey})
  RETURN n IS NOT NULL AS isAgreed,
    s IS NOT NULL AND NOT s.status IN ['pending', 'waiting', 'running'] AS isEnded,
    EXISTS {
      MATCH (:ProcessRun {rootRunId: $rootRunId})-[:HAS_APPROVAL]->(a:Approval {memoryKey: $key})
      WHERE a.decision = 'reject'
    } AS isRefused
`;

const ConsentRow = z.object({ isAgreed: isTrue, isEnded: isTrue, isRefused: isTrue });

/**
 * Whether the runner agreed to a demand, and whether it was refused in this tree of runs.
 * `isEnded`: the step has ended already, so its record answers.
 */
export async function findConsent(
  tx: ReadTx,
  asked: { readonly key: string; readonly stepKey: string; readonly rootRunId: string },
): Promise<z.infer<typeof ConsentRow>> {
  const [row] = await tx.run(FIND_CONSENT, asked);
  return parseRow(ConsentRow, row ?? {}, `Consent of ${asked.stepKey}`);
}

const LIST_ASKS = cypher`
  // listMemoryAsks
  MATCH (a:OpenApproval {ownerId: $ownerId}) USING INDEX SEEK a:OpenApproval(ownerId, id)
  WHERE a.id IS NOT NULL AND a.memoryKey = $key
    AND ($rootRunId IS NULL OR a.rootRunId = $rootRunId)
  MATCH (run:ProcessRun {id: a.runId})
  RETURN coalesce(run.workflowId, run.id) AS workflowId, a.stepId AS stepId, a.index AS index
  ORDER BY a.id LIMIT $limit
`;

const AskRow = z.object({
  workflowId: z.string(),
  stepId: z.string(),
  index: z.number().nullable(),
});

/** The user's open approvals of a demand, oldest first; with `rootRunId` those of one run tree. */
export const listMemoryAsks = (
  tx: ReadTx,
  which: {
    readonly ownerId: string;
    readonly key: string;
    readonly rootRunId: string | null;
    readonly limit: number;
  },
) => readAll(tx, LIST_ASKS, which, (row) => parseRow(AskRow, row, 'Approval'));

const FIND_ASKED = cypher`
  // findMemoryAsked
  MATCH (s:StepRun {key: $stepKey})<-[:ABOUT]-(a:OpenApproval)
  WHERE a.ownerId = $ownerId AND a.memoryKey IS NOT NULL
  RETURN a.memoryKey AS key
`;

/** The key of the demand that a waiting step asks for; null where it asks for its call. */
export async function findAskedKey(
  tx: ReadTx,
  which: { readonly ownerId: string; readonly stepKey: string },
): Promise<string | null> {
  return textsOf(await tx.run(FIND_ASKED, which), 'key', 'Approval')[0] ?? null;
}
