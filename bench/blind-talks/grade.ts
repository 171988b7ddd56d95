import type { SeenBlind } from './play.ts';
import type { BlindTalk } from './talk.ts';

// Grades what a memory knows after a blind talk.

export interface Share {
  readonly good: number;
  readonly of: number;
}
export interface BlindGrade {
  readonly figures: {
    /** Facts of the key that a statement says which holds. */
    readonly found: Share;
    /** Ended facts that stand as current. */
    readonly standing: Share;
    /** Of these, those whose replacement stands beside them. */
    readonly contradictions: Share;
    /** Questions whose first hit has the answer, whose first three have it, whose first is old. */
    readonly right1: Share;
    readonly right3: Share;
    readonly oldFirst: Share;
    /** Answers of a new conversation. */
    readonly told: Share;
    readonly oldTold: Share;
    /** Questions without an answer that get none, by search and in a new conversation. */
    readonly silent: Share;
    readonly silentTold: Share;
    /** Entities that the talk names, and those of the key's kinds that have theirs. */
    readonly sensible: Share;
    readonly kinds: Share;
  };
  readonly lines: readonly string[];
}

/** How local-llm and recall say that there is nothing. */
const NOTHING =
  /^(?:nothing in what i was given|i (?:do not|don't) (?:know|remember|have)|i know nothing)/i;

/** @param account the name of the person, who is an entity too */
export function gradeBlind(seen: SeenBlind, talk: BlindTalk, account = ''): BlindGrade {
  const lines: string[] = [];
  const fits = (text: string, patterns: readonly RegExp[]) =>
    patterns.every((one) => one.test(text));
  const any = (text: string, patterns: readonly RegExp[]) => patterns.some((one) => one.test(text));
  /** Counts those that are good, and lists those that are `listed`. */
  function share<One>(
    figure: string,
    all: readonly One[],
    isGood: (one: One) => boolean,
    listed: boolean,
    show: (one: One) => string,
  ): Share {
    const good = all.filter(isGood);
    for (const one of all)
      if (isGood(one) === listed) lines.push(`${figure}: ${show(one).replaceAll('\n', ' / ')}`);
    return { good: good.length, of: all.length };
  }
  const holding = (patterns: readonly RegExp[]) =>
    seen.statements.find(({ text }) => fits(text, patterns));
  // A statement that also says the new value is no old one.
  const standing = ({ says, replaced }: BlindTalk['ended'][number]) =>
    seen.statements.find(({ text }) => fits(text, says) && !any(text, replaced));
  const asked = talk.questions.map((question) => {
    const answer = seen.answers.find(({ ask }) => ask === question.ask);
    const hits = answer?.answerable ? answer.hits.map(({ text }) => text) : [];
    const said = answer?.said ?? '';
    const isRight = (text: string) => fits(text, question.answer);
    return { ...question, hits, said, isRight, first: hits[0] ?? '' };
  });
  const isOld = (text: string, { old, isRight }: (typeof asked)[number]) =>
    any(text, old) && !isRight(text);
  const unknown = seen.answers.filter(({ ask }) => talk.unknown.includes(ask));
  const known = new Set([...talk.entities, account].map((name) => name.toLowerCase()));
  const kinds = new Map(
    Object.entries(talk.kinds).flatMap(([kind, names]) =>
      names.map((name) => [name.toLowerCase(), kind] as const),
    ),
  );
  const figures: BlindGrade['figures'] = {
    found: share(
      'missing',
      talk.holds,
      ({ says }) => holding(says) !== undefined,
      false,
      (one) => one.fact,
    ),
    standing: share(
      'stands',
      talk.ended,
      (one) => standing(one) !== undefined,
      true,
      (one) => `${one.fact}: ${standing(one)?.text} [${standing(one)?.attribute}]`,
    ),
    contradictions: share(
      'contradiction',
      talk.ended,
      (one) =>
        standing(one) !== undefined && seen.statements.some(({ text }) => any(text, one.replaced)),
      true,
      ({ fact }) => fact,
    ),
    right1: share(
      'not first',
      asked,
      ({ first, isRight }) => isRight(first),
      false,
      ({ ask, first }) => `${ask} → ${first}`,
    ),
    right3: share(
      'not among three',
      asked,
      ({ hits, isRight }) => hits.some(isRight),
      false,
      ({ ask }) => ask,
    ),
    oldFirst: share(
      'old first',
      asked,
      (one) => isOld(one.first, one),
      true,
      ({ ask }) => ask,
    ),
    told: share(
      'not told',
      asked,
      ({ said, isRight }) => isRight(said),
      false,
      ({ ask, said }) => `${ask} → ${said}`,
    ),
    oldTold: share(
      'old told',
      asked,
      (one) => isOld(one.said, one),
      true,
      ({ ask }) => ask,
    ),
    silent: share(
      'not silent',
      unknown,
      ({ answerable }) => !answerable,
      false,
      ({ ask, hits }) => `${ask} → ${hits[0]?.text}`,
    ),
    silentTold: share(
      'not silent in talk',
      unknown,
      ({ said }) => NOTHING.test(said),
      false,
      ({ ask, said }) => `${ask} → ${said}`,
    ),
    sensible: share(
      'no name',
      seen.entities,
      ({ name }) => known.has(name.toLowerCase()),
      false,
      ({ name, entityType }) => `${name} (${entityType})`,
    ),
    kinds: share(
      'kind',
      seen.entities.filter(({ name }) => kinds.has(name.toLowerCase())),
      ({ name, entityType }) => kinds.get(name.toLowerCase()) === entityType,
      false,
      ({ name, entityType }) => `${name}: ${entityType}`,
    ),
  };
  lines.push(...seen.triples.map((fact) => `triple: ${fact}`));
  lines.push(`entities: ${seen.entities.map(({ name }) => name).join(', ')}`);
  lines.push(...seen.statements.map(({ text, attribute }) => `holds: ${text} [${attribute}]`));
  return { figures, lines };
}
