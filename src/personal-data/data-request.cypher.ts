import { z } from 'zod';
import type { Instant } from '../common/clock.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { parseRow } from '../platform/neo4j/row.ts';
import { readAll, readOne, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';
import { DataRequest, type DataRequestKind } from './data-request.ts';

const toRequest = (row: unknown): DataRequest => parseRow(DataRequest, row, 'DataRequest');

const INSERT = cypher`
  // insertDataRequest
  MATCH (u:User {id: $userId})
  SET u:$($marks)
  CREATE (r:DataRequest:OpenDataRequest {id: $id, kind: $kind, userId: $userId, status: 'waiting',
    records: 0, createdAt: datetime($now)})
  RETURN r {.*} AS request
`;

/** Inserts a request. From a deletion's commit on the user can't sign in. */
export async function insertDataRequest(
  tx: WriteTx,
  input: {
    readonly id: string;
    readonly kind: DataRequestKind;
    readonly userId: string;
    readonly now: Instant;
  },
): Promise<DataRequest | null> {
  const marks = input.kind === 'deletion' ? ['LeavingUser'] : [];
  return readOne(tx, INSERT, { ...input, marks }, (row) => toRequest(row['request']));
}

const LIST = cypher`
  // listDataRequests
  MATCH (r:DataRequest) WHERE $userId IS NULL OR r.userId = $userId
  RETURN r {.*} AS request ORDER BY r.createdAt DESC, r.id DESC LIMIT 100
`;

/** The newest requests of a user; null: of all users. */
export function listDataRequests(tx: ReadTx, userId: string | null): Promise<DataRequest[]> {
  return readAll(tx, LIST, { userId }, ({ request }) => toRequest(request));
}

const FIND_REQUESTS = cypher`
  // findDataRequests
  MATCH (r:DataRequest) WHERE r.id IN $ids AND ($userId IS NULL OR r.userId = $userId)
  RETURN r {.*} AS request
`;

/** Requests of a user by id; null: of all users. Unknown ids are left out. */
export const findDataRequests = (tx: ReadTx, userId: string | null, ids: readonly string[]) =>
  readAll(tx, FIND_REQUESTS, { ids, userId }, ({ request }) => toRequest(request));

const LIST_OPEN = cypher`
  // listOpenDataRequests
  MATCH (r:OpenDataRequest) WHERE r.id > ''
  RETURN r {.*} AS request ORDER BY r.id LIMIT 1000
`;

/** The oldest open requests, at most 1,000. */
export function listOpenDataRequests(tx: ReadTx): Promise<DataRequest[]> {
  return readAll(tx, LIST_OPEN, {}, ({ request }) => toRequest(request));
}

const SAVE = cypher`
  // saveDataRequest
  MATCH (r:DataRequest {id: $id})
  SET r.status = 'working', r.phase = $phase, r.records = r.records + $more
`;

/** Saves the progress of a request. */
export const saveDataRequest = (
  tx: WriteTx,
  input: { readonly id: string; readonly phase: string; readonly more: number },
) => runWrite(tx, SAVE, input);

const END = cypher`
  // endDataRequest
  MATCH (r:DataRequest {id: $id})
  CALL (r) {
    MATCH (other:DataRequest {userId: r.userId})
    WHERE other <> r AND r.kind = 'deletion' AND $status = 'done'
    DETACH DELETE other
  }
  REMOVE r:OpenDataRequest
  SET r.status = $status, r.phase = null, r.error = $error, r.archive = $archive,
    r.completedAt = datetime($now), r.expiresAt = datetime($expiresAt),
    r.userId = CASE WHEN r.kind = 'deletion' AND $status = 'done' THEN null ELSE r.userId END
`;

/** Ends a request. A finished deletion holds nothing of the user, and earlier requests go too. */
export const endDataRequest = (
  tx: WriteTx,
  input: {
    readonly id: string;
    readonly status: 'done' | 'failed';
    readonly error: string | null;
    readonly archive: string | null;
    readonly now: Instant;
    readonly expiresAt: Instant | null;
  },
) => runWrite(tx, END, input);

const LIST_EXPIRED = cypher`
  // listExpiredArchives
  MATCH (r:DataRequest) WHERE r.archive IS NOT NULL AND r.expiresAt <= datetime($now)
  RETURN r {.*} AS request LIMIT 100
`;

export function listExpiredArchives(tx: ReadTx, now: Instant): Promise<DataRequest[]> {
  return readAll(tx, LIST_EXPIRED, { now }, ({ request }) => toRequest(request));
}

const DROP_ARCHIVE = cypher`
  // dropArchive
  MATCH (r:DataRequest {id: $id}) SET r.archive = null
`;

export const dropArchive = (tx: WriteTx, id: string) => runWrite(tx, DROP_ARCHIVE, { id });

const UNSHARE = cypher`
  // unshareAll
  CALL () {
    MATCH (:User {id: $userId})<-[:OWNED_BY]-(n) WHERE n.shared = true RETURN n
    UNION MATCH (n:ServiceTemplate {ownerId: $userId}) RETURN n
    UNION MATCH (n:ToolTemplate {ownerId: $userId}) RETURN n
  }
  SET n.shared = false
`;

/** Ends the sharing of everything of a user. Its locks keep others from a first use meanwhile. */
export const unshareAll = (tx: WriteTx, userId: string) => runWrite(tx, UNSHARE, { userId });

const COUNT_USES = cypher`
  // countUsesByOthers
  MATCH (u:User {id: $userId})
  RETURN
    COUNT { (u)<-[:OWNED_BY]-(:Tool)<-[:CALLS_TOOL|OFFERS_TOOL]-(:ProcessStep)
      <-[:DEFINES_STEP]-(:Process)-[:OWNED_BY]->(o:User) WHERE o <> u }
    + COUNT { (u)<-[:OWNED_BY]-(:Process)<-[:CALLS_PROCESS|OFFERS_PROCESS]-(:ProcessStep)
      <-[:DEFINES_STEP]-(:Process)-[:OWNED_BY]->(o:User) WHERE o <> u }
      AS \`step of a Process\`,
    COUNT { (u)<-[:OWNED_BY]-(:Service)<-[:USES_SERVICE]-(:Tool)-[:OWNED_BY]->(o:User)
      WHERE o <> u } AS Tool,
    COUNT { (u)<-[:OWNED_BY]-(:Process)<-[:DEFAULT_PROCESS]-(:Conversation)-[:OWNED_BY]->(o:User)
      WHERE o <> u }
      AS conversation,
    COUNT { (u)<-[:OWNED_BY]-(:Process)<-[:SCHEDULES]-(:ProcessSchedule)-[:OWNED_BY]->(o:User)
      WHERE o <> u }
      AS schedule,
    COUNT { (u)<-[:OWNED_BY]-(:Tool)<-[:REMEMBERS_WITH]-(o:User) WHERE o <> u }
      AS \`memory setting\`
`;

/** Numbers of things of other users that rest on shared things of this user, by kind. */
export async function countUsesByOthers(
  tx: ReadTx,
  userId: string,
): Promise<Readonly<Record<string, number>>> {
  const [row] = await tx.run(COUNT_USES, { userId });
  const counts = z.record(z.string(), z.int()).parse(row ?? {});
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
