import process from 'node:process';
import { Command } from 'commander';
import { CliError, openClient } from './client.ts';
import { addBlobCommands } from './commands/blob.ts';
import { addBundleCommands } from './commands/bundle.ts';
import { addChatCommand } from './commands/chat.ts';
import { addDataCommands } from './commands/data.ts';
import { addMcpCommand } from './commands/mcp.ts';
import { addMemoryCommands } from './commands/memory.ts';
import { addOperatorCommands } from './commands/operator.ts';
import { addQueryCommand } from './commands/query.ts';
import { addRunCommand } from './commands/run.ts';
import { paint } from './terminal.ts';

const program = new Command('aiden')
  .description('Author, run and look after Aiden from the terminal.')
  .option('--url <origin>', 'where the API is', process.env['AIDEN_URL'] ?? 'http://127.0.0.1:4000')
  .option(
    '--token <token>',
    'who you are: a JWT, or dev:<name>[:admin] (default: AIDEN_TOKEN)',
    process.env['AIDEN_TOKEN'],
  )
  .showHelpAfterError('(aiden --help lists the commands)')
  .configureHelp({ showGlobalOptions: true });

const endpoint = () => {
  const { url, token } = program.opts<{ url: string; token?: string }>();
  if (!URL.canParse(url))
    throw new CliError(`--url ${url} is no URL; give an origin such as http://127.0.0.1:4000.`);
  return { url, token };
};
/** Opened on first use, so that --help and wrong flags do not need the network. */
const client = () => openClient(endpoint());

addRunCommand(program, client);
addQueryCommand(program, client);
addChatCommand(program, client);
addBlobCommands(program, client);
addBundleCommands(program, client);
addDataCommands(program, client);
addMcpCommand(program, endpoint);
addMemoryCommands(program, client);
addOperatorCommands(program, client);

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  console.error(`${paint('red', 'aiden:')} ${error.message}`);
  process.exitCode = 1;
}
