import { contentStems, type Language, type Sentence } from './language.ts';
import type { NamedEntity } from './names.ts';
import { notesOf } from './notes.ts';
import { keywords, pickSentences, relevance, weighText } from './rank.ts';
import { entityKindOf, KIND_LABELS, type ListRole, listRole, wordsOfName } from './roles.ts';
import { isFiller, salience } from './salience.ts';
import type { Source } from './source.ts';
import type { Statement } from './statements.ts';
import { summarize } from './summary.ts';
import { type Relation, stopped } from './talk.ts';

/** One thing found in the text that a list item can be about. */
export interface Finding {
  /** Text of the finding: the name, the fact or the sentence. */
  readonly text: string;
  /** The entity kind, where it is one. */
  readonly kind?: string;
  /** The text for a property of this name; null where this finding has none. */
  field(words: string): string | null;
  number(words: string): number | null;
  /** Whether the property of this name repeats other properties of the finding. */
  readonly repeats?: (name: string) => boolean;
  /** Findings for a list inside the item. */
  parts(name: string): Finding[];
}

// Bounded on the left, else every letter of a long word would be tried as a beginning.
export const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g;
export const LINK = /https?:\/\/[^\s<>"')]+/g;
const KEYWORDS_DEFAULT = 8;
const SENTENCES_DEFAULT = 5;

/**
 * Findings for a list of this name, best first. If the name has no known role, its item's
 * properties decide.
 */
export function listFindings(
  source: Source,
  name: string,
  {
    fields,
    description,
    language,
  }: { fields: readonly string[]; description: string; language: Language },
): Finding[] {
  // Notes with places are written to oneself; other notes are sentences of the text.
  if (/\bnotes\b/.test(wordsOfName(name)) && fields.includes('position'))
    return notesOf(source).map(({ content, position }) => ({
      ...ofText(source, content),
      number: (words) => (words === 'position' ? position : null),
    }));
  const role = roleByFields(fields) ?? listRole(name) ?? listRole(description);
  if (role !== null) return findingsOf(source, role, name);
  const about = sentencesAbout(source, `${wordsOfName(name)} ${description}`, language);
  return about.map((sentence) => ofSentence(source, sentence));
}

/**
 * Properties are the surest sign: a subject and an object make a fact, whatever the list is called.
 */
function roleByFields(fields: readonly string[]): ListRole | null {
  const words = fields.map(wordsOfName);
  const has = (pattern: RegExp): boolean => words.some((word) => pattern.test(word));
  if (has(SUBJECT) && has(OBJECT)) return 'relations';
  if (has(/^(name|entity|entity name)$/)) return 'entities';
  return null;
}

const SUBJECT =
  /^(subject|source|from|head|source (entity|node)( name)?|source name|subject name)$/;
const OBJECT = /^(object|target|to|tail|target (entity|node)( name)?|target name|object name)$/;
const PREDICATE =
  /^(predicate|relation|relationship|relation type|relationship type|verb|edge|edge type|label|type|name)$/;
const FACT = /^(fact|facts|sentence|text|content|statement|description|evidence|summary|claim)$/;

function findingsOf(source: Source, role: ListRole, name: string): Finding[] {
  switch (role) {
    case 'entities': {
      const kind = entityKindOf(name);
      const wanted = source.entities().filter((entity) => kind === null || entity.kind === kind);
      return wanted.map((entity) => ofEntity(source, entity));
    }
    case 'relations':
      return source.relations().map((relation) => ofRelation(source, relation));
    case 'statements':
      return source.statements().map((statement) => ofStatement(statement));
    case 'keywords':
      return keywords(source.ranked, KEYWORDS_DEFAULT).map((word) => ofText(source, word));
    case 'questions':
      return source.parsed.sentences
        .filter(({ text }) => text.endsWith('?'))
        .map((sentence) => ofSentence(source, sentence));
    case 'dates':
      return source.parsed.mentions
        .filter(({ type }) => /DATE|TIME/.test(type))
        .map(({ text }) => ofText(source, text));
    case 'numbers':
      return (source.reading.material.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((text) =>
        ofText(source, text),
      );
    case 'links':
      return (source.reading.material.match(LINK) ?? []).map((text) => ofText(source, text));
    case 'emails':
      return (source.reading.material.match(EMAIL) ?? []).map((text) => ofText(source, text));
    case 'sentences': {
      const most = source.reading.length.sentencesMax ?? SENTENCES_DEFAULT;
      const picked = pickSentences(
        source.ranked,
        salience(source.ranked),
        (chosen) => chosen.length < most,
      );
      return (picked.length > 0 ? picked : source.parsed.sentences.slice(0, 1)).map((sentence) =>
        ofSentence(source, sentence),
      );
    }
  }
}

function ofEntity(source: Source, entity: NamedEntity): Finding {
  const sentences = entity.sentences.flatMap((index) => source.parsed.sentences[index] ?? []);
  const said = sentences.map(({ text }) => text).join(' ');
  return {
    text: entity.name,
    kind: entity.kind,
    field(words) {
      if (/\b(type|kind|category|label|class)\b/.test(words)) return KIND_LABELS[entity.kind];
      if (FACT.test(words) || /\b(context|mention|details|about|quote)\b/.test(words))
        return aboutEntity(source, entity, sentences);
      return /\b(name|entity|title|text|value|label)\b/.test(words) || words === ''
        ? entity.name
        : null;
    },
    number: (words) =>
      /\b(mentions|count|frequency|occurrences)\b/.test(words)
        ? entity.mentions
        : /\b(type id|id)\b/.test(words)
          ? 0
          : null,
    parts(name) {
      const role = listRole(name);
      if (role === 'relations') {
        return source
          .relations()
          .filter(({ subject, object }) => subject === entity.name || object === entity.name)
          .map((relation) => ofRelation(source, relation));
      }
      if (role === 'keywords') return [];
      // Aliases are not told apart from other names, so that list stays empty; the rest are the
      // sentences naming it.
      return role === 'entities' || /alias/.test(name)
        ? []
        : said === ''
          ? []
          : sentences.map((sentence) => ofSentence(source, sentence));
    },
  };
}

const FACTS_OF_ENTITY_MAX = 3;

/** The facts of an entity, else a sentence that says something of it; '' where none does. */
function aboutEntity(source: Source, { name }: NamedEntity, said: readonly Sentence[]): string {
  const facts = source
    .relations()
    .filter(({ subject, object }) => subject === name || object === name)
    .map(({ text }) => text);
  if (facts.length > 0) return [...new Set(facts)].slice(0, FACTS_OF_ENTITY_MAX).join(' ');
  // Not all that a speaker says is about the speaker.
  const telling = said.filter(
    (one) => one.text.includes(name) && !isFiller(one) && !one.text.trim().endsWith('?'),
  );
  const text = weighText(telling.map((sentence, index) => ({ ...sentence, index })));
  return telling.length === 0 ? '' : summarize(text, { sentencesMax: 1 });
}

function ofRelation(source: Source, relation: Relation): Finding {
  const { subject, predicate, object } = relation;
  const said = source.parsed.sentences[relation.sentence]?.text ?? '';
  const dates = source.parsed.mentions.filter(
    ({ type, sentence }) => type === 'DATE' && sentence === relation.sentence,
  );
  return {
    text: relation.text,
    field(words) {
      if (SUBJECT.test(words)) return relation.subject;
      if (OBJECT.test(words)) return relation.object;
      // Graphiti's relation_type and RELATES_TO.name are SCREAMING_SNAKE; plain predicates read as
      // they are said.
      if (/^(relation type|relationship type|edge type)$/.test(words)) {
        return relation.predicate.toUpperCase().replace(/[^\p{L}\d]+/gu, '_');
      }
      if (/^(fact|statement|claim)$/.test(words)) return relation.text;
      if (/^valid (at|from)$/.test(words)) return dayOf(relation.validAt);
      if (/^(invalid at|valid (until|to))$/.test(words)) return dayOf(relation.invalidAt);
      if (FACT.test(words) || /\b(quote|source text|context)\b/.test(words)) return said;
      if (PREDICATE.test(words)) return relation.predicate;
      if (/\b(date|when|time|year)\b/.test(words)) return dates[0]?.text ?? null;
      return words === '' ? relation.text : null;
    },
    number: () => null,
    repeats: (name) =>
      name === 'fact' && relation.text === stopped(`${subject} ${predicate} ${object}`),
    parts: (name) => (listRole(name) === 'sentences' ? [ofText(source, said)] : []),
  };
}

function ofStatement(statement: Statement): Finding {
  const { text, speaker } = statement;
  return {
    text,
    field(words) {
      if (/^valid (at|from)$/.test(words)) return dayOf(statement.validAt);
      if (/^(invalid at|valid (until|to))$/.test(words)) return dayOf(statement.invalidAt);
      if (/\b(speaker|author|who|said by|subject)\b/.test(words)) return speaker;
      return FACT.test(words) || words === '' ? statement.shown : null;
    },
    number: () => null,
    // The text names the rest, and its turn tells who said it.
    repeats: (name) => /^(?:about|attribute|said_by|ends)$/.test(name),
    parts: () => [],
  };
}

/** Midnight as its day alone, which is shorter. */
const dayOf = (moment: string | null) => moment?.replace(/T00:00:00(?:\.000)?Z$/, '') ?? null;

function ofSentence(source: Source, sentence: Sentence): Finding {
  return {
    text: sentence.text,
    field: (words) =>
      /\b(speaker|author|who|role)\b/.test(words)
        ? sentence.speaker
        : /\b(date|when|time|year)\b/.test(words)
          ? (source.parsed.mentions.find((mention) => mention.sentence === sentence.index)?.text ??
            null)
          : /\b(keyword|topic|title)\b/.test(words)
            ? (keywords(weighText([{ ...sentence, index: 0 }]), 1)[0] ?? null)
            : sentence.text,
    number: (words) => (/\b(index|position|order|sequence)\b/.test(words) ? sentence.index : null),
    parts: (name) =>
      listRole(name) === 'keywords'
        ? keywords(weighText([{ ...sentence, index: 0 }]), 4).map((word) => ofText(source, word))
        : listRole(name) === 'entities'
          ? source
              .entities()
              .filter(({ sentences }) => sentences.includes(sentence.index))
              .map((entity) => ofEntity(source, entity))
          : [],
  };
}

function ofText(_source: Source, text: string): Finding {
  const value = Number(text.replaceAll(',', ''));
  return {
    text,
    field: () => text,
    number: () => (Number.isFinite(value) && text.trim() !== '' ? value : null),
    parts: () => [],
  };
}

/** The few sentences nearest to some words; none where no word occurs. */
export function sentencesAbout(source: Source, words: string, language: Language): Sentence[] {
  const query = language.parse(words).sentences.flatMap(contentStems);
  const scores = relevance(source.ranked, query);
  return pickSentences(source.ranked, scores, (picked) => picked.length < SENTENCES_DEFAULT);
}
