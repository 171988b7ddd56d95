import { expect, it } from 'vitest';
import { memoryIn, newsIn } from '../../src/memory-graph/extraction/news.ts';
import { isAsking } from '../../src/text/questions.ts';

// Issue 42: an answer that quotes memory is not read into memory again.

const SAID = 'Mia: on 3 May 2025: "My bike is a Colnago and I keep it in Ghent."';
const context = {
  message: 'Where is my bike?',
  recalled: [{ text: 'My bike is a Colnago and I keep it in Ghent.' }],
  messages: [
    { role: 'system', content: `Quotations\n<context>\n${SAID}\n</context>` },
    { role: 'user', content: 'Where is my bike?' },
  ],
};
const memory = memoryIn(context);

it.each([
  ['a quotation', SAID, ''],
  ['the same in other words', 'Your bike is kept in Ghent, Mia.', ''],
  [
    'a quotation with news',
    `${SAID}\nThe workshop Velo Sud in Ghent repairs it.`,
    'The workshop Velo Sud in Ghent repairs it.',
  ],
  ['news alone', 'Bruges has a bike museum.', 'Bruges has a bike museum.'],
])('of an answer with %s the news are left', (_, answer, news) => {
  expect(newsIn(answer, memory)).toBe(news);
});

it('an answer without memory is read whole, and a context may have any shape', () => {
  expect(newsIn(SAID, [])).toBe(SAID);
  const odd = { recalled: 'Ghent', messages: [null, 1, { role: 'system' }], workingMemory: [] };
  for (const none of [null, {}, odd]) expect(memoryIn(none)).toEqual([]);
  expect(memoryIn({ workingMemory: { recalled: [{ text: 'Ghent' }] } })).toEqual(['Ghent']);
});

it('a text that only asks is told from one that states something too', () => {
  expect(isAsking('Where is Ghent? And who is Mia?')).toBe(true);
  expect(isAsking('I live in Ghent. Where is it?')).toBe(false);
  expect(isAsking('')).toBe(false);
});
