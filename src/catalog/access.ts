import { notFound, type Problem, problem } from '../common/refusal.ts';
import { isAdmin, SYSTEM_USER_ID, type Viewer } from '../users/user.ts';

interface Owned {
  readonly ownerId: string;
}

/** Whose things count as the viewer's own: their own, and the system's for an admin. */
export function ownerIdsOf(viewer: Viewer): string[] {
  return isAdmin(viewer) && viewer.userId !== SYSTEM_USER_ID
    ? [viewer.userId, SYSTEM_USER_ID]
    : [viewer.userId];
}

export function canWrite(viewer: Viewer, thing: Owned): boolean {
  return ownerIdsOf(viewer).includes(thing.ownerId);
}

/** S4-OWN-05: what is not visible (null) is NOT_FOUND, what is visible but somebody else's is FORBIDDEN. */
export function checkMayWrite(
  viewer: Viewer,
  noun: string,
  thing: Owned | null,
  path: readonly string[] = ['id'],
): Problem[] {
  if (thing === null) return [notFound(noun, path)];
  if (canWrite(viewer, thing)) return [];
  return [
    problem(
      'FORBIDDEN',
      path,
      `This ${noun} is shared with you, but only its owner can change it.`,
    ),
  ];
}
