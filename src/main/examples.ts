import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { instant } from '../common/clock.ts';
import { type BundleDeps, importBundle } from '../processes/bundle.mutations.ts';
import { SYSTEM_USER_ID, SYSTEM_USER_NAME, type Viewer } from '../users/viewer.ts';
import { findLoadedBundles, recordLoadedBundle } from './examples.cypher.ts';
import type { LocalConfig } from './local-data.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url);
// In this order: the tour calls the system's Tools.
const BUNDLES = ['system', 'tour'] as const;

/** Nobody signs in as system; only the product itself acts for it. */
const SYSTEM: Viewer = {
  userId: SYSTEM_USER_ID,
  name: SYSTEM_USER_NAME,
  roles: ['user', 'admin'],
  workspace: SYSTEM_USER_NAME,
};

/**
 * Loads what ships with the product (examples/system.yaml, the tour), owned by `system` and shared. Again only when the text
 * changed, so what an admin has edited since stays.
 * @returns the names of the bundles that were loaded just now
 * @throws Refusal when a bundle does not fit, with every fault in it
 */
export async function loadExamples(deps: BundleDeps, config: LocalConfig): Promise<string[]> {
  const variables = { AIDEN_LOCAL_LLM_URL: `http://127.0.0.1:${config.localLlmPort}/v1` };
  const loaded = await deps.graph.read(findLoadedBundles);
  const fresh: string[] = [];
  for (const name of BUNDLES) {
    const document = await readFile(new URL(`${name}.yaml`, EXAMPLES), 'utf8');
    const hash = createHash('sha256')
      .update(JSON.stringify([document, variables]))
      .digest('hex');
    if (loaded.get(name) === hash) continue;
    await importBundle(deps, SYSTEM, { document, variables });
    await deps.graph.write((tx) =>
      recordLoadedBundle(tx, { name, hash, now: instant(deps.clock) }),
    );
    fresh.push(name);
  }
  return fresh;
}
