import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import {
  ENCRYPTED,
  KEY_ID,
  openPayloadCodec,
  PAYLOAD_KEY_MISSING,
  PayloadFault,
} from '../../src/platform/temporal/payload-codec.ts';

// docs/decisions/0036
const key = (id: number) => ({ id, key: Buffer.alloc(32, id) });
const plain = (value: unknown) => defaultPayloadConverter.toPayload(value);
const valueIn = (payload: object) => defaultPayloadConverter.fromPayload(payload as never);
const text = (bytes: Uint8Array | null | undefined) => Buffer.from(bytes ?? []).toString('utf8');
const ACTIVITY = { type: 'activity', namespace: 'default', isLocal: false } as const;

describe('the codec of payloads', () => {
  it('gives back each value that it took, and shows nothing of it', async () => {
    const codec = openPayloadCodec({ keys: [key(1)], encrypts: true });
    const values = ['canary', { deep: [1, 'canary', null] }, 'ä'.repeat(100_000), ''];
    const encoded = await codec.encode(values.map(plain));
    for (const { metadata, data } of encoded) {
      expect(text(metadata?.['encoding'])).toBe(ENCRYPTED);
      expect(text(metadata?.[KEY_ID])).toBe('1');
      expect(text(data)).not.toContain('canary');
    }
    expect((await codec.decode(encoded)).map(valueIn)).toEqual(values);
  });

  it('encrypts one value differently each time', async () => {
    const codec = openPayloadCodec({ keys: [key(1)], encrypts: true });
    const [one, other] = await codec.encode([plain('same'), plain('same')]);
    expect(one?.data).not.toEqual(other?.data);
  });

  it('reads plain payloads of older histories as they are', async () => {
    const codec = openPayloadCodec({ keys: [key(1)], encrypts: true });
    expect((await codec.decode([plain({ old: true })])).map(valueIn)).toEqual([{ old: true }]);
  });

  it('reads payloads of other processes and keys, and writes with the first key', async () => {
    const before = openPayloadCodec({ keys: [key(1)], encrypts: true });
    const [old] = await before.encode([plain('old')]);
    const rotated = openPayloadCodec({ keys: [key(2), key(1)], encrypts: true });
    const [fresh] = await rotated.encode([plain('new')]);
    expect((await rotated.decode([old ?? {}, fresh ?? {}])).map(valueIn)).toEqual(['old', 'new']);
    expect(text(fresh?.metadata?.[KEY_ID])).toBe('2');
    expect(rotated.isCurrent(old ?? {})).toBe(false);
    expect(rotated.isCurrent(fresh ?? {})).toBe(true);
    expect(rotated.isCurrent(plain('plain'))).toBe(false);
  });

  it('writes plain and still reads where encryption was switched off', async () => {
    const on = openPayloadCodec({ keys: [key(1)], encrypts: true });
    const off = openPayloadCodec({ keys: [key(1)], encrypts: false });
    const encrypted = await on.encode([plain('secret')]);
    expect((await off.decode(encrypted)).map(valueIn)).toEqual(['secret']);
    expect((await off.encode([plain('open')])).map(valueIn)).toEqual(['open']);
    expect([on.mark, off.mark]).toEqual(['key 1', 'plain']);
  });

  it('names the key that is missing', async () => {
    const encrypted = await openPayloadCodec({ keys: [key(7)], encrypts: true }).encode([
      plain('x'),
    ]);
    const codec = openPayloadCodec({ keys: [key(8)], encrypts: true });
    await expect(codec.decode(encrypted)).rejects.toThrow(/key 7.*AIDEN_SECRET_KEYS/);
    await expect(codec.decode(encrypted)).rejects.toBeInstanceOf(PayloadFault);
  });

  it('lets an activity wait longer, the longer the key is missing', async () => {
    let nowMs = 0;
    const encrypted = await openPayloadCodec({ keys: [key(7)], encrypts: true }).encode([
      plain('x'),
    ]);
    const codec = openPayloadCodec({ keys: [key(8)], encrypts: true, nowMs: () => nowMs });
    const delayAt = async (atMs: number) => {
      nowMs = atMs;
      const error: unknown = await codec.decode(encrypted, ACTIVITY).catch((one: unknown) => one);
      expect(error).toBeInstanceOf(ApplicationFailure);
      expect(error).toMatchObject({ type: PAYLOAD_KEY_MISSING, nonRetryable: false });
      return (error as ApplicationFailure).nextRetryDelay;
    };
    expect(await delayAt(0)).toBe(10_000);
    expect(await delayAt(100_000)).toBe(100_000);
    expect(await delayAt(86_400_000)).toBe(3_600_000);
  });

  it.each([
    ['a changed byte', (data: Buffer) => data.fill(data[40] === 1 ? 2 : 1, 40, 41)],
    ['a cut end', (data: Buffer) => data.subarray(0, -1)],
    ['no body', (data: Buffer) => data.subarray(0, 20)],
    ['another salt', (data: Buffer) => data.fill(9, 0, 16)],
  ])('refuses a payload with %s', async (_what, change) => {
    const codec = openPayloadCodec({ keys: [key(1)], encrypts: true });
    const [sound] = await codec.encode([plain('a value of some length')]);
    const data = change(Buffer.from(sound?.data ?? []));
    const damaged = { metadata: sound?.metadata ?? {}, data };
    await expect(codec.decode([damaged])).rejects.toThrow(/key 1 was changed or is damaged/);
  });

  it('refuses a payload whose key id was exchanged', async () => {
    const both = [key(1), { id: 2, key: Buffer.alloc(32, 1) }];
    const codec = openPayloadCodec({ keys: both, encrypts: true });
    const [sound] = await codec.encode([plain('x')]);
    const moved = { ...sound, metadata: { ...sound?.metadata, [KEY_ID]: Buffer.from('2') } };
    await expect(codec.decode([moved])).rejects.toBeInstanceOf(PayloadFault);
  });
});
