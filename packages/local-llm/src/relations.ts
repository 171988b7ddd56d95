import type { Sentence, Token } from './language.ts';
import type { EntityKind } from './name-kinds.ts';
import type { NamedEntity, Names, Span } from './names.ts';

/** "Ada Lindqvist" — "works for" — "Globex", said by one sentence. */
export interface Relation {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** Whether the object is one of the found names, or only the noun phrase that stands there. */
  readonly objectIsName: boolean;
  readonly sentence: number;
}

/** Between a subject and its object at most this many words; farther apart they rarely belong together. */
const REACH_TOKENS_MAX = 8;

/**
 * Simple relations of simple sentences: name, verb group, name or noun phrase. `he` and `she` stand for the
 * person last named, `I` for the speaker of the line. Says nothing where the pattern does not hold.
 */
export function findRelations(sentences: readonly Sentence[], names: Names): Relation[] {
  const kinds = new Map(names.entities.map(({ name, kind }) => [name, kind]));
  const relations: Relation[] = [];
  const seen = new Set<string>();
  let lastPerson: string | null = null;
  for (const sentence of sentences) {
    const spans = withPronouns(sentence, names.spans[sentence.index] ?? [], lastPerson);
    for (const found of relationsIn(sentence, spans)) {
      const said = sentence.speaker === found.subject;
      const relation = said ? { ...found, predicate: inThirdPerson(found.predicate) } : found;
      const key = JSON.stringify([relation.subject, relation.predicate, relation.object]);
      if (seen.has(key)) continue;
      seen.add(key);
      relations.push(relation);
    }
    const person = (names.spans[sentence.index] ?? []).find(
      ({ entity }) => kinds.get(entity) === 'person',
    );
    // The sentence's first person is mostly its subject, and the next "she" mostly its subject again.
    if (person !== undefined) lastPerson = person.entity;
  }
  return relations;
}

/**
 * Kind of a name by its verb, if nothing else shows it: people work for organisations and live in
 * places.
 */
const OBJECT_KINDS: readonly (readonly [RegExp, EntityKind])[] = [
  [
    /^(works?|worked|working) (for|at)$|^(founded|co-founded|joined|acquired|runs|leads|employed by)$/,
    'organization',
  ],
  [
    /^(born|lives?|lived|died|located|based|grew up) in$|^(moved|travell?ed) to$|capital of$/,
    'place',
  ],
  [/^(founded|led|written|invented|discovered) by$|^married( to)?$/, 'person'],
];

/** The entities with kinds their relations tell. */
export function refineKinds(names: Names, relations: readonly Relation[]): readonly NamedEntity[] {
  const told = new Map<string, EntityKind>();
  for (const { object, predicate, objectIsName } of relations) {
    const kind = OBJECT_KINDS.find(([pattern]) => pattern.test(predicate))?.[1];
    if (objectIsName && kind !== undefined && !told.has(object)) told.set(object, kind);
  }
  return names.entities.map((entity) =>
    entity.kind === 'other' ? { ...entity, kind: told.get(entity.name) ?? 'other' } : entity,
  );
}

/** Converts the speaker's first person to the third: "live in" → "lives in". */
function inThirdPerson(predicate: string): string {
  const [verb = '', ...rest] = predicate.split(' ');
  const irregular: Readonly<Record<string, string>> = {
    am: 'is',
    "'m": 'is',
    have: 'has',
    do: 'does',
    are: 'is',
    "'ve": 'has',
  };
  const past =
    /(ed|was|were|born|been|had|did|went|got|met|made|bought|sold|left|won|took|gave|saw|told|wrote|read|began|became|can|could|will|would|should|may|might|must|[^aeiou]t|ing|s)$/.test(
      verb,
    );
  const third =
    irregular[verb] ??
    (past && !/^(want|visit|get|eat|meet|hate|expect|collect|act|rent)$/.test(verb)
      ? verb
      : /(sh|ch|x|z|o)$/.test(verb)
        ? `${verb}es`
        : /[^aeiou]y$/.test(verb)
          ? `${verb.slice(0, -1)}ies`
          : `${verb}s`);
  return [third, ...rest].join(' ');
}

function withPronouns(
  sentence: Sentence,
  spans: readonly Span[],
  lastPerson: string | null,
): Span[] {
  const all = [...spans];
  sentence.tokens.forEach(({ lower }, start) => {
    const entity =
      lower === 'he' || lower === 'she'
        ? lastPerson
        : lower === 'i' || lower === "i'm"
          ? sentence.speaker
          : null;
    if (entity !== null) all.push({ entity, sentence: sentence.index, start, end: start + 1 });
  });
  return all.sort((left, right) => left.start - right.start);
}

function relationsIn(sentence: Sentence, spans: readonly Span[]): Relation[] {
  const relations: Relation[] = [];
  let chain: { subject: string; predicate: string } | null = null;
  spans.forEach((subject, index) => {
    const next = spans[index + 1];
    const rest = sentence.tokens.slice(subject.end, next?.start ?? sentence.tokens.length);
    // "X founded A and B": B follows A by "and" or a comma, and shares A's verb.
    const previous = spans[index - 1];
    if (chain !== null && previous !== undefined && previous.entity !== chain.subject) {
      const joint = sentence.tokens
        .slice(previous.end, subject.start)
        .map(({ lower }) => lower)
        .join(' ');
      if (/^(,|and|, and|&)$/.test(joint) && chain.subject !== subject.entity) {
        relations.push({
          ...chain,
          object: subject.entity,
          objectIsName: true,
          sentence: sentence.index,
        });
      } else chain = null;
    }
    const verb = verbGroup(rest, next !== undefined);
    if (verb === null) return;
    if (next !== undefined && verb.toEnd && next.entity !== subject.entity) {
      relations.push({
        subject: subject.entity,
        predicate: verb.predicate,
        object: next.entity,
        objectIsName: true,
        sentence: sentence.index,
      });
      chain = { subject: subject.entity, predicate: verb.predicate };
      return;
    }
    const phrase = nounPhrase(rest.slice(verb.end));
    if (phrase !== null) {
      relations.push({
        subject: subject.entity,
        predicate: verb.predicate,
        object: phrase,
        objectIsName: false,
        sentence: sentence.index,
      });
    }
  });
  return [...relations, ...secondVerbs(sentence, spans)];
}

/** "She moved to Paris and worked with Pierre Curie": after "and" a verb goes on with the sentence's first subject. */
function secondVerbs(sentence: Sentence, spans: readonly Span[]): Relation[] {
  const subject = spans[0];
  if (subject === undefined) return [];
  return spans.slice(1).flatMap((object, index) => {
    const before = spans[index];
    if (before === undefined || before === subject || object.entity === subject.entity) return [];
    const between = sentence.tokens.slice(before.end, object.start);
    if (!/^(and|,)$/.test(between[0]?.lower ?? '')) return [];
    const verb = verbGroup(
      between.slice(1).filter(({ lower }) => lower !== 'and'),
      true,
    );
    if (verb === null || !verb.toEnd || verb.offset > 0) return [];
    return [
      {
        subject: subject.entity,
        predicate: verb.predicate,
        object: object.entity,
        objectIsName: true,
        sentence: sentence.index,
      },
    ];
  });
}

/**
 * The verb group right after a subject: auxiliaries and adverbs dropped before a full verb, "is the capital of" kept.
 * `toEnd` when nothing but articles lies between it and the next name.
 */
function verbGroup(
  tokens: readonly Token[],
  beforeName: boolean,
): { predicate: string; end: number; toEnd: boolean; offset: number } | null {
  let at = 0;
  // ", founded by" and ", who lives in" still refer to the name before the comma.
  while (/^(,|who|which|that|also|has|have|had)$/.test(tokens[at]?.lower ?? '')) at++;
  const offset = at;
  const start = tokens.slice(at, at + 4).findIndex(({ pos }) => pos === 'VERB' || pos === 'AUX');
  if (start < 0 || tokens.slice(at, at + start).some(({ pos }) => !/^(ADV|PART)$/.test(pos)))
    return null;
  at += start;
  let verb = at;
  while (verb < tokens.length && /^(AUX|ADV|PART)$/.test(tokens[verb]?.pos ?? '')) verb++;
  const full = tokens[verb]?.pos === 'VERB';
  const negated = tokens.slice(at, verb).some(({ lower }) => /^(not|n't|never)$/.test(lower));
  // "was born" reads "born in", but "was not born" must not.
  const auxiliary = tokens.slice(at, verb).find(({ pos }) => pos === 'AUX')?.lower ?? 'is';
  const words: string[] = negated
    ? [auxiliary.replace(/^ca$/, 'can').replace(/^wo$/, 'will'), 'not']
    : [];
  let end = full ? verb : at;
  while (end < tokens.length && /^(VERB|AUX|PART|ADP|ADV)$/.test(tokens[end]?.pos ?? '')) {
    const token = tokens[end];
    if (token !== undefined && token.pos !== 'ADV' && !/^(not|n't)$/.test(token.lower))
      words.push(token.lower);
    end++;
  }
  if (words.length === (negated ? 2 : 0)) return null;
  if (beforeName) {
    const gap = tokens.slice(end);
    const plain = gap.filter(({ pos }) => pos !== 'DET');
    if (plain.length === 0) return { predicate: words.join(' '), end, toEnd: true, offset };
    // "is the capital of" and "is a member of": the noun is part of the predicate.
    const noun =
      plain.every(({ pos }) => /^(NOUN|ADJ|ADP|NUM)$/.test(pos)) && plain.at(-1)?.pos === 'ADP';
    if (noun && gap.length <= REACH_TOKENS_MAX) {
      return {
        predicate: [...words, ...plain.map(({ lower }) => lower)].join(' '),
        end,
        toEnd: true,
        offset,
      };
    }
  }
  return { predicate: words.join(' '), end, toEnd: false, offset };
}

/** "a scholarship", "window seats": up to the noun the phrase ends with. */
function nounPhrase(tokens: readonly Token[]): string | null {
  let end = 0;
  while (
    end < tokens.length &&
    end < REACH_TOKENS_MAX &&
    /^(DET|ADJ|NOUN|NUM|PROPN|SYM)$/.test(tokens[end]?.pos ?? '')
  )
    end++;
  const phrase = tokens.slice(0, end);
  if (!phrase.some(({ pos }) => pos === 'NOUN' || pos === 'PROPN' || pos === 'NUM')) return null;
  const text = phrase
    .map(({ text: word, spaceBefore }, index) => (index === 0 ? '' : spaceBefore) + word)
    .join('');
  return text.replace(/^(a|an|the)\s+/i, '').trim() || null;
}
