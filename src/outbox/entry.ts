import { type Instant, instant } from '../common/clock.ts';
import { problem, Refusal } from '../common/refusal.ts';
import { type BaseDeps, SYSTEM_USER_ID, SYSTEM_USER_NAME, type Viewer } from '../users/user.ts';

/**
 * One fact of the event log. Written by the transaction that makes it true, numbered by the relay afterwards
 * (docs/decisions/0015); everything live, recorded or projected starts from here.
 */
export interface OutboxEntry {
  readonly id: string;
  /** `<noun>.<what happened>`: run.requested, step.ended, tool.updated, ... */
  readonly kind: string;
  readonly at: Instant;
  readonly ownerId: string;
  readonly workspace: string;
  /** Ids the entry is looked up by; absent = null. `runPath` is root first, the run itself last. */
  readonly rootRunId: string | null;
  readonly runId: string | null;
  readonly runPath: readonly string[];
  readonly conversationId: string | null;
  /**
   * The facts of this kind; its schema stands where the kind is defined. Parse it with `parsePayload` before you read it.
   * At most 256 KiB as JSON.
   */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An entry once the relay has numbered it. `seq` rises over the whole installation and is what cursors hold. */
export interface NumberedEntry extends OutboxEntry {
  readonly seq: number;
}

/** The user and the workspace that an entry belongs to; `conversationId` where it is about a conversation. */
export interface EntryOwner {
  readonly ownerId: string;
  readonly workspace: string;
  readonly conversationId?: string | null;
}

/** The owner of something that `viewer` changes. Things of another owner belong to the system's workspace. */
export function ownerFor(viewer: Viewer, ownerId: string = viewer.userId): EntryOwner {
  return { ownerId, workspace: ownerId === viewer.userId ? viewer.workspace : SYSTEM_USER_NAME };
}

/** An entry about something of a user outside any run. Entries of runs are made by `runEntry`. */
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

/** An entry about something of the installation: jobs, Workers, settings, Metrics. */
export function systemEntry(deps: BaseDeps, kind: string, payload: object): OutboxEntry {
  const owner = { ownerId: SYSTEM_USER_ID, workspace: SYSTEM_USER_NAME };
  return ownerEntry(deps, owner, kind, payload);
}

/** A place in the event log: after part `index` of entry `seq` (one entry may show as several events of a stream). */
export interface LogCursor {
  readonly seq: number;
  readonly index: number;
}

const TEXT = /^v1\.(\d{1,16})\.(\d{1,9})$/;

/** Opaque outside; the version in it lets us read old cursors should the form change. */
export function encodeCursor({ seq, index }: LogCursor): string {
  return Buffer.from(`v1.${seq}.${index}`).toString('base64url');
}

/** @throws Refusal INVALID at `path` when the text is no cursor of ours. */
export function decodeCursor(text: string, path: readonly string[] = ['after']): LogCursor {
  const plain = /^[A-Za-z0-9_-]{1,64}$/.test(text) ? Buffer.from(text, 'base64url').toString() : '';
  const [, seq, index] = TEXT.exec(plain) ?? [];
  const cursor = { seq: Number(seq), index: Number(index) };
  if (seq !== undefined && Number.isSafeInteger(cursor.seq)) return cursor;
  throw new Refusal([
    problem('INVALID', path, 'This is no cursor. Hand back one that the stream gave, as it was.'),
  ]);
}
