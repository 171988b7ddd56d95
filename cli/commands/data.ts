import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { CliError, type Client, type UserError } from '../client.ts';
import {
  DeleteMyDataDocument,
  DeleteUserDocument,
  ExportMyDataDocument,
  MyDataRequestsDocument,
} from '../generated/documents.ts';
import { writeBlob } from './blob.ts';

const POLL_MS = 1_000;

/** `aiden data export` and `aiden data delete`: all data of a user (docs/data.md). */
export function addDataCommands(program: Command, client: () => Client): void {
  const data = program.command('data').description('All your data: take it along, or delete it.');
  data
    .command('export')
    .description('Write everything of yours to a file of gzipped JSON lines.')
    .requiredOption('-o, --output <path>', 'the file; one that is there is replaced')
    .action(async ({ output }: { output: string }) => {
      const api = client();
      const { exportMyData } = await api.query(ExportMyDataDocument, {});
      const archive = await archiveOf(api, accepted(exportMyData).id);
      await writeBlob(api, archive, output);
      console.log(output);
    });
  data
    .command('delete')
    .description('Delete everything of yours, for ever. Admins may name another user.')
    .option('--user <id>', 'id of another user')
    .requiredOption(
      '--confirm <phrase>',
      'exactly "delete all my data"; for another user "delete <id>"',
    )
    .action(async ({ user, confirm }: { user?: string; confirm: string }) => {
      const api = client();
      const answer =
        user === undefined
          ? (await api.query(DeleteMyDataDocument, { confirm })).deleteMyData
          : (await api.query(DeleteUserDocument, { userId: user, confirm })).deleteUser;
      console.log(`The deletion begins in a minute; its request is ${accepted(answer).id}.`);
    });
}

function accepted(answer: {
  readonly request: { readonly id: string } | null;
  readonly userErrors: readonly UserError[];
}): { readonly id: string } {
  if (answer.request !== null) return answer.request;
  throw new CliError(answer.userErrors.map(({ message }) => message).join('\n'));
}

/** Waits for the end of an export. */
async function archiveOf(api: Client, id: string): Promise<string> {
  for (;;) {
    const { myDataRequests } = await api.query(MyDataRequestsDocument, {});
    const request = myDataRequests.find((one) => one.id === id);
    if (request?.archive != null) return request.archive;
    if (request === undefined || request.status === 'FAILED')
      throw new CliError(`The export failed: ${request?.error ?? 'its request is gone'}`);
    await setTimeout(POLL_MS);
  }
}
