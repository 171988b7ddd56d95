import { appendFileSync } from 'node:fs';
import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { beating } from '../../activities/beating.ts';
import { startFleet } from '../../src/platform/temporal/fleet.ts';
import { quiet } from './outbox.ts';

/**
 * A Worker whose activity ends the process with each try, as a crash of native code does: `node
 * test/testkit/dying-worker.ts <queue> <bundle> <file for a line per try> <tries>`. `tries` says
 * one letter each: `d` dies, `f` fails in order, `w` works; the last holds for all further ones.
 */
const [queue = '', codePath = '', file = '', tries = ''] = process.argv.slice(2);
await startFleet({
  temporal: { address: process.env['TEMPORAL_ADDRESS'] ?? '', namespace: 'default' },
  log: quiet,
  workflows: { taskQueue: queue, bundle: { codePath }, activities: {} },
  pools: [
    {
      taskQueue: `${queue}-pool`,
      size: 2,
      activities: beating({
        async work() {
          const { attempt } = activityInfo();
          const what = tries[attempt - 1] ?? tries.at(-1);
          appendFileSync(file, `${what}\n`);
          if (what === 'd') process.kill(process.pid, 'SIGKILL');
          if (what === 'f') throw ApplicationFailure.create({ message: 'in order' });
          return 'done';
        },
      }),
    },
  ],
});
