import process from 'node:process';
import { type Context, endpoint, service } from '@restatedev/restate-sdk';
import { callRest, STEPS } from './served.ts';

// The service that Restate's server calls; the bench calls the server's ingress.
const threeSteps = service({
  name: 'threeSteps',
  handlers: {
    run: async (context: Context, key: string) => {
      for (const name of STEPS) await context.run(name, () => callRest(key));
      return {};
    },
  },
});
const port = Number(process.env['SERVICE_PORT']);
await endpoint().bind(threeSteps).listen(port);
console.log(`ready ${port}`);
