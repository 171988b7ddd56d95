import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type AnswerFrame, AnswerReader, requestFrame } from './frames.ts';
import { processUsage } from './usage.ts';
import { watchUsage } from './watch-usage.ts';

export interface Confinement {
  /** The program; it calls `serveConfined`. */
  readonly entry: URL;
  /** V8's heap limit. Beyond it V8 ends the process. */
  readonly heapMb: number;
  readonly workMs: number;
  /** An answer above this size ends the process before it is read. */
  readonly answerBytesMax: number;
}

/**
 * How one piece of work ended. `lost`: the process ended for a reason outside the work, as far as
 * known (a kill from outside, a failed start), so the same work may succeed in another process.
 */
export type ConfinedOutcome =
  | { readonly answer: AnswerFrame }
  | { readonly ended: 'time' | 'memory' | 'lost' };

/** Memory beside the heap: code, buffers and the garbage of a request's text. */
const BESIDE_HEAP_MB = 256;
/** Descriptor of the pair of sockets between both processes. */
const CHANNEL = 3;
// A shell sets limits, because Node.js can't. No core file: V8 aborts where its heap is full, and
// the file would be as large. Processor seconds: they end a loop whose parent was killed.
const START = 'ulimit -c 0; ulimit -t 180; exec "$0" "$@"';

/**
 * A child process that does one piece of work at a time, with limits on time and memory. Its death
 * affects nothing else. It ends when its parent does.
 */
export class ConfinedProcess {
  readonly #child: ChildProcess;
  readonly #channel: Socket;
  readonly #limits: Confinement;
  readonly #answers: AnswerReader;
  readonly #exited: Promise<NodeJS.Signals | null>;
  readonly #ready: Promise<'ready' | 'lost'>;

  constructor(limits: Confinement) {
    this.#limits = limits;
    const { entry, heapMb } = limits;
    const child = spawn(
      '/bin/sh',
      [
        ...['-c', START, process.execPath],
        `--max-old-space-size=${heapMb}`,
        '--disable-warning=ExperimentalWarning',
        fileURLToPath(entry),
      ],
      { env: {}, stdio: ['ignore', 'ignore', 'ignore', 'pipe'], cwd: '/' },
    );
    this.#child = child;
    this.#channel = child.stdio[CHANNEL] as Socket;
    this.#channel.on('error', () => {});
    this.#answers = new AnswerReader(this.#channel, limits.answerBytesMax);
    this.#exited = new Promise((resolve) => {
      child.once('error', () => resolve(null));
      child.once('exit', (_code, signal) => resolve(signal));
    });
    this.#ready = Promise.race([
      this.#answers.next().then(() => 'ready' as const),
      this.#exited.then(() => 'lost' as const),
    ]);
    // An idle process must not keep its parent alive.
    child.unref();
    this.#channel.unref();
  }

  /** The start of the process is our time, so it does not count as work. */
  async perform(head: string, data: string): Promise<ConfinedOutcome> {
    this.#channel.ref();
    this.#child.ref();
    try {
      if ((await this.#ready) === 'lost') return { ended: 'lost' };
      return await this.#work(head, data);
    } finally {
      this.#channel.unref();
      this.#child.unref();
    }
  }

  async #work(head: string, data: string): Promise<ConfinedOutcome> {
    const { workMs, heapMb } = this.#limits;
    const { pid } = this.#child;
    if (pid === undefined) return { ended: 'lost' };
    let unwatch = () => {};
    const stopped = new Promise<ConfinedOutcome>((resolve) => {
      unwatch = watchUsage(
        { workMs, residentMb: heapMb + BESIDE_HEAP_MB },
        () => processUsage(pid),
        (ended) => resolve({ ended }),
      );
    });
    const answered = this.#answers
      .next()
      .then((answer): ConfinedOutcome => (answer === 'too large' ? MEMORY : { answer }));
    const died = this.#exited.then((signal): ConfinedOutcome => {
      return signal === 'SIGABRT' ? MEMORY : { ended: 'lost' };
    });
    this.#channel.cork();
    for (const part of requestFrame(head, data)) this.#channel.write(part);
    this.#channel.uncork();
    try {
      return await Promise.race([answered, died, stopped]);
    } finally {
      unwatch();
    }
  }

  /** Ends the process at once, whatever it does. */
  async close(): Promise<void> {
    this.#child.ref();
    this.#child.kill('SIGKILL');
    this.#channel.destroy();
    if (this.#child.pid !== undefined) await this.#exited;
  }
}

const MEMORY: ConfinedOutcome = { ended: 'memory' };
