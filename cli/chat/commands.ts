import { CliError } from '../client.ts';
import { oneLine, paint } from '../terminal.ts';
import { sourceLines } from './sources.ts';
import type { Answer, Memory, ShownTurn, Talk } from './talk.ts';

/** Result of a line: an answer in progress, or no further output. */
export type Outcome = { readonly answer: Answer } | 'done' | 'quit';

export interface Room {
  readonly talk: Talk;
  print(line: string): void;
  /** Finds the id of a Process by name or id. */
  processId(reference: string): Promise<string>;
}

interface ChatCommand {
  readonly usage: string;
  readonly what: string;
  run(room: Room, rest: string): Promise<Outcome>;
}

const COMMANDS: Readonly<Record<string, ChatCommand>> = {
  help: {
    usage: '/help',
    what: 'this list',
    async run({ print }) {
      for (const { usage, what } of Object.values(COMMANDS)) print(`  ${usage.padEnd(22)} ${what}`);
      print('  A line that begins with // is a message that begins with /.');
      return 'done';
    },
  },
  edit: {
    usage: '/edit TEXT',
    what: 'say the last thing differently, and have it answered anew',
    async run({ talk }, text) {
      if (text === '') throw new CliError('Say what it should be: /edit TEXT');
      return { answer: await talk.edit(text) };
    },
  },
  regenerate: {
    usage: '/regenerate [PROCESS]',
    what: 'have the last answer written again, by another Process if you name one',
    run: async ({ talk, processId }, name) => ({
      answer: await talk.regenerate(name === '' ? null : await processId(name)),
    }),
  },
  switch: {
    usage: '/switch [TURN.]VERSION',
    what: 'show another version of the last turn, or of a turn',
    async run({ talk, print }, place) {
      const [, turn, version] = /^(?:(\d+)\.)?(\d+)$/.exec(place) ?? [];
      if (version === undefined)
        throw new CliError('Name a version: /switch 1, or of a turn: /switch 3.1');
      await talk.activate(Number(version), turn === undefined ? null : Number(turn));
      const path = await talk.path();
      for (const line of historyLines(path.slice(-2))) print(line);
      for (const line of answerHints(path)) print(paint('dim', line));
      return 'done';
    },
  },
  fork: {
    usage: '/fork',
    what: 'go on in a copy of what is on screen',
    async run({ talk, print }) {
      print(`You are in the fork ${await talk.fork()} now.`);
      return 'done';
    },
  },
  memory: {
    usage: '/memory',
    what: 'what a model would be given now, and what it costs',
    async run({ talk, print }) {
      for (const line of memoryLines(await talk.memory())) print(line);
      return 'done';
    },
  },
  history: {
    usage: '/history',
    what: 'what is on screen, with its versions',
    async run({ talk, print }) {
      const lines = historyLines(await talk.path());
      for (const line of lines.length === 0 ? ['Nothing was said yet.'] : lines) print(line);
      return 'done';
    },
  },
  quit: { usage: '/quit', what: 'leave; so does Ctrl-D', run: async () => 'quit' },
};

/** Executes a line: a command, or a message. @throws CliError */
export async function obey(room: Room, line: string): Promise<Outcome> {
  const text = line.trim();
  if (text === '') return 'done';
  if (!text.startsWith('/') || text.startsWith('//')) {
    return { answer: await room.talk.say(text.replace(/^\/\//, '/')) };
  }
  const [, name = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(text) ?? [];
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new CliError(`There is no /${name}; /help lists what there is.`);
  return command.run(room, rest);
}

/** One line per turn: `2 agent 1/2 STALE  content`. */
export function historyLines(turns: readonly ShownTurn[]): string[] {
  return turns.map(({ sequence, speaker, alternatives }) => {
    const active = alternatives.find(({ isActive }) => isActive);
    const of = alternatives.length > 1 ? ` ${active?.sequence}/${alternatives.length}` : '';
    const status =
      active === undefined || active.cacheStatus === 'VALID' ? '' : ` ${active.cacheStatus}`;
    const who = `${String(sequence).padStart(3)} ${speaker.toLowerCase()}${of}${status}`;
    return `${paint('dim', who)}  ${oneLine(active?.content ?? '')}`;
  });
}

/** For each turn on screen that answers another version: its version that answers this one. */
function answerHints(turns: readonly ShownTurn[]): string[] {
  return turns.flatMap(({ sequence, alternatives }, index) => {
    const before = turns[index - 1]?.alternatives.find(({ isActive }) => isActive);
    const active = alternatives.find(({ isActive }) => isActive);
    if (active?.cacheStatus !== 'STALE' || before === undefined) return [];
    const answers = alternatives.filter(({ respondsTo }) => respondsTo?.id === before.id);
    const last = answers.at(-1);
    return last === undefined
      ? []
      : [`Turn ${sequence} has an answer to this version: /switch ${sequence}.${last.sequence}`];
  });
}

function memoryLines(memory: Memory): string[] {
  const { totalTokens, tokenBreakdown, messages, excludedStale, recalled } = memory;
  const parts = Object.entries(tokenBreakdown).map(([part, tokens]) => `${part} ${tokens}`);
  const lines = messages.map(
    ({ role, tokens, content }) =>
      `  ${paint('dim', `${role.toLowerCase()} ${tokens}`.padEnd(16))} ${oneLine(content, 76)}`,
  );
  const stale = excludedStale.length === 0 ? [] : [`  left out as stale: ${excludedStale.length}`];
  const back = sourceLines(recalled).map(
    (line, index) =>
      `    ${paint(
        'dim',
        String(recalled[index]?.kind ?? '')
          .toLowerCase()
          .padEnd(8),
      )} ${line}`,
  );
  const found = back.length === 0 ? [] : ['  recalled for the last message:', ...back];
  return [`${totalTokens} tokens: ${parts.join(', ')}`, ...lines, ...found, ...stale];
}
