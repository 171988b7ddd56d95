import { appendFileSync, closeSync, fstatSync, openSync, renameSync, statSync } from 'node:fs';
import type { DestinationStream } from 'pino';

const FILE_BYTES_MAX = 10 * 1024 ** 2;
const LOOK_EVERY_LINES = 100;

/**
 * Appends lines to a file. From 10 MB on the file is renamed to `<file>.1`, which replaces the one
 * before, and a new one begins. Processes may share the file. A disk that is full loses lines, not
 * the process.
 */
export function logFile(path: string): DestinationStream {
  let file: number | null = null;
  let lines = 0;

  function open(): number {
    file ??= openSync(path, 'a', 0o600);
    if (lines++ % LOOK_EVERY_LINES !== 0) return file;
    const own = fstatSync(file);
    const named = statSync(path, { throwIfNoEntry: false });
    const isOurs = named !== undefined && named.ino === own.ino && named.dev === own.dev;
    if (isOurs && own.size < FILE_BYTES_MAX) return file;
    // Another process may have renamed it already; then only the new file is opened.
    if (isOurs) renameSync(path, `${path}.1`);
    closeSync(file);
    file = openSync(path, 'a', 0o600);
    return file;
  }

  return {
    write(line) {
      try {
        appendFileSync(open(), line);
      } catch {
        file = null;
      }
    },
  };
}

const COLOURS: Readonly<Record<number, string>> = { 40: '\u001b[33m', 50: '\u001b[31m' };
const LEVELS: Readonly<Record<number, string>> = {
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
};
const RESET = '\u001b[0m';

/** Turns lines of JSON into short lines for people: time, level, message, fields. No stacks. */
export function prettyTo(stream: { write(text: string): unknown }): DestinationStream {
  return {
    write(line) {
      stream.write(`${pretty(line)}\n`);
    },
  };
}

function pretty(line: string): string {
  const { level, time, msg, error, ...fields } = JSON.parse(line) as {
    level: number;
    time: string;
    msg: string;
    error?: { name?: unknown; message?: unknown; code?: unknown } | string;
  } & Record<string, unknown>;
  const reason =
    error === undefined
      ? ''
      : ': ' +
        `${typeof error === 'object' ? String(error.message ?? error.code ?? error.name) : error}`;
  const rest = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
  const head = `${new Date(time).toTimeString().slice(0, 8)} ${(LEVELS[level] ?? '').padEnd(5)}`;
  const text = `${msg}${reason.split('\n')[0]}`;
  return `${COLOURS[level] ?? ''}${head}${RESET} ${[text, ...rest].join('  ')}`;
}
