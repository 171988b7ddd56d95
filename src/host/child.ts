import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { copyFile, readFile, stat, truncate } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export type Say = (line: string) => void;

/** A program missing on this machine. The message names its Debian package. */
export class MissingTool extends Error {
  override readonly name = 'MissingTool';
}

/**
 * Runs a program and returns its output.
 * @throws Error with the end of its output when it fails
 */
export function runTool(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; timeoutMs?: number } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Children of the program may keep its pipes open, so a timeout does not wait for them.
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            child.kill('SIGKILL');
            child.stdout.destroy();
            child.stderr.destroy();
            reject(
              new Error(`${command} ${args[0] ?? ''} said nothing for ${options.timeoutMs} ms.`),
            );
          }, options.timeoutMs);
    let output = '';
    const take = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-64 * 1024);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 0) return resolve(output);
      const tail = output.trim().split('\n').slice(-15).join('\n');
      reject(new Error(`${command} ${args[0] ?? ''} ended with ${code ?? 'a signal'}:\n${tail}`));
    });
  });
}

/** Reports `what` at the start, every 30 s while it runs, and at its end. */
export async function withProgress<T>(say: Say, what: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedMs) / 100) / 10} s`;
  say(`${what} …`);
  const ticker = setInterval(() => say(`  still at it after ${seconds()}: ${what}`), 30_000);
  try {
    const value = await work();
    say(`  done in ${seconds()}: ${what}`);
    return value;
  } finally {
    clearInterval(ticker);
  }
}

// The guard's stdin is a pipe from this process. When this process ends, the pipe closes and the
// guard stops the server. The guard exits with the server, so its exit reports the server's.
const GUARD = `
  exec 3<&0
  "$@" </dev/null 3<&- & server=$!
  ( read -r _ <&3; kill -TERM $server 2>/dev/null; sleep 20; kill -KILL $server 2>/dev/null ) &
  watch=$!
  trap 'kill -TERM $server 2>/dev/null' TERM INT
  echo $server >"$PID_FILE"
  wait $server; code=$?
  while kill -0 $server 2>/dev/null; do wait $server; code=$?; done
  kill $watch 2>/dev/null
  rm -f "$PID_FILE"
  exit $code
`;

export interface Server {
  readonly pid: number;
  /** Resolves with the end of the log when the server ends by itself. */
  readonly ended: Promise<string>;
  /**
   * Sends SIGTERM, and SIGKILL after the grace period. Resolves when the server has ended.
   * @param graceMs default 20 s
   */
  stop(graceMs?: number): Promise<void>;
  /** Kills all processes of the server's session. Call it when only its guard may have ended. */
  endRemains(): void;
}

const GRACE_MS = 20_000;

/**
 * Starts a server in its own session, so that Ctrl-C does not reach it. It ends when this process
 * ends.
 */
export async function startServer(
  command: string,
  args: readonly string[],
  files: { log: string; pid: string; cwd: string; env?: NodeJS.ProcessEnv },
): Promise<Server> {
  await boundLog(files.log);
  const log = openSync(files.log, 'a', 0o600);
  const child = spawn('/bin/sh', ['-c', GUARD, 'guard', command, ...args], {
    cwd: files.cwd,
    detached: true,
    stdio: ['pipe', log, log],
    env: { ...(files.env ?? process.env), PID_FILE: files.pid },
  });
  closeSync(log);
  child.stdin?.on('error', () => {});
  const ended = new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => resolve(tailOf(files.log)));
  });
  ended.catch(() => {});
  if (child.pid === undefined) await ended;
  // The guard must not keep the event loop alive.
  child.unref();
  (child.stdin as { unref?(): void } | null)?.unref?.();
  return {
    pid: child.pid ?? 0,
    ended,
    stop: (graceMs = GRACE_MS) => stopChild(child, graceMs),
    endRemains: () => killSession(child),
  };
}

/** The session is ours, so all of it may be killed. */
function killSession(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

const LOG_BYTES_MAX = 10 * 1024 ** 2;

/**
 * Bounds the log of a server: from 10 MB on, its text moves to `<file>.1` and it starts again. The
 * server appends, so it may keep the file open.
 */
export async function boundLog(file: string): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size < LOG_BYTES_MAX) return;
  await copyFile(file, `${file}.1`);
  await truncate(file);
}

async function stopChild(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  const gone = new Promise<true>((resolve) => child.once('exit', () => resolve(true)));
  child.kill('SIGTERM');
  const inTime = await Promise.race([gone, sleep(graceMs, false as const, { ref: false })]);
  if (inTime) return;
  killSession(child);
  await gone;
}

async function tailOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trim().split('\n').slice(-12).join('\n');
}

/**
 * Polls until the condition holds.
 * @throws Error with `what` and the end of the log when the server ends or the time is up
 */
export async function waitUntil(
  what: string,
  ready: () => Promise<boolean>,
  server: Server,
  timeoutMs: number,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let death: string | null = null;
  server.ended.then(
    (log) => {
      death = log;
    },
    (error: unknown) => {
      death = String(error);
    },
  );
  while (!(await ready())) {
    if (death !== null)
      throw new Error(`${what} ended before it was ready. Its log ends with:\n${death}`);
    if (performance.now() > deadline)
      throw new Error(`${what} was not ready after ${timeoutMs / 1000} s.`);
    await sleep(150);
  }
}
