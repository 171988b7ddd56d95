import type { Projection } from '../outbox/projector.service.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import { findSettings } from './settings.cypher.ts';
import { SETTINGS_UPDATED, type Settings } from './settings.ts';

/** The settings, to be asked for wherever they are needed (activities, projections, resolvers); nobody keeps them. */
export interface SettingsSource {
  /** The same object until something changes, so that what is derived from it can be kept beside it. */
  current(): Promise<Settings>;
  /** The next `current` reads. */
  forget(): void;
}

// The writer's process and the relay's know of a change at once; any other one is this late at most.
const FRESH_MS = 5_000;

/** @param freshMs after so long what is known is read again */
export function openSettings(
  { graph }: { readonly graph: Graph },
  { freshMs = FRESH_MS }: { readonly freshMs?: number } = {},
): SettingsSource {
  let known: Promise<Settings> | null = null;
  let last: Settings | null = null;
  let readAtMs = 0;

  async function read(): Promise<Settings> {
    const found = await graph.read((tx) => findSettings(tx));
    if (last === null || JSON.stringify(last) !== JSON.stringify(found)) last = found;
    return last;
  }

  const forget = () => {
    known = null;
  };

  return {
    current() {
      const nowMs = performance.now();
      if (known !== null && nowMs - readAtMs < freshMs) return known;
      const reading = read();
      known = reading;
      readAtMs = nowMs;
      reading.catch(() => {
        if (known === reading) forget();
      });
      return reading;
    },
    forget,
  };
}

/** Makes the relay's process forget with each change that comes through the event log. */
export function settingsProjection(settings: SettingsSource): Projection {
  return {
    name: 'settings-cache',
    kinds: [SETTINGS_UPDATED],
    startsAt: 'now',
    handle: async () => settings.forget(),
  };
}
