import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import type { Command } from 'commander';
import { CliError, type Client, refuseErrors } from '../client.ts';
import {
  ExportBundleDocument,
  ImportBundleDocument,
  type ImportBundleMutation,
} from '../generated/documents.ts';

/**
 * `apply`, `validate` and `export`: Services, Tools and Processes as YAML in files under version
 * control.
 */
export function addBundleCommands(program: Command, client: () => Client): void {
  program
    .command('apply')
    .description('Create or update what a bundle holds; applying it twice changes nothing.')
    .requiredOption('-f, --file <path>', 'the bundle (YAML); - reads standard input')
    .option('-n, --dry-run', 'say what would change, and change nothing', false)
    .action(async ({ file, dryRun }: { file: string; dryRun: boolean }) => {
      const { created, updated, unchanged } = await importBundle(client(), file, dryRun);
      const would = dryRun ? 'would be ' : '';
      console.log(
        `${created.length} ${would}created, ${updated.length} ${would}updated, ` +
          `${unchanged.length} unchanged`,
      );
    });

  program
    .command('validate')
    .description('Check a bundle and list every fault; writes nothing.')
    .requiredOption('-f, --file <path>', 'the bundle (YAML); - reads standard input')
    .action(async ({ file }: { file: string }) => {
      await importBundle(client(), file, true);
      console.log(`${file} is valid`);
    });

  program
    .command('export')
    .description(
      'Write Processes with all they use as a bundle (YAML); never the values of Secrets.',
    )
    .argument('[processIds...]', 'which; none = all of yours')
    .option('-o, --output <path>', 'a file; absent = standard output')
    .action(async (processIds: string[], { output }: { output?: string }) => {
      const { exportBundle } = await client().query(ExportBundleDocument, {
        processIds: processIds.length > 0 ? processIds : null,
      });
      if (output === undefined) process.stdout.write(exportBundle);
      else await writeFile(output, exportBundle);
    });
}

async function importBundle(
  api: Client,
  file: string,
  dryRun: boolean,
): Promise<ImportBundleMutation['importBundle']> {
  const document = await readText(file);
  const { importBundle: answer } = await api.query(ImportBundleDocument, { document, dryRun });
  refuseErrors(answer.userErrors, `${file} has faults, nothing was written`);
  return answer;
}

async function readText(file: string): Promise<string> {
  try {
    if (file !== '-') return await readFile(file, 'utf8');
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    throw new CliError(
      `Can't read ${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
