import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { Command } from 'commander';
import { parseJson } from '../../packages/client/src/exact-json.ts';
import { CliError, type Client, outcomeOf } from '../client.ts';
import { findProcess } from '../find-process.ts';
import {
  CancelRunDocument,
  GetRunDocument,
  type ShownRunFieldsFragment,
  StartRunDocument,
  WatchRunDocument,
} from '../generated/documents.ts';
import { onInterrupt } from '../terminal.ts';
import { createTimeline, FINAL_STATUSES } from '../timeline.ts';

interface RunOptions {
  readonly context: Record<string, unknown>;
  readonly watch: boolean;
  readonly key?: string;
  readonly timeout?: number;
}

/** `aiden run <process> --context k=v --watch`: exit code 0 if the run completed, else 1. */
export function addRunCommand(program: Command, client: () => Client): void {
  program
    .command('run')
    .description('Start a Process and, with --watch, follow it to its output.')
    .argument('<process>', "the Process's id, or its name where only one is called so")
    .option(
      '-c, --context <key=value>',
      'a context variable; JSON where it parses as JSON, else text; @file.json takes all from ' +
        'a file (repeatable)',
      addPair,
      {},
    )
    .option(
      '-w, --watch',
      'print the timeline live and the output at the end; Ctrl-C cancels the run',
      false,
    )
    .option('-k, --key <idempotencyKey>', 'start at most one run under this key')
    .option('-t, --timeout <seconds>', 'end the run after this time', toSeconds)
    .action(async (reference: string, options: RunOptions) => {
      const api = client();
      const { id } = await findProcess(api, reference);
      const runId = await startRun(api, id, options);
      if (!options.watch) {
        console.log(runId);
        return;
      }
      const run = await watchRun(api, runId);
      if (run.status !== 'COMPLETED') process.exitCode = 1;
    });
}

async function startRun(api: Client, processId: string, options: RunOptions): Promise<string> {
  const { startProcessRun } = await api.query(StartRunDocument, {
    input: {
      processId,
      context: options.context,
      ...(options.key === undefined ? {} : { idempotencyKey: options.key }),
      ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
    },
  });
  return outcomeOf(startProcessRun, startProcessRun.run, 'The run was not started').id;
}

/**
 * Follows a run to its end. Reconnects after a broken connection; each state has all steps, so none
 * is missed.
 */
async function watchRun(api: Client, id: string): Promise<ShownRunFieldsFragment> {
  const show = createTimeline((line) => console.log(line));
  let cancelling = false;
  const stopListening = onInterrupt(() => {
    if (cancelling) process.exit(130);
    cancelling = true;
    console.error('Cancelling the run (Ctrl-C again leaves it as it is) …');
    void api
      .query(CancelRunDocument, { id })
      .catch((error: unknown) => console.error(String(error)));
  });
  try {
    for (let attempt = 1; ; attempt++) {
      try {
        for await (const { processRun } of api.subscribe(WatchRunDocument, { id })) {
          show(processRun);
          if (FINAL_STATUSES.includes(processRun.status)) return processRun;
        }
        const { processRun } = await api.query(GetRunDocument, { id });
        if (processRun === null) throw new CliError(`No run with the id ${id}.`);
        show(processRun);
        return processRun;
      } catch (error) {
        if (!(error instanceof CliError) || attempt === 5) throw error;
        console.error(`${error.message} Trying again …`);
        await new Promise((resolve) => setTimeout(resolve, 500 * attempt));
      }
    }
  } finally {
    stopListening();
  }
}

/**
 * Parses `k=v`: the value is JSON if it parses as JSON, else text. `@file.json`: a JSON object of
 * variables. Later pairs overwrite earlier ones.
 */
export function addPair(pair: string, before: Record<string, unknown>): Record<string, unknown> {
  if (pair.startsWith('@')) return { ...before, ...readContext(pair.slice(1)) };
  const at = pair.indexOf('=');
  if (at < 1) throw new CliError(`--context ${pair} should be key=value or @file.json.`);
  return { ...before, [pair.slice(0, at)]: jsonOr(pair.slice(at + 1)) };
}

function jsonOr(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text; // plain text needs no quotes
  }
}

function readContext(file: string): Record<string, unknown> {
  try {
    const value: unknown = parseJson(readFileSync(file, 'utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
    throw new Error('it has to hold a JSON object');
  } catch (error) {
    throw new CliError(
      `Can't take the context from ${file}: ` +
        `${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function toSeconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new CliError(`--timeout ${text} should be a number of seconds above 0.`);
  return value;
}
