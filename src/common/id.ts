/** Makes a new id. In a workflow it uses the workflow's deterministic clock and random numbers. */
export type NewId = () => string;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Makes UUIDv7 ids: 48 bits of Unix milliseconds, 12 bits of counter, 62 random bits. The ids of
 * one source strictly increase, even within one millisecond. Increasing ids keep index inserts
 * local, and the relay uses them to restore the order in which one writer wrote.
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
      // After 4,096 ids in one millisecond, use the next millisecond: ids must neither repeat nor
      // decrease.
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
    const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
    return `${a}-${b}-${c}-${d}-${hex.slice(20)}`;
  };
}

/** Whether the text is a UUID. Other text can't be an id of ours, so no query is needed. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}
