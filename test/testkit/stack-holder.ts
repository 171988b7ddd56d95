import { ensureStack } from '../../src/host/ensure.ts';

// A process that starts an instance and holds it until it is killed or told to stop.
const stack = await ensureStack({
  instance: process.argv[2] ?? 'held',
  onProgress: (line) => process.send?.({ line }),
});
process.send?.({ env: stack.env, way: stack.way, folder: stack.folder });
process.on('message', () => void stack.stop().then(() => process.exit(0)));
