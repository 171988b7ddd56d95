import { openEngine } from './engine.ts';

/** A worker in a process of its own, to be killed: `node test/testkit/worker-process.ts <queue prefix> <blobs>`. Says `ready`. */
const [queuePrefix = '', blobs = ''] = process.argv.slice(2);
await openEngine({ queuePrefix, blobs });
process.stdout.write('ready\n');
