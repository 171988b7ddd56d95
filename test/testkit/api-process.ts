import { startApi } from '../../src/main/api.ts';
import { readConfig } from '../../src/main/config/config.ts';
import { openRuntime } from '../../src/main/runtime.ts';

/**
 * One more API process of the installation that the environment names, without Workers; says its
 * address.
 */
const env = {
  ...process.env,
  AIDEN_PORT: process.env['AIDEN_API_PORT'] ?? '0',
  AIDEN_AUTH: process.env['AIDEN_API_AUTH'] ?? 'dev',
  AIDEN_ROLE: 'api',
  AIDEN_LOG_LEVEL: 'error',
  AIDEN_LOCAL_LLM: 'off',
};
const runtime = await openRuntime(readConfig({ flags: [], env, file: null }));
const api = await startApi(runtime);
process.send?.({ url: api.url });

process.once('disconnect', async () => {
  await api.stop();
  await runtime.close();
  process.exit(0);
});
