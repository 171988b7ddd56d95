import { z } from 'zod';
import { REMOVED_OPERATION } from '../call-graph/call.ts';
import { JsonMap } from '../common/stored.ts';
import type { ReadTx, WriteTx } from '../platform/neo4j/graph.ts';
import { countOf, parseRow, textsOf } from '../platform/neo4j/row.ts';

// How the records of one user are found, each as `n`. A record without an owner of its own is found
// by its parent, so it stands before the parent: deletion goes in this order. `$workspaces` are the
// user's. `$group` is the group of memories outside of conversations, and the owner of entities, facts and texts.
const MINE = '(u:User {id: $userId})<-[:OWNED_BY]-';
const TURNS = `${MINE}(:Conversation)-[:HAS_TURN]->(turn:ConversationTurn)`;
const MY_EPISODES = `
    CALL () {
      MATCH ${MINE}(c:Conversation) MATCH (ep:Episodic {group_id: c.id}) RETURN ep
      UNION MATCH (ep:Episodic {group_id: $group}) RETURN ep
      UNION MATCH ${MINE}(ep:Episodic) RETURN ep
      UNION MATCH ${MINE}(:Introspection)-[:HAS_CONTENT]->(ep:Episodic) RETURN ep
    }`;

const OWNED = {
  approvals: `MATCH ${MINE}(:ProcessRun)-[:HAS_APPROVAL]->(n:Approval)`,
  steps: `MATCH ${MINE}(:ProcessRun)-[:HAS_STEP_RUN]->(n:StepRun)`,
  snapshots: `MATCH ${MINE}(run:ProcessRun) MATCH (n:RunSnapshot {hash: run.snapshotHash})
    WHERE NOT EXISTS { (other:ProcessRun {snapshotHash: n.hash}) WHERE other.ownerId <> $userId }`,
  tasks: `MATCH ${MINE}(:Conversation)<-[:TASK_OF]-(n:MemoryTask)`,
  runs: `MATCH ${MINE}(n:ProcessRun)`,
  schedules: `MATCH ${MINE}(n:ProcessSchedule)`,
  episodeIngests: `${MY_EPISODES} MATCH (ep)<-[:INGEST_OF]-(n:EpisodeIngest)`,
  episodeStretches: `MATCH (n:EpisodeStretch {owner: $group})`,
  episodeTexts: `MATCH (n:EpisodeText {owner: $group})`,
  episodeTextsOfEpisodes: `${MY_EPISODES} MATCH (ep)<-[:TEXT_OF]-(n:EpisodeText)`,
  episodeChunks: `${MY_EPISODES} MATCH (ep)-[:HAS_CHUNK]->(n:EpisodeChunk)`,
  episodes: `${MY_EPISODES} WITH ep AS n`,
  factRevisions: `MATCH (f:FactRef {owner: $group}) MATCH (n:FactRevision {edgeUuid: f.edgeUuid})`,
  factRefs: `MATCH (n:FactRef {owner: $group})`,
  entitySummaries: `MATCH (:EntityProfile {owner: $group})-[:HAS_ENTITY_SUMMARY]->(n:EntitySummary)`,
  entitySources: `MATCH (:EntityProfile {owner: $group})-[:HAS_SOURCE]->(n:EntitySource)`,
  mergeRecords: `MATCH (:EntityProfile {owner: $group})<-[:HAS_PROFILE]-(:Entity)<-[:MERGED_INTO]-(n:MergeRecord)`,
  entities: `MATCH (:EntityProfile {owner: $group})<-[:HAS_PROFILE]-(n:Entity)`,
  entityProfiles: `MATCH (n:EntityProfile {owner: $group})`,
  forgottenMemories: `MATCH (n:ForgottenMemory {owner: $group})`,
  summaries: `MATCH ${MINE}(:Conversation)-[:HAS_SUMMARY]->(n:Summary)`,
  introspections: `MATCH ${MINE}(n:Introspection)`,
  alternatives: `MATCH ${TURNS}-[:HAS_ALTERNATIVE]->(n:Alternative)`,
  turns: `MATCH ${TURNS} WITH turn AS n`,
  conversations: `MATCH ${MINE}(n:Conversation)`,
  memoryEvents: `MATCH (n:MemoryEvent) WHERE n.realm STARTS WITH $userId AND n.eventId IS NOT NULL`,
  grips: `MATCH (n:Grip) WHERE n.realm STARTS WITH $userId AND n.gripId IS NOT NULL`,
  segments: `MATCH (n:Segment) WHERE n.store STARTS WITH $userId AND n.startKey IS NOT NULL`,
  tocWork: `MATCH (n:TocWork) WHERE n.store STARTS WITH $userId AND n.nodeId IS NOT NULL`,
  tocLatest: `MATCH (n:TocLatest) WHERE n.store STARTS WITH $userId AND n.nodeId IS NOT NULL`,
  tocNodes: `MATCH (n:TocNode) WHERE n.store STARTS WITH $userId AND n.key IS NOT NULL`,
  sessionEvents: `UNWIND $workspaces AS workspace
    MATCH (n:Event) WHERE n.owner_id = $userId AND n.workspace = workspace AND n.occurred_at IS NOT NULL`,
  toolCalls: `UNWIND $workspaces AS workspace
    MATCH (s:Session) WHERE s.owner_id = $userId AND s.workspace = workspace
    MATCH (s)-[:HAS_TOOL_CALL]->(n:ToolCall)`,
  layers: `MATCH (n:LayerNode) WHERE n.owner_id = $userId`,
  sessions: `UNWIND $workspaces AS workspace
    MATCH (n:Session) WHERE n.owner_id = $userId AND n.workspace = workspace`,
  operations: `CALL () {
      MATCH (c:CallGraphNode) WHERE c.ownerId = $userId AND c.createdAt IS NOT NULL AND c.id IS NOT NULL
      RETURN c.operationId AS id
      UNION MATCH (s:CallStats) WHERE s.ownerId = $userId RETURN s.operationId AS id
    }
    MATCH (n:Operation {id: id}) WHERE n.id <> '${REMOVED_OPERATION.id}'
      AND NOT EXISTS { MATCH (c:CallGraphNode {operationId: n.id}) WHERE c.ownerId <> $userId }
      AND NOT EXISTS { MATCH (s:CallStats {operationId: n.id}) WHERE s.ownerId <> $userId }
      AND NOT EXISTS { MATCH (t:Tool {id: n.id}) WHERE NOT (t)-[:OWNED_BY]->(:User {id: $userId}) }
      AND NOT EXISTS { MATCH (p:Process {id: n.id}) WHERE NOT (p)-[:OWNED_BY]->(:User {id: $userId}) }`,
  calls: `MATCH (n:CallGraphNode)
    WHERE n.ownerId = $userId AND n.createdAt IS NOT NULL AND n.id IS NOT NULL`,
  callStats: `MATCH (n:CallStats) WHERE n.ownerId = $userId`,
  metrics: `MATCH (n:MetricValue) WHERE n.ownerId = $userId`,
  backgroundDays: `MATCH (n:BackgroundDay) WHERE n.key STARTS WITH $userId`,
  backgroundWaits: `MATCH (n:BackgroundWait {ownerId: $userId})`,
  backgroundFaults: `MATCH (n:BackgroundFault) WHERE n.key STARTS WITH $userId`,
  idempotencyKeys: `MATCH (n:IdempotencyRecord) WHERE n.key STARTS WITH $userId`,
  memoryAgreements: `MATCH ${MINE}(n:MemoryAgreement)`,
  processAdoptions: `MATCH ${MINE}(n:ProcessAdoption)`,
  // Of other users.
  agreementsToProcesses: `MATCH ${MINE}(:Process)<-[:AGREES_TO|ADOPTS]-(n)`,
  processSteps: `MATCH ${MINE}(:Process)-[:DEFINES_STEP]->(n:ProcessStep)`,
  processVersions: `MATCH ${MINE}(:Process)-[:HAS_VERSION]->(n:ProcessVersion)`,
  processes: `MATCH ${MINE}(n:Process)`,
  tools: `MATCH ${MINE}(n:Tool)`,
  services: `MATCH ${MINE}(n:Service)`,
  secrets: `MATCH ${MINE}(n:Secret)`,
  serviceTemplates: `MATCH (n:ServiceTemplate {ownerId: $userId})`,
  toolTemplates: `MATCH (n:ToolTemplate {ownerId: $userId})`,
  others: `MATCH ${MINE}(n)`,
} as const;

export type OwnedKind = keyof typeof OWNED;
/** The kinds of a user's records in the order of deletion. */
export const OWNED_KINDS = Object.keys(OWNED) as OwnedKind[];

/** The user whose records are meant. */
export interface Subject {
  readonly userId: string;
  readonly workspaces: readonly string[];
  readonly group: string;
}

const deletion = (kind: OwnedKind) => `
  // deleteOwned
  ${OWNED[kind]}
  WITH DISTINCT n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS gone
`;

/** Deletes up to `limit` records of a kind. @returns how many */
export async function deleteOwned(
  tx: WriteTx,
  kind: OwnedKind,
  subject: Subject,
  limit: number,
): Promise<number> {
  return countOf(await tx.run(deletion(kind), { ...subject, limit }), 'gone');
}

const listing = (kind: OwnedKind) => `
  // listOwned
  ${OWNED[kind]}
  WITH DISTINCT n, id(n) AS place WHERE place > $after
  WITH n, place ORDER BY place LIMIT $limit
  RETURN place, properties(n) AS properties
`;

const OwnedRow = z.object({ place: z.int(), properties: JsonMap });
export type OwnedRow = z.infer<typeof OwnedRow>;

/** The next records of a kind with all their properties. */
export async function listOwned(
  tx: ReadTx,
  kind: OwnedKind,
  subject: Subject,
  page: { readonly after: number; readonly limit: number },
): Promise<OwnedRow[]> {
  const rows = await tx.run(listing(kind), { ...subject, ...page });
  return rows.map((row) => parseRow(OwnedRow, row, kind));
}

const FACTS = /* cypher */ `
  // listOwnedFacts
  MATCH (f:FactRef {owner: $group})
  WITH f ORDER BY f.edgeUuid SKIP $skip LIMIT $limit
  MATCH (source:Entity)-[r:RELATES_TO {uuid: f.edgeUuid}]->(target:Entity)
  RETURN properties(r) AS properties
`;

/** Facts are relationships between entities. */
export async function listOwnedFacts(
  tx: ReadTx,
  input: { readonly group: string; readonly skip: number; readonly limit: number },
): Promise<Readonly<Record<string, unknown>>[]> {
  const rows = await tx.run(FACTS, input);
  return rows.map(({ properties }) => JsonMap.parse(properties));
}

// Everything with an owner of its own is among the others. A snapshot may be of runs of several users.
const HOLDERS = Object.entries({
  ...OWNED,
  snapshots: `MATCH ${MINE}(run:ProcessRun) WITH DISTINCT run.snapshotHash AS hash MATCH (n:RunSnapshot {hash: hash})`,
  facts: `MATCH (f:FactRef {owner: $group}) MATCH (:Entity)-[n:RELATES_TO {uuid: f.edgeUuid}]->(:Entity)`,
  sharedByAll: `CALL () {
      MATCH (n:Process) WHERE n.shared = true RETURN n
      UNION MATCH (p:Process)-[:DEFINES_STEP]->(n:ProcessStep) WHERE p.shared = true RETURN n
      UNION MATCH (n:Tool) WHERE n.shared = true RETURN n
      UNION MATCH (n:Service) WHERE n.shared = true RETURN n
      UNION MATCH (n:ToolTemplate) WHERE n.shared = true RETURN n
      UNION MATCH (n:ServiceTemplate) WHERE n.shared = true RETURN n
    }`,
}).filter(
  ([, match]) =>
    match === OWNED.others || !/^MATCH \(u:User [^)]*\)<-\[:OWNED_BY\]-\(n:\w+\)$/.test(match),
);

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

/** Kinds of records that a user's runs and turns may read texts from. */
export const HOLDER_KINDS: readonly string[] = HOLDERS.map(([kind]) => kind);

/**
 * The texts after each occurrence of a word in the records of one kind: the user's, and shared ones of
 * others.
 */
export async function listTextsAfter(
  tx: ReadTx,
  kind: string,
  subject: Subject,
  { word, chars }: { readonly word: string; readonly chars: number },
): Promise<string[]> {
  const match = new Map(HOLDERS).get(kind);
  if (match === undefined) throw new Error(`There is no kind ${kind}.`);
  return textsOf(await tx.run(namings(match), { ...subject, word, chars }), 'rest', kind);
}

const FIND_WORKSPACES = /* cypher */ `
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

const LIST_WORKFLOWS = /* cypher */ `
  // listWorkflowsOf
  CALL () {
    MATCH ${MINE}(run:ProcessRun) RETURN run.id AS id
    UNION MATCH ${TURNS}-[:HAS_ALTERNATIVE]->(a:Alternative) RETURN a.id AS id
  }
  WITH id WHERE id > $after
  RETURN id ORDER BY id LIMIT $limit
`;

/** Ids of runs and alternatives: workflows are named after them. */
export async function listWorkflowsOf(
  tx: ReadTx,
  input: { readonly userId: string; readonly after: string; readonly limit: number },
): Promise<string[]> {
  return textsOf(await tx.run(LIST_WORKFLOWS, input), 'id', 'ProcessRun');
}

const LIST_SCHEDULES = /* cypher */ `
  // listSchedulesOf
  MATCH ${MINE}(s:ProcessSchedule) RETURN s.id AS id
`;

export async function listSchedulesOf(tx: ReadTx, userId: string): Promise<string[]> {
  return textsOf(await tx.run(LIST_SCHEDULES, { userId }), 'id', 'ProcessSchedule');
}

const LIST_OWN_OPERATIONS = /* cypher */ `
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

const DELETE_ENTRIES = /* cypher */ `
  // deleteEntriesOf
  MATCH (o:OutboxEntry) WHERE o.seq > $afterSeq AND o.seq <= $afterSeq + $span
  WITH o WHERE o.ownerId = $userId
  CALL (o) { MATCH (letter:DeadLetter)-[:OF_ENTRY]->(o) DETACH DELETE letter }
  DETACH DELETE o
  RETURN count(*) AS gone
`;

/** Deletes the user's entries within a span of numbers. @returns how many */
export async function deleteEntriesOf(
  tx: WriteTx,
  input: { readonly userId: string; readonly afterSeq: number; readonly span: number },
): Promise<number> {
  return countOf(await tx.run(DELETE_ENTRIES, input), 'gone');
}

const FIND_MENTIONS = /* cypher */ `
  // findMentions
  UNWIND range($from, $from + $span - 1) AS place
  MATCH (n) WHERE id(n) = place AND NOT n:DataRequest AND (n.id IS NULL OR n.id <> $userId)
  WITH n, [key IN keys(n) WHERE any(name IN $names WHERE
    CASE WHEN n[key] IS :: STRING NOT NULL THEN n[key] CONTAINS name
      WHEN n[key] IS :: LIST<STRING NOT NULL> NOT NULL THEN any(one IN n[key] WHERE one CONTAINS name)
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
export async function findMentions(
  tx: ReadTx,
  input: {
    readonly userId: string;
    readonly names: readonly string[];
    readonly from: number;
    readonly span: number;
  },
): Promise<Mention[]> {
  const rows = await tx.run(FIND_MENTIONS, input);
  return rows.map((row) => parseRow(MentionRow, row, 'Mention'));
}

const REPLACE_MENTIONS = /* cypher */ `
  // replaceMentions
  UNWIND $changes AS change
  MATCH (n) WHERE id(n) = change.place
  SET n += change.properties
`;
const DELETE_MENTIONS = /* cypher */ `
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

const MENTIONS_IN_EDGES = /* cypher */ `
  // replaceMentionsInEdges
  MATCH ()-[r]->()
  WHERE any(key IN keys(r) WHERE r[key] IS :: STRING NOT NULL AND any(name IN $names WHERE r[key] CONTAINS name))
  WITH r LIMIT $limit
  DELETE r
  RETURN count(*) AS gone
`;

/** Deletes relationships that still name the user: they belong to the user's memories. */
export async function deleteEdgesThatName(
  tx: WriteTx,
  input: { readonly names: readonly string[]; readonly limit: number },
): Promise<number> {
  return countOf(await tx.run(MENTIONS_IN_EDGES, input), 'gone');
}

const LAST_NODE = /* cypher */ `
  // findLastNodeId
  MATCH (n) RETURN coalesce(max(id(n)), 0) AS last
`;

export async function findLastNodeId(tx: ReadTx): Promise<number> {
  return countOf(await tx.run(LAST_NODE), 'last');
}

const DELETE_USER = /* cypher */ `
  // deleteUserNode
  MATCH (u:User {id: $userId})
  DETACH DELETE u
`;

export async function deleteUserNode(tx: WriteTx, userId: string): Promise<void> {
  await tx.run(DELETE_USER, { userId });
}
