// A persistent vector: a tree of width 32 with the last, partial leaf stored separately. Appending
// copies at most 32 slots, except once in 32 times. Older versions stay valid.

const BITS = 5;
const WIDTH = 1 << BITS;
const MASK = WIDTH - 1;

type Tree<T> = readonly (Tree<T> | T)[];

/**
 * An append-only list with replaceable slots. Both operations return a new list in O(log n) and
 * keep the old one.
 */
export interface Vector<T> {
  readonly size: number;
  /** Bits of the index above a leaf, at the root. */
  readonly shift: number;
  readonly root: Tree<T>;
  readonly tail: readonly T[];
}

const EMPTY: Vector<never> = { size: 0, shift: BITS, root: [], tail: [] };

export function emptyVector<T>(): Vector<T> {
  return EMPTY;
}

/** The slot at `index`; undefined if out of range. */
export function slotAt<T>(vector: Vector<T>, index: number): T | undefined {
  if (index < 0 || index >= vector.size) return undefined;
  const tailStart = vector.size - vector.tail.length;
  if (index >= tailStart) return vector.tail[index - tailStart];
  let node = vector.root;
  for (let shift = vector.shift; shift > 0; shift -= BITS) {
    node = node[(index >>> shift) & MASK] as Tree<T>;
  }
  return node[index & MASK] as T;
}

export function appended<T>(vector: Vector<T>, value: T): Vector<T> {
  const { size, shift, root, tail } = vector;
  if (tail.length < WIDTH) {
    const longer = tail.slice();
    longer.push(value);
    return { size: size + 1, shift, root, tail: longer };
  }
  // The tree holds full leaves only. It gains a level when the root is full.
  const leaves = size - tail.length;
  const isFull = leaves === 1 << (shift + BITS);
  const grown = isFull
    ? [root, pathTo<T>(tail, shift)]
    : withLeaf(root, shift, leaves, tail as Tree<T>);
  return { size: size + 1, shift: isFull ? shift + BITS : shift, root: grown, tail: [value] };
}

function pathTo<T>(leaf: readonly T[], shift: number): Tree<T> {
  let node = leaf as Tree<T>;
  for (let level = 0; level < shift; level += BITS) node = [node];
  return node;
}

function withLeaf<T>(node: Tree<T>, shift: number, index: number, leaf: Tree<T>): Tree<T> {
  const at = (index >>> shift) & MASK;
  const copy = node.slice();
  copy[at] =
    shift === BITS
      ? leaf
      : at < node.length
        ? withLeaf(node[at] as Tree<T>, shift - BITS, index, leaf)
        : pathTo<T>(leaf as readonly T[], shift - BITS);
  return copy;
}

/** The list with a new value in an existing slot. */
export function replaced<T>(vector: Vector<T>, index: number, value: T): Vector<T> {
  const { size, shift, root, tail } = vector;
  const tailStart = size - tail.length;
  if (index >= tailStart) {
    const copy = tail.slice();
    copy[index - tailStart] = value;
    return { size, shift, root, tail: copy };
  }
  return { size, shift, root: withSlot(root, shift, index, value), tail };
}

function withSlot<T>(node: Tree<T>, shift: number, index: number, value: T): Tree<T> {
  const at = (index >>> shift) & MASK;
  const copy = node.slice();
  copy[at] = shift === 0 ? value : withSlot(node[at] as Tree<T>, shift - BITS, index, value);
  return copy;
}

export function* slotsOf<T>({ root, shift, tail }: Vector<T>): Generator<T, undefined> {
  yield* leavesOf(root, shift);
  yield* tail;
  return undefined;
}

function* leavesOf<T>(node: Tree<T>, shift: number): Generator<T, undefined> {
  if (shift === 0) yield* node as readonly T[];
  else for (const child of node) yield* leavesOf(child as Tree<T>, shift - BITS);
  return undefined;
}
