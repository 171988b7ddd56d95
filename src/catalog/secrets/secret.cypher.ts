import { z } from 'zod';
import { newestFirst, type Page, type PageArgs } from '../../common/page.ts';
import { CREATE_ENTRIES, entryParams } from '../../outbox/entry.cypher.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { listing, listPage } from '../../platform/neo4j/list-page.ts';
import { countOf, parseRow } from '../../platform/neo4j/row.ts';
import { readAll, readOne, runWrite } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import type { Sealed } from '../../platform/vault/vault.ts';
import type { Viewer } from '../../users/user.ts';
import { instantsOf } from '../stored.ts';
import { Secret } from './secret.ts';

// The only properties that ordinary reads return. Only three kinds of statement name the
// ciphertext: those that write it, re-encrypt it, or read it to decrypt it for a call.
export const SECRET = /* cypher */ `n {
  .id, .name, .type, .shared, .keyVersion, .allowedOrigins, ownerId: o.id,
  ${instantsOf('n', 'rotatedAt', 'createdAt', 'updatedAt')}}`;

const FIND_SECRETS = cypher`
  // findSecrets
  MATCH (n:Secret)-[:OWNED_BY]->(o:User {id: $viewerId})
  WHERE n.id IN $ids
  RETURN ${SECRET} AS secret
`;

/**
 * The viewer's own Secrets with these ids. A Secret of another owner is not found, shared or not
 * (S4-SEC-06, S4-OWN-06).
 */
export function findSecrets(tx: ReadTx, viewer: Viewer, ids: readonly string[]): Promise<Secret[]> {
  return readAll(tx, FIND_SECRETS, { ids, viewerId: viewer.userId }, (row) =>
    parseRow(Secret, row['secret'], 'Secret'),
  );
}

const SECRETS = listing({
  name: 'listSecrets',
  match: 'MATCH (o:User {id: $viewerId})<-[:OWNED_BY]-(n:Secret) WHERE true',
  order: newestFirst('n'),
  item: SECRET,
});

export function listSecrets(tx: ReadTx, viewer: Viewer, args: PageArgs): Promise<Page<Secret>> {
  return listPage(tx, SECRETS, args, { viewerId: viewer.userId }, (row) =>
    parseRow(Secret, row, 'Secret'),
  );
}

const INSERT_SECRET = cypher`
  // insertSecret
  MATCH (o:User {id: $ownerId})
  CREATE (n:Secret:Resource)-[:OWNED_BY {createdAt: datetime($now)}]->(o)
  SET n = $properties, n.createdAt = datetime($now), n.updatedAt = datetime($now)
  WITH n
  ${CREATE_ENTRIES}
`;

export async function insertSecret(
  tx: WriteTx,
  secret: Secret,
  sealed: Sealed,
  entry: OutboxEntry,
): Promise<void> {
  const { ownerId, createdAt: now, updatedAt: _same, rotatedAt: _never, ...properties } = secret;
  await tx.run(INSERT_SECRET, {
    ownerId,
    now,
    properties: { ...properties, encryptedValue: sealed.encryptedValue },
    entries: entryParams([entry]),
  });
}

const UPDATE_SECRET = cypher`
  // updateSecret
  MATCH (n:Secret {id: $id})
  SET n.name = $name, n.shared = $shared, n.allowedOrigins = $allowedOrigins,
    n.updatedAt = datetime($now)
  WITH n
  CALL (n) {
    WITH n WHERE $encryptedValue IS NOT NULL
    SET n.encryptedValue = $encryptedValue, n.keyVersion = $keyVersion, n.rotatedAt = datetime($now)
  }
  ${CREATE_ENTRIES}
`;

/** Writes the changeable properties. A null `sealed` keeps the value. */
export async function updateSecretNode(
  tx: WriteTx,
  secret: Secret,
  sealed: Sealed | null,
  entry: OutboxEntry,
): Promise<void> {
  const { id, name, shared, allowedOrigins, updatedAt: now } = secret;
  await tx.run(UPDATE_SECRET, {
    id,
    name,
    shared,
    allowedOrigins,
    now,
    encryptedValue: sealed?.encryptedValue ?? null,
    keyVersion: sealed?.keyVersion ?? null,
    entries: entryParams([entry]),
  });
}

const SET_ALLOWED_ORIGINS = cypher`
  // setAllowedOrigins
  MATCH (n:Secret {id: $id})
  SET n.allowedOrigins = $origins, n.updatedAt = datetime($now)
  WITH n
  ${CREATE_ENTRIES}
`;

export const setAllowedOrigins = (
  tx: WriteTx,
  change: { readonly id: string; readonly origins: readonly string[]; readonly now: string },
  entry: OutboxEntry,
) => runWrite(tx, SET_ALLOWED_ORIGINS, { ...change, entries: entryParams([entry]) });

const COUNT_SECRET_USES = cypher`
  // countSecretUses
  MATCH (n:Secret {id: $id})
  RETURN COUNT { (n)<-[:USES_SECRET]-(:Tool) } AS uses
`;

export async function countSecretUses(tx: ReadTx, id: string): Promise<number> {
  return countOf(await tx.run(COUNT_SECRET_USES, { id }), 'uses');
}

const COUNT_SECRETS = cypher`
  // countSecrets
  MATCH (n:Secret) RETURN count(n) AS secrets
`;

/** The Secrets of all users, those of the system among them. */
export const countSecrets = async (tx: ReadTx) => countOf(await tx.run(COUNT_SECRETS), 'secrets');

const DELETE_SECRET = cypher`
  // deleteSecret
  MATCH (n:Secret {id: $id})
  DETACH DELETE n
  WITH count(*) AS deleted
  ${CREATE_ENTRIES}
`;

export async function deleteSecretNode(tx: WriteTx, id: string, entry: OutboxEntry): Promise<void> {
  await tx.run(DELETE_SECRET, { id, entries: entryParams([entry]) });
}

const FIND_SEALED_SECRET = cypher`
  // findSealedSecret
  MATCH (n:Secret {id: $id})-[:OWNED_BY]->(o:User)
  RETURN n.id AS id, o.id AS ownerId, n.encryptedValue AS encryptedValue,
    n.allowedOrigins AS allowedOrigins
`;

/** An encrypted value, with the ids that it was encrypted for, and the origins that may get it. */
export const SealedSecret = z.object({
  id: z.string(),
  ownerId: z.string(),
  encryptedValue: z.string(),
  allowedOrigins: z.array(z.string()),
});
export type SealedSecret = z.infer<typeof SealedSecret>;
const StoredValue = SealedSecret.omit({ allowedOrigins: true });
export type StoredValue = z.infer<typeof StoredValue>;

/**
 * The encrypted value, to decrypt it for a call and for nothing else. Not scoped by a viewer: the
 * caller must check the owner.
 */
export function findSealedSecret(tx: ReadTx, id: string): Promise<SealedSecret | null> {
  return readOne(tx, FIND_SEALED_SECRET, { id }, (row) => parseRow(SealedSecret, row, 'Secret'));
}

const FIND_VALUES_OF_OTHER_KEYS = cypher`
  // findValuesOfOtherKeys
  MATCH (n:Secret)-[:OWNED_BY]->(o:User)
  WHERE n.keyVersion <> $keyVersion AND n.id > $afterId
  RETURN n.id AS id, o.id AS ownerId, n.encryptedValue AS encryptedValue
  ORDER BY n.id LIMIT $limit
`;

/** Values that a key other than `keyVersion` encrypts, of all owners, by id. For rotateSecrets. */
export const findValuesOfOtherKeys = (
  tx: ReadTx,
  page: { readonly keyVersion: number; readonly afterId: string; readonly limit: number },
) => readAll(tx, FIND_VALUES_OF_OTHER_KEYS, page, (row) => parseRow(StoredValue, row, 'Secret'));

const REPLACE_VALUES = cypher`
  // replaceValues
  UNWIND $values AS value
  MATCH (n:Secret {id: value.id}) WHERE n.encryptedValue = value.before
  SET n.encryptedValue = value.encryptedValue, n.keyVersion = value.keyVersion
  RETURN count(n) AS replaced
`;

/**
 * Replaces values that are unchanged since they were read; returns how many. The caller must hold
 * their locks, or it could overwrite a newer value.
 */
export const replaceValues = async (
  tx: WriteTx,
  values: readonly (Sealed & { readonly id: string; readonly before: string })[],
) => countOf(await tx.run(REPLACE_VALUES, { values }), 'replaced');
