// A persistent hash trie from texts to numbers: what a Map is, with every older version kept, in O(log n) a change.

const BITS = 5;
const MASK = (1 << BITS) - 1;
const HASH_BITS = 32;

interface Leaf {
  readonly hash: number;
  readonly key: string;
  readonly value: number;
}
/** Leaves of one hash; hashes are 32 bits, so among a million keys some hundred pairs meet. */
interface Clash {
  readonly hash: number;
  readonly leaves: readonly Leaf[];
}
/** Children by the 5 bits of this level, packed: bit i of the mask says that child i is there. */
interface Branch {
  readonly mask: number;
  readonly children: readonly Trie[];
}
type Trie = Branch | Leaf | Clash;

export type HashTrie = Trie | null;

/** FNV-1a over UTF-16 units, then mixed so that the low bits of like texts differ. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return hash ^ (hash >>> 16);
}

/** The number stored for the key, or -1. */
export function lookUp(trie: HashTrie, key: string, hash: number = hashOf(key)): number {
  let node = trie;
  for (let shift = 0; node !== null; shift += BITS) {
    if ('mask' in node) {
      const bit = 1 << ((hash >>> shift) & MASK);
      if ((node.mask & bit) === 0) return -1;
      node = node.children[countBits(node.mask & (bit - 1))] ?? null;
    } else if ('key' in node) {
      return node.hash === hash && node.key === key ? node.value : -1;
    } else {
      return node.leaves.find((leaf) => leaf.key === key)?.value ?? -1;
    }
  }
  return -1;
}

/** The trie with the key; an earlier number of the same key gives way. */
export function stored(
  trie: HashTrie,
  key: string,
  value: number,
  hash: number = hashOf(key),
): HashTrie {
  const leaf = { hash, key, value };
  return trie === null ? leaf : inserted(trie, leaf, 0);
}

function inserted(node: Trie, leaf: Leaf, shift: number): Trie {
  if ('mask' in node) {
    const bit = 1 << ((leaf.hash >>> shift) & MASK);
    const at = countBits(node.mask & (bit - 1));
    if ((node.mask & bit) === 0) {
      return { mask: node.mask | bit, children: widened(node.children, at, leaf) };
    }
    const children = node.children.slice();
    children[at] = inserted(node.children[at] as Trie, leaf, shift + BITS);
    return { mask: node.mask, children };
  }
  if (node.hash !== leaf.hash) return split(node, leaf, shift);
  if ('key' in node) {
    return node.key === leaf.key ? leaf : { hash: leaf.hash, leaves: [node, leaf] };
  }
  const others = node.leaves.filter(({ key }) => key !== leaf.key);
  return { hash: node.hash, leaves: [...others, leaf] };
}

/** Two of different hashes: branches as far down as their bits agree. */
function split(left: Leaf | Clash, right: Leaf, shift: number): Branch {
  if (shift >= HASH_BITS) throw new Error('Equal hashes cannot be split.');
  const leftAt = (left.hash >>> shift) & MASK;
  const rightAt = (right.hash >>> shift) & MASK;
  if (leftAt === rightAt) {
    return { mask: 1 << leftAt, children: [split(left, right, shift + BITS)] };
  }
  const children = leftAt < rightAt ? [left, right] : [right, left];
  return { mask: (1 << leftAt) | (1 << rightAt), children };
}

function widened(children: readonly Trie[], at: number, leaf: Leaf): Trie[] {
  const wider = new Array<Trie>(children.length + 1);
  for (let index = 0; index < at; index++) wider[index] = children[index] as Trie;
  wider[at] = leaf;
  for (let index = at; index < children.length; index++) {
    wider[index + 1] = children[index] as Trie;
  }
  return wider;
}

function countBits(mask: number): number {
  let count = mask - ((mask >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  return Math.imul((count + (count >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
