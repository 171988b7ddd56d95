import { describe, expect, it } from 'vitest';
import { DEFAULT_SCALE } from '../../src/memory-graph/embeddings/meaning-scale.ts';
import { rank } from '../../src/memory-graph/search/rank.ts';
import { searchQueryOf } from '../../src/memory-graph/search/search-query.ts';
import { contentWords, indexWords } from '../../src/text/content-words.ts';
import { formsOf, stemOf } from '../../src/text/stem.ts';
import { wordsIn } from '../../src/text/words.ts';
import { calledFor } from '../../src/working-memory/recall/recall.ts';
import { recallQueryOf } from '../../src/working-memory/recall/recall-query.ts';
import { turn } from '../testkit/recall-candidate.ts';

// The words of a text, as search, recall and the proof of a line compare them.

describe('the forms of a word', () => {
  it.each([
    'run runs running ran',
    'swim swims swimming swam',
    'stop stops stopped stopping',
    'plan plans planned planning',
    'study studies studied studying',
    'marry marries married',
    'easy easily',
    'happy happily',
    'bake bakes baked baking',
    'pay pays paid paying',
    'rise rises rose risen',
    'case cases',
    'class classes',
    'child children',
    'good better best',
    'die dies died dying',
    'live lives lived living life',
  ])('%s have one stem', (forms) => {
    const words = forms.split(' ');
    expect(new Set(words.map(stemOf)).size).toBe(1);
    for (const word of words) expect(formsOf(word)).toEqual(expect.arrayContaining(words));
  });

  it('of different words differ', () => {
    const words = 'run ruin rain stop step plan city class glass bus Trondheim 12 3.5 犬';
    const stems = words.split(' ').map(stemOf);
    expect(new Set(stems).size).toBe(stems.length);
  });
});

it('is read in lower case; without spaces between words it gives pairs of characters', () => {
  expect(wordsIn('Don’t ask 3.5 Kühe')).toEqual(["don't", 'ask', '3.5', 'kühe']);
  expect(wordsIn('東京に住む')).toEqual(['東京', '京に', 'に住', '住む']);
  expect(wordsIn('Tシャツ')).toEqual(['t', 'シャ', 'ャツ']);
  expect(wordsIn('𝐀da lives')).toEqual(['ada', 'lives']);
});

describe('a question and the memory that answers it', () => {
  const others = [
    'I had porridge for breakfast.',
    'Our landlord repaired the roof.',
    '天気がいい。',
  ];
  const found = (question: string, memory: string) => {
    const texts = [...others, memory];
    const query = recallQueryOf(question);
    const searched = rank(
      searchQueryOf(question, 'Ada'),
      {
        candidates: texts.map((text) => ({
          kind: 'episode',
          uuid: text,
          method: 'words',
          score: 1,
          text,
        })),
        stretches: new Map(),
      },
      DEFAULT_SCALE,
    );
    const candidates = texts.map((text) => turn(text));
    const recalled =
      query === null
        ? []
        : calledFor(query, { candidates, stretches: new Map() }, [question]).called;
    const words = contentWords(question).filter((word) => indexWords(memory).has(word));
    return {
      search: searched.ranked[0]?.uuid,
      recall: recalled.map(({ thing }) => thing.uuid),
      proof: words.length > 0,
    };
  };

  it.each([
    ['Who goes running?', 'I run along the river every morning.'],
    ['Where does she go swimming?', 'Ines swims in the fjord.'],
    ['Has the clock stopped?', 'The clocks stop at noon.'],
    ['Is Tom married?', 'Tom marries in June.'],
    ['Which studies are planned?', 'The study is in my plan.'],
    ['แมวชื่ออะไร', 'แมวของฉันสีดำ'],
    ['ແມວຢູ່ໃສ', 'ຂ້ອຍມີແມວ'],
    ['犬の名前は？', '私の犬の名前はポチです。'],
    ['고양이 이름', '고양이가 잔다.'],
    ['बिल्ली का नाम', 'मेरी बिल्ली सोना है'],
  ])('%s %s meet in search, recall and proof', (question, memory) => {
    expect(found(question, memory)).toEqual({ search: memory, recall: [memory], proof: true });
  });
});

describe('the full-text query', () => {
  it('looks for the forms of a word, and for words of Thai within a run', () => {
    const { words, forms } = searchQueryOf('Who runs snake_case 3.5 แมว', 'ada').lucene;
    expect(words.split(' ')).toEqual(
      expect.arrayContaining(['who', 'runs', 'ran^0.3', 'snake_case']),
    );
    expect(forms.split(' ')).toEqual(expect.arrayContaining(['running', 'ran', '3.5', 'case']));
    expect(words).toMatch(/\/\[.-.\]\*แมว\[.-.\]\*\//u);
  });
});
