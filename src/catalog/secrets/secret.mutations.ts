import { instant } from '../../common/clock.ts';
import type { Maybe } from '../../common/maybe.ts';
import { found, problem, refuse } from '../../common/refusal.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { SYSTEM_USER_ID, type Viewer } from '../../users/user.ts';
import { type CatalogDeps, catalogEntry } from '../deps.ts';
import { readAllowedOrigins } from '../services/endpoint.ts';
import { checkName, counted, givenFields } from '../text-checks.ts';
import {
  countSecretUses,
  deleteSecretNode,
  findSecrets,
  insertSecret,
  updateSecretNode,
} from './secret.cypher.ts';
import { checkSecretValue, type Secret, type SecretType } from './secret.ts';

type SecretDeps = Pick<CatalogDeps, 'graph' | 'clock' | 'newId' | 'wake' | 'vault'>;

export interface CreateSecret {
  readonly name: string;
  readonly type: SecretType;
  /** The plain value. It is encrypted before it is stored; no answer, entry or log contains it. */
  readonly value: string;
  readonly shared?: Maybe<boolean>;
  readonly allowedOrigins?: Maybe<readonly string[]>;
}

export interface UpdateSecret {
  readonly id: string;
  readonly name?: Maybe<string>;
  readonly shared?: Maybe<boolean>;
  /** Replaces the whole value. Absent or null: the value stays. */
  readonly value?: Maybe<string>;
  readonly allowedOrigins?: Maybe<readonly string[]>;
}

/** Creates a Secret (S4-SEC-01, S4-SEC-02). @throws Refusal REQUIRED, INVALID, TOO_LARGE */
export async function createSecret(
  deps: SecretDeps,
  viewer: Viewer,
  input: CreateSecret,
): Promise<Secret> {
  return writeAndWake(deps, (tx) => createSecretIn(tx, deps, viewer, input));
}

export async function createSecretIn(
  tx: WriteTx,
  deps: SecretDeps,
  viewer: Viewer,
  input: CreateSecret,
): Promise<Secret> {
  const allowed = readAllowedOrigins(input.allowedOrigins ?? []);
  refuse([
    ...checkName(input.name),
    ...checkSecretValue(input.value, isSystem(viewer)),
    ...allowed.problems,
  ]);
  const id = deps.newId();
  const now = instant(deps.clock);
  const sealed = deps.vault.encrypt(input.value, { secretId: id, ownerId: viewer.userId });
  const secret: Secret = {
    id,
    ownerId: viewer.userId,
    name: input.name,
    type: input.type,
    shared: input.shared ?? false,
    keyVersion: sealed.keyVersion,
    rotatedAt: null,
    allowedOrigins: allowed.origins,
    createdAt: now,
    updatedAt: now,
  };
  await insertSecret(
    tx,
    secret,
    sealed,
    catalogEntry(deps, viewer, 'secret.created', secret, { name: secret.name }),
  );
  return secret;
}

/**
 * Renames a Secret, changes its metadata, or replaces its value under the same id (S4-SEC-04).
 * @throws Refusal NOT_FOUND, INVALID, TOO_LARGE
 */
export async function updateSecret(
  deps: SecretDeps,
  viewer: Viewer,
  input: UpdateSecret,
): Promise<Secret> {
  return writeAndWake(deps, async (tx) => {
    const current = await lockOwn(tx, viewer, input.id);
    const allowed = input.allowedOrigins == null ? null : readAllowedOrigins(input.allowedOrigins);
    refuse([
      ...(input.name != null ? checkName(input.name) : []),
      ...(input.value != null ? checkSecretValue(input.value, isSystem(viewer)) : []),
      ...(allowed?.problems ?? []),
    ]);
    const now = instant(deps.clock);
    const sealed =
      input.value == null
        ? null
        : deps.vault.encrypt(input.value, { secretId: current.id, ownerId: current.ownerId });
    const next: Secret = {
      ...current,
      name: input.name ?? current.name,
      shared: input.shared ?? current.shared,
      allowedOrigins: allowed?.origins ?? current.allowedOrigins,
      keyVersion: sealed?.keyVersion ?? current.keyVersion,
      rotatedAt: sealed === null ? current.rotatedAt : now,
      updatedAt: now,
    };
    const entry = catalogEntry(deps, viewer, 'secret.updated', next, {
      changed: givenFields(input),
    });
    await updateSecretNode(tx, next, sealed, entry);
    return next;
  });
}

/**
 * Deletes a Secret that no Tool uses (S4-SEC-05). Returns the id. @throws Refusal NOT_FOUND, IN_USE
 */
export async function deleteSecret(
  deps: SecretDeps,
  viewer: Viewer,
  input: { readonly id: string },
): Promise<string> {
  await writeAndWake(deps, async (tx) => {
    // Binding a Secret to a Tool takes the same lock, so the count stays true until the commit.
    const current = await lockOwn(tx, viewer, input.id);
    const uses = await countSecretUses(tx, input.id);
    if (uses > 0)
      refuse([problem('IN_USE', ['id'], `This Secret is used by ${counted(uses, 'Tool')}.`)]);
    await deleteSecretNode(
      tx,
      input.id,
      catalogEntry(deps, viewer, 'secret.deleted', current, { name: current.name }),
    );
  });
  return input.id;
}

const isSystem = ({ userId }: Viewer): boolean => userId === SYSTEM_USER_ID;

async function lockOwn(tx: WriteTx, viewer: Viewer, id: string): Promise<Secret> {
  await lockResources(tx, [id]);
  return found(await findSecrets(tx, viewer, [id]), 'Secret');
}
