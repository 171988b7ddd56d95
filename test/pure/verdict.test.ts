import { describe, expect, it } from 'vitest';
import { DEFAULT_SCALE } from '../../src/memory-graph/embeddings/meaning-scale.ts';
import type { Candidate } from '../../src/memory-graph/search/candidate.ts';
import { rank } from '../../src/memory-graph/search/rank.ts';
import { searchQueryOf } from '../../src/memory-graph/search/search-query.ts';
import { calledFor } from '../../src/working-memory/recall/recall.ts';
import { recallQueryOf } from '../../src/working-memory/recall/recall-query.ts';
import { turn } from '../testkit/recall-candidate.ts';

// Whether a memory answers (docs/decisions/0118).

const said = (...texts: string[]) => texts.map((text) => turn(text));
const asked = (query: string, candidates: readonly Candidate[], scale = DEFAULT_SCALE) =>
  rank(searchQueryOf(query, 'Runa'), { candidates, stretches: new Map() }, scale);

const HOME = said(
  'I moved to Tromsø in spring, the flat is near the harbour.',
  'My sister Solveig teaches chemistry.',
  'We painted the kitchen yellow.',
  'Our neighbour keeps bees on the roof.',
);

describe('a query that the memory answers', () => {
  it.each([
    ['Where did I move to in spring?', 'I moved to Tromsø'],
    ['What does my sister teach?', 'My sister Solveig'],
    ['What colour is the kitchen?', 'We painted'],
    ['Who keeps bees?', 'Our neighbour'],
    ['When did Runa move?', 'I moved to Tromsø'],
    // Keywords, and other languages, lack words for other reasons.
    ['bees honey hive inspection', 'Our neighbour'],
  ])('%s', (query, beginning) => {
    const { answerable, reason, ranked } = asked(query, HOME);
    expect(answerable).toBe(true);
    expect(reason).toMatch(/^The first hit has the words? /);
    expect(ranked[0]?.uuid.startsWith(beginning)).toBe(true);
    expect(ranked[0]?.fits).toBe(true);
  });
});

it.each([
  ['Wie heißt meine Katze?', false],
  ['¿Cómo se llama mi gata?', false],
  ['Wie heißt mein Hund?', true],
  ['¿Cómo se llama mi perro?', true],
  ['What does my spouse do?', true],
  ['Was macht mein Bruder?', false],
])("knows things of one's own by words of three languages: %s", (query, isTold) => {
  // As near in meaning as the model puts a cat to a dog.
  const near = DEFAULT_SCALE.usual + 1.6 * DEFAULT_SCALE.spread * DEFAULT_SCALE.power;
  const told = said('My dog is called Rex.', 'My wife is a nurse.');
  expect(
    asked(
      query,
      told.map((one) => ({ ...one, near })),
    ).answerable,
  ).toBe(isTold);
});

describe('a query that the memory does not answer', () => {
  it.each([
    [
      'Which airline lost the suitcase of my sister in Lima?',
      'The nearest memory has only the word sister. ' +
        'No memory near it has the words airline, lost, suitcase, lima.',
    ],
    ['How much did the violin cost at the auction?', 'No memory has a word of the query.'],
    ['~', 'The query has no words to search for.'],
    ['🙂 ?!', 'The query has no words to search for.'],
  ])('%s', (query, reason) => {
    const answer = asked(query, HOME);
    expect(answer).toMatchObject({ answerable: false, reason });
    expect(answer.ranked.filter(({ fits }) => fits)).toEqual([]);
  });

  it('since another speaker said it', () => {
    const talk = said(
      'Ines: My grandfather gave me this compass before the voyage.',
      'Ruben: What a lovely story!',
      'Ruben: I only collect stamps.',
    );
    expect(asked('Who gave Ines the compass before the voyage?', talk).answerable).toBe(true);
    expect(asked('What compass was Ruben given?', talk)).toMatchObject({
      answerable: false,
      reason: 'Ines said this, not Ruben.',
    });
  });

  it('is answered all the same by a meaning that a good model is sure of', () => {
    const near = HOME.map((one, at) => ({ ...one, near: at === 1 ? 0.9 : 0.1 }));
    const query = 'Which of my relatives explains molecules to pupils?';
    const scale = { usual: 0.1, spread: 0.1, power: 2.5 };
    expect(asked(query, near, scale).answerable).toBe(true);
    expect(asked(query, HOME).answerable).toBe(false);
    // A model whose answers lie hardly higher than other sentences is not believed.
    expect(asked(query, near, { ...scale, power: 0.6 }).answerable).toBe(false);
  });

  it('is not answered by a near meaning of another speaker', () => {
    const talk = said('Ines: My uncle restores clocks.', 'Ruben: I collect stamps.').map((one) => ({
      ...one,
      near: 0.9,
    }));
    expect(asked('Which relative of Ruben restores antique clocks?', talk)).toMatchObject({
      answerable: false,
      reason: 'Ines said this, not Ruben.',
    });
  });
});

describe('a turn beside the words of a query (docs/decisions/0124)', () => {
  const query = 'Who waters the ferns?';
  const ferns = turn('Tamar waters the ferns.');
  const beside = turn('The lift stops at the third floor on Sundays only, says the caretaker.', {
    before: ferns.text,
  });

  it('answers nothing alone, and stands behind the turn that has them', () => {
    expect(asked(query, [beside])).toMatchObject({ answerable: false });
    const { answerable, ranked } = asked(query, [beside, ferns]);
    expect(answerable).toBe(true);
    expect(ranked[0]?.uuid).toBe(ferns.uuid);
  });

  it('answers where the turn before it asks', () => {
    const reply = turn('Tamar, each second day.', { before: 'Who waters the ferns?' });
    expect(asked('Who waters the ferns?', [reply]).answerable).toBe(true);
  });
});

describe("a thing of one's own that no memory has", () => {
  const cage = turn('My parrot is called Olga.');
  it.each([
    ['What is my hamster called?', false],
    ['What is my parrot called?', true],
    ['Wie heißt mein Papagei?', true],
    ['What is the name of my hamster?', false],
  ])('%s', (query, answerable) => {
    expect(asked(query, [cage]).answerable).toBe(answerable);
  });

  it('is another one, however near its meaning lies, unless it is sure', () => {
    const near = (lift: number) => [{ ...cage, near: 0.1 + 0.1 * 2.5 * lift }];
    const scale = { usual: 0.1, spread: 0.1, power: 2.5 };
    expect(asked('What is my hamster called?', near(1.9), scale).answerable).toBe(false);
    expect(asked('What is my parrot called?', near(1.9), scale).answerable).toBe(true);
    // The words of another language are lacked for that reason alone.
    const boat = (lift: number) => near(lift).map((one) => ({ ...one, text: 'My kayak is Olga.' }));
    expect(asked('Wie heißt mein Paddelboot?', boat(1.5), scale).answerable).toBe(true);
    expect(asked('Wie heißt mein Paddelboot?', boat(1.3), scale).answerable).toBe(false);
  });
});

it('keeps facts and entities that share a small part of the words out of the answer', () => {
  const fact = (text: string): Candidate => ({
    ...{ kind: 'fact', uuid: text, text, method: 'words', score: 1 },
  });
  const facts = ['Solveig teaches chemistry in Bodø.', 'The school of chemistry has a lift.'].map(
    fact,
  );
  const { ranked } = asked('Where does Solveig teach?', [
    ...facts,
    fact('Her pupils teach her patience.'),
  ]);
  const fitting = ranked.filter(({ fits }) => fits).map(({ uuid }) => uuid);
  expect(fitting).toEqual([facts[0]?.uuid]);
});

it('recall gives nothing where the best memories do not answer, and says why', () => {
  const asks = (message: string) => {
    const query = recallQueryOf(message);
    if (query === null) throw new Error('No words');
    return calledFor(query, { candidates: HOME, stretches: new Map() }, [message]);
  };
  expect(asks('Which bank gave my sister a loan for the sawmill?')).toEqual({
    called: [],
    reason:
      'The nearest memory has only the word sister. ' +
      'No memory near it has the words bank, gave, loan, sawmill.',
  });
  expect(asks('What does my sister teach?').called).toHaveLength(1);
});

describe('a query that names a topic', () => {
  const known = (name: string, category: string, summary: string): Candidate => ({
    ...{ kind: 'entity', uuid: name, name, category, text: `${name}: ${summary}` },
    ...{ method: 'words', score: 1 },
  });
  const TOPICS = [
    known('sourdough starter (levain, mother)', 'Concept', 'Is fed twice a week with rye flour.'),
    known('Holger', 'Person', 'Bakes at home and repairs ovens.'),
    known('proofing basket', 'Object', 'Two are lent to a neighbour, who bakes twice a week.'),
  ];

  it.each([
    ['Should I throw away the levain before my holiday in Crete?', ['sourdough starter']],
    ['Is the sourdough starter fine in a proofing basket?', ['sourdough starter', 'proofing']],
    ['What about the starter?', ['sourdough starter']],
  ])('is answered by what is known of it, and by nothing else: %s', (query, names) => {
    const { ranked } = asked(query, TOPICS);
    const fitting = ranked.filter(({ fits }) => fits).map(({ uuid }) => uuid);
    expect(fitting).toHaveLength(names.length);
    for (const name of names) expect(fitting.join()).toContain(name);
  });

  it('but not of a person, of whom it asks something', () => {
    expect(asked('Which insurance did Holger choose for the lorry?', TOPICS).answerable).toBe(
      false,
    );
  });
});

describe('a query in another language', () => {
  const TOLD = said(
    'Mein Hund heißt Bello.',
    'Der Zaun hat 900 Euro gekostet.',
    'Mi gata es Luna.',
  );
  it.each([
    ['Wer ist mein Anwalt?', false],
    ['¿Dónde está mi pasaporte?', false],
    ['asdf qwer', false],
    ['Was hat der Zaun gekostet?', true],
    ['Wie heißt mein Hund?', true],
  ])('%s: %s', (query, expected) => {
    expect(asked(query, TOLD).answerable).toBe(expected);
  });
});
