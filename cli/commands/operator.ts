import { spawn } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { CliError, type Client } from '../client.ts';
import { HealthDocument } from '../generated/documents.ts';
import { paint } from '../terminal.ts';

/**
 * Commands of the operator beside the API: `doctor`, `secrets rotate`, `layers rebuild`, `calls
 * export` and `import`, `backup`, `restore`, `check-upgrade`.
 */
export function addOperatorCommands(program: Command, client: () => Client): void {
  program
    .command('doctor')
    .description('Say what is reachable, in which version, and what to do about the rest.')
    .action(async () => {
      // The settings here are of this installation; --url may name another one.
      const isNamed = program.getOptionValueSource('url') === 'cli';
      // Probe the backing services from here too: an API that is down cannot report the cause.
      const code = isNamed ? 0 : await runMain('doctor.ts', []);
      const api = await apiLines(client, isNamed);
      for (const line of api.lines) console.log(line);
      process.exitCode = code === 0 && api.ok ? 0 : 1;
    });

  /** These commands open the database with the settings of `npm start`, not the API. */
  const onDatabase = (command: Command): Command =>
    command.configureHelp({ showGlobalOptions: false }).hook('preAction', () => {
      const given = ['url', 'token'].filter((name) => program.getOptionValueSource(name) === 'cli');
      if (given.length > 0)
        throw new CliError(
          'This command opens the database itself, not the API; leave out ' +
            `--${given.join(' and --')}.`,
        );
    });

  onDatabase(
    program.command('secrets').description('Look after Secrets at rest.').command('rotate'),
  )
    .description(
      'Encrypt all Secrets anew under the current key (the first of AIDEN_SECRET_KEYS). Safe ' +
        'to run again.',
    )
    .action(async () => {
      process.exitCode = await runMain('rotate-secrets.ts', []);
    });

  onDatabase(
    program
      .command('layers')
      .description('Look after the semantic layers over the raw session graph.')
      .command('rebuild'),
  )
    .description('Drop them and derive them anew from the events. Safe to run again.')
    .action(async () => {
      process.exitCode = await runMain('rebuild-layers.ts', []);
    });

  addArchiveCommands(program);

  onDatabase(program.command('check-upgrade'))
    .description(
      'Say which stored Processes and Tools this version would refuse; end with 1 where there ' +
        'are some. Changes nothing.',
    )
    .option('--json', 'print one JSON document')
    .option(...INSTANCE_FLAG)
    .action(async ({ json, instance }: { readonly json?: true; readonly instance?: string }) => {
      process.exitCode = await runMain('check-upgrade.ts', [
        json === true ? 'json' : 'text',
        ...instanceFlags(instance),
      ]);
    });

  const calls = program
    .command('calls')
    .description('Take the call graph of everybody out of the database, or put it in.');
  onDatabase(calls.command('export <file>'))
    .description('Write all calls and edges as one JSON document.')
    .action(async (file: string) => {
      process.exitCode = await runMain('calls-file.ts', ['export', file]);
    });
  onDatabase(calls.command('import <file>'))
    .description('Add the calls of such a document; those that are there already stay as they are.')
    .action(async (file: string) => {
      process.exitCode = await runMain('calls-file.ts', ['import', file]);
    });
}

const PASSPHRASE_FLAG = [
  '--passphrase-file <path>',
  'file with the passphrase (default: AIDEN_BACKUP_PASSPHRASE)',
  '',
] as const;
const INSTANCE_FLAG = ['--instance <name>', 'name of the installation'] as const;

const instanceFlags = (instance: string | undefined) =>
  instance === undefined ? [] : ['--instance', instance];

interface ArchiveFlags {
  readonly passphraseFile: string;
  readonly instance?: string;
}

/** `aiden backup` and `aiden restore`: one encrypted archive of everything (docs/operations.md). */
function addArchiveCommands(program: Command): void {
  program
    .command('backup <file>')
    .description(
      'Write graph, blobs, keys and settings to one encrypted archive, also while the product ' +
        'runs.',
    )
    .option(...PASSPHRASE_FLAG)
    .option(...INSTANCE_FLAG)
    .option('--wait <seconds>', 'longest time that changes wait while the graph is read', '45')
    .action(async (file: string, flags: ArchiveFlags & { readonly wait: string }) => {
      if (!/^[1-9]\d{0,4}$/.test(flags.wait))
        throw new CliError(`--wait ${flags.wait} is no whole number of seconds from 1 to 99999.`);
      const args = [file, flags.passphraseFile, flags.wait, ...instanceFlags(flags.instance)];
      process.exitCode = await runMain('backup.ts', args);
    });
  program
    .command('restore <file>')
    .description('Restore such an archive into an empty installation, and compare the two.')
    .option(...PASSPHRASE_FLAG)
    .option(...INSTANCE_FLAG)
    .option('--check', 'only check that the archive is whole, and its passphrase')
    .action(async (file: string, flags: ArchiveFlags & { readonly check?: true }) => {
      const only = flags.check === true ? 'check' : '';
      const args = [file, flags.passphraseFile, only, ...instanceFlags(flags.instance)];
      process.exitCode = await runMain('restore.ts', args);
    });
}

/** @param hasParts whether to tell how the API finds its services */
async function apiLines(
  client: () => Client,
  hasParts: boolean,
): Promise<{ ok: boolean; lines: string[] }> {
  try {
    const { health, viewer, workers } = await client().query(HealthDocument, {});
    const serving = workers.filter(({ status }) => status !== 'OFFLINE');
    const types = [...new Set(serving.map(({ type }) => type.toLowerCase()))].sort();
    const ok = health.status !== 'DOWN' && serving.length > 0;
    return {
      ok,
      lines: [
        line(
          health.status !== 'DOWN',
          'API',
          `version ${health.version}, ${health.status.toLowerCase()}; you are ${viewer.name} ` +
            `(${viewer.roles.join(', ').toLowerCase()})`,
        ),
        line(
          serving.length > 0,
          'Workers',
          serving.length > 0
            ? `${serving.length} for ${types.join(', ')}`
            : 'none is alive; runs will wait. Start some: npm start -- --role worker',
        ),
        ...(hasParts ? partLines(health) : []),
        ...health.warnings.map(warningLine),
      ],
    };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { ok: false, lines: [line(false, 'API', error.message)] };
  }
}

interface Warning {
  readonly message: string;
  readonly startedAt: string;
  readonly waiting: number;
  readonly advice: string;
}

/** Background work that fails or waits does not make the installation unusable. */
function warningLine({ message, startedAt, waiting, advice }: Warning): string {
  const count = waiting === 0 ? '' : `; ${waiting} waiting`;
  return (
    `${paint('yellow', '!')} ${'Background'.padEnd(10)} ${message} Since ${startedAt}${count}. ` +
    `${advice}`
  );
}

type Parts = Readonly<Record<'neo4j' | 'temporal' | 'eventBus', string>>;

/** The services of an installation, as its API finds them. */
function partLines({ neo4j, temporal, eventBus }: Parts): string[] {
  const parts = { Neo4j: neo4j, Temporal: temporal, Events: eventBus };
  return Object.entries(parts).map(([name, status]) =>
    line(status !== 'DOWN', name, `${status.toLowerCase()}, as the API says`),
  );
}

function line(ok: boolean, name: string, text: string): string {
  return `${ok ? paint('green', '✔') : paint('red', '✘')} ${name.padEnd(10)} ${text}`;
}

/** Runs a program of src/main, which reads the settings itself. Returns its exit code. */
function runMain(file: string, args: readonly string[]): Promise<number> {
  const path = fileURLToPath(new URL(`../../src/main/entrypoints/${file}`, import.meta.url));
  return new Promise((resolve) => {
    spawn(process.execPath, [path, ...args], { stdio: 'inherit' }).on('exit', (code) =>
      resolve(code ?? 1),
    );
  });
}
