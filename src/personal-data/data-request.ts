import type { Instant } from '../common/clock.ts';

export const DATA_REQUEST_KINDS = ['export', 'deletion'] as const;
export type DataRequestKind = (typeof DATA_REQUEST_KINDS)[number];
export const DATA_REQUEST_STATUSES = ['waiting', 'working', 'done', 'failed'] as const;
export type DataRequestStatus = (typeof DATA_REQUEST_STATUSES)[number];

/** A user's export or deletion of all data. It is worked on in the background. */
export interface DataRequest {
  readonly id: string;
  readonly kind: DataRequestKind;
  readonly status: DataRequestStatus;
  /** Null after a deletion: the request holds nothing of the user then. */
  readonly userId: string | null;
  /** Kind of record that is worked on; null before and after. */
  readonly phase: string | null;
  /** Number of records exported or deleted until now. */
  readonly records: number;
  /** `ci-blob://…` of a finished export until it expires. */
  readonly archive: string | null;
  readonly error: string | null;
  readonly createdAt: Instant;
  readonly completedAt: Instant | null;
  /** When the archive is deleted. */
  readonly expiresAt: Instant | null;
}

/** The text that confirms deleteMyData. */
export const DELETE_MY_DATA = 'delete all my data';

/** The text that confirms deleteUser. */
export function deleteUserPhrase(userId: string): string {
  return `delete ${userId}`;
}

export const ARCHIVE_DAYS = 7;
/** Session of a user's archives among their blobs. */
export const ARCHIVES = 'exports';

/** In place of a deleted user's id, where a record of another owner names it. */
export const DELETED_USER = 'deleted-user';
