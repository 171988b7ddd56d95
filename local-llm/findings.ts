import { answerFrom } from './answer.ts';
import { contentStems, type Language, type Sentence } from './language.ts';
import type { NamedEntity } from './names.ts';
import { centrality, keywords, pickSentences, relevance, weighText } from './rank.ts';
import type { Relation } from './relations.ts';
import { entityKindOf, KIND_LABELS, type ListRole, listRole, wordsOfName } from './roles.ts';
import { factText, type Source } from './source.ts';
import { summarize, titleOf } from './summary.ts';

/** One thing found in the text that a list item can be about. */
export interface Finding {
  /** What it is in words: the name, the fact, the sentence. */
  readonly text: string;
  /** The entity kind, where it is one. */
  readonly kind?: string;
  /** The text for a property of this name; null where this finding has none. */
  field(words: string): string | null;
  number(words: string): number | null;
  /** What a list inside the item holds. */
  parts(name: string): Finding[];
}

const KEYWORDS_DEFAULT = 8;
const SENTENCES_DEFAULT = 5;

/** What a list of this name holds, best or first first; by the item's properties where the name says nothing. */
export function listFindings(
  source: Source,
  name: string,
  {
    fields,
    description,
    language,
  }: { fields: readonly string[]; description: string; language: Language },
): Finding[] {
  const role = roleByFields(fields) ?? listRole(name) ?? listRole(description);
  if (role !== null) return findingsOf(source, role, name);
  const about = sentencesAbout(source, `${wordsOfName(name)} ${description}`, language);
  return about.map((sentence) => ofSentence(source, sentence));
}

/** Properties are the surest sign: a subject and an object make a fact, whatever the list is called. */
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
      return (source.reading.material.match(/https?:\/\/[^\s<>"')]+/g) ?? []).map((text) =>
        ofText(source, text),
      );
    case 'emails':
      return (source.reading.material.match(/[\w.+-]+@[\w-]+\.[\w.-]*\w/g) ?? []).map((text) =>
        ofText(source, text),
      );
    case 'sentences': {
      const most = source.reading.length.sentencesMax ?? SENTENCES_DEFAULT;
      const picked = pickSentences(
        source.ranked,
        centrality(source.ranked),
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
      if (FACT.test(words) || /\b(context|mention|details|about|quote)\b/.test(words)) {
        return summarize(weighText(sentences.map((sentence, index) => ({ ...sentence, index }))), {
          sentencesMax: 2,
        });
      }
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
      // Aliases are not told apart from other names, so that list stays empty; the rest are the sentences naming it.
      return role === 'entities' || /alias/.test(name)
        ? []
        : said === ''
          ? []
          : sentences.map((sentence) => ofSentence(source, sentence));
    },
  };
}

function ofRelation(source: Source, relation: Relation): Finding {
  const said = source.parsed.sentences[relation.sentence]?.text ?? '';
  const dates = source.parsed.mentions.filter(
    ({ type, sentence }) => type === 'DATE' && sentence === relation.sentence,
  );
  return {
    text: factText(relation),
    field(words) {
      if (SUBJECT.test(words)) return relation.subject;
      if (OBJECT.test(words)) return relation.object;
      // Graphiti's relation_type and RELATES_TO.name are SCREAMING_SNAKE; plain predicates read as they are said.
      if (/^(relation type|relationship type|edge type)$/.test(words)) {
        return relation.predicate.toUpperCase().replace(/[^\p{L}\d]+/gu, '_');
      }
      if (/^(fact|statement|claim)$/.test(words)) return factText(relation);
      if (FACT.test(words) || /\b(quote|source text|context)\b/.test(words)) return said;
      if (PREDICATE.test(words)) return relation.predicate;
      if (/\b(date|when|time|year)\b/.test(words)) return dates[0]?.text ?? null;
      return words === '' ? factText(relation) : null;
    },
    number: () => null,
    parts: (name) => (listRole(name) === 'sentences' ? [ofText(source, said)] : []),
  };
}

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

function sentencesAbout(source: Source, words: string, language: Language): Sentence[] {
  const query = language.parse(words).sentences.flatMap(contentStems);
  const scores = relevance(source.ranked, query);
  return pickSentences(source.ranked, scores, (picked) => picked.length < SENTENCES_DEFAULT);
}

/** Texts that may fill a single property, best first; the filler takes the first that its schema allows. */
export function scalarOf(
  source: Source,
  name: string,
  {
    finding,
    format,
    description,
    language,
  }: {
    finding: Finding | null;
    format: string | null;
    description: string;
    language: Language;
  },
): string[] {
  const words = wordsOfName(name);
  const dates = source.parsed.mentions
    .filter(({ type }) => type === 'DATE')
    .map(({ text }) => text);
  if (finding !== null) {
    if (format === 'date' || format === 'date-time')
      return datesAs(format, [finding.field('date') ?? '']);
    // Inside an item only what is known of that item; the rest of the text is about something else.
    const own = finding.field(words) ?? (listRole(name) !== null ? finding.text : null);
    return own === null ? [] : [own];
  }
  if (format === 'date' || format === 'date-time') return datesAs(format, dates);
  const { material } = source.reading;
  if (format === 'email' || /\be ?mail\b/.test(words))
    return material.match(/[\w.+-]+@[\w-]+\.[\w.-]*\w/g) ?? [];
  if (format === 'uri' || /\b(url|link|website)\b/.test(words))
    return material.match(/https?:\/\/[^\s<>"')]+/g) ?? [];
  if (/\b(title|headline|heading)\b/.test(words)) return nonEmpty([titleOf(source.ranked)]);
  if (/\b(date|when|day|deadline)\b|^(time|year)$/.test(words)) return dates;
  if (/\b(keyword|topic|theme|tag)\b/.test(words)) return keywords(source.ranked, 1);
  const kind = entityKindOf(name);
  if (kind !== null)
    return source
      .entities()
      .filter((entity) => entity.kind === kind)
      .map((entity) => entity.name);
  if (words === 'name') return [source.entities()[0]?.name ?? titleOf(source.ranked)];
  if (/\b(answer|reply|response)\b/.test(words)) {
    const question = language.parse(source.reading.question || source.reading.instruction);
    const answer = answerFrom(source.ranked, {
      question,
      parsed: source.parsed,
      entities: source.entities(),
      length: source.reading.length,
    });
    return nonEmpty([answer ?? '']);
  }
  if (
    /\b(summary|abstract|overview|content|text|compressed|recap|digest|description|output|result|gist|note)\b/.test(
      words,
    ) ||
    words === ''
  ) {
    return nonEmpty([
      summarize(source.ranked, source.reading.length),
      summarize(source.ranked, { sentencesMax: 1 }),
    ]);
  }
  return sentencesAbout(source, `${words} ${description}`, language).map(({ text }) => text);
}

function nonEmpty(texts: readonly string[]): string[] {
  return texts.filter((text) => text !== '');
}

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** Only dates that say day, month and year become dates of a format; "1867" alone would invent a day. */
function datesAs(format: 'date' | 'date-time', texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const iso = /\b(\d{4})-(\d\d)-(\d\d)\b/.exec(text);
    const dayFirst = /\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? ([a-z]+),? (\d{4})\b/i.exec(text);
    const monthFirst = /\b([a-z]+) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b/i.exec(text);
    const [year, month, day] =
      iso !== null
        ? [iso[1], Number(iso[2]), Number(iso[3])]
        : dayFirst !== null
          ? [dayFirst[3], monthOf(dayFirst[2]), Number(dayFirst[1])]
          : [monthFirst?.[3], monthOf(monthFirst?.[1]), Number(monthFirst?.[2])];
    if (year === undefined || month < 1 || month > 12 || !(day >= 1 && day <= 31)) return [];
    const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
    return [format === 'date' ? date : `${date}T00:00:00Z`];
  });
}

function monthOf(word: string | undefined): number {
  return (
    MONTHS.findIndex(
      (month) => word !== undefined && word.length >= 3 && month.startsWith(word.toLowerCase()),
    ) + 1
  );
}
