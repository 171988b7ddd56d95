import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { format } from 'node:util';

const AIDEN = fileURLToPath(new URL('../../cli/aiden.js', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface AidenOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the shared app of the api tests. */
  readonly url?: string;
}

const environment = (user: string, { env, url }: AidenOptions): Record<string, string> => ({
  AIDEN_URL: url ?? process.env['AIDEN_TEST_URL'] ?? '',
  AIDEN_TOKEN: `dev:${user}`,
  ...env,
});

/** The command as a process of its own, signed in as this user. */
export function spawnAiden(user: string, args: readonly string[], more: AidenOptions = {}) {
  return spawn(process.execPath, [AIDEN, ...args], {
    env: { ...process.env, ...environment(user, more) },
  });
}

/**
 * Runs the command as a process. Only the commands that start processes themselves need it, and
 * tests of signals; `until` sends Ctrl-C once that text was printed.
 */
export function aidenProcess(
  user: string,
  args: readonly string[],
  more: AidenOptions & { readonly until?: string } = {},
): Promise<Outcome> {
  const child = spawnAiden(user, args, more);
  let stdout = '';
  let stderr = '';
  let isInterrupted = false;
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
    if (more.until !== undefined && !isInterrupted && stdout.includes(more.until)) {
      isInterrupted = true;
      child.kill('SIGINT');
    }
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  child.stdin.end(more.input ?? '');
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

/** `aiden chat` as a process of its own. */
export interface Chat {
  readonly stdout: string;
  readonly stderr: string;
  /** Types a line. */
  types(line: string): void;
  /** Waits until the command has printed this, after the text that earlier waits have seen. */
  sees(text: string | RegExp): Promise<void>;
  pressesCtrlC(): void;
  /** Ends the input and waits for the command to leave; answers its exit code. */
  ends(): Promise<number | null>;
  /** Waits until it leaves by itself. */
  leaves(): Promise<number | null>;
}

export function openChat(user: string, args: readonly string[]): Chat {
  const child = spawnAiden(user, ['chat', ...args], { env: { NO_COLOR: '1' } });
  const heard = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk) => {
      heard[stream] += String(chunk);
    });
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  const seen = { stdout: 0, stderr: 0 };
  return {
    get stdout() {
      return heard.stdout;
    },
    get stderr() {
      return heard.stderr;
    },
    types: (line) => void child.stdin.write(`${line}\n`),
    async sees(text) {
      for (const endMs = Date.now() + 150_000; Date.now() < endMs; ) {
        for (const stream of ['stdout', 'stderr'] as const) {
          const fresh = heard[stream].slice(seen[stream]);
          const at = typeof text === 'string' ? fresh.indexOf(text) : fresh.search(text);
          if (at < 0) continue;
          seen[stream] += at + 1;
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`Not seen: ${text}\n--\n${heard.stdout}\n--\n${heard.stderr}`);
    },
    pressesCtrlC: () => void child.kill('SIGINT'),
    async ends() {
      child.stdin.end();
      return code;
    },
    leaves: () => code,
  };
}

/** Thrown by `process.exit` of a command that runs in this process. */
class Exit extends Error {}
let turn: Promise<unknown> = Promise.resolve();

/** Runs the command in this process: its main function with argv, environment and streams. */
export function aiden(
  user: string,
  args: readonly string[],
  more: AidenOptions = {},
): Promise<Outcome> {
  // The command uses the streams and the exit code of the process, so commands take turns.
  const outcome = turn.then(() => inProcess(args, environment(user, more), more.input ?? ''));
  turn = outcome.catch(() => {});
  return outcome;
}

async function inProcess(
  args: readonly string[],
  env: Record<string, string>,
  input: string,
): Promise<Outcome> {
  const { main } = await import('../../cli/main.ts');
  const told = { stdout: '', stderr: '' };
  const writer = (stream: keyof typeof told) => (chunk: unknown) => {
    told[stream] += String(chunk);
    return true;
  };
  const line =
    (stream: keyof typeof told) =>
    (...words: unknown[]) => {
      told[stream] += `${format(...words)}\n`;
    };
  const restore = [
    replace(process, 'env', { ...process.env, ...env }),
    replace(process, 'stdin', Readable.from(input === '' ? [] : [Buffer.from(input)])),
    replace(process, 'exit', (code?: number) => {
      if (code !== undefined) process.exitCode = code;
      throw new Exit();
    }),
    replace(process.stdout, 'write', writer('stdout')),
    replace(process.stderr, 'write', writer('stderr')),
    replace(console, 'log', line('stdout')),
    replace(console, 'error', line('stderr')),
  ];
  process.exitCode = undefined;
  try {
    await main(args);
    return { code: Number(process.exitCode ?? 0), ...told };
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return { code: Number(process.exitCode ?? 0), ...told };
  } finally {
    process.exitCode = undefined;
    for (const undo of restore) undo();
  }
}

/** Gives a property another value, whatever it was made by. Returns a function that undoes it. */
function replace(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, writable: true, configurable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, before);
  };
}
