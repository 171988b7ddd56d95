import type { Socket } from 'node:net';

// A request is two lengths and two texts; an answer is one length, one byte of flags and one text.
// The length comes first, so that the reader can refuse a text before it takes memory.

export const REQUEST_HEADER_BYTES = 8;
export const ANSWER_HEADER_BYTES = 5;

export interface AnswerFrame {
  readonly text: string;
  /** The process holds much memory after this work and should be replaced. */
  readonly isRetiring: boolean;
}

export function requestFrame(head: string, data: string): (Buffer | string)[] {
  const header = Buffer.alloc(REQUEST_HEADER_BYTES);
  header.writeUInt32LE(Buffer.byteLength(head), 0);
  header.writeUInt32LE(Buffer.byteLength(data), 4);
  return [header, head, data];
}

export function answerFrame({ text, isRetiring }: AnswerFrame): Buffer {
  const frame = Buffer.alloc(ANSWER_HEADER_BYTES + Buffer.byteLength(text));
  frame.writeUInt32LE(frame.length - ANSWER_HEADER_BYTES, 0);
  frame.writeUInt8(isRetiring ? 1 : 0, 4);
  frame.write(text, ANSWER_HEADER_BYTES);
  return frame;
}

/** Reads one answer at a time from a channel. */
export class AnswerReader {
  readonly #bytesMax: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #resolve: ((answer: AnswerFrame | 'too large') => void) | null = null;

  constructor(channel: Socket, bytesMax: number) {
    this.#bytesMax = bytesMax;
    channel.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk);
      this.#bytes += chunk.length;
      this.#read();
    });
  }

  /** The next answer; never settles when the process ends before it. */
  next(): Promise<AnswerFrame | 'too large'> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  #read(): void {
    if (this.#bytes < ANSWER_HEADER_BYTES) return;
    const header = this.#header();
    const length = header.readUInt32LE(0);
    if (length > this.#bytesMax) {
      this.#settle('too large');
      return;
    }
    if (this.#bytes < ANSWER_HEADER_BYTES + length) return;
    const all = this.#chunks.length === 1 ? header : Buffer.concat(this.#chunks);
    const text = all.toString('utf8', ANSWER_HEADER_BYTES, ANSWER_HEADER_BYTES + length);
    this.#chunks = [];
    this.#bytes = 0;
    this.#settle({ text, isRetiring: all.readUInt8(4) === 1 });
  }

  #header(): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= ANSWER_HEADER_BYTES) return first;
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [whole];
    return whole;
  }

  #settle(answer: AnswerFrame | 'too large'): void {
    this.#resolve?.(answer);
    this.#resolve = null;
  }
}
