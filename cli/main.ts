import { readFileSync } from 'node:fs';
import process from 'node:process';
import { Command } from 'commander';
import { z } from 'zod';
import { CliError, openClient } from './client.ts';
import { addApprovalCommands } from './commands/approvals.ts';
import { addBlobCommands } from './commands/blob.ts';
import { addBundleCommands } from './commands/bundle.ts';
import { addChatCommand } from './commands/chat.ts';
import { addDataCommands } from './commands/data.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMemoryCommands } from './commands/memory.ts';
import { addOperatorCommands } from './commands/operator.ts';
import { addQueryCommand } from './commands/query.ts';
import { addRunCommand } from './commands/run.ts';
import { addRunsCommands } from './commands/runs.ts';
import { addSharedCommands } from './commands/shared.ts';
import { paint } from './terminal.ts';

const PackageFile = z.object({ version: z.string() });
const { version: VERSION } = PackageFile.parse(
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')),
);
const DEV_TOKEN = 'dev:dev:admin';

/** Runs the command that `args` name. It sets the exit code of the process. */
export async function main(args: readonly string[]): Promise<void> {
  const program = new Command('aiden')
    .description('Author, run and look after Aiden from the terminal.')
    .version(VERSION, '-V, --version', 'print the version')
    .option(
      '--url <origin>',
      'where the API is',
      process.env['AIDEN_URL'] || 'http://127.0.0.1:4000',
    )
    .option(
      '--token <token>',
      'who you are: a JWT, or dev:<name>[:admin] (default: AIDEN_TOKEN; on loopback else ' +
        'dev:dev:admin)',
      process.env['AIDEN_TOKEN'] || undefined,
    )
    .showHelpAfterError('(aiden --help lists the commands)')
    .configureHelp({ showGlobalOptions: true });

  let isAssumed = false;
  /** On loopback a server in dev accepts any name. Elsewhere no identity is assumed. */
  function assumedToken(url: string): string | undefined {
    const { hostname } = new URL(url);
    if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return undefined;
    if (!isAssumed)
      console.error(paint('dim', `No --token: signing in to ${hostname} as ${DEV_TOKEN}.`));
    isAssumed = true;
    return DEV_TOKEN;
  }
  const endpoint = () => {
    const { url, token } = program.opts<{ url: string; token?: string }>();
    if (!/^https?:\/\/./i.test(url) || !URL.canParse(url))
      throw new CliError(`--url ${url} is no URL; give an origin such as http://127.0.0.1:4000.`);
    return { url, token: token ?? assumedToken(url) };
  };
  /** Opened on first use, so that --help and wrong flags do not need the network. */
  const client = () => openClient(endpoint());

  addRunCommand(program, client);
  addRunsCommands(program, client);
  addApprovalCommands(program, client);
  addSharedCommands(program, client);
  addQueryCommand(program, client);
  addChatCommand(program, client);
  addBlobCommands(program, client);
  addBundleCommands(program, client);
  addDataCommands(program, client);
  addMcpCommand(program, endpoint);
  addMemoryCommands(program, client);
  addOperatorCommands(program, client);

  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    console.error(`${paint('red', 'aiden:')} ${error.message}`);
    process.exitCode = 1;
  }
}

if (import.meta.main) await main(process.argv.slice(2));
