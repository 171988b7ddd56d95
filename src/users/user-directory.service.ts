import { LRUCache } from 'lru-cache';
import { instant } from '../common/clock.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { mergeUser } from './user.cypher.ts';
import type { BaseDeps, Identity, Viewer } from './user.ts';

/** Turns who a token speaks for into our User, made at first sight. */
export interface UserDirectory {
  viewerOf(identity: Identity): Promise<Viewer>;
}

const REMEMBERED_MAX = 10_000;
// Short, so that a user whose node was changed by another process is soon seen as such.
const REMEMBERED_MS = 60_000;

export function openUserDirectory({
  graph,
  clock,
  newId,
}: BaseDeps & { readonly graph: Graph }): UserDirectory {
  // Promises are kept, so that a burst of first requests makes one write and not one each.
  const known = new LRUCache<string, Promise<Viewer>>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS });

  async function meet(identity: Identity): Promise<Viewer> {
    const params = { identity, id: newId(), now: instant(clock) };
    const user = await graph.write((tx) => mergeUser(tx, params));
    return { userId: user.id, name: user.name, roles: user.roles, workspace: user.workspace };
  }

  return {
    viewerOf(identity) {
      const { expiresAtMs: _, ...who } = identity;
      const key = JSON.stringify(who);
      const cached = known.get(key);
      if (cached !== undefined) return cached;
      const viewer = meet(identity);
      known.set(key, viewer);
      viewer.catch(() => known.delete(key));
      return viewer;
    },
  };
}
