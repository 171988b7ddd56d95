import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openTemporal } from '../src/platform/temporal/client.ts';
import { client } from '../test/testkit/client.ts';
import type { RestServer } from '../test/testkit/rest-server.ts';
import { runWorld } from '../test/testkit/run-world.ts';
import { openInstallation } from './installation.ts';
import { type Figure, holds, printFigure } from './report.ts';

// One run with a long list: a REST call for each item, 50 at once, over the API of a whole
// installation. How the rate, the memory of the product and the histories develop, and whether each
// item is called once. `npm run bench -- big-lists --items 10000`

const LAST_TENTH_MIN = 0.8;
const EVENTS_MAX = 10_000;
/** Garbage comes and goes; the least memory of a tenth of the calls is that which stays. */
const MEMORY_MAX = 1.15;
/** Neo4j's compiler is at work in the first calls. */
const WARM_UP_SHARE = 0.1;

/** Answers each call, and notes its item and time. */
async function openNotingRest() {
  const seen: { readonly item: string; readonly atMs: number }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    // A probe has no body.
    if (body !== '') seen.push({ item: String(JSON.parse(body).name), atMs: performance.now() });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"text":"done"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, seen, close: () => server.close() };
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** The longest history of a run's executions. */
async function longestHistory(runId: string): Promise<{ events: number; executions: number }> {
  const address = String(process.env['TEMPORAL_ADDRESS']);
  const { client: temporal, close } = openTemporal({ address, namespace: 'default' });
  let events = 0;
  let executions = 0;
  try {
    // The list of executions lags behind.
    await sleep(2_000);
    const query = `WorkflowId = "${runId}"`;
    for await (const { runId: executionId } of temporal.workflow.list({ query })) {
      const handle = temporal.workflow.getHandle(runId, executionId);
      events = Math.max(events, (await handle.describe()).historyLength);
      executions++;
    }
  } finally {
    await close();
  }
  return { events, executions };
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { items: { type: 'string', default: '10000' } } });
  const items = Number(values.items);
  const rest = await openNotingRest();
  const installation = await openInstallation();
  try {
    const { url } = installation;
    const { product } = await installation.pids();
    const admin = client(`admin-${randomUUID().slice(0, 8)}`, { url, role: 'admin' });
    const limits = { forEachItemsMax: 100_000, stepsPerRunMax: 200_000 };
    const { userErrors } = await admin.mutate('updateSettings', limits);
    if (userErrors.length > 0) throw new Error(JSON.stringify(userErrors));
    const user = client(`lists-${randomUUID().slice(0, 8)}`, { url });
    const world = await runWorld(user, rest as unknown as RestServer, '/work');
    const execution = { forEach: 'context.list', maxConcurrency: 50 };
    const step = { stepId: 'every', inputs: { name: '{item}' }, execution };
    const more = {
      initialContext: ['list'],
      contextSchema: { type: 'object', properties: { list: { type: 'array' } } },
      outputTemplate: '{{every.length}}',
    };
    const processId = await world.createsProcess([step], more);
    // A context has at most 1 MiB, so 100,000 items have to be short.
    const list = Array.from({ length: items }, (_, index) => String(index));
    const beforeMb = await residentMb(product);
    const samples: { readonly calls: number; readonly mb: number }[] = [];
    const startedMs = performance.now();
    const watch = setInterval(async () => {
      const mb = await residentMb(product);
      samples.push({ calls: rest.seen.length, mb });
      if (samples.length % 30 !== 0) return;
      const minutes = ((performance.now() - startedMs) / 60_000).toFixed(0);
      console.log(`${minutes} min: ${rest.seen.length} calls, ${mb.toFixed(0)} MB`);
    }, 2_000);
    const runId = await world.starts(processId, { context: { list }, timeout: 4 * 3_600 });
    const { status, output } = await world.finishes(runId);
    clearInterval(watch);
    const { seen } = rest;
    const rateOf = (from: number, to: number) => {
      const first = seen[Math.floor(from * (items - 1))]?.atMs ?? 0;
      const last = seen[Math.floor(to * (items - 1))]?.atMs ?? 0;
      return ((to - from) * items * 1_000) / (last - first);
    };
    const leastMb = (from: number, to: number) =>
      Math.min(
        ...samples
          .filter(({ calls }) => calls >= from * items && calls < to * items)
          .map(({ mb }) => mb),
      );
    const [earlyMb, lateMb] = [leastMb(0.1, 0.3), leastMb(0.8, 1)];
    const mostMb = Math.max(...samples.map(({ mb }) => mb));
    const early = rateOf(WARM_UP_SHARE, WARM_UP_SHARE + 0.1);
    const late = rateOf(0.9, 1);
    const { events, executions } = await longestHistory(runId);
    const figures: Figure[] = [
      {
        name: 'calls a second in the last tenth beside the second',
        value: late / early,
        unit: 'x',
        bound: LAST_TENTH_MIN,
        keep: 'at least',
        detail:
          `${late.toFixed(1)} beside ${early.toFixed(1)}; ${items} items: ${status} ` + `${output}`,
      },
      {
        name: 'longest history',
        value: events,
        unit: 'events',
        bound: EVENTS_MAX,
        keep: 'at most',
        detail: `of ${executions} executions`,
      },
      {
        name: 'calls beside items',
        value: seen.length / new Set(seen.map(({ item }) => item)).size,
        unit: 'x',
        bound: 1,
        keep: 'at most',
        detail: '',
      },
      {
        name: 'least memory of the product in the last fifth beside the second tenth and the third',
        value: lateMb / earlyMb,
        unit: 'x',
        bound: MEMORY_MAX,
        keep: 'at most',
        detail:
          `${lateMb.toFixed(0)} beside ${earlyMb.toFixed(0)} MB; ${beforeMb.toFixed(0)} MB ` +
          `before, at most ${mostMb.toFixed(0)} MB`,
      },
    ];
    for (const figure of figures) printFigure(figure);
    process.exitCode = status === 'COMPLETED' && figures.every(holds) ? 0 : 1;
  } finally {
    await installation.close();
    rest.close();
  }
}

await main();
