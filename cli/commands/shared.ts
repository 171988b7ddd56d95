import type { Command } from 'commander';
import { CliError, type Client, outcomeOf } from '../client.ts';
import {
  AdoptProcessDocument,
  AllowProcessMemoryDocument,
  DropProcessDocument,
  FindSharedDocument,
  GetMemoryAccessDocument,
  ListAdoptionsDocument,
  ListMemoryAgreementsDocument,
  RevokeProcessMemoryDocument,
} from '../generated/documents.ts';

const PAGE = 200;
const PROCESS = 'name or id of a Process of another user';

/** `aiden shared`: Processes of other users as own tools, and their use of the memory. */
export function addSharedCommands(program: Command, client: () => Client): void {
  const shared = program
    .command('shared')
    .description(
      'Processes of other users: take them over as tools, and let them use your memory.',
    );

  shared
    .command('list', { isDefault: true })
    .description('List the Processes that you took over, and those that may use your memory.')
    .action(async () => {
      const { processAdoptions } = await client().query(ListAdoptionsDocument, { first: PAGE });
      const { processMemoryAgreements } = await client().query(ListMemoryAgreementsDocument, {
        first: PAGE,
      });
      for (const { name, version, process } of processAdoptions.nodes) {
        const now =
          process === null || process.version === version ? '' : `, now ${process.version}`;
        const of = process === null ? 'gone' : `${process.name} of ${process.owner.name}`;
        console.log(`${name}  tool, ${of}, version ${version}${now}`);
      }
      for (const {
        processName,
        version,
        writes,
        reads,
        process,
      } of processMemoryAgreements.nodes) {
        const uses = writes ? (reads ? 'reads and changes' : 'changes') : 'reads';
        const of = process === null ? '' : ` of ${process.owner.name}`;
        console.log(`${processName}${of}, version ${version}, ${uses} your memory`);
      }
      if (processAdoptions.nodes.length + processMemoryAgreements.nodes.length === 0)
        console.log('You took over no Process, and none of another user may use your memory.');
    });

  shared
    .command('adopt')
    .description('Take a Process over as a tool of MCP clients and a model of chat clients.')
    .argument('<process>', PROCESS)
    .argument('<name>', 'its name for you: letters, digits, _ and -')
    .action(async (process: string, name: string) => {
      const { id: processId, version } = await found(client(), process);
      const input = { processId, name, version };
      const { adoptProcess } = await client().query(AdoptProcessDocument, { input });
      const done = outcomeOf(adoptProcess, adoptProcess.adoption, 'It was not taken over');
      console.log(`It is your tool ${done.name} now.`);
    });

  shared
    .command('drop')
    .description('Give up a Process that you took over.')
    .argument('<process>', PROCESS)
    .action(async (process: string) => {
      const { id: processId } = await found(client(), process);
      const { dropProcess } = await client().query(DropProcessDocument, { input: { processId } });
      outcomeOf(dropProcess, dropProcess.processId, 'It was not given up');
      console.log('It is no tool of yours any more.');
    });

  shared
    .command('allow')
    .description('Let a Process, in its present version, use your memory without asking.')
    .argument('<process>', PROCESS)
    .action(async (process: string) => {
      const { id } = await found(client(), process);
      const { process: read } = await client().query(GetMemoryAccessDocument, { id });
      if (read?.memoryAccess == null) throw new CliError('It uses no memory of yours.');
      const { version, memoryAccess } = read;
      const input = { processId: id, version, digest: memoryAccess.digest };
      const { allowProcessMemory: payload } = await client().query(AllowProcessMemoryDocument, {
        input,
      });
      const done = outcomeOf(payload, payload.agreement, 'It was not allowed');
      console.log(`${done.processName}, version ${done.version}, may use your memory.`);
    });

  shared
    .command('revoke')
    .description('Withdraw this for all versions of a Process.')
    .argument('<process>', PROCESS)
    .action(async (process: string) => {
      const { id: processId } = await found(client(), process);
      const { revokeProcessMemory: payload } = await client().query(RevokeProcessMemoryDocument, {
        input: { processId },
      });
      outcomeOf(payload, payload.processId, 'It was not withdrawn');
      console.log('It asks again at its next use of your memory.');
    });
}

/** The Process with this id, else the only one with this name. */
async function found(
  api: Client,
  reference: string,
): Promise<{ readonly id: string; readonly version: number }> {
  const byId = await api.query(GetMemoryAccessDocument, { id: reference }).catch(() => null);
  if (byId?.process != null) return byId.process;
  const named: { id: string; name: string; version: number; owner: { name: string } }[] = [];
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(api, reference, after);
    named.push(...page.nodes.filter(({ name }) => name === reference));
    if (!page.pageInfo.hasNextPage) break;
    after = page.pageInfo.endCursor;
  }
  const [only, ...others] = named;
  if (only === undefined)
    throw new CliError(`No Process ${reference}, or it is not shared with you.`);
  if (others.length > 0) {
    const listed = named.map(({ id, owner }) => `${id} of ${owner.name}`).join(', ');
    throw new CliError(`Several Processes have this name; give an id: ${listed}.`);
  }
  return only;
}

async function pageOf(api: Client, query: string, after: string | null) {
  return (await api.query(FindSharedDocument, { query, after })).processes;
}
