import { createHash } from 'node:crypto';
import { blobUri } from '../../common/blob-uri.ts';
import { type Clock, instant } from '../../common/clock.ts';
import { isUuid } from '../../common/id.ts';
import { canonicalJson, jsonBytes } from '../../common/json.ts';
import { EVENT_DATA_BYTES_MAX } from '../../common/limits.ts';
import { notFound, type Problem, problem } from '../../common/refusal.ts';
import { beginning, PREVIEW_BYTES } from '../../common/truncate.ts';
import { type BlobStore, blobKey } from '../../platform/blobs/blob-store.ts';
import type { Graph, WriteTx } from '../../platform/neo4j/graph.ts';
import type { RunOrigin } from '../../runs/run/run-origin.ts';
import { claimEventLabels } from './event-label.cypher.ts';
import { eventLabels, KNOWN_LABELS, liftFields, type Property } from './event-node.ts';
import { planSessionGraph } from './plan.ts';
import {
  type EventId,
  type EventRow,
  type Feed,
  findRecordedEvents,
  type In,
  lockSessions,
  type WantedSession,
  writeSessionGraphRows,
} from './raw-event.cypher.ts';
import { eventNodeId, parentOf, type RawEvent, toolCallIdOf, toolCallNodeId } from './raw-event.ts';

export interface SessionGraphDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly blobs: BlobStore;
}

/** Outcome of one event. */
export type Outcome = 'recorded' | 'duplicate' | Problem;

/** Events of one name and millisecond with other payloads get `__2`, `__3`, … up to this number. */
const NAMESAKES_MAX = 100;

const CROWDED_OUT = problem(
  'CONFLICT',
  ['timestamp'],
  `There are ${NAMESAKES_MAX} other events of this name in this millisecond of the session.`,
);

/** An event, and the owner, workspace and origin of its session. */
export interface OwnedEvent {
  readonly event: RawEvent;
  readonly ownerId: string;
  readonly workspace: string;
  readonly origin: RunOrigin;
}

interface Prepared extends OwnedEvent {
  readonly nodeId: string;
  readonly hash: string;
}

/**
 * Writes events of any owners into the session graph, in one transaction with a bounded number of
 * statements. Idempotent. An event of a session that its owner may not write is a NOT_FOUND; the
 * others are written.
 * @returns the outcome of each event, in input order
 */
export async function writeRawEvents(
  deps: SessionGraphDeps,
  feed: Feed,
  events: readonly OwnedEvent[],
): Promise<Outcome[]> {
  const outcomes = new Map<RawEvent, Outcome>();
  let rest: readonly Prepared[] = events.map(prepare);
  // Each round but the last removes all events of sessions that refuse them, so there are few
  // rounds.
  while (rest.length > 0) {
    const refused = await tryWrite(deps, feed, rest, outcomes);
    if (refused === null) break;
    for (const [event, found] of refused) outcomes.set(event, found);
    rest = rest.filter(({ event }) => !refused.has(event));
  }
  return events.map(({ event }) => outcomes.get(event) ?? 'duplicate');
}

function prepare(owned: OwnedEvent): Prepared {
  const { event } = owned;
  const { name, sessionId, atMs, data } = event;
  // Canonical JSON: a repeated event may have its keys in another order.
  const hash = createHash('sha256').update(canonicalJson([name, sessionId, atMs, data]));
  return { ...owned, nodeId: eventNodeId(event), hash: hash.digest('base64url') };
}

class NotWritable extends Error {
  readonly refused: ReadonlyMap<RawEvent, Problem>;
  constructor(refused: ReadonlyMap<RawEvent, Problem>) {
    super('Some sessions of the batch can not be written to.');
    this.refused = refused;
  }
}

/** Null if the batch was written. Else the refused events, and nothing was written. */
async function tryWrite(
  { graph, clock, blobs }: SessionGraphDeps,
  feed: Feed,
  batch: readonly Prepared[],
  outcomes: Map<RawEvent, Outcome>,
): Promise<ReadonlyMap<RawEvent, Problem> | null> {
  const sessions = wantedSessions(batch);
  const put = new Set<string>();
  try {
    await graph.write(async (tx) => {
      const now = instant(clock);
      const locked = await lockSessions(tx, feed, { sessions, now });
      const parents = new Map(locked.map((one) => [sessionKey(one.id, one), one.parentId]));
      const refused = notWritable(batch, parents);
      if (refused.size > 0) throw new NotWritable(refused);

      const { fresh, crowdedOut } = await findFresh(batch, async (ids) => {
        const recorded = await findRecordedEvents(tx, ids);
        return new Map(recorded.map((one) => [keyOf(one), one.hash]));
      });
      for (const { event } of batch) outcomes.set(event, 'duplicate');
      for (const { event } of crowdedOut) outcomes.set(event, CROWDED_OUT);
      const rows: In<EventRow>[] = [];
      for (const prepared of fresh) {
        outcomes.set(prepared.event, 'recorded');
        rows.push(await toRow(blobs, prepared, put));
      }
      const [first] = fresh;
      if (first === undefined) return;
      // Events of callers have one owner.
      const labelled = feed === 'aiden' ? rows : await withinLabelLimits(tx, first.ownerId, rows);
      await writeSessionGraphRows(tx, { ...planned(fresh), events: labelled });
    });
    return null;
  } catch (error) {
    if (error instanceof NotWritable) return error.refused;
    throw error;
  }
}

/**
 * Removes the labels that events of callers may no longer make; the label Event stays. The
 * product's own events have few names.
 */
async function withinLabelLimits(
  tx: WriteTx,
  ownerId: string,
  rows: readonly In<EventRow>[],
): Promise<readonly In<EventRow>[]> {
  const all = new Set(rows.flatMap((row) => row.labels));
  const labels = [...all].filter((label) => !KNOWN_LABELS.has(label));
  if (labels.length === 0) return rows;
  const allowed = await claimEventLabels(tx, ownerId, labels);
  return rows.map((row) => ({
    ...row,
    labels: row.labels.filter((label) => KNOWN_LABELS.has(label) || allowed.has(label)),
  }));
}

/** The sessions of a batch in the order in which all writers lock them. */
function wantedSessions(batch: readonly Prepared[]): WantedSession[] {
  const sessions = new Map<string, WantedSession>();
  for (const { event, ...owner } of batch)
    for (const id of [event.sessionId, ...forkParents(event)]) {
      const key = sessionKey(id, owner);
      const { ownerId, workspace, origin } = owner;
      const session = { id, ownerId, workspace, origin, resourceId: resourceIdIn(id) };
      if (!sessions.has(key)) sessions.set(key, session);
    }
  return [...sessions].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, it]) => it);
}

/** A session of this owner: events of another one for the same id are refused. */
const sessionKey = (
  id: string,
  { ownerId, workspace }: Pick<WantedSession, 'ownerId' | 'workspace'>,
): string => JSON.stringify([id, workspace, ownerId]);

const keyOf = ({ id, workspace }: EventId) => JSON.stringify([id, workspace]);

/** What the events add to the graph beside their own nodes. A session's id is of one workspace. */
function planned(fresh: readonly Prepared[]) {
  const plans = [...Map.groupBy(fresh, ({ workspace }) => workspace)].map(([workspace, those]) => {
    const { sessions, forks, calls } = planSessionGraph(those.map(({ event }) => event));
    const within = <Row>(row: Row): In<Row> => ({ ...row, workspace });
    return { sessions: sessions.map(within), forks: forks.map(within), calls: calls.map(within) };
  });
  return {
    sessions: plans.flatMap(({ sessions }) => sessions),
    forks: plans.flatMap(({ forks }) => forks),
    calls: plans.flatMap(({ calls }) => calls),
  };
}

function forkParents({ name, data }: RawEvent): string[] {
  const parent = name === 'session:fork' ? parentOf(data) : null;
  return parent === null ? [] : [parent];
}

/** Id of the conversation or run in a session id; the id of a fork begins with that of its run. */
function resourceIdIn(sessionId: string): string {
  const start = sessionId.slice(0, 36);
  return isUuid(start) ? start.toLowerCase() : '';
}

function notWritable(
  batch: readonly Prepared[],
  parents: ReadonlyMap<string, string | null>,
): Map<RawEvent, Problem> {
  const refused = new Map<RawEvent, Problem>();
  const forkedFrom = new Map(parents);
  for (const owned of batch) {
    const { event } = owned;
    const { name, data } = event;
    const session = sessionKey(event.sessionId, owned);
    if (!parents.has(session)) {
      refused.set(event, notFound('session', ['sessionId']));
      continue;
    }
    const parent = name === 'session:fork' ? parentOf(data) : null;
    if (parent === null) continue;
    const known = forkedFrom.get(session) ?? parent;
    forkedFrom.set(session, known);
    const path = ['data', data['parent'] == null ? 'parent_id' : 'parent'];
    if (!parents.has(sessionKey(parent, owned))) refused.set(event, notFound('session', path));
    else if (known !== parent)
      refused.set(
        event,
        problem('CONFLICT', path, 'This session was forked from another parent before.'),
      );
  }
  return refused;
}

/** Finds the events that are not recorded yet, and gives each a free node id. */
async function findFresh(
  batch: readonly Prepared[],
  find: (ids: readonly EventId[]) => Promise<Map<string, string>>,
): Promise<{ fresh: readonly Prepared[]; crowdedOut: readonly Prepared[] }> {
  const taken = await find(batch.map(({ nodeId, workspace }) => ({ id: nodeId, workspace })));
  const crowded: Prepared[] = [];
  const fresh: Prepared[] = [];
  for (const prepared of batch) {
    const { nodeId: id, workspace } = prepared;
    const holder = taken.get(keyOf({ id, workspace }));
    if (holder === prepared.hash) continue;
    if (holder === undefined) {
      taken.set(keyOf({ id, workspace }), prepared.hash);
      fresh.push(prepared);
    } else crowded.push(prepared);
  }
  const crowdedOut: Prepared[] = [];
  if (crowded.length === 0) return { fresh, crowdedOut };
  for (const [key, hash] of await find(crowded.flatMap(namesakes))) taken.set(key, hash);
  for (const prepared of crowded) {
    const ids = namesakes(prepared);
    if (ids.some((id) => taken.get(keyOf(id)) === prepared.hash)) continue;
    const free = ids.find((id) => !taken.has(keyOf(id)));
    if (free === undefined) {
      crowdedOut.push(prepared);
      continue;
    }
    taken.set(keyOf(free), prepared.hash);
    fresh.push({ ...prepared, nodeId: free.id });
  }
  return { fresh, crowdedOut };
}

const namesakes = ({ nodeId, workspace }: Prepared): EventId[] =>
  Array.from({ length: NAMESAKES_MAX - 1 }, (_, index) => ({
    id: `${nodeId}__${index + 2}`,
    workspace,
  }));

async function toRow(
  blobs: BlobStore,
  { event, ownerId, workspace, nodeId, hash }: Prepared,
  put: Set<string>,
): Promise<In<EventRow>> {
  const { name, sessionId, atMs } = event;
  const callId = toolCallIdOf(event);
  const row = {
    nodeId,
    sessionId,
    workspace,
    at: new Date(atMs).toISOString(),
    labels: eventLabels(name),
    toolCall: callId === null ? null : toolCallNodeId(sessionId, callId),
    endsCall: name !== 'tool:pre',
  };
  const stored = { event_name: name, content_hash: hash };
  const text = JSON.stringify(event.data);
  if (jsonBytes(event.data) <= EVENT_DATA_BYTES_MAX)
    return { ...row, props: { ...liftFields(event), ...stored, data: text } };

  // The key contains the hash: two writers of one event write the same blob.
  const key = `${name.replaceAll(':', '_')}__${atMs}__${hash}.json`;
  const address = { workspace, ownerId, session: sessionId, key };
  // A retried transaction has stored its blobs already.
  if (!put.has(key)) await blobs.put(blobKey(address), Buffer.from(text));
  put.add(key);
  const reference = {
    $blob_ref: blobUri(sessionId, key),
    preview: beginning(text, PREVIEW_BYTES),
  };
  return {
    ...row,
    props: { ...previews(liftFields(event)), ...stored, data: JSON.stringify(reference) },
  };
}

/** Shortens the lifted texts of an event whose payload is a blob (S0-BLOB-01). */
const previews = (lifted: Readonly<Record<string, Property>>): Record<string, Property> =>
  Object.fromEntries(
    Object.entries(lifted).map(([key, value]) => [
      key,
      typeof value === 'string' ? beginning(value, PREVIEW_BYTES) : value,
    ]),
  );
