import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobStore } from '../../src/platform/blobs/blob-store.ts';
import { createPayloads } from '../../src/runs/payload.ts';
import type { RunDeps } from '../../src/runs/run.mutations.ts';
import type { World } from './world.ts';

/** What mutations that start runs need, where nothing executes them. */
export function runDeps({ deps }: Pick<World, 'deps'>): RunDeps {
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
  };
}
