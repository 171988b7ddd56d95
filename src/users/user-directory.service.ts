import { LRUCache } from 'lru-cache';
import { instant } from '../common/clock.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { NotAuthenticated } from './authenticate.service.ts';
import { findUserOf, mergeUser } from './user.cypher.ts';
import type { BaseDeps, Identity, Viewer } from './user.ts';

/** The account of the caller is being deleted (ACCOUNT_DELETION). */
export class AccountLeaving extends NotAuthenticated {
  constructor() {
    super('This account is being deleted. Sign in again when that is done, for a new one.');
  }
}

/** Finds the User of a token's identity, and creates the User on the first sign-in. */
export interface UserDirectory {
  viewerOf(identity: Identity): Promise<Viewer>;
}

const CACHED_VIEWERS_MAX = 10_000;
// Short, so that a change of a User by another process takes effect within a minute.
const CACHE_MS = 60_000;

export function openUserDirectory({
  graph,
  clock,
  newId,
}: BaseDeps & { readonly graph: Graph }): UserDirectory {
  // Promises are cached, so a burst of first requests makes one write.
  const viewers = new LRUCache<string, Promise<Viewer>>({ max: CACHED_VIEWERS_MAX, ttl: CACHE_MS });

  async function findOrCreateViewer(identity: Identity): Promise<Viewer> {
    // A write waits for the lock of the User, which background work of the user may hold.
    const known = await graph.read((tx) => findUserOf(tx, identity));
    const params = { identity, id: newId(), now: instant(clock) };
    const user = known ?? (await graph.write((tx) => mergeUser(tx, params)));
    if (user.isLeaving) throw new AccountLeaving();
    return { userId: user.id, name: user.name, roles: user.roles, workspace: user.workspace };
  }

  return {
    viewerOf(identity) {
      const { expiresAtMs: _, ...claims } = identity;
      const key = JSON.stringify(claims);
      const cached = viewers.get(key);
      if (cached !== undefined) return cached;
      const viewer = findOrCreateViewer(identity);
      viewers.set(key, viewer);
      viewer.catch(() => viewers.delete(key));
      return viewer;
    },
  };
}
