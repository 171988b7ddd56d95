import { startApi } from '../../src/main/api.ts';
import { readConfig } from '../../src/main/config.ts';
import { openRuntime } from '../../src/main/runtime.ts';

// The app of the api tests, a process of its own: API and workers, as `npm start` runs them, on any free port.
const settings = { AIDEN_PORT: '0', AIDEN_AUTH: 'dev', AIDEN_LOG_LEVEL: 'error' };
const runtime = await openRuntime(
  readConfig({ flags: [], env: { ...process.env, ...settings }, file: null }),
);
const api = await startApi(runtime);
process.send?.({ url: api.url });

process.once('disconnect', async () => {
  await api.stop();
  await runtime.close();
  process.exit(0);
});
