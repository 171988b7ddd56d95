import { found, type Hashed, type HashTrie, stored } from './hash-trie.ts';

/** An id and its index. Ids with equal hashes form a linked list: some hundred of a million. */
interface Entry extends Hashed {
  readonly id: string;
  readonly place: number;
  readonly next: Entry | null;
}

/** Ids with the same prefix, up to the first `/` or `:`; usually the ids of one run. */
interface Family extends Hashed {
  readonly entries: HashTrie<Entry>;
}

/**
 * A persistent index from ids to positions. Two tries: by prefix, then by the whole id. A stream
 * has few runs at a time, so the part in use is small and stays in the processor's cache.
 */
export type IdIndex = HashTrie<Family>;

const SLASH = 0x2f;
const COLON = 0x3a;
const SEED = 0x811c9dc5;

/** The position of an id; -1 if unknown. */
export function lookUp(index: IdIndex, id: string): number {
  const length = familyLength(id);
  const start = hashed(id, 0, length, SEED);
  const family = found(index, mixed(start));
  if (family === undefined) return -1;
  let entry: Entry | null =
    found(family.entries, mixed(hashed(id, length, id.length, start))) ?? null;
  while (entry !== null && entry.id !== id) entry = entry.next;
  return entry === null ? -1 : entry.place;
}

/** The index with a new id. */
export function withId(index: IdIndex, id: string, place: number): IdIndex {
  const length = familyLength(id);
  const start = hashed(id, 0, length, SEED);
  const familyHash = mixed(start);
  const entries = found(index, familyHash)?.entries ?? null;
  const hash = mixed(hashed(id, length, id.length, start));
  const next = found(entries, hash) ?? null;
  return stored(index, {
    hash: familyHash,
    entries: stored(entries, { hash, id, place, next }),
  });
}

/** 0 for an id without either mark. All such ids share one family. */
function familyLength(id: string): number {
  for (let at = 0; at < id.length; at++) {
    const unit = id.charCodeAt(at);
    if (unit === SLASH || unit === COLON) return at;
  }
  return 0;
}

/** FNV-1a over UTF-16 units, continued from another hash. */
function hashed(text: string, from: number, to: number, start: number): number {
  let hash = start;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/** The trie uses the low bits first, and FNV leaves them equal for similar texts. */
function mixed(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
  return once ^ (once >>> 16);
}
