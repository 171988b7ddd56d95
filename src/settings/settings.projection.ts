import type { Projection } from '../outbox/projector.service.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { findSettings } from './settings.cypher.ts';
import { SETTINGS_UPDATED, type Settings } from './settings.ts';

/**
 * A cache of the settings for activities, projections and resolvers. Call `current` each time; do
 * not keep the result.
 */
export interface SettingsSource {
  /** Returns the same object until a setting changes, so callers can cache derived values by it. */
  current(): Promise<Settings>;
  /** Drops the cached settings; the next `current` reads Neo4j. */
  forget(): void;
}

// The writer's process and the relay's process drop their cache at once. Any other process sees a
// change after at most this time.
const FRESH_MS = 5_000;

/**
 * Opens the cache of the settings.
 * @param freshMs maximum age of cached settings, in milliseconds; default 5,000
 */
export function openSettings(
  { graph }: { readonly graph: Graph },
  { freshMs = FRESH_MS }: { readonly freshMs?: number } = {},
): SettingsSource {
  let cached: Promise<Settings> | null = null;
  let last: Settings | null = null;
  let readAtMs = 0;

  async function read(): Promise<Settings> {
    const found = await graph.read((tx) => findSettings(tx));
    if (last === null || JSON.stringify(last) !== JSON.stringify(found)) last = found;
    return last;
  }

  const forget = () => {
    cached = null;
  };

  return {
    current() {
      const nowMs = performance.now();
      if (cached !== null && nowMs - readAtMs < freshMs) return cached;
      const reading = read();
      cached = reading;
      readAtMs = nowMs;
      reading.catch(() => {
        if (cached === reading) forget();
      });
      return reading;
    },
    forget,
  };
}

/** Drops the cache in the relay's process when a change arrives through the outbox. */
export function settingsProjection(settings: SettingsSource): Projection {
  return {
    name: 'settings-cache',
    kinds: [SETTINGS_UPDATED],
    startsAt: 'now',
    isUrgent: true,
    handle: async () => settings.forget(),
  };
}
