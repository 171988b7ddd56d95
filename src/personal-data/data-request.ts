import { z } from 'zod';
import { textOrNull } from '../common/stored.ts';

export const DATA_REQUEST_KINDS = ['export', 'deletion'] as const;
export type DataRequestKind = (typeof DATA_REQUEST_KINDS)[number];
export const DATA_REQUEST_STATUSES = ['waiting', 'working', 'done', 'failed'] as const;

/** A user's export or deletion of all data. It is worked on in the background. */
export const DataRequest = z.object({
  id: z.string(),
  kind: z.enum(DATA_REQUEST_KINDS),
  status: z.enum(DATA_REQUEST_STATUSES),
  /** Null after a deletion: the request holds nothing of the user then. */
  userId: textOrNull,
  /** Kind of record that is worked on; null before and after. */
  phase: textOrNull,
  /** Number of records exported or deleted until now. */
  records: z.int(),
  /** `ci-blob://…` of a finished export until it expires. */
  archive: textOrNull,
  error: textOrNull,
  createdAt: z.string(),
  completedAt: textOrNull,
  /** When the archive is deleted. */
  expiresAt: textOrNull,
});
export type DataRequest = z.infer<typeof DataRequest>;

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
