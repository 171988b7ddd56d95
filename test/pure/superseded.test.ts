import { expect, it } from 'vitest';
import type { Thing } from '../../src/memory-graph/search/candidate.ts';
import { endingFirst, type StatementOf } from '../../src/memory-graph/search/ended.ts';
import type { Ranked } from '../../src/memory-graph/search/rank.ts';
import { readAhead, statedFor } from '../../src/memory-graph/search/unread.ts';
import { stemOf } from '../../src/text/stem.ts';
import type { Called } from '../../src/working-memory/recall/recall.ts';
import { withoutEnded } from '../../src/working-memory/recall/superseded.ts';

// Issue 42: what has ended is not recalled as if it held.

const thing = (uuid: string, text: string, kind: Thing['kind'] = 'episode'): Called => ({
  thing: {
    ...{ key: `${kind}/${uuid}`, kind, uuid, text, window: null, stretch: null, cosine: null },
    ...{ steps: null, ends: [], episodes: [], speaker: 'user', name: null, category: null },
    ...{ saidAt: '', createdAt: '', places: [] },
  },
  relevance: 1,
});
const moved = { uuid: 'e2', text: 'I moved to Skagen.', speaker: 'user', saidAt: '2025-01-01' };
const told = (text: string, endedBy: StatementOf['endedBy'] = null, isOver = endedBy !== null) => ({
  ...{ text, isOver, endedBy },
});
const texts = (called: readonly Called[]) =>
  called.map(({ thing: { text }, corrects }) => [text, corrects ?? null]);

it('the turn that ended a statement stands in its place', () => {
  const stated = new Map([['e1', [told('I live in Odense.', moved)]]]);
  expect(texts(withoutEnded([thing('e1', 'I live in Odense.')], stated, ['live']))).toEqual([
    ['I moved to Skagen.', 'I live in Odense.'],
  ]);
});

it('of a turn that says more, the rest stays', () => {
  const stated = new Map([
    ['e1', [told('I live in Odense.', moved), told('My cat is called Miso.')]],
  ]);
  const whole = thing('e1', 'I live in Odense. My cat is called Miso.');
  expect(texts(withoutEnded([whole], stated, ['live']))).toEqual([
    ['I moved to Skagen.', 'I live in Odense.'],
    ['My cat is called Miso.', null],
  ]);
});

// Met as a newcomer: an answer read “My dentist is Dr. Vogel and”.
it.each([
  ['My dentist is Dr. Vogel and I live in Odense.', 'My dentist is Dr. Vogel'],
  ['I live in Odense, and my dentist is Dr. Vogel.', 'my dentist is Dr. Vogel.'],
  ['Ich wohne in Odense und mein Zahnarzt ist Dr. Vogel.', 'mein Zahnarzt ist Dr. Vogel.'],
])('of %s the words that joined what has ended go with it', (text, rest) => {
  const home = /(?:I live|Ich wohne) in Odense\.?/.exec(text)?.[0] ?? '';
  const dentist = told('My dentist is Dr. Vogel.');
  const stated = new Map([['e1', [told(home, null, true), dentist]]]);
  const line = thing('l1', `ada: "${text}"`, 'toc');
  const [said, quoted] = texts(withoutEnded([thing('e1', text), line], stated, ['dentist']));
  expect(said).toEqual([rest, null]);
  expect(quoted?.[0]).not.toContain('Odense');
});

it('one that had ended when it was read is left out', () => {
  const stated = new Map([['e1', [told('I live in Odense.', null, true)]]]);
  expect(withoutEnded([thing('e1', 'I live in Odense.')], stated, ['live'])).toEqual([]);
});

it('things without statements, and those that hold, stay, each once', () => {
  const stated = new Map([
    ['e1', [told('I live in Odense.', moved)]],
    ['e2', [told('I moved to Skagen.')]],
  ]);
  const called = [
    thing('e2', 'I moved to Skagen.'),
    thing('e1', 'I live in Odense.'),
    thing('f1', 'Tove lives in Skagen.', 'fact'),
  ];
  expect(texts(withoutEnded(called, stated, ['live']))).toEqual([
    ['I moved to Skagen.', 'I live in Odense.'],
    ['Tove lives in Skagen.', null],
  ]);
});

it('of a turn that said two things, the end of the one that is asked for comes', () => {
  const haller = { ...moved, uuid: 'e3', text: 'I work at Haller now.' };
  const stated = new Map([
    ['e1', [told('I live in Odense', moved), told('I work at Nordwerk.', haller)]],
  ]);
  const whole = thing('e1', 'I live in Odense and I work at Nordwerk.');
  expect(texts(withoutEnded([whole], stated, ['work']))).toEqual([
    ['I work at Haller now.', 'I work at Nordwerk.'],
  ]);
});

it('lines and events that repeat what has ended are left out', () => {
  const stated = new Map([['e1', [told('I live in Odense.', moved)]]]);
  const called = [
    thing('e1', 'I live in Odense.'),
    thing('t1', 'Ada: “I live in Odense.”', 'toc'),
    thing(
      'v1',
      'On the day when Ada said that I live in Odense they spoke of the weather.',
      'event',
    ),
  ];
  expect(texts(withoutEnded(called, stated, ['live']))).toEqual([
    ['I moved to Skagen.', 'I live in Odense.'],
    ['On the day when Ada said that I live in Odense they spoke of the weather.', null],
  ]);
});

it('a search has the turn that ended a statement before the turn that said it', () => {
  const hit = (uuid: string, fits = true): Ranked => ({
    ...{ kind: 'episode', uuid, score: 1, fits, matched: [], reasons: [], same: [] },
  });
  const places = (ranked: readonly Ranked[], of: Map<string, StatementOf[]>) =>
    endingFirst(ranked, of, [stemOf('live')]).map(
      ({ uuid, fits }) => `${uuid}${fits ? '' : ' (not)'}`,
    );
  const stated = new Map([['e1', [told('I live in Odense.', moved)]]]);
  expect(places([hit('e1'), hit('e3')], stated)).toEqual(['e2', 'e1', 'e3']);
  expect(places([hit('e1'), hit('e3'), hit('e2', false)], stated)).toEqual(['e2', 'e1', 'e3']);
  expect(places([hit('e2'), hit('e1')], stated)).toEqual(['e2', 'e1']);
  expect(places([hit('e1', false)], stated)).toEqual(['e1 (not)']);
  const more = [told('I live in Odense.', moved), told('I like Odense.')];
  expect(places([hit('e1')], new Map([['e1', more]]))).toEqual(['e2', 'e1']);
  // Another statement of the turn has as many words of the question, and holds.
  const both = [told('I live in Odense.', moved), told('My parents live in Ribe.')];
  expect(places([hit('e1')], new Map([['e1', both]]))).toEqual(['e1']);
});

it('an unread turn ends earlier statements (docs/decisions/0131)', () => {
  const turn = (uuid: string, text: string, day: string) => ({
    ...{ uuid, text, speaker: 'user', conversationId: uuid, saidAt: `2025-01-${day}T00:00:00Z` },
  });
  const known = {
    ...{ uuid: 's1', text: 'I live in Odense.', groupId: 'user_1', saidBy: 'Ada' },
    ...{ subject: 'user', attribute: 'home', saidAt: '2024-01-01T00:00:00Z' },
    ...{ validAt: '2024-01-01T00:00:00Z', invalidAt: null, expiredAt: null },
    ...{ createdAt: '2024-01-01T00:00:00Z', episodes: ['e1'], conversations: ['c1'] },
  };
  const skagen = turn('e2', 'Hello! I moved to Skagen. Where do you live?', '01');
  const ribe = turn('e3', 'I moved to Ribe. My friend said: “I live in Rome.”', '02');
  const { ended, told: said } = readAhead([skagen, ribe], [known], 'Ada');
  expect([...ended]).toEqual([
    ['s1', skagen],
    ['e2 I moved to Skagen.', ribe],
  ]);
  const home = { attribute: 'home', subject: 'user' };
  expect(said.get('e2')).toMatchObject([
    { text: 'Hello!', endedBy: null },
    { ...home, text: 'I moved to Skagen.', endedBy: ribe },
  ]);
  expect(said.get('e2')?.map(({ text }) => text)).not.toContain('Where do you live?');
  expect(said.get('e3')?.[0]).toMatchObject({ ...home, text: 'I moved to Ribe.', endedBy: null });
  const old = {
    uuid: 's1',
    episode: 'e1',
    text: known.text,
    speaker: 'user',
    saidAt: known.saidAt,
    isOver: false,
  };
  const other = { ...old, uuid: 's9', episode: 'e9', saidAt: '2023-01-01T00:00:00Z' };
  const unread = { ended, told: said };
  const now = statedFor([old, other], unread, { ...home, former: null });
  expect(now.map(({ episode, text }) => [episode, text])).toEqual([
    ['e3', ribe.text],
    ['e9', known.text],
  ]);
  const before = (name: string | null) =>
    statedFor([old, other], unread, { ...home, former: { before: name } }).map(({ text }) => text);
  expect(before(null)).toEqual([skagen.text, known.text]);
  expect(before('Ribe')).toEqual([skagen.text, known.text, known.text]);
  expect(before('Skagen')).toEqual([known.text, known.text]);
});
