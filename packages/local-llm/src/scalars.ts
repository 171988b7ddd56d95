import { answerFrom } from './answer.ts';
import { EMAIL, type Finding, LINK, sentencesAbout } from './findings.ts';
import { contentStems, type Language } from './language.ts';
import { keywords } from './rank.ts';
import { entityKindOf, listRole, wordsOfName } from './roles.ts';
import type { Source } from './source.ts';
import { summarize, titleOf } from './summary.ts';

/**
 * Texts that may fill a single property, best first; the filler takes the first that its schema
 * allows.
 */
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
    // Inside an item use only data of that item. The rest of the text is about other items.
    const own = finding.field(words) ?? (listRole(name) !== null ? finding.text : null);
    return own === null ? [] : [own];
  }
  if (format === 'date' || format === 'date-time') return datesAs(format, dates);
  const { material } = source.reading;
  if (format === 'email' || /\be ?mail\b/.test(words)) return material.match(EMAIL) ?? [];
  if (format === 'uri' || /\b(url|link|website)\b/.test(words)) return material.match(LINK) ?? [];
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
    const focus = subjectStems(source, language);
    return nonEmpty([
      summarize(source.ranked, source.reading.length, focus),
      summarize(source.ranked, { sentencesMax: 1 }, focus),
    ]);
  }
  return sentencesAbout(source, `${words} ${description}`, language).map(({ text }) => text);
}

/** "Describe the entity Ada": the words of a name that the instruction gives. */
function subjectStems(source: Source, language: Language): string[] {
  const { instruction } = source.reading;
  const subject = source.entities().find(({ name }) => instruction.includes(name));
  return subject === undefined ? [] : language.parse(subject.name).sentences.flatMap(contentStems);
}

function nonEmpty(texts: readonly string[]): string[] {
  return texts.filter((text) => text !== '');
}

const MONTHS =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/**
 * Only dates that say day, month and year become dates of a format; "1867" alone would invent a
 * day.
 */
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
