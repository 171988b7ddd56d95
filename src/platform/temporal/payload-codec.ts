import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import {
  ApplicationFailure,
  type DataConverter,
  type Payload,
  type PayloadCodec,
} from '@temporalio/common';
import proto from '@temporalio/proto';
import { LRUCache } from 'lru-cache';
import type { VaultKey } from '../vault/vault.ts';

const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** `encoding` of an encrypted payload; the name that Temporal's own samples use. */
export const ENCRYPTED = 'binary/encrypted';
/** Metadata entry with the id of the key in the ring. */
export const KEY_ID = 'encryption-key-id';
/** Encoding of `undefined`; it carries no data, so it is left as it is. */
const NOTHING = 'binary/null';

const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = SALT_BYTES + IV_BYTES;
const PURPOSE = 'aiden temporal payload v1';
/** Derived keys in memory. A process derives one per run of every other process. */
const DERIVED_KEYS_MAX = 1_000;

/** Failure type of an activity whose arguments no key of the ring decrypts. */
export const PAYLOAD_KEY_MISSING = 'PAYLOAD_KEY_MISSING';
const RETRY_MS_MIN = 10_000;
const RETRY_MS_MAX = 3_600_000;

export interface PayloadCrypt extends PayloadCodec {
  /** Whether new payloads are encrypted. */
  readonly encrypts: boolean;
  /** Key that encrypts now, for example `key 2`; `plain` if encryption is off. */
  readonly mark: string;
  /** Whether `payload` is stored as `encode` would store it now. */
  isCurrent(payload: Payload): boolean;
}

/**
 * Encrypts everything that Temporal stores of arguments, results, failures and summaries
 * (docs/decisions/0036). The first key of the ring encrypts, all keys decrypt. Plain payloads of
 * older histories pass unchanged. With `encrypts: false` new payloads are plain, and encrypted ones
 * stay readable.
 */
export function openPayloadCodec(settings: {
  readonly keys: readonly VaultKey[];
  readonly encrypts: boolean;
  readonly nowMs?: () => number;
}): PayloadCrypt {
  const { keys, encrypts, nowMs = () => performance.now() } = settings;
  const [current] = keys;
  if (current === undefined) throw new Error('The key ring is empty.');
  const ring = new Map(keys.map(({ id, key }) => [String(id), key]));
  const derived = new LRUCache<string, Buffer>({ max: DERIVED_KEYS_MAX });
  // A key of its own per process: random 96-bit nonces are safe for 2^32 payloads of one key.
  const ownSalt = randomBytes(SALT_BYTES);
  const missingSinceMs = new Map<string, number>();

  const derive = (keyId: string, key: Uint8Array, salt: Uint8Array): Buffer => {
    const name = `${keyId}.${Buffer.from(salt).toString('base64')}`;
    const known = derived.get(name);
    if (known !== undefined) return known;
    const made = Buffer.from(hkdfSync('sha256', key, salt, PURPOSE, 32));
    derived.set(name, made);
    return made;
  };

  function encrypt(payload: Payload): Payload {
    if (!encrypts || [ENCRYPTED, NOTHING].includes(encodingOf(payload))) return payload;
    const keyId = String(current?.id);
    const iv = randomBytes(IV_BYTES);
    const key = derive(keyId, current?.key ?? ownSalt, ownSalt);
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(boundTo(keyId));
    const body = cipher.update(PayloadMessage.encode(payload).finish());
    const data = Buffer.concat([ownSalt, iv, body, cipher.final(), cipher.getAuthTag()]);
    return { metadata: { encoding: utf8(ENCRYPTED), [KEY_ID]: utf8(keyId) }, data };
  }

  function decrypt(payload: Payload, isActivity: boolean): Payload {
    if (encodingOf(payload) !== ENCRYPTED) return payload;
    const keyId = textOf(payload.metadata?.[KEY_ID]);
    const key = ring.get(keyId);
    if (key === undefined) throw missing(keyId, isActivity);
    const data = Buffer.from(payload.data ?? []);
    const tagAt = data.length - TAG_BYTES;
    if (tagAt < HEAD_BYTES) throw new PayloadFault(keyId);
    const inner = derive(keyId, key, data.subarray(0, SALT_BYTES));
    try {
      const iv = data.subarray(SALT_BYTES, HEAD_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', inner, iv, { authTagLength: TAG_BYTES });
      decipher.setAAD(boundTo(keyId));
      decipher.setAuthTag(data.subarray(tagAt));
      const body = decipher.update(data.subarray(HEAD_BYTES, tagAt));
      return PayloadMessage.decode(Buffer.concat([body, decipher.final()]));
    } catch {
      throw new PayloadFault(keyId);
    }
  }

  /**
   * An activity has a limited number of attempts. The pause before the next attempt grows with the
   * time since the key was first missed, so that the attempts last for two days.
   */
  function missing(keyId: string, isActivity: boolean): Error {
    const message =
      `A payload in Temporal is encrypted with key ${keyId}, which is not in AIDEN_SECRET_KEYS. ` +
      'Put the key back and restart; the run then goes on.';
    if (!isActivity) return new PayloadFault(keyId, message);
    const sinceMs = missingSinceMs.get(keyId) ?? nowMs();
    missingSinceMs.set(keyId, sinceMs);
    const nextRetryDelay = Math.min(
      RETRY_MS_MAX,
      Math.max(RETRY_MS_MIN, Math.round(nowMs() - sinceMs)),
    );
    return ApplicationFailure.create({ type: PAYLOAD_KEY_MISSING, message, nextRetryDelay });
  }

  return {
    encrypts,
    mark: encrypts ? `key ${current.id}` : 'plain',
    isCurrent: (payload) =>
      encrypts
        ? encodingOf(payload) === NOTHING ||
          textOf(payload.metadata?.[KEY_ID]) === String(current.id)
        : encodingOf(payload) !== ENCRYPTED,
    encode: async (payloads) => payloads.map(encrypt),
    decode: async (payloads, context) =>
      payloads.map((payload) => decrypt(payload, context?.type === 'activity')),
  };
}

const FAILURES = fileURLToPath(new URL('./encoded-failures.ts', import.meta.url));

/** Path of the failure converter for `dataConverter` and the bundle; undefined: the SDK's own. */
export function failureConverterPath({
  encrypts,
}: Pick<PayloadCrypt, 'encrypts'>): string | undefined {
  return encrypts ? FAILURES : undefined;
}

/** The data converter of clients and Workers. */
export function dataConverterOf(codec: PayloadCrypt | undefined): DataConverter {
  if (codec === undefined) return {};
  const path = failureConverterPath(codec);
  return {
    payloadCodecs: [codec],
    ...(path === undefined ? {} : { failureConverterPath: path }),
  };
}

/** A payload can't be decrypted. The message names the key, never a value. */
export class PayloadFault extends Error {
  override readonly name = 'PayloadFault';
  readonly keyId: string;
  constructor(keyId: string, message = `A payload under key ${keyId} was changed or is damaged.`) {
    super(message);
    this.keyId = keyId;
  }
}

const boundTo = (keyId: string): Buffer => utf8(`${PURPOSE}\u0000${keyId}`);

const encodingOf = ({ metadata }: Payload): string => textOf(metadata?.['encoding']);

const textOf = (bytes: Uint8Array | null | undefined): string =>
  bytes == null ? '' : Buffer.from(bytes).toString('utf8');

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');
