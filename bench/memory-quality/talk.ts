import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

// The conversations of test/fixtures/memory-quality and the keys to them.

const ToolAnswer = z.object({
  tool: z.string(),
  input: z.record(z.string(), z.unknown()),
  answer: z.unknown(),
});
const TalkTurn = z.object({
  id: z.string(),
  speaker: z.enum(['user', 'agent']),
  /** RFC 3339; absent in a talk that is played live. */
  saidAt: z.string().optional(),
  text: z.string(),
  calls: z.array(ToolAnswer).default([]),
});
export type TalkTurn = z.infer<typeof TalkTurn>;

/** A name, or several of which any will do. */
const Names = z.union([z.string(), z.array(z.string())]);
const Dates = z.union([z.string(), z.array(z.string())]).optional();
const KeyFact = z.strictObject({
  between: z.tuple([Names, Names]),
  /** Each regular expression has to be found in the relation or the text of the fact. */
  says: z.array(z.string()),
  began: Dates,
  ended: Dates,
  /** Tolerance of the dates. */
  days: z.number().default(1),
  /** Right where it is found, and no loss where it is not. */
  optional: z.boolean().default(false),
});
export type KeyFact = z.infer<typeof KeyFact>;

export const Key = z.strictObject({
  entities: z.array(
    z.strictObject({
      name: z.string(),
      aliases: z.array(z.string()).default([]),
      kinds: z.array(z.string()),
    }),
  ),
  acceptable: z.array(z.string()),
  facts: z.array(KeyFact),
  acceptableFacts: z.array(KeyFact),
  settled: z.array(
    z.strictObject({ between: z.tuple([Names, Names]), began: z.string(), by: z.string() }),
  ),
  never: z.array(z.string()),
  questions: z.array(
    z.strictObject({
      ask: z.string(),
      evidence: z.array(z.string()),
      answer: z.array(z.string()),
    }),
  ),
});
export type Key = z.infer<typeof Key>;

export interface Talk {
  readonly turns: readonly TalkTurn[];
  readonly key: Key;
}

/** A conversation and its key. `$user` in the key becomes the name of the account. */
export async function readTalk(name: 'chat' | 'session' | 'move', user: string): Promise<Talk> {
  const folder = new URL('../../test/fixtures/memory-quality/', import.meta.url);
  const [talk, key] = await Promise.all(
    [`${name}.yaml`, `${name}-key.yaml`].map((file) => readFile(new URL(file, folder), 'utf8')),
  );
  const pattern = user.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const named = (key ?? '').replaceAll('\\$user', pattern).replaceAll('$user', user);
  return {
    turns: z.object({ turns: z.array(TalkTurn) }).parse(parse(talk ?? '')).turns,
    key: Key.parse(parse(named)),
  };
}

const nameOf = ({ name }: Key['entities'][number]) => name;

/** The beginning of a talk, with the part of its key that was said by then. */
export function firstTurns(talk: Talk, count: number): Talk {
  const { turns, key } = talk;
  // No turn says the name of the account, which the key of a whole talk holds.
  if (count >= turns.length) return talk;
  const first = turns.slice(0, count);
  const said = JSON.stringify(first).toLowerCase();
  const isSaid = (name: string) => said.includes(name.toLowerCase());
  const entities = key.entities.filter(({ name, aliases }) => [name, ...aliases].some(isSaid));
  const left = new Set(key.entities.filter((one) => !entities.includes(one)).map(nameOf));
  const ids = new Set(first.map(({ id }) => id));
  return {
    turns: first,
    key: {
      ...key,
      entities,
      facts: key.facts.filter(({ between }) =>
        // The user is no entity of the key, and always there.
        between.every((names) => [names].flat().some((name) => !left.has(name))),
      ),
      settled: key.settled.filter(({ by }) => ids.has(by)),
      questions: key.questions.filter(({ evidence }) => evidence.some((id) => ids.has(id))),
    },
  };
}
