import { describe, expect, it } from 'vitest';
import {
  attributed,
  holds,
  openEvidence,
  proveLine,
  splitLine,
} from '../../src/agent-memory/grips/line-proof.ts';

const TALK = openEvidence([
  { speakers: ['Ada'], text: 'Morning! I bought two old bicycles at the flea market in Turin.' },
  { speakers: ['Assistant'], text: 'Nice find. How much did they cost?' },
  {
    speakers: ['Ada'],
    text: 'They cost 1,200 euros together. My brother Marek thinks I was robbed.',
  },
  { speakers: ['Assistant'], text: 'I can list the repairs that each of them needs.' },
  {
    speakers: ['Ada'],
    text: 'The chains are rusty, and the brakes do not work. It is twenty-five years old.',
  },
]);
const supported = (line: string, evidence = TALK) => holds(proveLine(line, evidence), 0.75);
const shown = (line: string, evidence = TALK) => {
  const proof = proveLine(line, evidence);
  return proof === null ? null : attributed(proof);
};

describe('a line of a memory', () => {
  it('is kept where its words are in the evidence, whatever their endings', () => {
    for (const line of [
      'Ada bought two bicycles in Turin.',
      'Ada was buying old bicycles at a flea market.',
      'The bicycles cost 1200 euros.',
      'Ada says that her chains are rusting and the brakes are not working.',
      'Her brother Marek thinks that Ada was robbed.',
      'Ada said one is 25 years old.',
      'Two bicycles, 1,200 euros together.',
    ])
      expect(supported(line), line).toBe(true);
  });

  it('is refused where it invents a name, a number or a whole sentence', () => {
    for (const line of [
      'Ada bought three bicycles in Turin.',
      'Ada bought two bicycles in Milan.',
      'Ada and Zoe bought two old bicycles at the flea market.',
      'The bicycles cost 1300 euros.',
      'Ada said one is 26 years old.',
      'Marta thinks Ada was robbed.',
      'Marek moved to Oslo.',
      'Zebras quietly juggle.',
      'Ada is planning a long holiday with her family.',
      'The conversation covers several interesting topics.',
      '',
      '…',
    ])
      expect(supported(line), line).toBe(false);
  });

  it('says by how much it is supported, and lists invented names', () => {
    const proof = proveLine('Ada bought two shiny bicycles in Milan.', TALK);
    expect(proof?.missing).toEqual(['Milan']);
    expect(proof?.support).toBeCloseTo(3 / 5);
    expect(proveLine('Ada bought two bicycles.', TALK)?.support).toBe(1);
    expect(proveLine('Zebras quietly juggle.', TALK)).toBeNull();
  });

  it('rests on all texts that it draws from, and on no other', () => {
    expect(proveLine('Ada bought bicycles in Turin for 1,200 euros.', TALK)).toMatchObject({
      rests: [0, 2],
      best: 0,
      speakers: ['Ada'],
      quotation: false,
    });
    expect(proveLine('The chains are rusty', TALK)).toMatchObject({ rests: [4], quotation: true });
  });

  it('does not join words of distant events to a sentence that was never said', () => {
    const filler = Array.from({ length: 30 }, (_, at) => ({
      speakers: ['Bob'],
      text: `Step ${at} of the recipe is to stir.`,
    }));
    const long = openEvidence([
      { speakers: ['Ada'], text: 'My sister owns a bakery.' },
      ...filler,
      { speakers: ['Ada'], text: 'The lighthouse burned down in winter.' },
    ]);
    expect(supported("Ada's sister owns a lighthouse.", long)).toBe(false);
    expect(supported("Ada's sister owns a bakery.", long)).toBe(true);
  });

  it('names its speaker, and a quotation is written as one', () => {
    expect(shown('The chains are rusty, and the brakes do not work.')).toBe(
      'Ada: "The chains are rusty, and the brakes do not work."',
    );
    expect(shown('Assistant: "My brother Marek thinks I was robbed."')).toBe(
      'Ada: "My brother Marek thinks I was robbed."',
    );
    expect(shown('Two bicycles, 1200 euros together.')).toBe(
      'Ada: Two bicycles, 1200 euros together.',
    );
    expect(shown('Ada bought bicycles.')).toBe('Ada bought bicycles.');
    expect(shown('User: I bought bicycles in Turin')).toBe('Ada: I bought bicycles in Turin');
  });

  it('is refused where it gives the words of one speaker to another', () => {
    const two = openEvidence([
      { speakers: ['Ada'], text: 'I sold my boat last spring.' },
      { speakers: ['Bob'], text: 'I planted cherry trees.' },
    ]);
    expect(supported('Bob sold a boat in spring.', two)).toBe(false);
    expect(supported('Ada sold a boat in spring.', two)).toBe(true);
    // Word for word, so the name is put right instead.
    expect(shown('Bob: "I sold my boat last spring."', two)).toBe(
      'Ada: "I sold my boat last spring."',
    );
  });

  it('is checked whatever signs the name of its speaker has', () => {
    for (const name of ['dev-ada', 'a.b+c', '(x)[y]', 'o/p|q', '$^*?', 'back\\slash']) {
      const talk = openEvidence([
        { speakers: [name], text: 'I sold the boat in Bergen for nine thousand kroner.' },
        { speakers: ['Assistant'], text: 'Who bought it?' },
      ]);
      const line = `${name}: "I sold the boat in Bergen for nine thousand kroner."`;
      expect(supported(line, talk), name).toBe(true);
      expect(supported(`${name} sold the boat in Bergen.`, talk), name).toBe(true);
    }
  });

  it('is read with label, quotation marks and markup', () => {
    const read = (line: string) => Object.values(splitLine(line, ['Ada']));
    expect(read('**Ada**: "It rained."')).toEqual(['Ada', 'It rained.']);
    expect(read('Note: it rained.')).toEqual([null, 'Note: it rained.']);
    expect(read('“It rained.”')).toEqual([null, 'It rained.']);
  });
});

describe('a line in another script or language', () => {
  it.each([
    ['我上周在上海买了一辆红色的自行车。', '小明在上海买了红色的自行车', '小明在北京买了一条小狗'],
    [
      'Вчера я купил старую лодку в Одессе за 300 долларов.',
      'Куплена старая лодка в Одессе',
      'Куплена старая лодка в Киеве',
    ],
    [
      'Ieri ho comprato una vecchia barca a Genova per 300 euro.',
      'Comprata una vecchia barca a Genova',
      'Comprata una vecchia barca a Napoli',
    ],
    [
      '昨日、東京で新しいカメラを買いました。',
      '東京で新しいカメラを買った',
      '大阪で古い車を売った',
    ],
  ])('is proven by %s', (said, right, wrong) => {
    const evidence = openEvidence([{ speakers: ['小明'], text: said }]);
    expect(supported(right, evidence)).toBe(true);
    expect(supported(wrong, evidence)).toBe(false);
  });
});

describe('any text', () => {
  it('is proven by itself, and never breaks the check', () => {
    const odd = '<b>|{"a": 1}|"|...|a:b:c|\ud83d\ude00|C++ (v2.1)|🙂 yes|\ud800';
    for (const text of odd.split('|')) {
      const proof = proveLine(text, openEvidence([{ speakers: [], text }]));
      if (proof !== null) expect(proof.support).toBe(1);
      expect(() => proveLine(text, TALK)).not.toThrow();
    }
    expect(proveLine('x'.repeat(1_000_000), TALK)).toBeNull();
  });
});
