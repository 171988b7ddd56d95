import { type Instant, instant } from '../common/clock.ts';
import { Refusal } from '../common/refusal.ts';
import { type BaseDeps, SYSTEM_USER_ID, SYSTEM_USER_NAME, type Viewer } from '../users/user.ts';

/**
 * One fact of the event log. The transaction that makes the fact true writes the entry; the relay
 * numbers it later (docs/decisions/0015). Subscriptions, records and projections all derive from
 * entries.
 */
export interface OutboxEntry {
  readonly id: string;
  /** `<noun>.<past participle>`: run.requested, step.ended, tool.updated, ... */
  readonly kind: string;
  readonly at: Instant;
  readonly ownerId: string;
  readonly workspace: string;
  /**
   * Indexed ids; null when absent. `runPath` starts at the root run and ends with the run itself.
   */
  readonly rootRunId: string | null;
  readonly runId: string | null;
  readonly runPath: readonly string[];
  readonly conversationId: string | null;
  /**
   * The facts of this kind, at most 256 KiB as JSON. Its schema is defined with the kind. Parse it
   * with `parsePayload` before use.
   */
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * An entry that the relay has numbered. `seq` increases over the whole installation; cursors
 * contain it.
 */
export interface NumberedEntry extends OutboxEntry {
  readonly seq: number;
}

/** The user and the workspace of an entry, and its conversation if it has one. */
export interface EntryOwner {
  readonly ownerId: string;
  readonly workspace: string;
  readonly conversationId?: string | null;
}

/**
 * The owner of a thing that `viewer` changes. Things of another owner belong to the system's
 * workspace.
 */
export function ownerFor(viewer: Viewer, ownerId: string = viewer.userId): EntryOwner {
  return { ownerId, workspace: ownerId === viewer.userId ? viewer.workspace : SYSTEM_USER_NAME };
}

/** Makes an entry about a user's thing outside any run. `runEntry` makes entries of runs. */
export function ownerEntry(
  { newId, clock }: BaseDeps,
  { ownerId, workspace, conversationId = null }: EntryOwner,
  kind: string,
  payload: object,
): OutboxEntry {
  return {
    id: newId(),
    kind,
    at: instant(clock),
    ownerId,
    workspace,
    rootRunId: null,
    runId: null,
    runPath: [],
    conversationId,
    payload: { ...payload },
  };
}

/** Makes an entry about the installation: jobs, Workers, settings, Metrics. */
export function systemEntry(deps: BaseDeps, kind: string, payload: object): OutboxEntry {
  const owner = { ownerId: SYSTEM_USER_ID, workspace: SYSTEM_USER_NAME };
  return ownerEntry(deps, owner, kind, payload);
}

/**
 * A position in the event log: after part `index` of entry `seq`. One entry may become several
 * events of a stream.
 */
export interface LogCursor {
  readonly seq: number;
  readonly index: number;
}

const TEXT = /^v1\.(\d{1,16})\.(\d{1,9})$/;

/** Encodes an opaque cursor. The version lets a later release read old cursors. */
export function encodeCursor({ seq, index }: LogCursor): string {
  return Buffer.from(`v1.${seq}.${index}`).toString('base64url');
}

/** @throws Refusal INVALID at `path` when the text is no cursor of ours */
export function decodeCursor(text: string, path: readonly string[] = ['after']): LogCursor {
  const plain = /^[A-Za-z0-9_-]{1,64}$/.test(text) ? Buffer.from(text, 'base64url').toString() : '';
  const [, seq, index] = TEXT.exec(plain) ?? [];
  const cursor = { seq: Number(seq), index: Number(index) };
  if (seq !== undefined && Number.isSafeInteger(cursor.seq)) return cursor;
  throw Refusal.of(
    'INVALID',
    path,
    'This is no cursor. Hand back one that the stream gave, as it was.',
  );
}
