import process from 'node:process';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { callRest, STEPS, serve } from './served.ts';

const { POSTGRES_URL = '' } = process.env;
DBOS.setConfig({
  name: 'bench',
  systemDatabaseUrl: `${POSTGRES_URL}/dbos`,
  systemDatabasePoolSize: 20,
  logLevel: 'error',
  runAdminServer: false,
});
const threeSteps = DBOS.registerWorkflow(
  async (key: string) => {
    for (const name of STEPS) await DBOS.runStep(() => callRest(key), { name });
  },
  { name: 'threeSteps' },
);
await DBOS.launch();
await serve(async (key) =>
  (await DBOS.startWorkflow(threeSteps, { workflowID: key })(key)).getResult(),
);
