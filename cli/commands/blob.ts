import { open, rename, rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { CliError, type Client } from '../client.ts';
import { GetBlobDocument, type GetBlobQuery } from '../generated/documents.ts';

// Maximum number of bytes per query.
const PIECE_BYTES = 1_048_576;

/**
 * `aiden blob get <uri> -o file`: saves a payload of the raw session graph to a file, without
 * holding it in memory as a whole (S0-BLOB-02).
 */
export function addBlobCommands(program: Command, client: () => Client): void {
  program
    .command('blob')
    .description('Payloads that are too large for the graph.')
    .command('get')
    .description('Write a payload to a file and print its path.')
    .argument('<uri>', 'ci-blob://{session}/{key}, as $blob_ref names it')
    .requiredOption('-o, --output <path>', 'the file; one that is there is replaced')
    .action(async (uri: string, { output }: { output: string }) => {
      await writeBlob(client(), uri, output);
      console.log(output);
    });
}

/** Writes in pieces to a temporary name, so that a broken connection leaves no partial file. */
export async function writeBlob(api: Client, uri: string, path: string): Promise<void> {
  const draft = `${path}.part`;
  try {
    const file = await open(draft, 'w', 0o600);
    try {
      for (let offset: number | null = 0; offset !== null; ) {
        const { blob }: GetBlobQuery = await api.query(GetBlobDocument, {
          uri,
          offset,
          length: PIECE_BYTES,
        });
        if (blob === null) throw new CliError(`No blob ${uri}, or it is not yours to see.`);
        await file.write(Buffer.from(blob.content, 'base64'));
        offset = blob.nextOffset;
      }
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
