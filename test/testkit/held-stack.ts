import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StackEnv } from '../../src/host/ensure.ts';

const HOLDER = fileURLToPath(new URL('./stack-holder.ts', import.meta.url));

/** Servers of a process that ends them with itself. */
export interface Held {
  readonly env: StackEnv;
  readonly way: string;
  readonly folder: string;
}

/** Starts a process that starts native servers with this data, and holds them until it ends. */
export function hold(data: string): { child: ChildProcess; lines: string[]; ready: Promise<Held> } {
  const { NEO4J_URI: _uri, TEMPORAL_ADDRESS: _address, ...env } = process.env;
  const input = { env: { ...env, XDG_DATA_HOME: data, AIDEN_STACK: 'native' }, execArgv: [] };
  const child = fork(HOLDER, ['held'], input);
  const lines: string[] = [];
  const ready = new Promise<Held>((resolve, reject) => {
    child.on('message', (message: { line?: string } & Held) => {
      if (message.line === undefined) resolve(message);
      else lines.push(message.line);
    });
    child.on('exit', (code) => reject(new Error(`ended with ${code}:\n${lines.join('\n')}`)));
  });
  ready.catch(() => {});
  return { child, lines, ready };
}
