import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { historyLines, obey, type Room } from '../chat/commands.ts';
import { sourceLines } from '../chat/sources.ts';
import { type Answer, type Decision, openTalk, type Talk } from '../chat/talk.ts';
import { CliError, type Client } from '../client.ts';
import { findAnswering } from '../find-process.ts';
import { oneLine, onInterrupt, paint } from '../terminal.ts';

interface ChatOptions {
  readonly process?: string;
  readonly conversation?: string;
}

const PROCESS_DEFAULT = 'chat';
const TURNS_SHOWN = 6;

/**
 * `aiden chat`: reads messages from the terminal or a pipe, one per line. Answers stream to stdout,
 * all other output goes to stderr. Exit code 1 if a line of a pipe failed, 130 after Ctrl-C.
 */
export function addChatCommand(program: Command, client: () => Client): void {
  program
    .command('chat')
    .description('Talk to a Process; /help inside lists what can be done with what was said.')
    .option('-p, --process <process>', `who answers, by id or name (default: "${PROCESS_DEFAULT}")`)
    .option('-c, --conversation <id>', 'go on with this conversation')
    .action(async (options: ChatOptions) => {
      const api = client();
      const processId = async (reference: string) => (await findAnswering(api, reference)).id;
      // An existing conversation keeps its last Process, unless another one is given.
      const reference = options.process ?? (options.conversation ? null : PROCESS_DEFAULT);
      const talk = openTalk(api, {
        conversationId: options.conversation ?? null,
        processId: reference === null ? null : await processId(reference),
      });
      const before = (await talk.path()).slice(-TURNS_SHOWN);
      for (const line of historyLines(before)) console.error(line);
      await converse({ talk, processId, print: (line) => console.log(line) });
      if (talk.conversationId !== null)
        console.error(paint('dim', `Go on with: aiden chat --conversation ${talk.conversationId}`));
    });
}

/** Reads lines and answers them in sequence, until the input ends or the user quits. */
async function converse(room: Room): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const lines = createInterface({
    input: process.stdin,
    output: isTerminal ? process.stdout : undefined,
    prompt: paint('bold', '> '),
  } as Parameters<typeof createInterface>[0]);
  const waiting: string[] = [];
  let isOver = false;
  let wake = () => {};
  lines.on('line', (line) => {
    waiting.push(line);
    wake();
  });
  lines.once('close', () => {
    isOver = true;
    wake();
  });

  /** The next line; null at the end of the input. */
  const next = async (prompt: () => void): Promise<string | null> => {
    if (waiting.length === 0 && !isOver) {
      prompt();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return waiting.shift() ?? null;
  };
  const ask = async () => {
    console.error(paint('yellow', ASKED));
    return next(() => isTerminal && lines.prompt());
  };

  let current: { answer: Answer; isCancelled: boolean } | null = null;
  const interrupt = () => {
    if (current === null || current.isCancelled) {
      process.exitCode = 130;
      // Drop typed-ahead lines. An answer in progress continues on the server.
      if (current !== null) process.exit(130);
      waiting.length = 0;
      if (isTerminal) console.log();
      lines.close();
      return;
    }
    current.isCancelled = true;
    console.error(paint('dim', '\nCancelling the answer (Ctrl-C again leaves) …'));
    room.talk.cancel(current.answer).catch((error: unknown) => console.error(String(error)));
  };
  const stopListening = onInterrupt(interrupt);
  // With a prompt the terminal is in raw mode: Ctrl-C is a key, not a signal.
  lines.on('SIGINT', interrupt);

  try {
    for (;;) {
      const line = await next(() => isTerminal && lines.prompt());
      if (line === null) {
        if (isOver) return;
        continue;
      }
      try {
        const outcome = await obey(room, line);
        if (outcome === 'quit') return;
        if (outcome === 'done') continue;
        current = { answer: outcome.answer, isCancelled: false };
        await show(room.talk, outcome.answer, { isTerminal, ask });
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        console.error(`${paint('red', 'aiden:')} ${error.message}`);
        if (!isTerminal) process.exitCode = 1;
      } finally {
        current = null;
      }
    }
  } finally {
    stopListening();
    lines.close();
  }
}

const ASKED = '  y = yes, a = yes for the rest of this answer, n = no, or the reason why not';

function decisionOf(line: string): Decision {
  if (/^y(es)?$/i.test(line)) return { decision: 'APPROVE', note: null };
  if (/^a(ll)?$/i.test(line)) return { decision: 'APPROVE', note: null, allowForRun: true };
  return { decision: 'REJECT', note: /^(no?)?$/i.test(line) ? null : line };
}

function brief(input: unknown): string {
  return oneLine(JSON.stringify(input) ?? '', 100);
}

/**
 * Prints an answer while it streams, then the rest of it. @throws CliError if there is no answer
 */
async function show(
  talk: Talk,
  answer: Answer,
  { isTerminal, ask }: { readonly isTerminal: boolean; readonly ask: () => Promise<string | null> },
): Promise<void> {
  let told = '';
  let decided = Promise.resolve();
  const breakLine = () => {
    if (told !== '' && !told.endsWith('\n')) process.stdout.write('\n');
    told = '';
  };
  const done = await talk.follow(answer, {
    onText(text) {
      told += text;
      process.stdout.write(text);
    },
    onAgain() {
      told = '';
      process.stdout.write(`\n${paint('dim', '(again)')}\n`);
    },
    onAside: breakLine,
    onCall: (name, input) => console.error(paint('dim', `  → ${name} ${brief(input)}`)),
    onAsk(approvalId, name, input) {
      // Calls of one round may ask at the same time; each line decides one of them.
      decided = decided.then(async () => {
        breakLine();
        const question = await talk.question(approvalId);
        const told = question ?? `May it call ${name}?  ${JSON.stringify(input)}`;
        console.error(paint('yellow', `  ${told}`));
        const line = await ask();
        if (line === null)
          throw new CliError('The answer waits for your decision: `aiden approvals` lists it.');
        await talk.decide(approvalId, decisionOf(line.trim()));
      });
      return decided;
    },
  });
  if (told !== done.content) {
    // A template may add text around the streamed part, and a cached answer does not stream at all.
    const rest = done.content.startsWith(told)
      ? done.content.slice(told.length)
      : `${told === '' ? '' : '\n\n'}${done.content}`;
    process.stdout.write(rest);
    told += rest;
  }
  if (told !== '') process.stdout.write('\n');
  const sources = done.content === '' ? [] : sourceLines(await talk.sources(done));
  for (const line of sources) console.error(paint('dim', `  from ${line}`));
  if (isTerminal) process.stdout.write('\n');
  const { run } = done;
  if (run === null || run.status === 'COMPLETED') return;
  const why = run.error === null ? '' : `: ${run.error.message}`;
  throw new CliError(`The answer is ${run.status.toLowerCase()}${why} (/regenerate tries again)`);
}
