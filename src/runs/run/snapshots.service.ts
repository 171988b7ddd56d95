import { LRUCache } from 'lru-cache';
import type { Graph } from '../../platform/neo4j/graph.ts';
import { findSnapshot } from './run.cypher.ts';
import type { RunSnapshot } from './snapshot.ts';

/** Snapshots by hash, each read and parsed once per process: a snapshot never changes. */
export interface Snapshots {
  /** @throws Error where none is stored */
  get(hash: string): Promise<RunSnapshot>;
}

const SNAPSHOTS_MAX = 500;

export function openSnapshots(graph: Pick<Graph, 'read'>): Snapshots {
  const known = new LRUCache<string, Promise<RunSnapshot>>({ max: SNAPSHOTS_MAX });
  async function load(hash: string): Promise<RunSnapshot> {
    const snapshot = await graph.read((tx) => findSnapshot(tx, hash));
    if (snapshot === null) throw new Error(`No snapshot ${hash} is stored.`);
    return snapshot;
  }
  return {
    get(hash) {
      let entry = known.get(hash);
      if (entry === undefined) {
        entry = load(hash);
        known.set(hash, entry);
        entry.catch(() => known.delete(hash));
      }
      return entry;
    },
  };
}
