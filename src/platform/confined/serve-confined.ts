import { readSync, writeFileSync, writeSync } from 'node:fs';
import { answerFrame, REQUEST_HEADER_BYTES } from './frames.ts';

const CHANNEL = 3;
/** A process that holds more than this after its work is replaced. */
const KEPT_MB_MAX = 256;
/** Far below the limit of processor time that the process was started with. */
const KEPT_SECONDS_MAX = 60;
/** Work above this is followed by a look at memory and processor time; so is each 1,000th. */
const LONG_MS = 5;

/**
 * The main loop of a confined process: reads a request, answers it, until the parent closes the
 * channel. It blocks while it waits, because nothing else happens in this process.
 * @param work throws only what should end the process
 */
export function serveConfined(work: (head: string, data: string) => string): void {
  offerToOutOfMemoryKiller();
  // A terminal sends Ctrl-C to all processes; the parent still drains its work.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const channel = new Requests();
  write(answerFrame({ text: 'ready', isRetiring: false }));
  for (let count = 1; ; count++) {
    const header = channel.read(REQUEST_HEADER_BYTES);
    const [headBytes, dataBytes] = [header.readUInt32LE(0), header.readUInt32LE(4)];
    const head = channel.read(headBytes).toString();
    const data = channel.read(dataBytes).toString();
    const startedMs = performance.now();
    const text = work(head, data);
    const isLong = performance.now() - startedMs > LONG_MS || dataBytes > CHUNK_BYTES;
    const isRetiring = (isLong || count % 1_000 === 0) && isWorn();
    write(answerFrame({ text, isRetiring }));
  }
}

function isWorn(): boolean {
  const { user, system } = process.cpuUsage();
  const seconds = (user + system) / 1_000_000;
  return seconds > KEPT_SECONDS_MAX || process.memoryUsage.rss() > KEPT_MB_MAX * 1024 * 1024;
}

/** Linux ends the process with the highest score first where the machine's memory is full. */
function offerToOutOfMemoryKiller(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Other systems have no such file.
  }
}

const CHUNK_BYTES = 64 * 1024;

/** Reads the channel; a small request takes one system call. */
class Requests {
  readonly #chunk = Buffer.alloc(CHUNK_BYTES);
  #from = 0;
  #to = 0;

  read(bytes: number): Buffer {
    if (this.#to - this.#from >= bytes) {
      this.#from += bytes;
      return this.#chunk.subarray(this.#from - bytes, this.#from);
    }
    const whole = Buffer.allocUnsafe(bytes);
    let at = this.#chunk.copy(whole, 0, this.#from, this.#to);
    this.#from = this.#to;
    while (at < bytes) {
      // A small rest is read together with what follows it.
      const isSmall = bytes - at < CHUNK_BYTES;
      const into = isSmall ? this.#chunk : whole;
      const count = readSync(
        CHANNEL,
        into,
        isSmall ? 0 : at,
        isSmall ? CHUNK_BYTES : bytes - at,
        null,
      );
      if (count === 0) process.exit(0);
      if (isSmall) {
        this.#from = Math.min(count, bytes - at);
        this.#to = count;
        this.#chunk.copy(whole, at, 0, this.#from);
        at += this.#from;
      } else at += count;
    }
    return whole;
  }
}

function write(frame: Buffer): void {
  for (let at = 0; at < frame.length; ) at += writeSync(CHANNEL, frame, at);
}
