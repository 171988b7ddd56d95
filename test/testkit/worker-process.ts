import { openEngine } from './engine.ts';

/**
 * A worker in a process of its own, to be killed: `node test/testkit/worker-process.ts <queue
 * prefix> <blobs> <Workers per type>`. Says `ready`.
 */
const [queuePrefix = '', blobs = '', size = '0'] = process.argv.slice(2);
const registered = size === '0' ? {} : { registered: true, poolSize: Number(size) };
await openEngine({ queuePrefix, blobs, ...registered });
process.stdout.write('ready\n');
