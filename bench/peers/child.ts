import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** Waits for the end. @throws Error with the error output, for another exit code than 0 */
export async function ended(child: ChildProcess): Promise<void> {
  let printed = '';
  child.stdout?.resume();
  child.stderr?.on('data', (data) => (printed = `${printed}${data}`.slice(-2_000)));
  const [code] = child.exitCode === null ? await once(child, 'close') : [child.exitCode];
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}: ${printed}`);
}

export interface Served {
  readonly port: number;
  readonly pid: number;
  close(): Promise<void>;
}

/** Runs a file of this folder until it prints `ready <port>`. @throws Error when it ends before */
export function serves(file: string, env: Readonly<Record<string, string>>): Promise<Served> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { ...process.env, NODE_ENV: 'production', NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const close = async () => {
    child.kill('SIGKILL');
    await ended(child).catch(() => {});
  };
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (data) => {
      printed = `${printed}${data}`.slice(-2_000);
      const [, port] = /^ready (\d+)$/m.exec(printed) ?? [];
      if (port !== undefined) resolve({ port: Number(port), pid: child.pid ?? 0, close });
    });
    child.once('close', () => reject(new Error(`${file} ended: ${printed}`)));
  });
}
