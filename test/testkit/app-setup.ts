import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findRedisServer, type RedisServer, startRedis } from './redis-server.ts';
import setupStack from './stack-setup.ts';

const APP = fileURLToPath(new URL('./app.ts', import.meta.url));
const START_MS_MAX = 400_000;

/**
 * Before the api and browser tests: Neo4j and Temporal, then one app for all of them, whose address
 * is AIDEN_TEST_URL. Where redis-server is to be had, live updates go by it, as where there are
 * several processes (AIDEN_TEST_REDIS).
 */
export default async function setup(): Promise<() => Promise<void>> {
  // The set-up of the other project of this run has started it.
  if (process.env['AIDEN_TEST_URL'] !== undefined) return async () => {};
  const stopStack = await setupStack();
  const command = findRedisServer();
  const redis: RedisServer | null = command === null ? null : await startRedis(command);
  if (redis !== null) process.env['AIDEN_TEST_REDIS'] = redis.url;
  const app = fork(APP, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [],
    env: { ...process.env, ...(redis === null ? {} : { AIDEN_EVENT_BUS: redis.url }) },
  });
  try {
    const { url, localLlmPort, grpcAddress } = await addressOf(app);
    process.env['AIDEN_TEST_GRPC'] = grpcAddress;
    process.env['AIDEN_TEST_URL'] = url;
    process.env['AIDEN_TEST_LOCAL_LLM_PORT'] = String(localLlmPort);
  } catch (error) {
    app.kill();
    await redis?.kill();
    await stopStack();
    throw error;
  }
  return async () => {
    const ended = new Promise((resolve) => app.once('exit', resolve));
    app.disconnect();
    await ended;
    await redis?.kill();
    await stopStack();
  };
}

function addressOf(
  app: ChildProcess,
): Promise<{ url: string; localLlmPort: number; grpcAddress: string }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('The app did not start in time.')),
      START_MS_MAX,
    );
    app.once('message', (message) => {
      clearTimeout(timer);
      resolve(message as { url: string; localLlmPort: number; grpcAddress: string });
    });
    app.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The app ended at its start (${code}).`));
    });
  });
}
