import { describe, expect, it } from 'vitest';
import { openLanguage } from '../../packages/local-llm/src/language.ts';
import { findNames } from '../../packages/local-llm/src/names.ts';
import { respond } from '../../packages/local-llm/src/respond.ts';
import { statementsIn } from '../../packages/local-llm/src/statements.ts';

const language = openLanguage();
/** A Monday. */
const SAID_AT = '2024-05-20T09:00:00.000Z';

function read(text: string) {
  const { sentences } = language.parse(text);
  return statementsIn(sentences, findNames(sentences), SAID_AT);
}
const texts = (text: string) => read(text).map((statement) => statement.text);

describe('statements that local-llm reads (docs/decisions/0117)', () => {
  it.each([
    'I opened a bike shop in April.',
    "I'm not a beekeeper any more.",
    'We called off the hike.',
    "I can't eat walnuts.",
    'quota-agent restarts each night.',
    'Ich vertrage keinen Weizen.',
    'Wir haben die Wanderung abgesagt.',
    'Compramos una furgoneta vieja.',
    'Hola, me llamo Maite.',
    'Hallo, mein Name ist Olga.',
    'Guten Morgen, ich wohne auf Fünen.',
    'Buenas tardes, vivo en Jaca.',
    "J'habite à Nantes depuis un an.",
    'switched from biology to law',
    'new laptop arrived, a Fairphone',
    'stopped doing sundays, dead in winter',
    'I eat fish now, before you ask.',
    'Estoy saliendo con alguien, se llama Saúl.',
    'Siempre desayuno en Casa Lola.',
    'swimming is on thursdays this term',
    'Rehearsals are at the school now.',
    'sync window of invoice-mailer back to 20 minutes pls',
  ])('%j as it was said', (text) => {
    expect(texts(`Runa: ${text}`)).toEqual([text]);
  });

  it.each([
    'Good evening!',
    'Could you find me a plumber?',
    "That's wonderful, you did it!",
    "I'm so proud of you.",
    "I can't wait!",
    'If it rains, we stay.',
    'I wish I lived in Rome.',
    'Guten Abend zusammen!',
    'Wann fährt der Bus?',
    'Das klingt gut.',
    '¿Cuándo sale el tren?',
    'Muchas gracias por todo.',
    '{"home": "Rome", "name": "Runa"}',
  ])('none of %j', (text) => {
    expect(texts(`Runa: ${text}`)).toEqual([]);
  });

  it('none of an agent or a Tool', () => {
    expect(texts('Assistant: I moved the job to Friday.\nTool: Runa lives in Rome.')).toEqual([]);
  });

  it('one of a sentence that leans on the one before', () => {
    expect(texts('Runa: I have a son. He is called Levi.')).toEqual([
      'I have a son. He is called Levi.',
    ]);
  });

  it('with its subject in the turn before where it names or counts something', () => {
    expect(texts('Runa: She raised the dose to ten drops on Monday.')).toHaveLength(1);
    expect(texts('Runa: She laughed a lot.')).toEqual([]);
  });

  it('with the value of a sentence without a verb', () => {
    expect(texts('Runa: I had to put the rye up. £5.20 a loaf.')).toEqual([
      'I had to put the rye up. £5.20 a loaf.',
    ]);
  });

  it('with whom it leans on, in the part that names it', () => {
    expect(texts('Runa: I like rye and we have a cook, Levi. He is nineteen.')).toEqual([
      'I like rye',
      'we have a cook, Levi. He is nineteen.',
    ]);
  });

  it('two of a sentence that says two things of its speaker', () => {
    expect(texts('Runa: I live in Lund and I work at Axis.')).toEqual([
      'I live in Lund',
      'I work at Axis.',
    ]);
    expect(texts('Runa: My wife Olga and I sail each summer.')).toHaveLength(1);
    expect(texts('Runa: Meine Frau Olga und ich segeln oft.')).toHaveLength(1);
  });

  it.each([
    ['batch size is 500, Ines owns the mailer', ['batch size is 500', 'Ines owns the mailer']],
    ["I'm 34, I teach at Axis", ["I'm 34", 'I teach at Axis']],
    ['Since I moved to Lund, my flat is tiny.', ['Since I moved to Lund, my flat is tiny.']],
    ['Ines said, I live in Lund.', ['Ines said, I live in Lund.']],
    ['My boss, Ines Falk, is 34.', ['My boss, Ines Falk, is 34.']],
    [
      'Vivo en Lugo y trabajo en Axis, mi jefe es Falk.',
      ['Vivo en Lugo', 'trabajo en Axis', 'mi jefe es Falk.'],
    ],
    ['Dejé Axis, ahora trabajo en Orbit.', ['Dejé Axis', 'ahora trabajo en Orbit.']],
    ['Soy vegana y tengo alergia al trigo.', ['Soy vegana', 'tengo alergia al trigo.']],
    ['Mi hermana y yo vivimos en Lugo.', ['Mi hermana y yo vivimos en Lugo.']],
    ['Bebo té y café por la mañana.', ['Bebo té y café por la mañana.']],
    ['Cuando vivía en Lugo, tenía un perro.', ['Cuando vivía en Lugo, tenía un perro.']],
    ['Olga ist 9, ich fahr jetzt mit dem Rad.', ['Olga ist 9', 'ich fahr jetzt mit dem Rad.']],
    [
      'Die Halle ist in Jena, die Fräse läuft nicht.',
      ['Die Halle ist in Jena', 'die Fräse läuft nicht.'],
    ],
    ['Ich weiß, dass Olga in Jena wohnt.', ['Ich weiß, dass Olga in Jena wohnt.']],
    ['Ich habe einen Bruder, der in Jena wohnt.', ['Ich habe einen Bruder, der in Jena wohnt.']],
    ['Mijn baas is Ineke en ik klim graag.', ['Mijn baas is Ineke', 'ik klim graag.']],
    ["J'habite à Brest, ma sœur est à Lille.", ["J'habite à Brest", 'ma sœur est à Lille.']],
    [
      'I live in a house my wife and I built, and I teach at Axis.',
      ['I live in a house my wife and I built', 'I teach at Axis.'],
    ],
  ])('parts %j at a subject and its verb only', (text, parts) => {
    expect(texts(`Runa: ${text}`)).toEqual(parts);
  });

  it.each([
    ['I moved to Lund last year.', '2023-01-01'],
    ['I start at Axis on 3 June.', '2024-06-03'],
    ['The concert is on 3 June.', undefined],
  ])('%j holds from %s', (text, day) => {
    expect(read(`Runa: ${text}`)[0]?.validAt?.slice(0, 10)).toBe(day);
  });
});

describe('a talk of several days', () => {
  it('gives each day its dates, and each thing once', () => {
    const shape = {
      type: 'object',
      properties: {
        statements: {
          type: 'array',
          items: {
            type: 'object',
            required: ['text'],
            properties: { text: { type: 'string' }, valid_at: { type: 'string' } },
          },
        },
        entities: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' } } },
        },
      },
    } as const;
    const content =
      'Runa: I moved to Lund yesterday.\n[2024-06-10]\nRuna: I moved to Malmö yesterday.';
    const prompt = `The day of the conversation: 2024-05-20\n<messages>\n${content}\n</messages>`;
    const answer = respond(language, [{ role: 'user', content: prompt }], {
      type: 'json_schema',
      schema: shape,
    });
    expect(JSON.parse(answer)).toEqual({
      statements: [
        { text: 'I moved to Lund yesterday.', valid_at: '2024-05-19' },
        { text: 'I moved to Malmö yesterday.', valid_at: '2024-06-09' },
      ],
      entities: [{ name: 'Runa' }, { name: 'Lund' }, { name: 'Malmö' }],
    });
  });
});

describe('days to come and days that were (said on 20 May 2024)', () => {
  it.each([
    ['My last day at Kone is August 30.', '2024-08-30', null],
    ['My last day was March 8.', '2024-03-08', null],
    ['I will leave on June 15.', '2024-06-15', null],
    ["I'm moving to Faro in April.", '2025-04-01', null],
    ['I moved to Faro in April.', '2024-04-01', null],
    ['I rent a boat until March.', null, '2025-03-01'],
    ['I rented a boat until March.', null, '2024-03-01'],
    ['The launch slipped to Friday 7 June.', null, null],
    ['I work there from Monday 3 June to Friday 7 June.', '2024-06-03', '2024-06-07'],
    ['Ich kündige zum 30. April.', '2025-04-30', null],
    ['Ich ziehe im August nach Husum.', '2024-08-01', null],
    ['Ich bin im August nach Husum gezogen.', '2023-08-01', null],
    ['Ich wohne bis Februar in Husum.', null, '2025-02-01'],
    ['Ich arbeite seit dem 1. März 2022 bei Kone.', '2022-03-01', null],
    ['Me mudaré a Lugo en febrero.', '2025-02-01', null],
    ['Me mudé a Lugo en febrero.', '2024-02-01', null],
    ['Dejaré Renfe el 3 de julio.', '2024-07-03', null],
    ['Alquilo una barca hasta marzo.', null, '2025-03-01'],
  ])('%s', (text, validAt, invalidAt) => {
    const [told] = read(`Runa: ${text}`);
    expect([told?.validAt?.slice(0, 10) ?? null, told?.invalidAt?.slice(0, 10) ?? null]).toEqual([
      validAt,
      invalidAt,
    ]);
  });
});
