import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { LoadedAgentMemorySettings } from '../agent-memory/summarizer-settings.ts';
import { findSealedSecret } from '../catalog/secrets/secret.cypher.ts';
import { createSecretIn, updateSecret } from '../catalog/secrets/secret.mutations.ts';
import { instant } from '../common/clock.ts';
import { writeAndWake } from '../outbox/write-and-wake.mutations.ts';
import { isTimedOut } from '../platform/neo4j/graph.ts';
import { lockResources } from '../platform/neo4j/lock.ts';
import { findThingsByName } from '../processes/bundle/bundle.cypher.ts';
import { importBundle } from '../processes/bundle/bundle.mutations.ts';
import type { BundleDeps, LoadRecord } from '../processes/bundle/bundle-import.service.ts';
import { SYSTEM_USER_ID, SYSTEM_USER_NAME, type Viewer } from '../users/user.ts';
import type { Config } from './config/config.ts';
import { readMemoryConfig } from './config/memory-config.ts';
import { findLastLoad, findLoadedBundles, recordLoadedBundle } from './examples.cypher.ts';
import { SYSTEM_LLM_SECRET, switchedModel, withModel } from './language-model-switch.ts';
import { SUMMARIZER_SECRET, summarizerBundle } from './memory-summarizer.ts';

const EXAMPLES = new URL('../../examples/', import.meta.url);
// The order matters: the tour calls the system's Tools.
const BUNDLES = ['system', 'tour'] as const;

/** The system user. It can't sign in; only the product acts as it. */
export const SYSTEM: Viewer = {
  userId: SYSTEM_USER_ID,
  name: SYSTEM_USER_NAME,
  roles: ['user', 'admin'],
  workspace: SYSTEM_USER_NAME,
};

export interface ShippedBundle {
  readonly name: string;
  /** A bundle in YAML (see Bundle). `${NAME}` in it stands for a variable. */
  readonly document: string;
}

/**
 * Loads examples/system.yaml with the operator's model, the tour, and the operator's key as a
 * Secret.
 */
export async function loadExamples(deps: BundleDeps, config: Config): Promise<LoadedBundles> {
  const bundles = await Promise.all(
    BUNDLES.map(async (name) => ({
      name,
      document: await readFile(new URL(`${name}.yaml`, EXAMPLES), 'utf8'),
    })),
  );
  const model = switchedModel(config);
  if (config.llmApiKey !== undefined) await keepSystemSecret(deps, config.llmApiKey);
  await loadSummarizer(deps, readMemoryConfig(config));
  const chosen = bundles.map(({ name, document }) => ({
    name,
    document: model === null || name !== 'system' ? document : withModel(document, model),
  }));
  return loadBundles(deps, chosen, {
    AIDEN_LOCAL_LLM_URL: `http://127.0.0.1:${config.localLlmPort}/v1`,
  });
}

/**
 * Makes the system's Tool of the operator's `summarizer` settings, and its Secret. Does nothing
 * without such settings.
 */
export async function loadSummarizer(
  deps: BundleDeps,
  memory: LoadedAgentMemorySettings,
): Promise<void> {
  const bundle = summarizerBundle(memory);
  if (bundle === null) return;
  const { api_key: key } = memory.settings.summarizer;
  if (key !== null) await keepSystemSecret(deps, key, SUMMARIZER_SECRET);
  await loadBundles(deps, [bundle], {});
}

export interface LoadedBundles {
  /** Names of the bundles loaded now. */
  readonly names: readonly string[];
  /** Parts that an admin edited and the load left alone, as `Tool chat: connection`. */
  readonly kept: readonly string[];
}

/**
 * Loads bundles as the system user. A bundle is loaded again only when its text or its variables
 * changed. Parts of resources that an admin edited are kept (docs/decisions/0030).
 * @throws Refusal with every fault of an invalid bundle
 */
export async function loadBundles(
  deps: BundleDeps,
  bundles: readonly ShippedBundle[],
  variables: Readonly<Record<string, string>>,
): Promise<LoadedBundles> {
  const loaded = await deps.graph.read(findLoadedBundles);
  const names: string[] = [];
  const kept: string[] = [];
  for (const { name, document } of bundles) {
    const hash = createHash('sha256')
      .update(JSON.stringify([document, variables]))
      .digest('hex');
    if (loaded.get(name) === hash) continue;
    const loads: LoadRecord = {
      find: (tx) => findLastLoad(tx, name),
      write: (tx, given) => recordLoadedBundle(tx, { name, hash, given, now: instant(deps.clock) }),
    };
    const input = { document, variables, loads };
    const result = await againWhenTimedOut(() => importBundle(deps, SYSTEM, input));
    names.push(name);
    kept.push(...result.kept);
  }
  return { names, kept };
}

const LOAD_TRIES_MAX = 4;

/**
 * Repeats an import that outlasted the database's limit for a transaction. A database that has just
 * started plans every statement anew; its second try finds the plans.
 */
export async function againWhenTimedOut<T>(load: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await load();
    } catch (error) {
      if (!isTimedOut(error) || tries === LOAD_TRIES_MAX) throw error;
    }
  }
}

/**
 * Stores the operator's value, encrypted, in the system's Secret of this name. Writes only when the
 * value changed.
 */
export async function keepSystemSecret(
  deps: BundleDeps,
  value: string,
  name: string = SYSTEM_LLM_SECRET,
): Promise<void> {
  const stored = await writeAndWake(deps, async (tx) => {
    // The lock prevents API instances that start at once from each creating the Secret.
    await lockResources(tx, [SYSTEM_USER_ID]);
    const [found] = await findThingsByName(tx, SYSTEM, [{ kind: 'Secret', name }]);
    if (found !== undefined) return { id: found.id, sealed: await findSealedSecret(tx, found.id) };
    await createSecretIn(tx, deps, SYSTEM, { name, type: 'api_key', value });
    return null;
  });
  if (stored === null) return;
  const { id, sealed } = stored;
  const kept = sealed === null ? null : opened(deps, id, sealed.encryptedValue);
  if (kept !== value) await updateSecret(deps, SYSTEM, { id, value });
}

/** The decrypted value; null when the current key ring can't decrypt it. Then it is replaced. */
function opened({ vault }: BundleDeps, secretId: string, encryptedValue: string): string | null {
  try {
    return vault.decrypt({ encryptedValue }, { secretId, ownerId: SYSTEM_USER_ID });
  } catch {
    return null;
  }
}

/**
 * Id of the shipped tour; null when it is not loaded. Users may share a Process of the same name.
 */
export async function findTour(deps: Pick<BundleDeps, 'graph'>): Promise<string | null> {
  const [found] = await deps.graph.read((tx) =>
    findThingsByName(tx, SYSTEM, [{ kind: 'Process', name: 'tour' }]),
  );
  return found?.id ?? null;
}
