/** One picture of an animation: a still WebP file and the time that it is shown. */
export interface Frame {
  readonly webp: Uint8Array;
  readonly ms: number;
}

const PICTURE_CHUNKS = ['ALPH', 'VP8 ', 'VP8L'];
/** Flag of an animation in the chunk VP8X. */
const ANIMATION = 0x02;
/** Flag of a frame: it replaces the pixels below it. */
const NO_BLENDING = 0x02;

/**
 * Joins stills of one size to an animated WebP that begins again at its end. A frame holds the
 * chunks of its still (https://developers.google.com/speed/webp/docs/riff_container).
 */
export function animatedWebp(
  frames: readonly Frame[],
  { width, height }: { readonly width: number; readonly height: number },
): Uint8Array {
  const size = Buffer.concat([uint24(width - 1), uint24(height - 1)]);
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    chunk('VP8X', Buffer.concat([Buffer.from([ANIMATION, 0, 0, 0]), size])),
    // No background colour; 0 loops: for ever.
    chunk('ANIM', Buffer.from([255, 255, 255, 255, 0, 0])),
    ...frames.map(({ webp, ms }) => {
      const head = [uint24(0), uint24(0), size, uint24(ms), Buffer.from([NO_BLENDING])];
      return chunk('ANMF', Buffer.concat([...head, ...pictureChunks(webp)]));
    }),
  ]);
  return chunk('RIFF', body);
}

function pictureChunks(webp: Uint8Array): Buffer[] {
  const file = Buffer.from(webp);
  const found: Buffer[] = [];
  for (let at = 12; at + 8 <= file.length; ) {
    const bytes = file.readUInt32LE(at + 4);
    const end = at + 8 + bytes + (bytes % 2);
    if (PICTURE_CHUNKS.includes(file.toString('latin1', at, at + 4)))
      found.push(file.subarray(at, end));
    at = end;
  }
  return found;
}

/** A chunk of RIFF; its content is filled up to an even length. */
function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntLE(value, 0, 3);
  return bytes;
}
