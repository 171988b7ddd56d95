import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { CliError, type Client } from '../client.ts';
import {
  AskMemoryDocument,
  BrowseMemoryDocument,
  IngestEventsDocument,
  type MemoryFieldsFragment,
  MemoryNodeDocument,
  type MemoryNodeQuery,
  MemoryRootDocument,
  MemorySegmentDocument,
  type MemorySegmentQuery,
} from '../generated/documents.ts';
import { linesOf } from '../lines.ts';
import { eventsOfLine, type ImportedEvent, type ImportOptions } from '../memory/transcript.ts';
import { oneLine, paint } from '../terminal.ts';
import { addForgetCommands } from './forget.ts';

const BATCH_EVENTS_MAX = 500;
const BATCH_CHARS_MAX = 8 * 1024 * 1024;
const FAULTS_SHOWN_MAX = 20;
const PAGE = 100;

/** `memory import`, `ask`, `browse`, `find` and `forget`: the agent memory and the memory graph. */
export function addMemoryCommands(program: Command, client: () => Client): void {
  const memory = program.command('memory').description('What agents remember.');

  memory
    .command('import')
    .description(
      'Bring in transcripts: events of the agent memory, or what coding agents keep, as JSON ' +
        'lines.',
    )
    .argument('<files...>', 'the files; importing one again changes nothing')
    .option('--agent <id>', 'whose memory it is')
    .option('--session <id>', "the session of lines that name none (default: the file's name)")
    .action(async (files: string[], { agent, session }: { agent?: string; session?: string }) => {
      const faults: string[] = [];
      for (const file of files) {
        const options = { agent, session: session ?? basename(file).replace(/\.jsonl?$/, '') };
        await importFile(client(), file, options, faults);
      }
      if (faults.length === 0) return;
      const shown = faults.slice(0, FAULTS_SHOWN_MAX);
      const more =
        faults.length > shown.length ? [`… and ${faults.length - shown.length} more`] : [];
      throw new CliError(
        `Some lines were not taken; the others are kept.\n${[...shown, ...more].join('\n')}`,
      );
    });

  memory
    .command('ask')
    .description('Look for what was said and what it came to, by words.')
    .argument('<words...>', 'what to look for')
    .option('--agent <id>', 'whose memory')
    .option('--limit <count>', 'how much at most', '10')
    .action((words: string[], options: AskOptions) => ask(client(), words.join(' '), options));

  memory
    .command('browse')
    .description(
      'Walk through the table of contents: years, months, weeks, days, conversations, words.',
    )
    .argument('[nodeId]', 'where to begin, such as toc:day:2024-01-15; none = all years')
    .option('--agent <id>', 'whose memory')
    .action((nodeId: string | undefined, { agent }: { agent?: string }) =>
      browse(client(), nodeId ?? null, agent ?? null),
    );
  addForgetCommands(memory, client);
}

async function ask(api: Client, query: string, { agent, limit }: AskOptions): Promise<void> {
  const { searchMemory } = await api.query(AskMemoryDocument, {
    input: { query, kinds: ['TOC', 'EVENT'], agentId: agent ?? null, limit: Number(limit) },
  });
  const { hits, reason } = searchMemory;
  if (hits.length === 0) console.log(`Nothing that is remembered answers that. ${reason}`);
  for (const { tocNode, event } of hits) {
    if (event !== null)
      console.log(
        `${event.occurredAt.slice(0, 16)}  ${event.role.toLowerCase()}: ${oneLine(event.text)}`,
      );
    if (tocNode === null) continue;
    console.log(`${paint('bold', tocNode.title)}  ${paint('dim', tocNode.nodeId)}`);
    for (const { text } of tocNode.bullets) console.log(`  - ${oneLine(text)}`);
  }
}
interface AskOptions {
  readonly agent?: string;
  readonly limit: string;
}

async function importFile(
  api: Client,
  file: string,
  options: ImportOptions,
  faults: string[],
): Promise<void> {
  let batch: { line: number; event: ImportedEvent }[] = [];
  let chars = 0;
  let [line, created, duplicates] = [0, 0, 0];
  const flush = async () => {
    if (batch.length === 0) return;
    const sent = batch;
    [batch, chars] = [[], 0];
    const { ingestEvents: answer } = await api.query(IngestEventsDocument, {
      input: sent.map(({ event }) => event),
    });
    created += answer.created;
    duplicates += answer.duplicates;
    for (const { code, message, path } of answer.userErrors) {
      const [, index = '', ...field] = path;
      faults.push(`${file}:${sent[Number(index)]?.line} ${code} ${field.join('.')}: ${message}`);
    }
    if (process.stderr.isTTY) process.stderr.write(`\r${file}: line ${line}, ${created} new `);
  };
  try {
    for await (const text of linesOf(createReadStream(file))) {
      line++;
      if (text.trim() === '') continue;
      try {
        for (const event of eventsOfLine(text, options)) batch.push({ line, event });
      } catch (error) {
        const why = error instanceof SyntaxError ? 'is no JSON' : (error as Error).message;
        faults.push(`${file}:${line} ${why}`);
      }
      chars += text.length;
      if (batch.length >= BATCH_EVENTS_MAX || chars >= BATCH_CHARS_MAX) await flush();
    }
    await flush();
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string')
      throw new CliError(`Can't read ${file}: ${error.message}`);
    throw error;
  }
  if (process.stderr.isTTY) process.stderr.write('\r');
  console.log(`${file}: ${created} new, ${duplicates} known`);
}

type TocNode = NonNullable<MemoryNodeQuery['tocNode']>;
type Events = NonNullable<MemorySegmentQuery['tocNode']>['events'];

/** One node of the table of contents. The events of a segment are queried in addition. */
interface ShownNode {
  readonly node: TocNode;
  readonly events: Events['nodes'];
}

/**
 * Shows a node and its children. A number opens a child, `u` the parent; `q` or end of input quits.
 */
async function browse(api: Client, start: string | null, agentId: string | null): Promise<void> {
  const input = createInterface({ input: process.stdin });
  const answers = input[Symbol.asyncIterator]();
  try {
    for (let at = start; ; ) {
      const shown = at === null ? null : await nodeAt(api, at, agentId);
      const below = await childrenOf(api, shown?.node ?? null, agentId);
      show(shown, below);
      process.stdout.write(paint('dim', `${below.length > 0 ? 'number, ' : ''}u, q > `));
      const { value, done } = await answers.next();
      const answer = String(value ?? '').trim();
      if (done === true || answer === 'q') return void process.stdout.write('\n');
      const chosen = below[Number(answer) - 1];
      if (answer === 'u') at = shown?.node.parent?.nodeId ?? null;
      else if (chosen !== undefined) at = chosen.nodeId;
    }
  } finally {
    input.close();
  }
}

async function nodeAt(api: Client, nodeId: string, agentId: string | null): Promise<ShownNode> {
  const { tocNode: node } = await api.query(MemoryNodeDocument, { nodeId, agentId });
  if (node === null) throw new CliError(`Nothing is remembered of ${nodeId}.`);
  if (node.level !== 'SEGMENT') return { node, events: [] };
  const words = await api.query(MemorySegmentDocument, { nodeId, agentId });
  return { node, events: words.tocNode?.events.nodes ?? [] };
}

async function childrenOf(
  api: Client,
  node: TocNode | null,
  agentId: string | null,
): Promise<readonly MemoryFieldsFragment[]> {
  if (node === null) return (await api.query(MemoryRootDocument, { agentId })).tocRoot;
  if (node.level === 'SEGMENT') return [];
  const { browseToc } = await api.query(BrowseMemoryDocument, {
    parentId: node.nodeId,
    limit: PAGE,
    agentId,
  });
  return browseToc.nodes;
}

function show(shown: ShownNode | null, below: readonly MemoryFieldsFragment[]): void {
  if (shown !== null) {
    console.log(paint('bold', shown.node.title));
    for (const { text } of shown.node.bullets) console.log(`  - ${text}`);
    for (const { occurredAt, role, text, eventType } of shown.events)
      console.log(
        `  ${paint('dim', occurredAt.slice(11, 16))} ${role.toLowerCase()}: ` +
          `${text || `(${eventType.toLowerCase()})`}`,
      );
  } else if (below.length === 0) console.log('Nothing is remembered yet.');
  below.forEach(({ title, bullets }, index) => {
    console.log(
      `${String(index + 1).padStart(3)}  ${title}  ${paint('dim', bullets[0]?.text ?? '')}`,
    );
  });
}
