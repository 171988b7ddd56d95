import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPEN_RUN_STATUSES } from '../../src/common/run-status.ts';
import { freePort } from '../../src/host/ports.ts';
import { startApi } from '../../src/main/api.ts';
import { readConfig } from '../../src/main/config/config.ts';
import { loadExamples } from '../../src/main/examples.ts';
import { startLocalLlmProcess } from '../../src/main/local-llm-process.ts';
import { LOG_READERS } from '../../src/main/projections.ts';
import { openRuntime } from '../../src/main/runtime.ts';
import { startWorkers } from '../../src/main/worker.ts';
import { testGraph, writeCypher } from './graph.ts';

// The app of the api tests, a process of its own: API, Workers, local-llm and the shipped bundles
// of the product, as `npm start` runs them, on any free port and with data of its own. Work that
// earlier tests left concerns no test any more; the app would do all of it first.
const LEFT_WORK = [
  `MATCH (n:PendingEntry|Unembedded|PendingStart|OpenIngest|OpenDataRequest)
    REMOVE n:PendingEntry:Unembedded:PendingStart:OpenIngest:OpenDataRequest`,
  'MATCH (n:Work) DETACH DELETE n',
  'MATCH (n:Session) WHERE n.layers_stale_since IS NOT NULL REMOVE n.layers_stale_since',
  "UNWIND $open AS status MATCH (n:ProcessRun {status: status}) SET n.status = 'cancelled'",
  `UNWIND $readers AS name MATCH (counter:Counter {name: 'outbox'})
    MERGE (c:Checkpoint {name: name}) SET c.seq = counter.value`,
];
const left = testGraph();
const of = { open: OPEN_RUN_STATUSES, readers: LOG_READERS.names };
for (const statement of LEFT_WORK) await writeCypher(left, statement, of);
await left.close();
const dataDir = await mkdtemp(join(tmpdir(), 'aiden-app-'));
const localLlmPort = await freePort(0, new Set());
const settings = {
  AIDEN_PORT: '0',
  MEMORY_GRPC_PORT: '0',
  AIDEN_AUTH: 'dev',
  AIDEN_LOG_LEVEL: 'error',
  // The default counts where the tokens of whole talks are measured: turns are read together.
  AIDEN_EXTRACTION_QUIET_SECONDS: process.env['AIDEN_MEMORY_QUALITY'] === '1' ? '60' : '1',
  AIDEN_DATA_DIR: dataDir,
  AIDEN_LOCAL_LLM_PORT: String(localLlmPort),
};
const [runtime, localLlm] = await Promise.all([
  openRuntime(readConfig({ flags: [], env: { ...process.env, ...settings }, file: null })),
  startLocalLlmProcess(dataDir, localLlmPort),
]);
await loadExamples(runtime.deps, runtime.config);
const workers = await startWorkers(runtime);
const api = await startApi(runtime);
process.send?.({ url: api.url, localLlmPort, grpcAddress: api.grpcAddress });

process.once('disconnect', async () => {
  await api.stop();
  await workers.stop();
  await runtime.close();
  await localLlm.stop();
  await rm(dataDir, { recursive: true, force: true });
  process.exit(0);
});
