import { setImmediate } from 'node:timers/promises';
import type { Embeddings } from '../embeddings/embeddings.service.ts';
import { DEFAULT_SCALE } from '../embeddings/meaning-scale.ts';
import { sentenceKey } from '../entities/name-match.ts';
import {
  beginningsOf,
  type Compared,
  compared,
  type Pair,
  replaces,
  textsToEmbed,
} from './replacement.ts';
import type { Statement } from './statement.ts';

type Told = Pick<Statement, 'text' | 'saidBy' | 'saidAt'>;

/** Compares statements by vectors that were made before the transaction that asks. */
export class Judge {
  readonly #replaced: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #seen: ReadonlySet<string>;

  /**
   * @param replaced earlier texts by the later text that takes their place
   * @param seen the texts that the model has compared, or had no word in common
   */
  constructor(replaced: ReadonlyMap<string, ReadonlySet<string>>, seen: ReadonlySet<string>) {
    this.#replaced = replaced;
    this.#seen = seen;
  }

  /** Whether the later statement takes the place of the earlier one. */
  replaces({ earlier, later }: Pair): boolean {
    return this.#replaced.get(later)?.has(earlier) ?? false;
  }

  /** Whether the model has compared all that may be of one matter. */
  hasSeen(fresh: readonly Told[], known: readonly Told[]): boolean {
    const unseen = likestOf(
      known.filter(({ text }) => !this.#seen.has(text)),
      LOOKED_AT_MAX,
    );
    return fresh.every((one) => pairsOf(one, unseen(one)).length === 0);
  }
}

/** So many known statements are compared with a new one: those with the most words in common. */
const COMPARED_MAX = 12;
/** So many are looked at for it: those with the most beginnings of words in common. */
const LOOKED_AT_MAX = 24;
/** Pairs of a turn, looked at and then compared: a turn may have 200 statements. */
const LOOKS_MAX = 1_200;
const PAIRS_MAX = 400;

/**
 * Asks the model which of the known statements the new ones replace, or are replaced by. Nothing
 * is replaced where the model does not answer. Lets other work of the process go on meanwhile.
 */
export async function judgeOf(
  embeddings: Pick<Embeddings, 'embed' | 'scale'>,
  fresh: readonly Told[],
  known: readonly Told[],
): Promise<Judge> {
  const texts = new Set(known.map(({ text }) => text));
  const likest = likestOf(known, Math.ceil(LOOKS_MAX / Math.max(1, fresh.length)));
  const found: Compared[] = [];
  for (const one of fresh) {
    found.push(...pairsOf(one, likest(one)));
    await setImmediate();
  }
  const pairs = byShare(found).slice(0, PAIRS_MAX);
  const asked = textsToEmbed(pairs);
  const [embedded, scale] =
    asked.length === 0
      ? [null, DEFAULT_SCALE]
      : await Promise.all([embeddings.embed(asked), embeddings.scale()]);
  if (embedded === null) return new Judge(new Map(), texts);
  const vectors = new Map(asked.map((text, at) => [text, embedded.vectors[at] ?? []]));
  const replaced = new Map<string, Set<string>>();
  for (const pair of pairs) {
    const { earlier, later } = pair;
    if (replaces(pair, vectors, scale))
      replaced.set(later, (replaced.get(later) ?? new Set()).add(earlier));
    await setImmediate();
  }
  return new Judge(replaced, texts);
}

/** For a statement the known ones of its speaker with the most beginnings of words in common. */
function likestOf(known: readonly Told[], most: number): (one: Told) => Told[] {
  const all = known.map((told) => ({ told, starts: beginningsOf(told.text) }));
  return (one) => {
    const own = [...beginningsOf(one.text)];
    return all
      .filter(({ told }) => told.saidBy === one.saidBy)
      .map(({ told, starts }) => ({ told, common: own.filter((it) => starts.has(it)).length }))
      .filter(({ common }) => common > 0)
      .toSorted((a, b) => b.common - a.common)
      .slice(0, Math.min(most, LOOKED_AT_MAX))
      .map(({ told }) => told);
  };
}

/** A new statement with each of those that may be of one matter, in the order of time. */
function pairsOf(one: Told, others: readonly Told[]): Compared[] {
  const pairs = others
    .filter(({ text }) => sentenceKey(text) !== sentenceKey(one.text))
    .map(({ text, saidAt }) =>
      saidAt > one.saidAt ? { earlier: one.text, later: text } : { earlier: text, later: one.text },
    )
    .flatMap((pair) => compared(pair) ?? []);
  return byShare(pairs).slice(0, COMPARED_MAX);
}

const byShare = (pairs: readonly Compared[]) => pairs.toSorted((a, b) => b.share - a.share);
