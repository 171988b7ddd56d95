import type { Maybe } from '../common/maybe.ts';
import { notFound, type Problem, problem, Refusal } from '../common/refusal.ts';
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

/** A change that may tell what its writer has seen. */
export interface Expected {
  /** Refused with CONFLICT if the resource was changed at another time last. Absent: no check. */
  readonly expectedUpdatedAt?: Maybe<string>;
}

/** Refuses to write over a change that the writer has not seen. */
export function checkUnchanged(
  noun: string,
  { updatedAt }: { readonly updatedAt: string },
  { expectedUpdatedAt: expected }: Expected,
): Problem[] {
  if (expected == null || expected === updatedAt) return [];
  const message = `This ${noun} was changed meanwhile, at ${updatedAt}. Read it again first.`;
  return [problem('CONFLICT', ['expectedUpdatedAt'], message)];
}

/**
 * S4-OWN-05: absent means not visible, which is NOT_FOUND. A visible resource of another owner is
 * FORBIDDEN.
 */
export function checkMayWrite(viewer: Viewer, noun: string, thing: Owned | undefined): Problem[] {
  if (thing === undefined) return [notFound(noun)];
  if (canWrite(viewer, thing)) return [];
  const message = `This ${noun} is shared with you, but only its owner can change it.`;
  return [problem('FORBIDDEN', ['id'], message)];
}

/** The thing that was looked for, to be changed. @throws Refusal NOT_FOUND, FORBIDDEN */
export function foundToWrite<T extends Owned>(
  [thing]: readonly T[],
  viewer: Viewer,
  noun: string,
): T {
  if (thing !== undefined && canWrite(viewer, thing)) return thing;
  throw new Refusal(checkMayWrite(viewer, noun, thing));
}
