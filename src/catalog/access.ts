import { notFound, type Problem, problem } from '../common/refusal.ts';
import { isAdmin, SYSTEM_USER_ID, type Viewer } from '../users/user.ts';

interface Owned {
  readonly ownerId: string;
}

/** Owners whose resources the viewer may change: the viewer, and for an admin the system too. */
export function ownerIdsOf(viewer: Viewer): string[] {
  return isAdmin(viewer) && viewer.userId !== SYSTEM_USER_ID
    ? [viewer.userId, SYSTEM_USER_ID]
    : [viewer.userId];
}

export function canWrite(viewer: Viewer, thing: Owned): boolean {
  return ownerIdsOf(viewer).includes(thing.ownerId);
}

/**
 * S4-OWN-05: null means not visible, which is NOT_FOUND. A visible resource of another owner is
 * FORBIDDEN.
 */
export function checkMayWrite(viewer: Viewer, noun: string, thing: Owned | null): Problem[] {
  if (thing === null) return [notFound(noun)];
  if (canWrite(viewer, thing)) return [];
  const message = `This ${noun} is shared with you, but only its owner can change it.`;
  return [problem('FORBIDDEN', ['id'], message)];
}
