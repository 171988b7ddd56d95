import { removeOperationNode } from '../call-graph/operation.cypher.ts';
import type { Json } from '../common/json.ts';
import { ingestWorkflowId } from '../memory-graph/extraction/start-ingest.service.ts';
import { userGroupOf } from '../memory-graph/group.ts';
import { lookAtOutbox } from '../outbox/entry.cypher.ts';
import { type BlobStore, blobFolder } from '../platform/blobs/blob-store.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import type { Histories } from '../platform/temporal/histories.ts';
import type { Schedules } from '../platform/temporal/schedules.ts';
import { temporalScheduleId } from '../schedules/schedule.ts';
import { DELETED_USER } from './data-request.ts';
import {
  deleteEdgesThatName,
  deleteEntriesOf,
  deleteOwned,
  deleteUserNode,
  findLastNodeId,
  findMentions,
  findWorkspacesOf,
  listOperationsOf,
  listSchedulesOf,
  listWorkflowsOf,
  type Mention,
  OWNED,
  type Subject,
  settleMentions,
} from './owned.cypher.ts';

export interface UserDataDeps {
  readonly graph: Graph;
  readonly blobs: BlobStore;
  readonly schedules: Pick<Schedules, 'remove'>;
  readonly histories: Histories;
  readonly queuePrefix: string;
}

/** Saves the progress; called after each batch. */
export type OnProgress = (phase: string, more: number) => Promise<void>;

const NODES_PER_BATCH = 500;
const WORKFLOWS_PER_BATCH = 100;
const ENTRIES_PER_SPAN = 5_000;
const NODES_PER_SPAN = 5_000;

export async function subjectOf(graph: Graph, userId: string): Promise<Subject> {
  const workspaces = await graph.read((tx) => findWorkspacesOf(tx, userId));
  return { userId, workspaces, group: userGroupOf(userId) };
}

/**
 * Deletes everything of a user (docs/decisions/0038): workflows, owned records, entries of the
 * event log, blobs, then every other record that names the user, and last the user. Each step finds
 * what is left, so after a crash it is called again.
 */
export async function deleteUserData(
  deps: UserDataDeps,
  userId: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<void> {
  const subject = await subjectOf(deps.graph, userId);
  const step = async (phase: string, more: number) => {
    signal.throwIfAborted();
    await onProgress(phase, more);
  };
  await deleteWorkflows(deps, userId, step);
  // Other users' calls of shared ones stay, without the name that this user gave.
  const operations = await deps.graph.read((tx) => listOperationsOf(tx, userId));
  for (const id of operations) await deps.graph.write((tx) => removeOperationNode(tx, id));
  await step('operations', operations.length);
  for (const owned of OWNED) {
    for (let gone = NODES_PER_BATCH; gone === NODES_PER_BATCH; await step(owned.kind, gone))
      gone = await deps.graph.write(async (tx) => {
        // Extraction locks the owner, too: it either commits before this batch, or finds its ingest
        // gone. Otherwise its entities, which do not name their owner, would stay.
        await lockResources(tx, [userId]);
        return deleteOwned(tx, owned, subject, NODES_PER_BATCH);
      });
  }
  await deleteEntries(deps, userId, step);
  for (const workspace of subject.workspaces)
    await deps.blobs.deleteFolder(blobFolder({ workspace, ownerId: userId }));
  await settleAllMentions(deps, userId, step);
  await deps.graph.write((tx) => deleteUserNode(tx, userId));
}

async function deleteWorkflows(
  { graph, schedules, histories, queuePrefix }: UserDataDeps,
  userId: string,
  step: OnProgress,
): Promise<void> {
  const scheduleIds = await graph.read((tx) => listSchedulesOf(tx, userId));
  const temporalIds = scheduleIds.map((id) => temporalScheduleId(queuePrefix, id));
  for (const id of temporalIds) await schedules.remove(id);
  await histories.deleteAll(temporalIds);
  for (let after = '', isMore = true; isMore; ) {
    const page = { userId, after, limit: WORKFLOWS_PER_BATCH };
    const ids = await graph.read((tx) => listWorkflowsOf(tx, page));
    const names = ids.flatMap((id) => [id, ingestWorkflowId(id), `enrich-${id}`]);
    await step('workflows', await histories.deleteAll(names));
    after = ids.at(-1) ?? after;
    isMore = ids.length === WORKFLOWS_PER_BATCH;
  }
}

// Entries have no index by owner, because writing an entry has to be cheap. The log is scanned.
async function deleteEntries(
  { graph }: UserDataDeps,
  userId: string,
  step: OnProgress,
): Promise<void> {
  const { lastSeq } = await graph.read(lookAtOutbox);
  for (let afterSeq = 0; afterSeq < lastSeq; afterSeq += ENTRIES_PER_SPAN) {
    const span = { userId, afterSeq, span: ENTRIES_PER_SPAN };
    await step('entries', await graph.write((tx) => deleteEntriesOf(tx, span)));
  }
}

/**
 * Scans all nodes. A record that has the user as owner is deleted; in any other record, such as an
 * entry about the installation, another word replaces the id.
 */
async function settleAllMentions(
  { graph }: UserDataDeps,
  userId: string,
  step: OnProgress,
): Promise<void> {
  const names = namesOf(userId);
  const last = await graph.read(findLastNodeId);
  for (let from = 0; from <= last; from += NODES_PER_SPAN) {
    const span = { userId, names, from, span: NODES_PER_SPAN };
    const mentions = await graph.read((tx) => findMentions(tx, span));
    const owned = mentions.filter((mention) => isOwned(mention, userId));
    const changes = mentions
      .filter((mention) => !owned.includes(mention))
      .map((mention) => ({ place: mention.place, properties: withoutNames(mention, names) }));
    const places = owned.map(({ place }) => place);
    await graph.write((tx) => settleMentions(tx, { changes, places }));
    await step('mentions', places.length);
  }
  const limit = NODES_PER_BATCH;
  for (let gone = limit; gone === limit; await step('mentions', gone))
    gone = await graph.write((tx) => deleteEdgesThatName(tx, { names, limit }));
}

/** The forms in which records name a user: the id, and the id in the name of a group. */
export function namesOf(userId: string): string[] {
  return [userId, userGroupOf(userId)];
}

const OWNER_KEYS = ['ownerId', 'owner', 'owner_id', 'realm', 'store', 'key', 'group_id'];

const isOwned = ({ properties, found }: Mention, userId: string): boolean =>
  found.some((name) => {
    const value = properties[name];
    return (
      OWNER_KEYS.includes(name) &&
      typeof value === 'string' &&
      namesOf(userId).some((one) => value.startsWith(one))
    );
  });

function withoutNames({ properties, found }: Mention, names: readonly string[]): object {
  const clean = (value: Json | undefined): Json | undefined =>
    typeof value === 'string'
      ? names.reduce((text, name) => text.replaceAll(name, DELETED_USER), value)
      : Array.isArray(value)
        ? value.map((one) => clean(one) ?? null)
        : value;
  // The call of another owner survives without its caller (S3-NODE-06).
  return Object.fromEntries(
    found.map((key) => [key, key === 'callerAccountId' ? null : clean(properties[key] as Json)]),
  );
}
