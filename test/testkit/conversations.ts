import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { productRunObserver } from '../../src/main/run-observer.ts';
import type { MemoryGraphDeps } from '../../src/memory-graph/extraction/extraction-run.mutations.ts';
import { openBlobStore } from '../../src/platform/blobs/blob-store.ts';
import { createPayloads } from '../../src/runs/run/payloads.service.ts';
import { NO_AGENT, NO_EMBEDDINGS } from './fixed.ts';
import { fixedSettings } from './memory.ts';
import type { World } from './world.ts';

/** What mutations that start runs or remember need, where nothing executes them. */
export function runDeps({ deps }: Pick<World, 'deps'>): MemoryGraphDeps {
  const settings = fixedSettings({});
  const folder = mkdtempSync(join(tmpdir(), 'aiden-blobs-'));
  return {
    ...deps,
    payloads: createPayloads(openBlobStore(pathToFileURL(folder).href)),
    signals: {
      cancel: async () => {},
      pause: async () => {},
      resume: async () => {},
      budgetRaised: async () => {},
      decide: async () => false,
    },
    queuePrefix: 'nobody-',
    settings,
    runObserver: productRunObserver({ ...deps, settings, memoryMode: NO_AGENT }),
    embeddings: NO_EMBEDDINGS,
  };
}
