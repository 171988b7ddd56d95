import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../../src/host/folders.ts';

const VERSION = '1.9.3';
const FOLDER = join(cacheFolder(), `grpcurl-${VERSION}`);
const GRPCURL = join(FOLDER, 'grpcurl');

/**
 * Why grpcurl, a client in Go, can not be had here; null when it is there, built just now if need
 * be.
 */
export function grpcurlMissing(): string | null {
  if (existsSync(GRPCURL)) return null;
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) return 'go is not here';
  mkdirSync(FOLDER, { recursive: true });
  const built = spawnSync(
    'go',
    ['install', `github.com/fullstorydev/grpcurl/cmd/grpcurl@v${VERSION}`],
    { env: { ...process.env, GOBIN: FOLDER }, stdio: 'ignore', timeout: 400_000 },
  );
  return built.status === 0 ? null : 'grpcurl could not be built';
}

export interface Grpcurled {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs grpcurl, which learns all messages from reflection. */
export function grpcurl(...args: readonly string[]): Promise<Grpcurled> {
  return new Promise((resolve) => {
    execFile(GRPCURL, ['-plaintext', ...args], (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code ?? 1);
      resolve({ code, stdout, stderr });
    });
  });
}
