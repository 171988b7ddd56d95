import { expect, it } from 'vitest';
import { beginningOf } from '../../console/src/conversations/beginning.ts';
import { givenTo } from '../../console/src/conversations/given.ts';
import {
  ACTIVE_DEFAULTS,
  type ActiveEntity,
  activeEntitiesText,
} from '../../src/memory-graph/entities/active-entity.ts';
import { contextItems, type PathRow } from '../../src/working-memory/context.ts';
import { notesText } from '../../src/working-memory/introspections/introspection.ts';
import { type RecalledMemory, recalledText } from '../../src/working-memory/recall/recall.ts';

const LINES = Array.from({ length: 80 }, (_, at) => `line ${at}`);

it('folds long texts and texts of many lines, and shows a short one whole', () => {
  expect(beginningOf('word '.repeat(600), false)).toBeNull();
  expect(beginningOf('word '.repeat(5_000), false)?.length).toBe(1_500);
  expect(beginningOf(LINES.slice(0, 60).join('\n'), false)).toBeNull();
  expect(beginningOf(LINES.join('\n'), false)?.split('\n')).toEqual(LINES.slice(0, 25));
  // An emoji of two code units is never cut in half.
  expect(beginningOf(`x${'😀'.repeat(3_000)}`, false)?.isWellFormed()).toBe(true);
});

it('begins Markdown with whole lines and whole blocks of code', () => {
  const paragraph = 'A sentence of some words. '.repeat(30).trim();
  const prose = Array.from({ length: 9 }, () => paragraph).join('\n\n');
  expect(beginningOf(prose, true)).toBe(`${paragraph}\n`);
  const short = ['One.', '', 'Two.', '```js', ...LINES, '```'].join('\n');
  // The block begins early: it is shown as far as it goes, and closed.
  expect(beginningOf(short, true)?.split('\n')).toEqual([
    ...['One.', '', 'Two.', '```js'],
    ...LINES.slice(0, 21),
    '```',
  ]);
  // The block begins late: the text ends before it.
  const late = [...LINES.slice(0, 20), '~~~', ...LINES, '~~~'].join('\n');
  expect(beginningOf(late, true)?.split('\n')).toEqual(LINES.slice(0, 20));
});

it('shows the beginning of one long line where nothing else is before it', () => {
  const long = 'x'.repeat(5_000);
  expect(beginningOf(`\`\`\`js\n${long}\n\`\`\``, true)).toMatch(/^```js\nx{1494}\n```$/);
  expect(beginningOf(`\n${long}`, true)).toMatch(/^\nx{1499}$/);
  expect(beginningOf(`Code:\n~~~\n${long}\n~~~`, true)).toBe('Code:');
});

const QUOTED = { text: 'My dog is called "Bruno" & <Rex>.', isQuotation: true };
const LATER = { text: 'My dog is called Max.', isQuotation: true };
const MESSAGES = [
  { role: 'system', content: 'Your notes to yourself:\n[0] be brief' },
  {
    role: 'system',
    content:
      'Quotations from earlier talks, found by the last message.\n<context>\n' +
      'Uma: on 12 May 2026: "My dog is called ”Bruno” & ‹Rex›."\n' +
      'Memory: on 13 May 2026: Uma has a dog\n</context>',
  },
  {
    role: 'user',
    content: 'What is my dog called?\n<context>\nnot recalled\n</context>',
    parts: [
      { type: 'text', text: 'What is my dog called?' },
      { type: 'file', name: 'dogs.txt', uri: 'blob:1', mediaType: 'text/plain' },
    ],
  },
];

it('tells the lines that an answer was given from those that are recalled now', () => {
  const lines = [
    { text: 'Uma: on 12 May 2026: "My dog is called ”Bruno” & ‹Rex›."', memory: QUOTED },
    { text: 'Memory: on 13 May 2026: Uma has a dog', memory: null },
  ];
  const others = ['Your notes to yourself:\n[0] be brief'];
  const given = { lines, others, files: ['dogs.txt'] };
  expect(givenTo({ messages: MESSAGES }, [LATER, QUOTED])).toEqual(given);
  expect(givenTo({ workingMemory: { messages: MESSAGES } }, [LATER, QUOTED])).toEqual(given);
  expect(givenTo({ recalled: [QUOTED], message: 'x' }, [LATER, QUOTED]).lines).toEqual([
    { text: QUOTED.text, memory: QUOTED },
  ]);
  expect(givenTo({ message: 'x' }, [LATER])).toEqual({
    lines: [],
    others: [],
    files: [],
  });
});

/** A memory as it is recalled on 12 May 2026. */
const recalledOf = (text: string, isQuotation: boolean): RecalledMemory => ({
  ...{ kind: 'episode', id: text, text, isQuotation, inReplyTo: null, corrects: null },
  ...{ relevance: 1, tokens: 0 },
  sources: [
    {
      ...{ conversationId: 'c', conversationTitle: null, turnId: 't', alternativeId: 'a' },
      ...{ episodeId: 'e', eventId: null, speaker: 'user', saidBy: 'Ada' },
      saidAt: SAID_AT,
    },
  ],
});

const SAID_AT = '2026-05-12T08:30:00.000Z';
const ENTITY: ActiveEntity = {
  ...ACTIVE_DEFAULTS,
  ...{ entityUuid: 'x', name: 'Zanzibar', category: 'Parrot', source: 'user', addedAt: SAID_AT },
  ...{ pinned: true, summary: 'Green.', facets: null, facts: [], mentionedIn: [] },
};
const ROW: PathRow = {
  ...{ turnId: 't', alternativeId: 'a', episodeId: 'e', speaker: 'user', content: 'Hello.' },
  ...{ outcome: 'completed', isStale: false },
};
const SUMMARY = {
  ...{ id: 's', compressionLevel: 1, createdAt: SAID_AT, isDeleted: false },
  ...{ sources: ['e'], episodes: ['of-s'], content: 'They greeted.' },
};

it('shows each line as the model read it, with the memory that it is the whole of', () => {
  const parrot = recalledOf('My parrot is called Zanzibar.', true);
  const adamant = recalledOf('Adamant people: they stay late', false);
  const [name, end] = [recalledOf('Ada', false), recalledOf('they stay late', false)];
  const [notes, known] = [
    notesText([{ position: 0, content: 'be brief' }]),
    activeEntitiesText([ENTITY]),
  ];
  const [{ content: summary = '' } = {}] = contextItems([ROW], [SUMMARY]);
  const texts = ['You are a pirate.', notes, known, recalledText([parrot, adamant]), summary];
  const messages = texts.map((content) => ({ role: 'system', content }));
  const given = givenTo({ messages }, [name, end, adamant]);
  expect(given.lines).toEqual([
    { text: 'Ada: on 12 May 2026: "My parrot is called Zanzibar."', memory: null },
    { text: 'Ada: on 12 May 2026: Adamant people: they stay late', memory: adamant },
  ]);
  // A system turn of the talk is none of them.
  expect(given.others).toEqual([notes, known, summary]);
});
