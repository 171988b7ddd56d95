// A persistent map as a trie by 32-bit hashes. Changes cost O(log n), and older versions stay
// valid.

const BITS = 5;
const MASK = (1 << BITS) - 1;

/** A value with its own hash. Of two values with equal hashes, the later replaces the earlier. */
export interface Hashed {
  readonly hash: number;
}

/** Children by the 5 bits of this level, packed: bit i of the mask says that child i is there. */
class Branch<V extends Hashed> {
  readonly mask: number;
  readonly children: readonly Trie<V>[];

  constructor(mask: number, children: readonly Trie<V>[]) {
    this.mask = mask;
    this.children = children;
  }
}

type Trie<V extends Hashed> = Branch<V> | V;
/** Null is the empty trie. */
export type HashTrie<V extends Hashed> = Trie<V> | null;

export function found<V extends Hashed>(trie: HashTrie<V>, hash: number): V | undefined {
  let node = trie;
  let rest = hash;
  while (node instanceof Branch) {
    const bit = 1 << (rest & MASK);
    if ((node.mask & bit) === 0) return undefined;
    node = node.children[countBits(node.mask & (bit - 1))] as Trie<V>;
    rest >>>= BITS;
  }
  return node !== null && node.hash === hash ? node : undefined;
}

export function stored<V extends Hashed>(trie: HashTrie<V>, value: V): HashTrie<V> {
  return trie === null ? value : inserted(trie, value, 0);
}

function inserted<V extends Hashed>(node: Trie<V>, value: V, shift: number): Trie<V> {
  if (!(node instanceof Branch)) {
    return node.hash === value.hash ? value : split(node, value, shift);
  }
  const bit = 1 << ((value.hash >>> shift) & MASK);
  const at = countBits(node.mask & (bit - 1));
  if ((node.mask & bit) === 0) {
    return new Branch(node.mask | bit, widened(node.children, at, value));
  }
  const children = node.children.slice();
  children[at] = inserted(children[at] as Trie<V>, value, shift + BITS);
  return new Branch(node.mask, children);
}

/** Joins two nodes of different hashes: branches for as many levels as their bits are equal. */
function split<V extends Hashed>(left: V, right: V, shift: number): Branch<V> {
  const leftAt = (left.hash >>> shift) & MASK;
  const rightAt = (right.hash >>> shift) & MASK;
  if (leftAt === rightAt) return new Branch(1 << leftAt, [split(left, right, shift + BITS)]);
  const children = leftAt < rightAt ? [left, right] : [right, left];
  return new Branch((1 << leftAt) | (1 << rightAt), children);
}

function widened<V extends Hashed>(
  children: readonly Trie<V>[],
  at: number,
  value: V,
): readonly Trie<V>[] {
  const wider = new Array<Trie<V>>(children.length + 1);
  for (let index = 0; index < at; index++) wider[index] = children[index] as Trie<V>;
  wider[at] = value;
  for (let index = at; index < children.length; index++) {
    wider[index + 1] = children[index] as Trie<V>;
  }
  return wider;
}

function countBits(mask: number): number {
  let count = mask - ((mask >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
