/** A source of fresh ids. Inside a workflow it is fed with the workflow's own clock and randomness. */
export type NewId = () => string;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Makes UUIDv7 ids that rise strictly within one source, also inside one millisecond: 48 bits of Unix
 * milliseconds, 12 bits of counter, 62 random bits. Rising ids keep index inserts local and let the
 * relay restore the order in which one writer wrote.
 */
export function createIdSource(clock: { nowMs(): number; random(): number }): NewId {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const nowMs = clock.nowMs();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = Math.floor(clock.random() * 0x400);
    } else if (++counter > 0xfff) {
      // 4,096 ids in one millisecond: borrow the next one rather than repeat or run backwards.
      lastMs += 1;
      counter = 0;
    }
    const bytes = new Uint8Array(16);
    let rest = lastMs;
    for (let index = 5; index >= 0; index--) {
      bytes[index] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    bytes[6] = 0x70 | (counter >> 8);
    bytes[7] = counter & 0xff;
    for (let index = 8; index < 16; index++) bytes[index] = Math.floor(clock.random() * 256);
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    const hex = Array.from(bytes, (byte) => HEX[byte]).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
}

/** Whether a text has the form of any UUID; anything else can't be an id of ours and needs no look-up. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
