import { describe, expect, it } from 'vitest';
import { datesIn } from '../../packages/local-llm/src/dates.ts';
import { openLanguage } from '../../packages/local-llm/src/language.ts';
import { findNames } from '../../packages/local-llm/src/names.ts';
import { findRelations } from '../../packages/local-llm/src/relations.ts';

const language = openLanguage();
/** A Monday. */
const SAID_AT = '2024-05-20T09:00:00.000Z';

function facts(text: string): string[] {
  const { sentences } = language.parse(text);
  return findRelations(sentences, findNames(sentences), { saidAt: SAID_AT }).map(
    ({ text: fact, validAt, invalidAt }) =>
      fact +
      (validAt === null ? '' : ` from ${validAt.slice(0, 10)}`) +
      (invalidAt === null ? '' : ` to ${invalidAt.slice(0, 10)}`),
  );
}

describe('facts that local-llm reads (issue 18)', () => {
  it.each([
    ['Ada: I work at Siemens.', 'Ada works at Siemens.'],
    [
      'Ada: The import stops in invoice_sync. invoice_sync runs on Postgres.',
      'invoice_sync runs on Postgres.',
    ],
    ['Oksana comes from Lviv and runs the project Halo.', 'Oksana leads Halo.'],
    [
      'Ada: My boss Peter lives in Ghent. He works at Acme Corp.\nAssistant: And his ' +
        'hobbies?\nAda: he plays chess',
      'Peter plays chess.',
    ],
    ["ada: I'm still living in Lucca.", 'ada lives in Lucca.'],
    ['dev:ada: I love hiking.', 'dev:ada likes hiking.'],
    ['Łucja: I love hiking.', 'Łucja likes hiking.'],
    ['Ada: We use Postgres and Redis.', "Ada's team uses Postgres."],
    ['Ada: My sister is called Ines.', "Ines is Ada's sister."],
    ['Ada: I met Ines, my sister, at the lake.', "Ines is Ada's sister."],
    ['Ada: My dogs Daisy and Max sleep.', 'Ada has a dog called Max.'],
    ["Ada: I'm allergic to peanuts, so be careful.", 'Ada is allergic to peanuts.'],
    ['Ada: My favourite book is "Middlemarch".', "Ada's favourite book is Middlemarch."],
    ['Ada: My birthday is on 12 September.', "Ada's birthday is 12 September."],
    [
      'Ada: The deadline for Phoenix is 30 September 2024.',
      "Phoenix's deadline is 30 September 2024.",
    ],
    ['Ada: My budget is 1,200 euros for the trip.', "Ada's budget is 1,200 euros for the trip."],
    ['Phoenix depends on Stripe.', 'Phoenix depends on Stripe.'],
    ['Ada: Bob married Clara Jones.', 'Bob is married to Clara Jones.'],
    ['Bob was married to Clara Jones.', 'Bob is married to Clara Jones.'],
    ['Ada: Tom and Ben work at Globex.', 'Ben works at Globex.'],
    ['Maria Keller left early. She works for Acme Corp.', 'Maria Keller works at Acme Corp.'],
    [
      'Ada: My husband Tomas, our son Emil, and the two dogs, Biscuit and Moro.',
      "Emil is Ada's son.",
    ],
    ['Ada: My husband Tomas, and the two dogs, Biscuit and Moro.', 'Ada has a dog called Moro.'],
    ['Ada: My mother, Halina, turns 70. she lives in Sopot.', 'Halina lives in Sopot.'],
    [
      "Ada: Ilka lives in Vienna. She's an architect and works for Studio Rosso.",
      'Ilka works at Studio Rosso.',
    ],
    ['It is ORC-431, assigned to Marit Solberg.', 'ORC-431 was assigned to Marit Solberg.'],
    ['Ada: I read Middlemarch by George Eliot.', 'Middlemarch is by George Eliot.'],
    ['Oksana Melnyk comes from Lviv and runs the project Halo.', 'Oksana Melnyk leads Halo.'],
    ['Ada: Our landlord is called Sverre Lian.', "Sverre Lian is Ada's landlord."],
    ['Ada: I met my team lead, her name is Oksana Melnyk.', "Oksana Melnyk is Ada's lead."],
    ['Ada: My brother Luca thinks it is late.', "Luca is Ada's brother."],
    ['Ada: I bought a used Brompton from Henrik.', 'Ada bought Brompton.'],
    ['Ada: Maria met Tom. She works at Globex. He works at Acme.', 'Tom works at Acme.'],
    [
      'Ada: Tomas slept. And my sister Ilka announced that she is getting married to Felix Brand.',
      'Ilka is going to marry Felix Brand.',
    ],
    ['Ada: I live in Rome.\nAssistant: You work at Globex.', 'Ada works at Globex.'],
    ['Ada: I play the cello in a band called Klangwerk.', 'Ada plays the cello.'],
  ])('%j states a fact', (text, fact) => {
    expect(facts(text)).toContain(fact);
  });

  it.each([
    ['Ada: I was born in Porto in 1985.', 'Ada was born in Porto in 1985. from 1985-01-01'],
    ['Ada: I moved to Berlin in May 2016.', 'Ada moved to Berlin in May 2016. from 2016-05-01'],
    ['Ada: I joined Globex last Friday.', 'Ada joined Globex on 17 May 2024. from 2024-05-17'],
    ['Ada: I joined Globex two years ago.', 'Ada joined Globex in May 2022. from 2022-05-01'],
    ['Ada: I work at Globex since March.', 'Ada works at Globex since March 2024. from 2024-03-01'],
    ['Ada: I have lived in Rome since 2010.', 'Ada lives in Rome since 2010. from 2010-01-01'],
    [
      'Ada: I worked at Enel from 2019 to 2022.',
      'Ada worked at Enel since 2019 until 2022. from 2019-01-01 to 2022-01-01',
    ],
    ['Ada: I used to work for Enel until 2022.', 'Ada worked at Enel until 2022. to 2022-01-01'],
    ['Ada: I left Siemens last month.', 'Ada left Siemens in April 2024. to 2024-04-01'],
    [
      'Ada: I work at Globex. Then I left Globex in May.',
      'Ada left Globex in May 2024. to 2024-05-01',
    ],
    ['Ada: I start at Globex on 1 June.', 'Ada starts at Globex on 1 June 2024. from 2024-06-01'],
    ['Ada: I no longer work at Siemens.', 'Ada worked at Siemens. to 2024-05-20'],
    ["Ada: I don't live in Rome anymore.", 'Ada lived in Rome. to 2024-05-20'],
    ['Ada: I sold my Vespa yesterday.', 'Ada sold Vespa on 19 May 2024. to 2024-05-19'],
    ['Ada: I moved from Rome to Lucca in May.', 'Ada lived in Rome. to 2024-05-01'],
    [
      'Ada: We switched from Slack to Zulip in March.',
      "Ada's team switched from Slack to Zulip in March 2024. from 2024-03-01",
    ],
  ])('%j says when', (text, fact) => {
    expect(facts(text)).toContain(fact);
  });

  it.each([
    'Ada: Which country did James live in? Do I work at Siemens?',
    'Ada: If I moved to Hamburg, I would work at Globex.',
    'Ada: I might visit Paris. Maybe Tom lives in Rome. I could join Acme.',
    "Ada: I don't work at Siemens. I never lived in Rome. Tom does not use Kafka.",
    "Ada: I'd love to live in Rome. I wish Tom worked at Globex.",
    'Ada: Should we use Kafka? Let us use Kafka.',
    'Ada: I love working with kids.',
    // A comma between clauses, and a word of origin, name no kin.
    "Ada: We're off to Cornwall, Kelly's dad has a cottage there.",
    "Ada: I'm in Rome, my husband is at home.",
    'Ada: My boss is Cornish.',
    'Ada: My sister is Tokyo based.',
    'Assistant: I live in the cloud and work at Globex.',
    'const Ada = works.at(Globex);',
    'Vado a Roma con mia sorella Ines domani mattina presto.',
    '我住在上海。',
  ])('%j states none', (text) => {
    expect(facts(text)).toEqual([]);
  });

  it('reads two statements of one fact as the one that is dated', () => {
    expect(facts('Ada: I live in Berlin. I moved to Berlin in 2016.')).toEqual([
      'Ada moved to Berlin in 2016. from 2016-01-01',
    ]);
  });
});

describe('dates that local-llm reads', () => {
  it.each([
    ['on 2024-02-29', '2024-02-29'],
    ['the 3rd of May 2024', '2024-05-03'],
    ['May 3, 2024', '2024-05-03'],
    ['the day before yesterday', '2024-05-18'],
    ['three weeks ago', '2024-04-29'],
    ['last year', '2023-01-01'],
    ['last Friday', '2024-05-17'],
    ['on Monday', '2024-05-20'],
    ['in the summer of 2023', '2023-06-01'],
    ['last December', '2023-12-01'],
    ['until 2023', '2023-01-01'],
  ])('%j', (text, day) => {
    expect(datesIn(text, SAID_AT).map(({ at }) => at.slice(0, 10))).toEqual([day]);
  });
  it.each([
    ['next Friday', '2024-05-24'],
    ['on Friday', '2024-05-24'],
    ['tomorrow', '2024-05-21'],
    ['in March', '2025-03-01'],
    ['14 June', '2024-06-14'],
    ['by October', '2024-10-01'],
  ])('%j of the future', (text, day) => {
    expect(datesIn(text, SAID_AT, 'future').map(({ at }) => at.slice(0, 10))).toEqual([day]);
  });
  it.each(['31 June 2024', 'room 2024', 'I may go', 'in 30 minutes', 'March on', '2024-13-45'])(
    '%j is none',
    (text) => {
      expect(datesIn(text, SAID_AT)).toEqual([]);
    },
  );
  it('without the moment of saying only a date with its year', () => {
    expect(datesIn('yesterday, in May 2020', null).map(({ at }) => at.slice(0, 10))).toEqual([
      '2020-05-01',
    ]);
  });
});
