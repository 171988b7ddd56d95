import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openTemporal } from '../src/platform/temporal/client.ts';
import { openInstallation } from './installation.ts';
import { cpuSeconds } from './processes.ts';
import { holds, printFigure } from './report.ts';

// The cost of an installation that no one uses: workflows started, and processor time of the
// product, Neo4j and Temporal. CPU time is counted by the kernel, so other work on the machine
// hardly changes it. `npm run bench -- idle --minutes 2 --settle 60` is a shorter one.

const WORKFLOWS_MAX = 60;
const PRODUCT_PERCENT_MAX = 2;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      settle: { type: 'string', default: '120' },
    },
  });
  const measureMs = Number(values.minutes) * 60_000;
  const installation = await openInstallation();
  try {
    console.log(`started; ${values.settle} s to settle, then ${values.minutes} minutes of silence`);
    await sleep(Number(values.settle) * 1_000);
    const pids = await installation.pids();
    const since = new Date().toISOString();
    const before = await cpuSeconds(pids);
    await sleep(measureMs);
    const after = await cpuSeconds(pids);
    const percent = (name: keyof typeof pids) =>
      ((after[name] - before[name]) / (measureMs / 1_000)) * 100;
    const started = await workflowsSince(since);
    const figures = [
      {
        name: 'workflows started',
        value: started.total * (3_600_000 / measureMs),
        unit: 'an hour',
        bound: WORKFLOWS_MAX,
        keep: 'at most',
        detail: `(${started.total} in ${values.minutes} minutes: ${started.names})`,
      },
      {
        name: "the product's own processes",
        value: percent('product') + percent('local-llm'),
        unit: '% of a core',
        bound: PRODUCT_PERCENT_MAX,
        keep: 'at most',
        detail:
          `(product ${percent('product').toFixed(2)}, local-llm ` +
          `${percent('local-llm').toFixed(2)})`,
      },
    ] as const;
    for (const figure of figures) printFigure(figure);
    for (const name of ['Neo4j', 'Temporal'] as const)
      console.log(`     ${name}: ${percent(name).toFixed(2)} % of a core`);
    process.exitCode = figures.every(holds) ? 0 : 1;
  } finally {
    await installation.close();
  }
}

/** Workflows that started since then, with the number of each type. */
async function workflowsSince(since: string): Promise<{ total: number; names: string }> {
  const address = process.env['TEMPORAL_ADDRESS'] ?? '';
  const temporal = openTemporal({ address, namespace: 'default' });
  const counts = new Map<string, number>();
  for await (const { workflowId } of temporal.client.workflow.list({
    query: `StartTime >= "${since}"`,
  })) {
    const name = workflowId.replace(/-\d{4}-.*$/, '');
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  await temporal.close();
  const names = [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
  return { total: [...counts.values()].reduce((sum, count) => sum + count, 0), names };
}

await main();
