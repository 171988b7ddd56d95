import { describe, expect, it } from 'vitest';
import { DEFAULT_SCALE } from '../../src/memory-graph/embeddings/meaning-scale.ts';
import { NOTHING_EXTRACTED } from '../../src/memory-graph/extraction/extraction.ts';
import { correctionIn } from '../../src/memory-graph/statements/correction.ts';
import { judgeOf } from '../../src/memory-graph/statements/replacing.service.ts';
import {
  type KnownStatement,
  planStatements,
} from '../../src/memory-graph/statements/statement-plan.ts';

interface Told {
  readonly text: string;
  readonly attribute?: string;
  readonly about?: readonly string[];
  readonly at?: string;
  readonly from?: string;
  readonly conversation?: string;
}

/** Says these in the order in which they are read; answers the texts that still hold. */
function held(...told: readonly Told[]): string[] {
  return remembered(...told)
    .filter(({ invalidAt }) => invalidAt === null)
    .map(({ text }) => text);
}

function remembered(...told: readonly Told[]): KnownStatement[] {
  const known = new Map<string, KnownStatement>();
  for (const [index, one] of told.entries()) {
    const { text, attribute = null, about = [], from = null, conversation = 'c1' } = one;
    const saidAt = one.at ?? `2025-03-${String(index + 1).padStart(2, '0')}T09:00:00.000Z`;
    const given = { text, attribute, about, validAt: from, invalidAt: null, ends: [] };
    const plan = planStatements([given], [...known.values()], {
      extraction: NOTHING_EXTRACTED,
      ...{ saidBy: 'Runa', isOwner: true, ownerName: 'Runa', saidAt, now: '2026-01-01T00:00:00Z' },
      ...{ groupId: 'user_1', episodeUuid: `e${index}`, conversationId: conversation },
      uuidOf: () => `s${index}`,
      replaces: ({ earlier, later }) => earlier.includes('hall') && later.includes('library'),
    });
    for (const [uuid, end] of plan.ended) {
      const before = known.get(uuid);
      if (before !== undefined) known.set(uuid, { ...before, ...end });
    }
    for (const created of plan.created) known.set(created.uuid, created);
  }
  return [...known.values()];
}

describe('statements that a model finds alike (docs/decisions/0131)', () => {
  const HALL = 'Our choir sings in the parish hall.';
  const LIBRARY = 'We sing in the old library.';

  it('take the place of the earlier one, also where it is read later', () => {
    expect(held({ text: HALL, conversation: 'c1' }, { text: LIBRARY, conversation: 'c2' })).toEqual(
      [LIBRARY],
    );
    const [first, second] = ['2025-01-01T00:00:00.000Z', '2025-02-01T00:00:00.000Z'];
    expect(held({ text: LIBRARY, at: second }, { text: HALL, at: first })).toEqual([LIBRARY]);
    expect(held({ text: LIBRARY, at: first }, { text: HALL, at: second })).toHaveLength(2);
  });

  it('stay where the newer one is a quotation, a maybe or a plan without a day', () => {
    for (const text of [
      '“We sing in the old library.”',
      'Maybe we sing in the old library.',
      'We are moving to the old library.',
    ])
      expect(held({ text: HALL }, { text })).toHaveLength(2);
  });
});

describe('statements of one attribute', () => {
  it('end the one said before, whichever conversation said it', () => {
    const rest = held(
      { text: 'I live in Odense.', attribute: 'home', conversation: 'c1' },
      { text: 'I moved to Skagen.', attribute: 'home', conversation: 'c2' },
    );
    expect(rest).toEqual(['I moved to Skagen.']);
  });

  it('end one without a beginning where the newer began shortly before it was told', () => {
    const rest = held(
      { text: 'I live in Odense.', attribute: 'home', at: '2025-06-10T09:00:00.000Z' },
      {
        text: 'I moved to Skagen last week.',
        attribute: 'home',
        at: '2025-06-10T09:01:00.000Z',
        from: '2025-06-03T00:00:00.000Z',
      },
    );
    expect(rest).toEqual(['I moved to Skagen last week.']);
  });

  it('end the older one also where it is read later', () => {
    const [skagen, odense] = remembered(
      { text: 'I moved to Skagen.', attribute: 'home', at: '2025-06-01T00:00:00.000Z' },
      { text: 'I live in Odense.', attribute: 'home', at: '2024-01-01T00:00:00.000Z' },
    );
    expect(skagen?.invalidAt).toBeNull();
    expect(odense).toMatchObject({
      validAt: '2024-01-01T00:00:00.000Z',
      invalidAt: '2025-06-01T00:00:00.000Z',
    });
  });

  it('hold of each subject', () => {
    const told = [
      { text: 'ledger-api is owned by Tove.', attribute: 'owner', about: ['ledger-api'] },
      { text: 'quota-agent belongs to Malin.', attribute: 'owner', about: ['quota-agent'] },
    ];
    expect(held(...told)).toHaveLength(2);
    const next = { text: 'Malin took over ledger-api.', attribute: 'owner', about: ['ledger-api'] };
    expect(held(...told, next)).toEqual([told[1]?.text, next.text]);
  });

  it('end at the day that is said', () => {
    const [old] = remembered(
      { text: 'I work at Vestas.', attribute: 'employer' },
      { text: 'I start at Maersk.', attribute: 'employer', from: '2025-09-01T00:00:00.000Z' },
    );
    expect(old).toMatchObject({
      invalidAt: '2025-09-01T00:00:00.000Z',
      expiredAt: '2026-01-01T00:00:00Z',
    });
  });

  it('said again are no second statement', () => {
    const twice = { text: 'I live in Odense.', attribute: 'home' };
    expect(remembered(twice, twice)).toHaveLength(1);
  });

  it('come back when they are said again after their end', () => {
    const home = (text: string) => ({ text, attribute: 'home' });
    const told = [home('I live in Odense.'), home('I moved to Skagen.'), home('I live in Odense.')];
    expect(held(...told)).toEqual(['I live in Odense.']);
    expect(remembered(...told)).toHaveLength(3);
  });
});

it('a statement that is read late ends where the first of the later ones began', () => {
  const home = (text: string, year: number) => ({
    ...{ text, attribute: 'home', at: `${year}-03-01T09:00:00.000Z`, conversation: `c${year}` },
  });
  const all = remembered(
    home('I live in Odense.', 2021),
    home('I live in Skagen.', 2022),
    home('I live in Ribe.', 2023),
    home('I live on Fur.', 2020),
  );
  const late = all.find(({ text }) => text === 'I live on Fur.');
  expect(late?.invalidAt).toBe('2021-03-01T09:00:00.000Z');
});

describe('a correction ends what it fits', () => {
  it.each([
    ['Mis llaves son nuevas.', 'He dejado las llaves en casa.'],
    ['My sister lives in Faro.', "I'm off to Faro."],
    ['I work in Faro.', 'I moved the meeting from Faro to Lund.'],
    ['I love law.', 'I switched from law to history.'],
    ['We run the mailer on Debian 12.', 'We moved the cache from Debian 11 to 13.'],
    ['My garden is large.', 'Nothing happened in my garden.'],
  ])('%j stands beside %j', (text, other) => {
    expect(held({ text }, { text: other })).toEqual([text, other]);
  });

  it.each([
    ['I am a beekeeper on Fyn.', "I'm not a beekeeper any more."],
    ['I smoke a pack a day.', 'I quit smoking last spring.'],
    ['I work for Axis.', 'I resigned from Axis in May.'],
    ['I work for Axis.', 'sooo I quit Axis.'],
    ['I work for Axis.', 'Axis made me redundant in May.'],
    ['I study law at Lund.', 'I switched from law to history.'],
    ['We run the mailer on Debian 11.', 'We moved the mailer from Debian 11 to 12.'],
    ['Ich studiere Jura.', 'Ich habe von Jura zu Physik gewechselt.'],
    ['I take cortisone in the morning.', "I'm off the cortisone, it made me dizzy."],
    ['We want to go to Iceland.', 'Iceland never happened, the money was gone.'],
    ['Meine Tochter studiert Jura in Kiel.', 'Meine Tochter hat Jura geschmissen.'],
    ['Dienstags gehe ich zum Yoga.', 'Yoga mach ich nicht mehr.'],
    ['Los lunes voy a clase de cerámica.', 'He dejado la cerámica, no tengo tiempo.'],
    ['Ich arbeite bei Bosch.', 'Ich habe bei Bosch gekündigt.'],
    ['We booked a trip to Iceland in June.', 'We cancelled the trip to Iceland.'],
    ['The trip to Iceland is in June.', 'The trip to Iceland is off, flights are dear.'],
    ['My boyfriend Henrik cooks well.', 'Henrik and I broke up in May.'],
    ['I am married to Henrik.', 'Henrik and I got a divorce.'],
    ['My sister lives in Aarhus.', 'Sorry, I meant my sister lives in Aalborg.'],
    ['Our move to Bergen is on 9 June.', 'Small correction: the move is on 16 June, not the 9th.'],
    ['Ich singe im Chor.', 'Ich singe nicht mehr im Chor.'],
    ['Die Reise nach Island ist im Juni.', 'Die Reise nach Island haben wir abgesagt.'],
    ['Meine Frau Inga ist Ärztin.', 'Inga und ich haben uns getrennt.'],
    ['Trabajo en una panadería.', 'Ya no trabajo en la panadería.'],
    ['El viaje a Islandia es en junio.', 'Cancelamos el viaje a Islandia.'],
    ['Mi novio Pau toca la guitarra.', 'Pau y yo lo hemos dejado.'],
    ['Trabajo en Iberia.', 'Dejé Iberia y ahora trabajo en Seat.'],
    ['Trabajo en Iberia.', 'He dejado Iberia.'],
    ['Trabajo en Iberia.', 'He dejado mi trabajo en Iberia.'],
    ['Trabajo en Iberia.', 'Renuncié a Iberia en mayo.'],
    ['Trabajo en Iberia.', 'Renuncié a mi puesto en Iberia.'],
    ['I work at Axis.', "I quit at Axis, maybe I'll study."],
    ['I work at Axis.', 'I quit at Axis in May.'],
    ['I work at Axis.', 'I told them: I quit at Axis.'],
    ['I work at Axis.', 'That said, I quit at Axis.'],
    ['I work at "Blue Fjord".', 'I quit at "Blue Fjord".'],
    ['Ich habe ein Klavier von Ibach.', 'Das Klavier von Ibach habe ich verkauft.'],
    ['Mi bici es una Orbea.', 'Vendí la Orbea y me compré un patinete.'],
  ])('%j by %j', (text, end) => {
    expect(held({ text }, { text: end })).toEqual([end]);
  });

  it.each([
    'I quit at Axis, I joined Borealis.',
    'I quit at Axis and now I work at Borealis.',
    'I no longer work at Axis; I work for Borealis.',
    'Ich habe bei Axis gekündigt und jetzt arbeite ich bei Borealis.',
    'Dejé Axis y ahora trabajo en Borealis.',
    'He dejado Axis, trabajo en Borealis.',
  ])('%j ends the one and gives the other', (text) => {
    const [old, both, next] = remembered(
      { text: 'I work at Axis.' },
      { text },
      { text: 'I work at Cirrus.' },
    );
    expect(old?.invalidAt).toBe(both?.saidAt);
    expect(both).toMatchObject({ attribute: 'employer', invalidAt: next?.saidAt });
    expect(held({ text }, { text: 'I quit at Borealis.' })).toEqual(['I quit at Borealis.']);
  });

  it('gives nothing of another beside it', () => {
    const [end] = remembered({ text: 'I quit at Axis, my brother lives in Lund.' });
    expect(end).toMatchObject({ attribute: null, subject: 'user' });
  });

  it.each([
    ['I work at Axis.', 'I quit at Axis.'],
    ['I am a beekeeper on Fyn.', "I'm not a beekeeper any more."],
    ['We booked a trip to Iceland in June.', 'We cancelled the trip to Iceland.'],
    ['I am married to Henrik.', 'Henrik and I got a divorce.'],
    ['Ich arbeite bei Bosch.', 'Ich habe bei Bosch gekündigt.'],
    ['Trabajo en una panadería.', 'Ya no trabajo en la panadería.'],
  ])('%j also where %j is read before it', (text, end) => {
    const [, late] = remembered(
      { text: end, at: '2025-06-01T09:00:00.000Z', conversation: 'c2' },
      { text, at: '2025-03-01T09:00:00.000Z', conversation: 'c1' },
    );
    expect(late).toMatchObject({ text, invalidAt: '2025-06-01T09:00:00.000Z' });
  });

  it('by the first of the ends said after it, and by none said before it', () => {
    const read = remembered(
      { text: 'I no longer work at Axis.', at: '2025-08-01' },
      { text: 'I resigned from Axis.', at: '2025-01-01' },
      { text: 'I quit at Axis.', at: '2025-06-01' },
      { text: 'I work at Axis.', at: '2025-03-01' },
    );
    expect(read.at(-1)).toMatchObject({ text: 'I work at Axis.', invalidAt: '2025-06-01' });
  });

  it('of the last value, where it has no other words', () => {
    const rest = held(
      { text: 'Set the refresh interval to 20 minutes.', at: '2025-03-01T09:00:00.000Z' },
      { text: 'Tove reviews it.', at: '2025-03-01T09:01:00.000Z' },
      { text: 'Actually no, make it 2h.', at: '2025-03-01T09:02:00.000Z' },
    );
    expect(rest).toEqual(['Tove reviews it.', 'Actually no, make it 2h.']);
  });

  it.each([
    ['I love Iceland.', 'We cancelled the trip to Iceland.'],
    ['We booked a trip to Norway.', 'We cancelled the trip to Iceland.'],
    ['My boyfriend Henrik cooks well.', 'Omar and Lise broke up.'],
    ['I am a beekeeper on Fyn.', 'I am not hungry any more.'],
    ['Ich singe im Chor.', 'Ich rauche nicht mehr.'],
    ['My sister lives in Aarhus.', 'Actually, the train was late again.'],
    ['I work hard for my exam.', "I won't quit, even when it is hard."],
    ['I like Omar.', 'Sorry to hear that, Omar.'],
    ['Trabajo en Iberia.', 'Dejé las llaves en Iberia.'],
    ['Trabajo en Iberia.', 'Dejé el Corsa en casa.'],
    ['Trabajo en Iberia.', 'Dejó Iberia en mayo.'],
    ['I work at Axis.', "Tove's message: I quit at Axis."],
    ['I work at Axis.', 'I dreamt that I quit at Axis.'],
    ['I work at Axis.', 'My sister wrote: I quit at Axis.'],
    ['I work at Axis.', 'Tove says I quit at Axis.'],
    ['I work at Axis.', '"I quit at Axis", she told us.'],
    ['I work at Axis.', "She told us 'I quit at Axis' and laughed."],
    ['I work at Axis.', 'Tove: „Ich habe bei Axis gekündigt.“'],
    ['I work at Axis.', '> I quit at Axis.'],
    ['I work at Axis.', 'Please translate to Danish: I quit at Axis.'],
    ['I work at Axis.', 'Here is the email from Tove: I quit at Axis.'],
    ['I work at Axis.', 'In my novel the baker quit at Axis.'],
    ['I work at Axis.', 'Perhaps I have quit at Axis by then.'],
    ['I work at Axis.', 'If I quit at Axis, we can travel.'],
    ['I work at Axis.', 'I may soon have quit at Axis.'],
    ['Ich arbeite bei Bosch.', 'Tove schrieb: Ich habe bei Bosch gekündigt.'],
    ['Ich arbeite bei Bosch.', 'In meinem Roman wird bei Bosch gekündigt.'],
    ['Ich arbeite bei Bosch.', 'Vielleicht habe ich bis dahin bei Bosch gekündigt.'],
    ['Trabajo en Iberia.', 'Tove escribió: ya no trabajo en Iberia.'],
    ['Trabajo en Iberia.', 'En mi película ya no trabajo en Iberia.'],
    ['Trabajo en Iberia.', 'Tal vez en junio ya no trabajo en Iberia.'],
  ])('%j not by %j', (text, end) => {
    expect(held({ text }, { text: end })).toEqual([text, end]);
  });

  it.each([
    ['We sail to Iceland in June.', 'Actually we sail to Norway, not to Iceland.'],
    [
      'Im Juni segeln wir nach Island.',
      'Wir segeln doch nicht nach Island, sondern nach Norwegen.',
    ],
    [
      'En junio navegamos a Islandia.',
      'Perdón, quería decir que navegamos a Noruega, no a Islandia.',
    ],
  ])('also of another conversation where it names what it takes back: %j by %j', (text, end) => {
    expect(held({ text, conversation: 'c1' }, { text: end, conversation: 'c2' })).toEqual([end]);
    const at = { at: '2025-01-01T09:00:00.000Z', conversation: 'c1' };
    expect(held({ text: end, conversation: 'c2' }, { text, ...at })).toEqual([end]);
    const other = 'My aunt is from Iceland, Island, Islandia.';
    expect(held({ text: other }, { text: end, conversation: 'c2' })).toEqual([other, end]);
  });

  it('a leaving without a name is of the job where the talk is of one', () => {
    const leaves = (...before: string[]) =>
      held(
        { text: 'I work at Axis.', attribute: 'employer', conversation: 'c0' },
        ...before.map((text, at) => ({ text, at: `2025-04-01T09:0${at}:00.000Z` })),
        { text: 'I will leave on June 15.', at: '2025-04-01T09:09:00.000Z' },
      );
    expect(leaves('I handed in my notice today.')).not.toContain('I work at Axis.');
    expect(leaves('We booked the ferry.')).toContain('I work at Axis.');
  });

  it('and of another speaker or conversation no mere slip', () => {
    const rest = held(
      { text: 'The call is at 9.', conversation: 'c1' },
      { text: 'Sorry, I meant 10.', conversation: 'c2' },
    );
    expect(rest).toHaveLength(2);
  });

  it.each(['I live in Odense.', 'We sell bread.', 'Das Brot ist gut.', 'Vivo en Jaca.'])(
    '%j says none',
    (text) => {
      expect(correctionIn(text)).toBeNull();
    },
  );
});

describe('an end to come', () => {
  const SAID = '2025-03-01T09:00:00.000Z';
  const [LEAVES, NEWS] = ['2025-06-15T00:00:00.000Z', '2025-03-02T09:00:00.000Z'];
  it.each([
    ['I work at Kone.', 'I will leave Kone on June 15.'],
    ['I work at Kone.', 'My last day is June 15.'],
    ['Ich arbeite bei Kone.', 'Ich kündige zum 15. Juni.'],
    ['Ich arbeite bei Kone.', 'Mein letzter Arbeitstag bei Kone ist der 15. Juni.'],
    ['Trabajo en Renfe.', 'Dejaré Renfe el 15 de junio.'],
    ['I live in Faro.', 'I will move to Lagos on June 15.'],
    ['Vivo en Lugo.', 'Me mudaré a Vigo el 15 de junio.'],
  ])('%s %s', (before, text) => {
    const [old] = remembered({ text: before, at: SAID }, { text, at: NEWS, from: LEAVES });
    expect(old?.invalidAt).toBe(LEAVES);
  });

  it.each([
    ['I live in Faro.', 'I am leaving Faro on June 15.'],
    ['I work at Kone.', 'I will leave Nokia Park on June 15.'],
    ['I work at Kone.', "I won't leave Kone on June 15."],
    ['I work at Kone.', 'The last day of the fair is June 15.'],
  ])('none of %s %s', (before, text) => {
    const [old] = remembered({ text: before, at: SAID }, { text, at: NEWS, from: LEAVES });
    expect(old?.invalidAt).toBeNull();
  });

  it('a plan without a day ends nothing', () => {
    expect(held({ text: 'I live in Faro.' }, { text: "I'm moving to Lagos." })).toEqual([
      'I live in Faro.',
      "I'm moving to Lagos.",
    ]);
  });
});

it('asks the model about a bounded number of the pairs of a long turn', async () => {
  const told = (n: number) => {
    const words = Array.from({ length: 60 }, (_, at) => `wort${(n * 7 + at * n) % 400}`);
    return { text: words.join(' '), saidBy: 'Ada', saidAt: '2025-03-01T09:00:00.000Z' };
  };
  const of = (count: number, from: number) =>
    Array.from({ length: count }, (_, n) => told(n + from));
  const asked: (readonly string[])[] = [];
  const embed = (texts: readonly string[]) => {
    asked.push(texts);
    return Promise.resolve(null);
  };
  const scale = () => Promise.resolve(DEFAULT_SCALE);
  await judgeOf({ embed, scale }, of(200, 2_000), of(1_000, 0));
  const sentences = (asked[0] ?? []).filter((text) => text.includes('wort') && text.length > 300);
  expect(sentences.length).toBeGreaterThan(0);
  expect(sentences.length).toBeLessThanOrEqual(800);
});
