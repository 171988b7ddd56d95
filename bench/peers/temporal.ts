import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { callRest, serve } from './served.ts';

// Written by hand against the Temporal that Aiden uses in the same run: nothing else is recorded.
const { TEMPORAL_ADDRESS: address = '', WORKFLOW = 'byActivities' } = process.env;
const taskQueue = `peers-${WORKFLOW}`;

Runtime.install({ logger: { ...console, log() {}, trace() {}, debug() {}, info() {} } });
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address }),
  namespace: process.env['TEMPORAL_NAMESPACE'] ?? 'default',
  taskQueue,
  workflowsPath: fileURLToPath(new URL('temporal-workflows.ts', import.meta.url)),
  activities: { callRest },
});
void worker.run();
const { workflow } = new Client({ connection: await Connection.connect({ address }) });
await serve((key) => workflow.execute(WORKFLOW, { workflowId: key, taskQueue, args: [key] }));
