import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { CliError, type Client } from '../client.ts';
import {
  FindMemoriesDocument,
  ForgetDocument,
  type ForgetsFieldsFragment,
  MemoryToForgetDocument,
} from '../generated/documents.ts';
import { oneLine, paint } from '../terminal.ts';

/** `memory find` and `memory forget`: entities and facts, and the deletion of one of them. */
export function addForgetCommands(memory: Command, client: () => Client): void {
  memory
    .command('find')
    .description('Look for entities and facts, each with its id.')
    .argument('<words...>', 'what to look for')
    .option('--limit <count>', 'how many at most', '10')
    .action((words: string[], { limit }: { limit: string }) =>
      find(client(), words.join(' '), Number(limit)),
    );

  memory
    .command('forget')
    .description('Delete one entity or fact, with what rests on it. It asks before.')
    .argument('<id>', 'the entity or fact, as `aiden memory find` lists it')
    .option('-y, --yes', 'do not ask')
    .action((id: string, { yes }: { yes?: true }) => forget(client(), id, yes === true));
}

async function find(api: Client, query: string, limit: number): Promise<void> {
  const { searchMemory } = await api.query(FindMemoriesDocument, {
    input: { query, kinds: ['ENTITY', 'FACT'], limit },
  });
  const { hits, nearest, reason } = searchMemory;
  if (hits.length === 0) console.log(`No entity and no fact fits these words. ${reason}`);
  if (hits.length === 0 && nearest.length > 0) console.log('The nearest:');
  for (const { entity, fact } of hits.length === 0 ? nearest : hits) {
    if (entity !== null) console.log(`${paint('bold', entity.name)}  ${paint('dim', entity.id)}`);
    if (fact !== null) console.log(`${oneLine(fact.fact)}  ${paint('dim', fact.id)}`);
  }
}

async function forget(api: Client, id: string, isSure: boolean): Promise<void> {
  const { node } = await api.query(MemoryToForgetDocument, { id });
  if (node === null || (node.__typename !== 'Entity' && node.__typename !== 'Fact'))
    throw new CliError(`You have no entity and no fact with the id ${id}.`);
  console.log(paint('bold', node.__typename === 'Entity' ? node.name : node.fact));
  console.log(`Goes with it: ${listOf(node.forgets)}.`);
  console.log("It can't be undone. The words of the conversation stay.");
  if (!isSure && !(await agrees('Forget it? [y/N] '))) throw new CliError('Nothing was forgotten.');
  const { uuid, forgets } = node;
  // A fact that was read since it was shown is not lost unseen.
  const confirmFacts = node.__typename === 'Entity' ? forgets.facts : null;
  const answer = await api.query(ForgetDocument, { uuid, confirmFacts });
  const { userErrors } = answer.forget;
  if (userErrors.length > 0)
    throw new CliError(userErrors.map(({ message }) => message).join('\n'));
  console.log('Forgotten.');
}

function listOf({ facts, mentions, summaries, vectors, conversations }: ForgetsFieldsFragment) {
  const parts = [
    counted(facts, 'fact', 'facts'),
    counted(mentions, 'mention', 'mentions'),
    counted(summaries, 'summary', 'summaries'),
    counted(vectors, 'vector', 'vectors'),
    counted(conversations, 'place in a conversation', 'places in conversations'),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'nothing else' : parts.join(', ');
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`;
}

/** Asks on the terminal; the end of the input is a no. */
async function agrees(question: string): Promise<boolean> {
  process.stdout.write(question);
  const input = createInterface({ input: process.stdin });
  try {
    for await (const line of input) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    input.close();
  }
}
