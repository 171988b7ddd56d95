import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const FORM = 'v1';

export interface VaultKey {
  /** A whole number from 1; `Secret.keyVersion` shows it. */
  readonly id: number;
  /** 32 bytes. */
  readonly key: Uint8Array;
}

/** A stored value: `v1.<key id>.<iv>.<ciphertext>.<tag>`, the parts in base64url. */
export interface Sealed {
  readonly encryptedValue: string;
  readonly keyVersion: number;
}

/**
 * The owner of a Secret. Both ids are authenticated, so a ciphertext copied to another Secret or
 * owner can't be decrypted.
 */
export interface SealedFor {
  readonly secretId: string;
  readonly ownerId: string;
}

/**
 * Why a stored value can't be decrypted: its key is not in the ring, or it was changed or moved.
 */
export class VaultFault extends Error {
  override readonly name = 'VaultFault';
  readonly reason: 'UNKNOWN_KEY' | 'CORRUPT';
  readonly keyVersion: number;

  constructor(reason: VaultFault['reason'], keyVersion: number) {
    super(
      reason === 'UNKNOWN_KEY'
        ? `The key ${keyVersion} this Secret was encrypted with is not in AIDEN_SECRET_KEYS.`
        : 'The stored value of this Secret was changed or belongs to another one.',
    );
    this.reason = reason;
    this.keyVersion = keyVersion;
  }
}

/**
 * AES-256-GCM with a ring of keys: the first encrypts, all decrypt (S4-SEC-02,
 * docs/decisions/0017).
 */
export interface Vault {
  readonly currentKeyId: number;
  encrypt(value: string, of: SealedFor): Sealed;
  /** @throws VaultFault, which never contains the value */
  decrypt(sealed: { readonly encryptedValue: string }, of: SealedFor): string;
}

/**
 * Parses `2:<base64>,1:<base64>` (AIDEN_SECRET_KEYS), current key first.
 * @throws Error naming the entry, never a key
 */
export function parseKeyRing(text: string): VaultKey[] {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.map((entry, index) => {
    const [, id, encoded] = /^([1-9]\d{0,8}):([A-Za-z0-9+/_=-]+)$/.exec(entry) ?? [];
    if (id === undefined || encoded === undefined)
      throw new Error(
        `Key ${index + 1} of the key ring is not <id>:<base64>, with a whole number from 1 as ` +
          'its id.',
      );
    return { id: Number(id), key: Buffer.from(encoded, 'base64') };
  });
}

/** A new random key, in the text form of parseKeyRing. */
export function newKeyRingEntry(id = 1): string {
  return `${id}:${randomBytes(KEY_BYTES).toString('base64')}`;
}

export function openVault(ring: readonly VaultKey[]): Vault {
  const keys = new Map(ring.map(({ id, key }) => [id, key]));
  const [current] = ring;
  if (current === undefined) throw new Error('The key ring is empty.');
  if (keys.size < ring.length) throw new Error('Two keys of the key ring have the same id.');
  for (const { id, key } of ring) {
    if (key.length !== KEY_BYTES)
      throw new Error(`Key ${id} of the key ring has ${key.length} bytes, not ${KEY_BYTES}.`);
  }
  return {
    currentKeyId: current.id,
    encrypt(value, of) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', current.key, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(boundTo(current.id, of));
      const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
      const parts = [iv, body, cipher.getAuthTag()].map((part) => part.toString('base64url'));
      return { encryptedValue: [FORM, current.id, ...parts].join('.'), keyVersion: current.id };
    },
    decrypt({ encryptedValue }, of) {
      const [form, keyId, iv = '', body = '', tag = '', ...rest] = encryptedValue.split('.');
      const keyVersion = Number(keyId);
      if (form !== FORM || rest.length > 0) throw new VaultFault('CORRUPT', keyVersion);
      const key = keys.get(keyVersion);
      if (key === undefined) throw new VaultFault('UNKNOWN_KEY', keyVersion);
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
          authTagLength: TAG_BYTES,
        });
        decipher.setAAD(boundTo(keyVersion, of));
        decipher.setAuthTag(Buffer.from(tag, 'base64url'));
        return decipher.update(body, 'base64url', 'utf8') + decipher.final('utf8');
      } catch {
        throw new VaultFault('CORRUPT', keyVersion);
      }
    },
  };
}

/**
 * A separator that no id contains ends every part, so that two pairs of ids never give equal bytes.
 */
const boundTo = (keyId: number, { secretId, ownerId }: SealedFor): Buffer =>
  Buffer.from([FORM, String(keyId), secretId, ownerId].join('\u0000'), 'utf8');
