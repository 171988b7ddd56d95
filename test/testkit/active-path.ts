// The rule of src/conversations/path.cypher.ts, told once more without Cypher, for tests to compare
// with.

/** Fields by which a child of a turn is chosen. */
interface ChildTurn {
  readonly id: string;
  readonly timestamp: string;
  readonly viaAlternativeId: string | null;
  /** The alternative that its active one answers. */
  readonly respondsToId: string | null;
}

/**
 * Which child is on screen: the newest that belongs to the active alternative of its parent, by
 * its question or by the version above it; else the newest, stale. Null where there is none.
 * `showChildren` (turn.cypher.ts) says the same.
 */
function childOnScreen<T extends ChildTurn>(
  activeAlternativeId: string,
  children: readonly T[],
): T | null {
  const fits = (child: T): boolean =>
    child.respondsToId === activeAlternativeId || child.viaAlternativeId === activeAlternativeId;
  const fitting = children.filter(fits);
  return newest(fitting.length > 0 ? fitting : children);
}

function newest<T extends ChildTurn>(turns: readonly T[]): T | null {
  const isNewer = (a: T, b: T): boolean =>
    a.timestamp === b.timestamp ? a.id > b.id : a.timestamp > b.timestamp;
  return turns.reduce<T | null>(
    (best, turn) => (best === null || isNewer(turn, best) ? turn : best),
    null,
  );
}

/** A turn as the tree of a conversation holds it. */
export interface TreeTurn extends ChildTurn {
  readonly parentId: string | null;
  readonly activeAlternativeId: string;
}

/** The path on screen, root first (S4-ALT-10): from the root down by `childOnScreen`. */
export function activePathOf(turns: readonly TreeTurn[]): TreeTurn[] {
  const children = Map.groupBy(turns, ({ parentId }) => parentId);
  const path: TreeTurn[] = [];
  let next = newest(children.get(null) ?? []);
  while (next !== null) {
    path.push(next);
    next = childOnScreen(next.activeAlternativeId, children.get(next.id) ?? []);
  }
  return path;
}
