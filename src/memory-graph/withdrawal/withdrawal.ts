/** When a fact ends, and when that was recorded. */
export interface Ends {
  readonly invalidAt: string | null;
  readonly expiredAt: string | null;
}

/** A change of the end of a fact, oldest first. */
export interface Revision {
  readonly before: Ends;
  /** Null in revisions of older versions. */
  readonly after: Ends | null;
  /** Whether a turn on screen caused it. */
  readonly isTold: boolean;
}

/** A fact with all that decides whether it stands, and when it ends. */
export interface Standing {
  readonly uuid: string;
  /** Whether a turn on screen tells it. */
  readonly isTold: boolean;
  readonly isWithdrawn: boolean;
  /** When it began; where that is not known, when it was recorded. */
  readonly beganAt: string;
  /** Its ends, but for a withdrawal. */
  readonly ends: Ends;
  readonly revisions: readonly Revision[];
}

/** The ends to store of a fact. */
export interface Settled {
  readonly uuid: string;
  readonly isWithdrawn: boolean;
  /** Its ends, but for a withdrawal. */
  readonly held: Ends;
  /** Its ends as readers see them. */
  readonly shown: Ends;
}

/**
 * A fact by the turns on screen. One that none of them tells is withdrawn: it ends where it began,
 * so every reader leaves it out. An end that none of them caused is none. Changes are never
 * deleted, so both come back with their turns. Null where nothing changes.
 */
export function settledFact(fact: Standing, now: string): Settled | null {
  const { uuid, isTold, isWithdrawn, beganAt, ends, revisions } = fact;
  const held = heldEnds(ends, revisions);
  const isSame = held.invalidAt === ends.invalidAt && held.expiredAt === ends.expiredAt;
  if (isSame && isTold === !isWithdrawn) return null;
  const shown = isTold ? held : { invalidAt: beganAt, expiredAt: now };
  return { uuid, isWithdrawn: !isTold, held, shown };
}

/** The ends by the newest change that a turn on screen caused. */
function heldEnds(present: Ends, revisions: readonly Revision[]): Ends {
  const last = revisions.findLastIndex(({ isTold }) => isTold);
  const next = revisions[last + 1];
  return revisions[last]?.after ?? next?.before ?? present;
}
