import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../../src/host/folders.ts';
import { NEO4J_VERSION } from '../../src/host/neo4j/native.ts';
import { temporalBinary } from '../../src/host/temporal/native.ts';

/** The checkout that this file is of. */
const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const START = 'src/main/entrypoints/start.ts';

/** `npm start` without npm, as a child process. */
export interface Started {
  readonly child: ChildProcess;
  /** Standard output and error, as a terminal would show them. */
  output(): string;
  /** Resolves when the output holds the text. @throws when the process ends before */
  until(text: string): Promise<void>;
  readonly exit: Promise<number | null>;
}

/** Whether Neo4j and Temporal can start natively without a download or a build. */
export const isStackCached =
  existsSync(join(cacheFolder(), `neo4j-${NEO4J_VERSION}`, 'lib')) &&
  existsSync(temporalBinary()) &&
  spawnSync('java', ['-version']).status === 0;

/**
 * The environment of an installation of its own: native servers on this data, and no other ones.
 */
export function nativeEnv(data: string): Record<string, string> {
  return {
    NEO4J_URI: '',
    NEO4J_USER: '',
    NEO4J_PASSWORD: '',
    TEMPORAL_ADDRESS: '',
    XDG_DATA_HOME: data,
    AIDEN_STACK: 'native',
    MEMORY_GRPC_PORT: '0',
    AIDEN_LOCAL_LLM: 'off',
  };
}

/**
 * @param preload a module that the process loads first
 * @param checkout the version that starts, with its packages; default: this one
 */
export function start(
  flags: readonly string[],
  env: NodeJS.ProcessEnv,
  { preload, checkout = CHECKOUT }: { preload?: string; checkout?: string } = {},
): Started {
  const first = preload === undefined ? [] : ['--import', preload];
  const child = spawn(process.execPath, [...first, join(checkout, START), ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let output = '';
  const waiting = new Set<() => void>();
  const take = (chunk: Buffer) => {
    output += chunk.toString('utf8');
    for (const look of waiting) look();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    output: () => output,
    exit,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.includes(text)) resolve();
        };
        waiting.add(look);
        look();
        void exit.then((code) =>
          reject(new Error(`ended with ${code} before it said "${text}":\n${output}`)),
        );
      }),
  };
}
