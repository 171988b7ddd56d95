import { expect, it } from 'vitest';
import { beginningOf } from '../../console/src/conversations/beginning.ts';
import { givenTo } from '../../console/src/conversations/given.ts';

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

const QUOTED = { text: 'My dog is called "Bruno" & <Rex>.', isQuotation: true };
const LATER = { text: 'My dog is called Max.', isQuotation: true };
const MESSAGES = [
  { role: 'system', content: 'Your notes to yourself:\n[0] be brief' },
  {
    role: 'system',
    content:
      'Quotations from earlier talks.\n<context>\n' +
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
