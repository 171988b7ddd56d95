import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

// A blind talk: conversations of one person over some months, and what memory should know after.

/** Regular expressions, without regard to case. */
const Patterns = z.array(z.string()).transform((all) => all.map((one) => new RegExp(one, 'i')));
const File = z.strictObject({
  language: z.string(),
  conversations: z.array(z.strictObject({ at: z.string(), turns: z.string() })),
  /** Facts that hold at the end: a statement that holds has all of these words. */
  holds: z.array(z.strictObject({ fact: z.string(), says: Patterns })),
  /** Facts that ended, and words of the statements that replaced them. */
  ended: z.array(z.strictObject({ fact: z.string(), says: Patterns, replaced: Patterns })),
  questions: z.array(
    z.strictObject({ ask: z.string(), answer: Patterns, old: Patterns.default([]) }),
  ),
  /** Questions without an answer in the talk. */
  unknown: z.array(z.string()),
  entities: z.array(z.string()),
  /** Names by the kind that they should have, where the talk is in another language. */
  kinds: z.record(z.string(), z.array(z.string())).default({}),
});

export interface BlindTurn {
  readonly speaker: 'USER' | 'AGENT';
  readonly saidAt: string;
  readonly text: string;
}
export interface BlindTalk extends Omit<z.infer<typeof File>, 'conversations'> {
  readonly conversations: readonly (readonly BlindTurn[])[];
}

const TURN_MS = 60_000;

/** Lines begin with `U:` (the user), `A:` (the agent) or `T:` (a Tool's result, by the agent). */
function turnsOf({ at, turns }: { at: string; turns: string }): BlindTurn[] {
  const lines = turns.trim().split('\n');
  return lines.map((line, index) => ({
    speaker: line.startsWith('U:') ? 'USER' : 'AGENT',
    saidAt: new Date(Date.parse(at) + index * TURN_MS).toISOString(),
    text: line.slice('U: '.length).replaceAll(String.raw`\n`, '\n'),
  }));
}

export async function readBlindTalk(name: string): Promise<BlindTalk> {
  const text = await readFile(new URL(`${name}.yaml`, import.meta.url), 'utf8');
  const file = File.parse(parse(text));
  return { ...file, conversations: file.conversations.map(turnsOf) };
}
