import type { Embeddings } from '../embeddings/embeddings.service.ts';
import { DEFAULT_SCALE } from '../embeddings/meaning-scale.ts';
import { sentenceKey } from '../entities/name-match.ts';
import { beginningsOf, type Pair, replaces, shareOf, textsOf } from './replacement.ts';
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
    const unseen = known.filter(({ text }) => !this.#seen.has(text));
    return fresh.every((one) => pairsOf(one, unseen).length === 0);
  }
}

/** So many known statements are compared with a new one: those with the most words in common. */
const COMPARED_MAX = 12;

/**
 * Asks the model which of the known statements the new ones replace, or are replaced by. Nothing
 * is replaced where the model does not answer.
 */
export async function judgeOf(
  embeddings: Pick<Embeddings, 'embed' | 'scale'>,
  fresh: readonly Told[],
  known: readonly Told[],
): Promise<Judge> {
  const texts = new Set(known.map(({ text }) => text));
  const pairs = fresh.flatMap((one) => pairsOf(one, known));
  const asked = [...new Set(pairs.flatMap(textsOf))];
  const [embedded, scale] =
    asked.length === 0
      ? [null, DEFAULT_SCALE]
      : await Promise.all([embeddings.embed(asked), embeddings.scale()]);
  if (embedded === null) return new Judge(new Map(), texts);
  const vectors = new Map(asked.map((text, at) => [text, embedded.vectors[at] ?? []]));
  const replaced = pairs.filter((pair) => replaces(pair, vectors, scale));
  const byLater = Map.groupBy(replaced, ({ later }) => later);
  return new Judge(
    new Map([...byLater].map(([later, all]) => [later, new Set(all.map((one) => one.earlier))])),
    texts,
  );
}

/** A new statement with those of its speaker that may be of one matter, in the order of time. */
function pairsOf(one: Told, known: readonly Told[]): Pair[] {
  const beginnings = [...beginningsOf(one.text)];
  return known
    .filter(({ text }) => {
      const others = beginningsOf(text);
      return beginnings.some((start) => others.has(start));
    })
    .filter(
      ({ saidBy, text }) => saidBy === one.saidBy && sentenceKey(text) !== sentenceKey(one.text),
    )
    .map(({ text, saidAt }) =>
      saidAt > one.saidAt ? { earlier: one.text, later: text } : { earlier: text, later: one.text },
    )
    .map((pair) => ({ pair, share: shareOf(pair) }))
    .filter(({ share }) => share > 0)
    .toSorted((a, b) => b.share - a.share)
    .slice(0, COMPARED_MAX)
    .map(({ pair }) => pair);
}
