import { productRunObserver } from '../../src/main/run-observer.ts';
import type { MemoryGraphDeps } from '../../src/memory-graph/deps.ts';
import { createPayloads } from '../../src/runs/run/payloads.service.ts';
import { NO_AGENT, NO_EMBEDDINGS } from './fixed.ts';
import { fixedSettings } from './memory.ts';
import { tempBlobs } from './temp-folder.ts';
import type { World } from './world.ts';

/** Dependencies of mutations that start runs, without Workers. */
export function runDeps({ deps }: Pick<World, 'deps'>): MemoryGraphDeps {
  const settings = fixedSettings({});
  return {
    ...deps,
    payloads: createPayloads(tempBlobs()),
    signals: {
      cancel: async () => {},
      pause: async () => {},
      resume: async () => {},
      budgetRaised: async () => {},
      setConcurrency: async () => null,
      decide: async () => false,
    },
    queuePrefix: 'nobody-',
    settings,
    runObserver: productRunObserver({ ...deps, settings, memoryMode: NO_AGENT }),
    embeddings: NO_EMBEDDINGS,
  };
}
