import { refuseMissing } from '../../common/refusal.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import type { Viewer } from '../../users/user.ts';
import { findSecrets } from '../secrets/secret.cypher.ts';
import { openTarget } from './call-target.service.ts';
import { type CallTarget, findCallTargets } from './target.cypher.ts';
import { listToolsWith } from './tool.cypher.ts';
import { connectionKey, type HealthDeps, probeAlike, runProbe } from './tool-health.service.ts';

/**
 * `accepted`: the probe succeeds with the Secret and not without it. `failed`: it does not succeed
 * with the Secret. `untold`: it succeeds without the Secret too, so it shows nothing of it.
 */
export const SECRET_TEST_OUTCOMES = ['accepted', 'failed', 'untold'] as const;

export interface SecretTest {
  /** The Tools with this connection. */
  readonly toolIds: readonly string[];
  readonly outcome: (typeof SECRET_TEST_OUTCOMES)[number];
  /** Message of the probe with the Secret; null where it succeeded. */
  readonly message: string | null;
}

/** The most connections that one test probes; each takes up to two probes. */
export const SECRET_TESTS_MAX = 10;
const TOOLS_READ_MAX = 100;

/**
 * Tests a Secret by the probes of the viewer's Tools that use it. Nothing is called that a health
 * check does not call: a value is sent to no other place, and no Tool runs. Each connection is
 * probed with the Secret and, where that succeeds, without it.
 * @returns one test per connection, at most SECRET_TESTS_MAX; empty if no Tool uses the Secret
 * @throws Refusal NOT_FOUND
 */
export async function testSecret(
  deps: HealthDeps,
  viewer: Viewer,
  { id }: { readonly id: string },
): Promise<readonly SecretTest[]> {
  const targets = await deps.graph.read(async (tx) => {
    refuseMissing(await findSecrets(tx, viewer, [id]), 'Secret');
    const filter = { secretId: id, includeShared: false, first: TOOLS_READ_MAX };
    const { page } = await listToolsWith(tx, viewer, filter);
    return findCallTargets(
      tx,
      page.items.map(({ item }) => item.id),
    );
  });
  const connections = [...Map.groupBy(targets, connectionKey).values()];
  return Promise.all(connections.slice(0, SECRET_TESTS_MAX).map((alike) => testAt(deps, alike)));
}

async function testAt(deps: HealthDeps, alike: readonly CallTarget[]): Promise<SecretTest> {
  const toolIds = alike.map((target) => target.id);
  const probe = await probeAlike(deps, alike);
  // A model that the provider does not list is degraded; its Secret was taken all the same.
  if (probe === null || probe.status === 'down')
    return { toolIds, outcome: 'failed', message: probe?.errorMessage ?? null };
  const isOpen = await succeedsWithout(deps, alike[0]);
  return { toolIds, outcome: isOpen ? 'untold' : 'accepted', message: null };
}

async function succeedsWithout(deps: HealthDeps, target: CallTarget | undefined): Promise<boolean> {
  if (target === undefined) return true;
  try {
    const { service } = target;
    const bare = { ...target, secret: null, service: { ...service, requiresSecret: false } };
    const opened = openTarget(deps.vault, bare, target.ownerId);
    return (await runProbe(deps, bare, opened)).status !== 'down';
  } catch (error) {
    // A connection that needs a value cannot be made without one.
    if (error instanceof ToolFault) return false;
    throw error;
  }
}
