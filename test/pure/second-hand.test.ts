import { describe, expect, it } from 'vitest';
import { DEFAULT_SCALE } from '../../src/memory-graph/embeddings/meaning-scale.ts';
import type { Candidate } from '../../src/memory-graph/search/candidate.ts';
import { rank } from '../../src/memory-graph/search/rank.ts';
import { searchQueryOf } from '../../src/memory-graph/search/search-query.ts';
import { isRecalled } from '../../src/memory-graph/search/second-hand.ts';
import { calledFor } from '../../src/working-memory/recall/recall.ts';
import { recallQueryOf } from '../../src/working-memory/recall/recall-query.ts';
import { turn } from '../testkit/recall-candidate.ts';

// The words of agents behind those of people (docs/decisions/0124).

const answer = (text: string, before: string) => turn(text, { speaker: 'agent', before });
const asked = (query: string, candidates: readonly Candidate[]) =>
  rank(searchQueryOf(query, 'Runa'), { candidates, stretches: new Map() }, DEFAULT_SCALE);
const fitting = (query: string, candidates: readonly Candidate[]) =>
  asked(query, candidates).ranked.flatMap(({ fits, uuid }) => (fits ? [uuid] : []));

const QUESTION = 'Which berth does my boat lie at?';
const SAID = turn('The boat lies in Kalmar this winter, at berth nine.');
const REPEATED = answer('Your boat lies at berth nine, in Kalmar.', QUESTION);

it('a short question that somebody asked is no answer to another one', () => {
  const other = turn('Hoe heet mijn kat?');
  const { answerable } = asked('Hoe heet mijn boot?', [other]);
  expect(answerable).toBe(false);
});

it.each([
  ['Who teaches my cello lesson?', 'Can Ines teach my cello lesson later?'],
  ['When is my cello lesson?', 'Is my cello lesson on friday?'],
  ['Which room has my cello lesson?', 'Has my cello lesson room 14?'],
])('what answers %j stands in a short question: %j', (query, question) => {
  expect(fitting(query, [turn(question)])).toEqual([question]);
});

it.each([
  'runa: on 3 May 2026: Runa lives in Lund. I have booked the Fågeln for 12 June.',
  'runa: on 3 May 2026: Runa lives in Lund\nThe Fågeln is booked for 12 June.',
  'runa: on 3 May 2026: "I live in Lund." Since May: Kiel.',
  'runa: on 3 May 2026: "I live in Lund." Flat 12.',
])('news beside a line of memory is no repetition of it: %j', (text) => {
  expect(isRecalled(text)).toBe(false);
});

it.each([
  'runa: on 3 May 2026: Runa lives in Lund. runa: on 4 May 2026: "I row."',
  'runa: on 3 May 2026: runa: "I live in Lund, at no. 4. I row."',
  'Noted: runa: on 3 May 2026: "I live in Lund." In Lund.',
])('lines of memory alone are repetitions: %j', (text) => {
  expect(isRecalled(text)).toBe(true);
});

describe('an answer that repeats a person', () => {
  it('stands behind the words of the person, and says that it repeats', () => {
    const { answerable, ranked } = asked(QUESTION, [REPEATED, SAID]);
    expect(answerable).toBe(true);
    expect(ranked.map(({ uuid }) => uuid)).toEqual([SAID.uuid, REPEATED.uuid]);
    expect(fitting(QUESTION, [REPEATED, SAID])).toEqual([SAID.uuid]);
    expect(ranked[1]?.reasons.map(({ text }) => text)).toContain(
      'is an answer of an agent that repeats what people said',
    );
  });

  // Met as a newcomer: an answer that quoted memory was recalled before the words themselves.
  it('is one, too, with labels and dates of the lines that it quotes', () => {
    const quoting = answer(
      'runa: runa: on 28 November 2026: runa: "The boat lies in Kalmar this winter, at berth ' +
        'nine." runa: on 28 November 2026: The boat lies in Kalmar (since 28 November 2026).',
      QUESTION,
    );
    expect(fitting(QUESTION, [quoting, SAID])).toEqual([SAID.uuid]);
  });

  it('is no memory where it only quotes lines whose sources are not found', () => {
    const quoting = answer(
      'runa: on 5 March 2026: "De boot ligt dit jaar in Hoorn" chat: on 6 March 2026, asked ' +
        '“Waar ligt mijn boot”: "runa: on 5 March 2026: ”De boot ligt in Hoorn”"',
      'Waar ligt mijn boot?',
    );
    const query = recallQueryOf('Waar ligt mijn boot?');
    if (query === null) throw new Error('No words');
    const found = { candidates: [quoting], stretches: new Map() };
    expect(calledFor(query, found, []).called).toEqual([]);
    expect(fitting('Waar ligt mijn boot?', [quoting])).toEqual([]);
  });

  it('answers nothing by itself, however well it fits', () => {
    const rower = turn('My rowing machine is called Otto.');
    const wrong = answer('Your canary is called Otto.', 'What is my canary called?');
    const { answerable } = asked('What is my canary called?', [wrong, rower]);
    expect(answerable).toBe(false);
    const query = recallQueryOf('What is my canary called?');
    if (query === null) throw new Error('No words');
    const found = { candidates: [wrong, rower], stretches: new Map() };
    expect(calledFor(query, found, []).called).toEqual([]);
  });

  it('tells nothing where the model said that it has none', () => {
    const none = answer(
      'Nothing in what I was given answers that. I quote and rank sentences of the text.',
      'Where do I live?',
    );
    const lives = turn('I live in a flat in Leeds.');
    expect(fitting('Where do I live?', [none])).toEqual([]);
    expect(fitting('Where do I live?', [none, lives])).toEqual([lives.uuid]);
  });

  it('is no repetition where the query asks for the words of the agent', () => {
    expect(fitting('Which berth did you tell me?', [REPEATED, SAID])).toContain(REPEATED.uuid);
  });
});

it('a result that an agent alone reports is evidence', () => {
  const report = answer('The nightly export stopped at step 4, the disk is full.', 'Run it again.');
  const { answerable, ranked } = asked('Why did the nightly export stop?', [
    report,
    turn('I look at the export tomorrow.'),
  ]);
  expect(answerable).toBe(true);
  expect(ranked[0]?.uuid).toBe(report.uuid);
  expect(ranked[0]?.reasons.map(({ text }) => text)).toContain('was said by an agent');
});
