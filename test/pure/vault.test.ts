import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  newKeyRingEntry,
  openVault,
  parseKeyRing,
  VaultFault,
} from '../../src/platform/vault/vault.ts';

const key = (id: number) => ({ id, key: randomBytes(32) });
const ada = { secretId: 's1', ownerId: 'ada' };

function reasonOf(work: () => unknown): string {
  try {
    work();
    return 'opened';
  } catch (error) {
    return error instanceof VaultFault ? error.reason : String(error);
  }
}

describe('secrets at rest (S4-SEC-02)', () => {
  it('opens any value for the Secret and owner it was sealed for, and for no other', () => {
    const vault = openVault([key(1)]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const sealed = vault.encrypt(value, ada);
        expect(vault.decrypt(sealed, ada)).toBe(value.toWellFormed());
        expect(reasonOf(() => vault.decrypt(sealed, { ...ada, ownerId: 'bob' }))).toBe('CORRUPT');
        expect(reasonOf(() => vault.decrypt(sealed, { ...ada, secretId: 's2' }))).toBe('CORRUPT');
      }),
    );
  });

  it('does not open once a single character was changed, nor with a shortened tag', () => {
    const vault = openVault([key(1)]);
    const { encryptedValue } = vault.encrypt('canary', ada);
    const parts = encryptedValue.split('.');
    for (const part of [2, 3, 4]) {
      const text = parts[part] ?? '';
      const changed = parts.with(part, (text[0] === 'A' ? 'B' : 'A') + text.slice(1)).join('.');
      expect(reasonOf(() => vault.decrypt({ encryptedValue: changed }, ada))).toBe('CORRUPT');
    }
    const short = parts.with(4, (parts[4] ?? '').slice(0, 6)).join('.');
    expect(reasonOf(() => vault.decrypt({ encryptedValue: short }, ada))).toBe('CORRUPT');
    expect(reasonOf(() => vault.decrypt({ encryptedValue: '' }, ada))).toBe('CORRUPT');
  });

  it('seals with the first key, opens with any, and fails closed without one', () => {
    const old = key(1);
    const fresh = key(2);
    const sealed = openVault([old]).encrypt('value', ada);
    const ring = openVault([fresh, old]);
    expect(ring.decrypt(sealed, ada)).toBe('value');
    expect(ring.encrypt('value', ada).keyVersion).toBe(2);
    expect(reasonOf(() => openVault([fresh]).decrypt(sealed, ada))).toBe('UNKNOWN_KEY');
  });

  it('never repeats a ciphertext', () => {
    const vault = openVault([key(1)]);
    expect(vault.encrypt('value', ada).encryptedValue).not.toBe(
      vault.encrypt('value', ada).encryptedValue,
    );
  });

  it('reads key rings and names the fault of one, without showing a key', () => {
    const entry = newKeyRingEntry(7);
    expect(parseKeyRing(`${entry}, ${newKeyRingEntry(3)}`).map(({ id }) => id)).toEqual([7, 3]);
    expect(openVault(parseKeyRing(entry)).currentKeyId).toBe(7);
    const encoded = entry.slice(2);
    for (const bad of [encoded, `0:${encoded}`, `a:${encoded}`]) {
      expect(() => parseKeyRing(bad)).toThrow(/^Key 1 of the key ring is not <id>:<base64>/);
    }
    expect(() => openVault(parseKeyRing('1:c2hvcnQ='))).toThrow(
      'Key 1 of the key ring has 5 bytes, not 32.',
    );
    expect(() => openVault([])).toThrow('empty');
    expect(() => openVault([key(1), key(1)])).toThrow('same id');
  });
});
