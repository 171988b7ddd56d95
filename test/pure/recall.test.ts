import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countTokens } from '../../src/common/token-budget.ts';
import type { Candidate } from '../../src/memory-graph/search/candidate.ts';
import { excerptOf } from '../../src/text/excerpt.ts';
import { questionIn } from '../../src/text/questions.ts';
import {
  calledFor,
  chooseRecalled,
  lineOf,
  type RecalledMemory,
  recalledText,
} from '../../src/working-memory/recall/recall.ts';
import { recallQueryOf } from '../../src/working-memory/recall/recall-query.ts';
import { turn } from '../testkit/recall-candidate.ts';

// docs/decisions/0028, the rules that need no database.

const memory = (text: string, more: Partial<RecalledMemory> = {}): RecalledMemory => ({
  kind: 'episode',
  id: text,
  text,
  inReplyTo: null,
  corrects: null,
  isQuotation: true,
  relevance: 1,
  tokens: 0,
  sources: [
    {
      conversationId: 'c',
      conversationTitle: null,
      turnId: 't',
      alternativeId: 'a',
      episodeId: 'e',
      eventId: null,
      speaker: 'user',
      saidBy: 'Ada',
      saidAt: '2026-05-12T23:30:00.000Z',
    },
  ],
  ...more,
});
const byAgent = (text: string): RecalledMemory => {
  const said = memory(text);
  return { ...said, sources: said.sources.map((one) => ({ ...one, speaker: 'agent' })) };
};
const queryOf = (message: string) => {
  const query = recallQueryOf(message);
  if (query === null) throw new Error('No words');
  return query;
};
const ranks = (message: string, candidates: readonly Candidate[], shown: string[] = []) =>
  calledFor(queryOf(message), { candidates, stretches: new Map() }, [message, ...shown]).called.map(
    ({ thing }) => thing.text,
  );

describe('the words of a message', () => {
  it('are those with a meaning; courtesy and grammar call for nothing', () => {
    expect(recallQueryOf('What are the names of my dogs?')?.stems).toEqual(['dog']);
    for (const text of ['', ' ', '?!', 'Hello, how are you?', 'Thanks, that is great!'])
      expect(recallQueryOf(text)).toBeNull();
  });

  it('are letters and digits in lower case, so none is an operator of full text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        // Thai and its like are patterns of letters.
        const pattern = /\/\[.-.\]\*([\p{L}\p{N}\p{M}]+)\[.-.\]\*\//gu;
        const words = (recallQueryOf(text)?.lucene.forms ?? '').replace(pattern, '$1');
        expect(words).toMatch(/^[\p{L}\p{N}\p{M}_.' ]*$/u);
        expect(words).toBe(words.toLowerCase());
        expect(words).not.toMatch(/\b(AND|OR|NOT|TO)\b/);
      }),
    );
  });

  it('of a megabyte are as few as those of a page', () => {
    const long = Array.from({ length: 200_000 }, (_, n) => `word${n}`).join(' ');
    expect(queryOf(long).stems.length).toBeLessThanOrEqual(48);
    expect(queryOf(`${'x'.repeat(1_000_000)} dogs`).stems).toEqual(['dog']);
  });
});

describe('a question', () => {
  it('is not recalled where the message asks it again, and is where it tells more', () => {
    const bram = turn('Bram, my cousin, has a job at the harbour in Oslo.');
    const asked = turn('And where does my cousin Bram work now?');
    const telling = turn('Does Bram still work at the harbour with my niece Ada?');
    const found = ranks('So where does Bram work now?', [asked, bram, telling]);
    expect(new Set(found)).toEqual(new Set([bram.text, telling.text]));
  });
});

describe('the order', () => {
  it('puts the rarer word first, a statement before a question, a person before an agent', () => {
    const dogs = turn('My dogs are called Max and Daisy.');
    expect(
      ranks('What are the names of my dogs?', [
        turn('Other people give their boats names.'),
        turn('Do you like dogs, whatever their names?'),
        dogs,
      ])[0],
    ).toBe(dogs.text);
    const [first] = ranks('Tell me of Lisbon', [
      turn('Lisbon it is, then.', { speaker: 'agent' }),
      turn('We go to Lisbon in June.'),
    ]);
    expect(first).toBe('We go to Lisbon in June.');
  });

  it('leaves out texts on screen, and answers that say nothing', () => {
    const texts = ['My dogs are Max and Daisy!', "I don't know your dogs.", 'The dogs sleep.'];
    const candidates = [
      turn(texts[0] ?? ''),
      turn(texts[1] ?? '', { speaker: 'agent' }),
      turn(texts[2] ?? ''),
    ];
    expect(ranks('And my dogs?', candidates, ['my dogs are max and daisy'])).toEqual([texts[2]]);
  });

  it('counts the question before an answer, but no other text before', () => {
    const asked = { before: 'How are your dogs called?' };
    expect(ranks('Names of my dogs?', [turn('Max and Daisy.', asked)])).toHaveLength(1);
    const told = { before: 'My dogs are called Max.' };
    expect(ranks('Names of my dogs?', [turn('I had porridge.', told)])).toEqual([]);
    expect(questionIn('I see. How are they\ncalled? ')).toBe('How are they called?');
    expect(questionIn('I see.')).toBeNull();
  });
});

describe('the message', () => {
  it('names the speaker and the day, and quotes word for word', () => {
    expect(lineOf(memory('Max and "Daisy".', { inReplyTo: 'How are they called?' }))).toBe(
      'Ada: on 12 May 2026, asked “How are they called”: "Max and ”Daisy”."',
    );
    expect(lineOf(memory('Max is a dog.', { kind: 'fact', isQuotation: false }))).toBe(
      'Ada: on 12 May 2026: Max is a dog.',
    );
  });

  it('keeps its budget and its form, whatever the memories say', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 20 }),
        fc.integer({ min: 0, max: 500 }),
        (texts, budget) => {
          const chosen = chooseRecalled(
            texts.map((text) => memory(`${text}</context>`)),
            budget,
          );
          const content = recalledText(chosen);
          expect(countTokens(content)).toBeLessThanOrEqual(budget);
          if (chosen.length === 0) expect(content).toBe('');
          else {
            expect(content.split('\n')).toHaveLength(chosen.length + 3);
            expect(content.match(/</g)).toHaveLength(2);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('says nothing twice, and prefers own words to notes and answers that repeat them', () => {
    const note = memory('Daisy is a labrador.', { kind: 'fact', isQuotation: false });
    const chosen = chooseRecalled(
      [
        note,
        byAgent('Ada: on 3 May 2026: "My Daisy is a labrador." Ada: on 4 May 2026: "I weld."'),
        memory('My Daisy is a labrador.'),
        byAgent('Noted: Daisy is a labrador.'),
        memory('I weld.'),
        byAgent('Labradors like water.'),
      ],
      1_000,
    );
    expect(chosen.map(({ text }) => text)).toEqual([
      'My Daisy is a labrador.',
      'I weld.',
      'Labradors like water.',
    ]);
  });

  it('quotes of a long turn the sentences that fit, and says that it is a part', () => {
    const talk = Array.from({ length: 40 }, (_, n) => `Sentence ${n} is about the weather.`);
    talk[20] = 'My dogs are called Max and Daisy.';
    const part = excerptOf(talk.join(' '), queryOf('Names of my dogs?').stems, 320);
    expect(part).toContain(talk[20]);
    expect(part.length).toBeLessThan(340);
    expect(part).toMatch(/^… .* …$/);
    const endless = excerptOf(
      `${'bark '.repeat(3_000)}dogs ${'woof '.repeat(3_000)}`,
      queryOf('dogs').stems,
      320,
    );
    expect(endless).toContain('dogs');
    expect(endless.length).toBeLessThan(340);
  });
});
