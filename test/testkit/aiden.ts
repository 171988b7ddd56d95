import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const AIDEN = fileURLToPath(new URL('../../cli/aiden.js', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command as a process of its own, signed in as somebody. */
export function spawnAiden(
  user: string,
  args: readonly string[],
  more: { env?: Record<string, string>; url?: string } = {},
) {
  const { AIDEN_URL: _url, AIDEN_TOKEN: _token, ...env } = process.env;
  return spawn(process.execPath, [AIDEN, ...args], {
    env: {
      ...env,
      AIDEN_URL: more.url ?? process.env['AIDEN_TEST_URL'] ?? '',
      AIDEN_TOKEN: `dev:${user}`,
      ...more.env,
    },
  });
}

/** Runs the command as somebody would in a terminal; `until` sends Ctrl-C once it was printed. */
export function aiden(
  user: string,
  args: readonly string[],
  more: { input?: string; env?: Record<string, string>; until?: string; url?: string } = {},
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
