import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Engine } from './engine.ts';

/**
 * Starts a worker process on the engine's queues and waits until it serves them. Kill it by its
 * handle.
 * @param poolSize registers so many Workers per type; 0 = none
 */
export async function spawnWorker(
  { queuePrefix, blobs }: Pick<Engine, 'queuePrefix' | 'blobs'>,
  poolSize = 0,
): Promise<ChildProcess> {
  const file = fileURLToPath(new URL('./worker-process.ts', import.meta.url));
  const child = spawn(process.execPath, [file, queuePrefix, blobs, String(poolSize)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (text: Buffer) => {
      if (text.toString().includes('ready')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`The worker process ended with ${code}.`)));
  });
  return child;
}
