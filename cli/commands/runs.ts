import { type Command, Option } from 'commander';
import { CliError, type Client } from '../client.ts';
import { findProcess } from '../find-process.ts';
import { GetRunDocument, ListRunsDocument, type RunStatus } from '../generated/documents.ts';
import { oneLine, paint, seconds } from '../terminal.ts';
import { createTimeline, FINAL_STATUSES, MARK } from '../timeline.ts';

const STATUSES: readonly RunStatus[] = [
  'PENDING',
  'RUNNING',
  'WAITING',
  'PAUSED',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
];

interface ListOptions {
  readonly process?: string;
  readonly status?: string;
  readonly limit: string;
  readonly system: boolean;
}

/** `aiden runs`: lists the user's runs, and shows one with its steps. */
export function addRunsCommands(program: Command, client: () => Client): void {
  const runs = program.command('runs').description('Your runs: list them, or show one.');

  runs
    .command('list', { isDefault: true })
    .description('List your runs, newest first.')
    .option('-p, --process <process>', 'only runs of this Process, by id or name')
    .addOption(
      new Option('-s, --status <status>', 'only runs of this status').choices(
        STATUSES.map((status) => status.toLowerCase()),
      ),
    )
    .option('-n, --limit <count>', 'how many at most', '20')
    .option('--system', "the product's own background runs, too", false)
    .action((options: ListOptions) => listRuns(client(), options));

  runs
    .command('show')
    .description('Show a run with its steps, its usage and its output.')
    .argument('<id>', 'id of the run')
    .action(async (id: string) => {
      const { processRun } = await client().query(GetRunDocument, { id });
      if (processRun === null)
        throw new CliError(`No run with the id ${id}, or it is not yours to see.`);
      createTimeline((line) => console.log(line))(processRun);
      if (!FINAL_STATUSES.includes(processRun.status))
        console.log(`  ${MARK[processRun.status]} ${processRun.status.toLowerCase()}`);
    });
}

async function listRuns(api: Client, options: ListOptions): Promise<void> {
  const first = Number(options.limit);
  if (!(Number.isInteger(first) && first >= 1 && first <= 200))
    throw new CliError(`--limit ${options.limit} should be a whole number from 1 to 200.`);
  const { process, status } = options;
  const { processRuns } = await api.query(ListRunsDocument, {
    processId: process === undefined ? null : (await findProcess(api, process)).id,
    status: status === undefined ? null : STATUSES.filter((one) => one.toLowerCase() === status),
    first,
    includeSystem: options.system,
  });
  for (const run of processRuns.nodes) {
    const end = run.completedAt === null ? '' : took(run.createdAt, run.completedAt);
    const error = run.error === null ? '' : paint('red', `  ${run.error.code}`);
    console.log(
      `${MARK[run.status]} ${run.status.toLowerCase().padEnd(9)}  ${run.createdAt}  ` +
        `${end.padStart(9)}  ${run.id}  ${oneLine(run.processName, 40)} ` +
        `v${run.processVersion}${error}`,
    );
  }
  if (processRuns.nodes.length === 0) console.log('No run fits.');
  const more = processRuns.totalCount - processRuns.nodes.length;
  if (more > 0) console.log(paint('dim', `… and ${more} more`));
}

function took(from: string, to: string): string {
  return seconds(Math.max(0, Date.parse(to) - Date.parse(from)));
}
