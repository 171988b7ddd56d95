import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../../stack/folders.ts';

const PACKAGES = ['grpcio==1.85.1', 'grpcio-reflection==1.85.1', 'protobuf==7.36.2'];
const FOLDER = join(cacheFolder(), 'python-grpc-1.85.1');
const CLIENT = fileURLToPath(new URL('memory-client.py', import.meta.url));

/** Why Python's gRPC client can not be had here; null when it is there, installed just now if need be. */
export function pythonGrpcMissing(): string | null {
  const done = join(FOLDER, 'done');
  if (existsSync(done)) return null;
  const python = spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' });
  if (python.status !== 0) return 'python3 with pip is not here';
  mkdirSync(FOLDER, { recursive: true });
  const args = ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', '--target', FOLDER];
  const installed = spawnSync('python3', [...args, ...PACKAGES], {
    stdio: 'ignore',
    timeout: 120_000,
  });
  if (installed.status !== 0) return 'grpcio could not be installed';
  writeFileSync(done, '');
  return null;
}

/** What the client of another language was answered. */
export async function askFromPython(
  address: string,
  authorization: string,
  events: readonly object[],
): Promise<Record<string, never>> {
  const python = spawn('python3', [CLIENT, address, authorization], {
    env: { ...process.env, PYTHONPATH: FOLDER },
  });
  let out = '';
  let errors = '';
  python.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  python.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  python.stdin.end(JSON.stringify(events));
  const code = await new Promise((resolve) => python.once('close', resolve));
  if (code !== 0) throw new Error(`The client ended with ${code}: ${errors.slice(-2_000)}`);
  return JSON.parse(out);
}
