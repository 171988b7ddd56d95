import { z } from 'zod';
import { REMOVED_OPERATION } from '../call-graph/call.ts';
import { JsonMap } from '../common/stored.ts';
import { RECORDS, type RecordRow } from '../ownership/labels.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow, textsOf } from '../platform/neo4j/row.ts';
import { readAll, runWrite } from '../platform/neo4j/run.ts';
import { cypher } from '../platform/neo4j/statement.ts';

const MINE = '(u:User {id: $userId})<-[:OWNED_BY]-';
const TURNS = `${MINE}(:Conversation)-[:HAS_TURN]->(turn:ConversationTurn)`;

const SHARED = {
  runs: `MATCH ${MINE}(run:ProcessRun) MATCH (n:RunSnapshot {hash: run.snapshotHash})
    WHERE NOT EXISTS { (other:ProcessRun {snapshotHash: n.hash}) WHERE other.ownerId <> $userId }`,
  calls: `CALL () {
      MATCH (c:CallGraphNode) WHERE c.ownerId = $userId AND c.createdAt IS NOT NULL
        AND c.id IS NOT NULL
      RETURN c.operationId AS id
      UNION MATCH (s:CallStats) WHERE s.ownerId = $userId RETURN s.operationId AS id
    }
    MATCH (n:Operation {id: id}) WHERE n.id <> '${REMOVED_OPERATION.id}'
      AND NOT EXISTS { MATCH (c:CallGraphNode {operationId: n.id}) WHERE c.ownerId <> $userId }
      AND NOT EXISTS { MATCH (s:CallStats {operationId: n.id}) WHERE s.ownerId <> $userId }
      AND NOT EXISTS { MATCH (t:Tool {id: n.id}) WHERE NOT (t)-[:OWNED_BY]->(:User {id: $userId}) }
      AND NOT EXISTS { MATCH (p:Process {id: n.id})
        WHERE NOT (p)-[:OWNED_BY]->(:User {id: $userId}) }`,
};

/**
 * The clauses that find a user's records of a row as `n`. `$workspaces` are the user's, `$group` is
 * the group of memories outside of conversations.
 */
function finding({ label, owner }: RecordRow, n = 'n'): string {
  const node = `(${n}:${label})`;
  switch (owner.by) {
    case 'edge':
      return `MATCH ${MINE}${node}`;
    case 'property': {
      const value = owner.holds === 'user' ? '$userId' : '$group';
      return `MATCH ${node} WHERE ${n}.${owner.key} = ${value}${present(owner, n)}`;
    }
    case 'prefix':
      return `MATCH ${node} WHERE ${n}.${owner.key} STARTS WITH $userId${present(owner, n)}`;
    case 'session':
      return `UNWIND $workspaces AS workspace
    MATCH ${node} WHERE ${n}.owner_id = $userId AND ${n}.workspace = workspace${present(owner, n)}`;
    case 'group':
      return `CALL () {
      MATCH ${MINE}(c:Conversation) MATCH ${node} WHERE ${n}.group_id = c.id RETURN ${n}
      UNION MATCH ${node} WHERE ${n}.group_id = $group RETURN ${n}
      UNION MATCH ${MINE}${node} RETURN ${n}
      UNION MATCH ${MINE}(:Introspection)-[:HAS_CONTENT]->${node} RETURN ${n}
    }`;
    case 'part':
      return `${findingLabel(owner.of, `${n}Of`)}
    MATCH (${n}Of)${owner.edge}${node}`;
    case 'same':
      return `${findingLabel(owner.of, `${n}Of`)}
    MATCH ${node} WHERE ${n}.${owner.key} = ${n}Of.${owner.key}`;
    case 'sharing':
      return SHARED[owner.through];
  }
}

const present = (rule: { readonly present: readonly string[] }, n: string) =>
  rule.present.map((key) => ` AND ${n}.${key} IS NOT NULL`).join('');

function findingLabel(label: string, n: string): string {
  const row = RECORDS.find((one) => one.label === label);
  if (row === undefined) throw new Error(`The label ${label} is no label of records.`);
  return finding(row, n);
}

/** Records of a user that are found in one way. */
export interface Owned extends Pick<RecordRow, 'kind' | 'isInternal'> {
  readonly match: string;
}
const OTHERS: Owned = { kind: 'others', isInternal: true, match: `MATCH ${MINE}(n)` };
/** The records of a user in the order of deletion. */
export const OWNED: readonly Owned[] = [
  ...RECORDS.map((row) => ({ ...row, match: finding(row) })),
  OTHERS,
];

/** The user whose records are meant. */
export interface Subject {
  readonly userId: string;
  readonly workspaces: readonly string[];
  readonly group: string;
}

const deletion = ({ match }: Owned) => `
  // deleteOwned
  ${match}
  WITH DISTINCT n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS gone
`;

/** Deletes up to `limit` of these records. @returns how many */
export const deleteOwned = async (tx: WriteTx, owned: Owned, subject: Subject, limit: number) =>
  countOf(await tx.run(deletion(owned), { ...subject, limit }), 'gone');

const listing = ({ match }: Owned) => `
  // listOwned
  ${match}
  WITH DISTINCT n, id(n) AS place WHERE place > $after
  WITH n, place ORDER BY place LIMIT $limit
  RETURN place, properties(n) AS properties
`;

const OwnedRow = z.object({ place: z.int(), properties: JsonMap });
export type OwnedRow = z.infer<typeof OwnedRow>;

/** The next of these records with all their properties. */
export async function listOwned(
  tx: ReadTx,
  owned: Owned,
  subject: Subject,
  page: { readonly after: number; readonly limit: number },
): Promise<OwnedRow[]> {
  const rows = await tx.run(listing(owned), { ...subject, ...page });
  return rows.map((row) => parseRow(OwnedRow, row, owned.kind));
}

const FACTS = cypher`
  // listOwnedFacts
  MATCH (f:FactRef {owner: $group})
  WITH f ORDER BY f.edgeUuid SKIP $skip LIMIT $limit
  MATCH (source:Entity)-[r:RELATES_TO {uuid: f.edgeUuid}]->(target:Entity)
  RETURN properties(r) AS properties
`;

/** Facts are relationships between entities. */
export const listOwnedFacts = (
  tx: ReadTx,
  input: { readonly group: string; readonly skip: number; readonly limit: number },
) => readAll(tx, FACTS, input, ({ properties }) => JsonMap.parse(properties));

/**
 * Clauses that find the records, each as `n`, that a user's runs and turns may read texts from: the
 * user's, and shared ones of others. All that the edge OWNED_BY finds is among the others.
 */
export const TEXT_HOLDERS: readonly string[] = [
  ...RECORDS.filter(({ owner, label }) => owner.by !== 'edge' && label !== 'RunSnapshot').map(
    (row) => finding(row),
  ),
  OTHERS.match,
  // A snapshot may be of runs of several users.
  `MATCH ${MINE}(run:ProcessRun) WITH DISTINCT run.snapshotHash AS hash
    MATCH (n:RunSnapshot {hash: hash})`,
  `MATCH (f:FactRef {owner: $group})
    MATCH (:Entity)-[n:RELATES_TO {uuid: f.edgeUuid}]->(:Entity)`,
  ...['Process', 'Tool', 'Service', 'ToolTemplate', 'ServiceTemplate'].map(
    (label) => `MATCH (n:${label}) WHERE n.shared = true`,
  ),
  `MATCH (p:Process)-[:DEFINES_STEP]->(n:ProcessStep) WHERE p.shared = true`,
];

const namings = (match: string) => `
  // listTextsAfter
  ${match}
  UNWIND keys(n) AS key
  WITH CASE WHEN n[key] IS :: STRING NOT NULL THEN [n[key]]
    WHEN n[key] IS :: LIST<STRING NOT NULL> NOT NULL THEN n[key] ELSE [] END AS texts
  UNWIND texts AS text
  WITH text WHERE text CONTAINS $word
  UNWIND split(text, $word)[1..] AS rest
  RETURN DISTINCT left(rest, $chars) AS rest
`;

/** The texts after each occurrence of a word in the records of one of TEXT_HOLDERS. */
export const listTextsAfter = async (
  tx: ReadTx,
  match: string,
  subject: Subject,
  { word, chars }: { readonly word: string; readonly chars: number },
) => textsOf(await tx.run(namings(match), { ...subject, word, chars }), 'rest', 'text');

const FIND_WORKSPACES = cypher`
  // findWorkspacesOf
  CALL () {
    MATCH (u:User {id: $userId}) RETURN u.workspace AS workspace
    UNION MATCH (s:Session) WHERE s.owner_id = $userId RETURN s.workspace AS workspace
    UNION MATCH ${MINE}(run:ProcessRun) RETURN run.workspace AS workspace
  }
  RETURN DISTINCT workspace
`;

/** All workspaces in which the user has records; a token may have named several over time. */
export async function findWorkspacesOf(tx: ReadTx, userId: string): Promise<string[]> {
  return textsOf(await tx.run(FIND_WORKSPACES, { userId }), 'workspace', 'User');
}

const LIST_WORKFLOWS = cypher`
  // listWorkflowsOf
  CALL () {
    MATCH ${MINE}(run:ProcessRun) RETURN run.id AS id
    UNION MATCH ${TURNS}-[:HAS_ALTERNATIVE]->(a:Alternative) RETURN a.id AS id
  }
  WITH id WHERE id > $after
  RETURN id ORDER BY id LIMIT $limit
`;

/** Ids of runs and alternatives: workflows are named after them. */
export const listWorkflowsOf = async (
  tx: ReadTx,
  input: { readonly userId: string; readonly after: string; readonly limit: number },
) => textsOf(await tx.run(LIST_WORKFLOWS, input), 'id', 'ProcessRun');

const LIST_SCHEDULES = cypher`
  // listSchedulesOf
  MATCH ${MINE}(s:ProcessSchedule) RETURN s.id AS id
`;

export async function listSchedulesOf(tx: ReadTx, userId: string): Promise<string[]> {
  return textsOf(await tx.run(LIST_SCHEDULES, { userId }), 'id', 'ProcessSchedule');
}

const LIST_OWN_OPERATIONS = cypher`
  // listOperationsOf
  CALL () {
    MATCH ${MINE}(t:Tool) RETURN t.id AS id
    UNION MATCH ${MINE}(p:Process) RETURN p.id AS id
  }
  MATCH (o:Operation {id: id})
  RETURN id
`;

/** Ids of the user's Tools and Processes that any user's calls name. */
export async function listOperationsOf(tx: ReadTx, userId: string): Promise<string[]> {
  return textsOf(await tx.run(LIST_OWN_OPERATIONS, { userId }), 'id', 'Operation');
}

const DELETE_ENTRIES = cypher`
  // deleteEntriesOf
  MATCH (o:OutboxEntry) WHERE o.seq > $afterSeq AND o.seq <= $afterSeq + $span
  WITH o WHERE o.ownerId = $userId
  CALL (o) { MATCH (letter:DeadLetter)-[:OF_ENTRY]->(o) DETACH DELETE letter }
  DETACH DELETE o
  RETURN count(*) AS gone
`;

/** Deletes the user's entries within a span of numbers. @returns how many */
export const deleteEntriesOf = async (
  tx: WriteTx,
  input: { readonly userId: string; readonly afterSeq: number; readonly span: number },
) => countOf(await tx.run(DELETE_ENTRIES, input), 'gone');

const FIND_MENTIONS = cypher`
  // findMentions
  UNWIND range($from, $from + $span - 1) AS place
  MATCH (n) WHERE id(n) = place AND NOT n:DataRequest AND (n.id IS NULL OR n.id <> $userId)
  WITH n, [key IN keys(n) WHERE any(name IN $names WHERE
    CASE WHEN n[key] IS :: STRING NOT NULL THEN n[key] CONTAINS name
      WHEN n[key] IS :: LIST<STRING NOT NULL> NOT NULL THEN any(one IN n[key]
        WHERE one CONTAINS name)
      ELSE false END)] AS found
  WHERE size(found) > 0
  RETURN id(n) AS place, n {.*} AS properties, found
`;

const MentionRow = z.object({
  place: z.int(),
  properties: JsonMap,
  found: z.array(z.string()),
});
export type Mention = z.infer<typeof MentionRow>;

/** Records of any owner within a span of node ids that contain one of the names. */
export const findMentions = (
  tx: ReadTx,
  input: {
    readonly userId: string;
    readonly names: readonly string[];
    readonly from: number;
    readonly span: number;
  },
) => readAll(tx, FIND_MENTIONS, input, (row) => parseRow(MentionRow, row, 'Mention'));

const REPLACE_MENTIONS = cypher`
  // replaceMentions
  UNWIND $changes AS change
  MATCH (n) WHERE id(n) = change.place
  SET n += change.properties
`;
const DELETE_MENTIONS = cypher`
  // deleteMentions
  UNWIND $places AS place
  MATCH (n) WHERE id(n) = place
  OPTIONAL MATCH (n)<-[:OF_ENTRY]-(letter:DeadLetter)
  DETACH DELETE letter, n
`;

/** Changes or deletes records that findMentions found. */
export async function settleMentions(
  tx: WriteTx,
  input: {
    readonly changes: readonly { readonly place: number; readonly properties: object }[];
    readonly places: readonly number[];
  },
): Promise<void> {
  if (input.changes.length > 0) await tx.run(REPLACE_MENTIONS, { changes: input.changes });
  if (input.places.length > 0) await tx.run(DELETE_MENTIONS, { places: input.places });
}

const MENTIONS_IN_EDGES = cypher`
  // replaceMentionsInEdges
  MATCH ()-[r]->()
  WHERE any(key IN keys(r) WHERE r[key] IS :: STRING NOT NULL
    AND any(name IN $names WHERE r[key] CONTAINS name))
  WITH r LIMIT $limit
  DELETE r
  RETURN count(*) AS gone
`;

/** Deletes relationships that still name the user: they belong to the user's memories. */
export const deleteEdgesThatName = async (
  tx: WriteTx,
  input: { readonly names: readonly string[]; readonly limit: number },
) => countOf(await tx.run(MENTIONS_IN_EDGES, input), 'gone');

const LAST_NODE = cypher`
  // findLastNodeId
  MATCH (n) RETURN coalesce(max(id(n)), 0) AS last
`;

export const findLastNodeId = async (tx: ReadTx) => countOf(await tx.run(LAST_NODE), 'last');

const DELETE_USER = cypher`
  // deleteUserNode
  MATCH (u:User {id: $userId})
  DETACH DELETE u
`;

export const deleteUserNode = (tx: WriteTx, userId: string) =>
  runWrite(tx, DELETE_USER, { userId });
