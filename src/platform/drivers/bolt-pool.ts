import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import neo4j, { type AuthToken, type Driver } from 'neo4j-driver';
import type { Egress } from '../egress/egress.ts';
import { endpointOf, numberParam, textParam } from './credentials.ts';
import type { DriverTarget } from './driver.ts';

/** A cache of neo4j-driver instances by target, so that repeated queries share connections. */
export interface BoltPool {
  /** Resolves and checks the target again, then calls `work` with a driver of the cache. */
  using<T>(target: DriverTarget, work: (driver: Driver) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Lent {
  readonly driver: Driver;
  users: number;
  evicted: boolean;
}

const DRIVERS_MAX = 50;
// An unused driver is closed after this time, and its password with it.
const IDLE_MS = 60_000;
const POOL_SIZE_MAX = 50;
const CONNECT_MS = 10_000;
const ACQUIRE_MS = 15_000;

export function openBoltPool(egress: Egress): BoltPool {
  const closings = new Set<Promise<void>>();
  const drivers = new LRUCache<string, Lent>({
    max: DRIVERS_MAX,
    ttl: IDLE_MS,
    updateAgeOnGet: true,
    ttlAutopurge: true,
    dispose: (lent) => {
      lent.evicted = true;
      closeIfUnused(lent);
    },
  });

  function closeIfUnused(lent: Lent): void {
    if (!lent.evicted || lent.users > 0) return;
    const closing = lent.driver.close().catch(() => {});
    closings.add(closing);
    void closing.finally(() => closings.delete(closing));
  }

  return {
    async using(target, work) {
      // Checked at every use: DNS or the rules may have changed.
      const url = await egress.resolveBolt(endpointOf(target), { system: target.system });
      const key = keyOf(url, target);
      let lent = drivers.get(key);
      if (lent === undefined) {
        lent = { driver: openDriver(url, target), users: 0, evicted: false };
        drivers.set(key, lent);
      }
      lent.users += 1;
      try {
        return await work(lent.driver);
      } finally {
        lent.users -= 1;
        closeIfUnused(lent);
      }
    },
    async close() {
      drivers.clear();
      await Promise.all(closings);
    },
  };
}

const openDriver = (url: string, target: DriverTarget): Driver =>
  neo4j.driver(url, authOf(target), {
    maxConnectionPoolSize: Math.min(
      numberParam(target, 'maxConnectionPoolSize') ?? POOL_SIZE_MAX,
      POOL_SIZE_MAX,
    ),
    connectionTimeout: CONNECT_MS,
    connectionAcquisitionTimeout: ACQUIRE_MS,
    telemetryDisabled: true,
    userAgent: 'aiden',
  });

function authOf(target: DriverTarget): AuthToken | undefined {
  if (target.secret === null) return undefined;
  if (target.secret.scope === 'bearer') return neo4j.auth.bearer(target.secret.value);
  return neo4j.auth.basic(textParam(target, 'username') ?? 'neo4j', target.secret.value);
}

function keyOf(url: string, target: DriverTarget): string {
  const parts = [
    url,
    textParam(target, 'username'),
    target.secret?.scope,
    target.secret?.value,
    numberParam(target, 'maxConnectionPoolSize'),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
