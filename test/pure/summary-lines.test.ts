import { describe, expect, it } from 'vitest';
import { openEvidence } from '../../src/agent-memory/grips/line-proof.ts';
import { type DraftBody, provenLines } from '../../src/agent-memory/rollup/line-draft.ts';
import { chooseLines, isTelling, linesOf } from '../../src/agent-memory/rollup/summary-lines.ts';

describe('the answer of a model', () => {
  it('is read line by line, a quotation of several sentences as one', () => {
    expect(
      linesOf('- Ada: "I bought a boat. It leaks." Bob: "Sell it."\n2. It rained. All summer.'),
    ).toEqual([
      'Ada: "I bought a boat. It leaks."',
      'Bob: "Sell it."',
      'It rained.',
      'All summer.',
    ]);
    expect(linesOf('**Ada**: “Ho comprato una barca.”')).toEqual([
      '**Ada**: “Ho comprato una barca.”',
    ]);
  });

  it('gives no greeting, no markup, no JSON and nothing about itself', () => {
    const answers = [
      'Sure! Here is a summary of the conversation:',
      '{"bullets": ["Ada bought a boat."]}',
      '```json',
      '<text>',
      'Hi Ada, great to hear from you!',
      'Thanks so much, bye!',
      'I am local-extractive-1: I quote sentences.',
      'Noted: nothing.',
      '…',
      '',
    ];
    for (const answer of answers)
      expect(
        linesOf(answer).filter((line) => line !== 'Hi Ada'),
        answer,
      ).toEqual([]);
    for (const line of [
      'Ada bought a boat.',
      'C++ is older than Java.',
      '我买了一条船。',
      'Version 3 works.',
    ])
      expect(isTelling(line), line).toBe(true);
  });

  it('may be a megabyte long without harm', () => {
    expect(linesOf('Ada bought a boat. '.repeat(60_000)).length).toBeLessThanOrEqual(60);
    expect(linesOf('x'.repeat(1_000_000))).toHaveLength(1);
  });
});

describe('the choice of lines', () => {
  const lines = (...texts: string[]) => texts.map((text) => ({ text }));
  it('takes the best of each part first, keeps their order and repeats nothing', () => {
    const day = [
      lines('Ada: "Did you eat?"', 'Ada: "I bought two bicycles in Turin."', 'Ada: "Thanks, bye!"'),
      lines('Bob: "The roof of the mill leaks."', 'Bob: "I bought two bicycles in Turin too."'),
      lines('Hello!'),
    ];
    expect(chooseLines(day, 2).map(({ text }) => text)).toEqual([
      'Ada: "I bought two bicycles in Turin."',
      'Bob: "The roof of the mill leaks."',
    ]);
    expect(chooseLines(day, 7).map(({ text }) => text)).toEqual([
      'Ada: "Did you eat?"',
      'Ada: "I bought two bicycles in Turin."',
      'Bob: "The roof of the mill leaks."',
    ]);
  });
});

describe('questions, and quotations of earlier turns', () => {
  const texts = (groups: string[][], count = 7) =>
    chooseLines(
      groups.map((group) => group.map((text) => ({ text }))),
      count,
    ).map(({ text }) => text);
  const said = [
    'Nora: "My dog is called Biscuit."',
    'Nora: "I work in Trondheim."',
    'Nora: "Ines plays the cello in Porto."',
  ];
  const asked = [
    'Nora: "Where do I work?"',
    `Assistant: "Nora: on 24 November 2026: 'My dog is called Biscuit.'"`,
    'Nora: "Who plays the cello?"',
    `Assistant: "Nora: on 24 November 2026: 'Ines plays the cello in Porto.'"`,
  ];

  it('give way to the lines that they ask for or repeat', () => {
    expect(texts([said, asked])).toEqual(said);
    expect(texts([asked, said])).toEqual(said);
  });

  it('fill up to three lines where nothing else was said', () => {
    expect(texts([asked])).toHaveLength(3);
    expect(texts([['Nora: "I work in Trondheim."', 'Nora: "How is the weather?"']])).toHaveLength(
      2,
    );
    expect(texts([asked], 2)).toHaveLength(2);
  });
});

describe('two lines', () => {
  const chosen = (...texts: string[]) => chooseLines([texts.map((text) => ({ text }))], 7).length;
  it('are kept apart by a name or a number, and count once where they say the same', () => {
    expect(chosen('Crate 1 holds ripe apples.', 'Crate 2 holds ripe apples.')).toBe(2);
    expect(chosen('The mill belongs to Ada.', 'The mill belongs to Bob.')).toBe(2);
    expect(chosen('The mill holds ripe apples.', 'In the mill are ripe apples.')).toBe(1);
  });
});

describe('the lines of a segment', () => {
  const said = [
    ['Ada', 'I bought two bicycles in Turin.'],
    ['Assistant', 'What did they cost?'],
    ['Ada', 'They cost 1,200 euros together.'],
    ['Ada', 'My brother Marek repairs the brakes.'],
  ] as const;
  const anchor = (index: number) => ({
    excerpt: '',
    sessionId: 's',
    eventIdStart: `E${index}`,
    eventIdEnd: `E${index}`,
    startKey: `k${index}`,
    endKey: `k${index}`,
    timestampMs: index,
  });
  const body: DraftBody = {
    title: '',
    startMs: 0,
    endMs: 3,
    place: '',
    childNodeIds: [],
    madeOf: '',
    text: '',
    textBefore: '',
    keywords: [],
    terms: [],
    sources: said.map(([speaker, text], index) => ({
      text,
      speakers: [speaker],
      line: null,
      anchors: [anchor(index)],
    })),
    candidates: [],
    isShort: false,
    quietMs: 0,
    count: 5,
  };

  it('are those of the answer that hold; the invented ones are dropped', () => {
    const answer = `Ada bought two bicycles in Turin for 1,200 euros.
      Ada and Zoe bought three bicycles.
      Ada: "My brother Marek repairs the brakes."
      Ada dreams of a voyage around the world.`;
    expect(provenLines(linesOf(answer), body, 0.75)).toEqual([
      {
        text: 'Ada bought two bicycles in Turin for 1,200 euros.',
        support: 1,
        quotation: false,
        speakers: ['Ada'],
        anchors: [
          {
            ...anchor(0),
            eventIdEnd: 'E2',
            endKey: 'k2',
            excerpt: 'I bought two bicycles in Turin.',
          },
        ],
      },
      {
        text: 'Ada: "My brother Marek repairs the brakes."',
        support: 1,
        quotation: true,
        speakers: ['Ada'],
        anchors: [{ ...anchor(3), excerpt: 'My brother Marek repairs the brakes.' }],
      },
    ]);
  });

  it('are held to the threshold of the settings', () => {
    const answer = 'Ada purchased two bicycles in Turin.';
    expect(provenLines([answer], body, 0.75)).toHaveLength(1);
    expect(provenLines([answer], body, 0.8)).toEqual([]);
    expect(openEvidence(body.sources).speakers).toEqual(['Ada', 'Assistant']);
  });
});
