import { describe, expect, it } from 'vitest';
import {
  type Extraction,
  NOTHING_EXTRACTED,
} from '../../src/memory-graph/extraction/extraction.ts';
import { provenExtraction } from '../../src/memory-graph/extraction/extraction-proof.ts';

const MATERIAL = {
  content: 'I started at Siemens last week, and my brother Marek bought two old bicycles in NYC.',
  earlier: ['Where do you live now?', 'In Turin, with my dog Rex.'],
  names: ['Ada', 'Analytical Engine'],
  saidAt: '2024-05-13T09:00:00.000Z',
};
const fact = (source: string, target: string, text: string, validAt: string | null = null) => ({
  source,
  target,
  relation: 'RELATES_TO',
  fact: text,
  validAt,
  invalidAt: null,
});
const kept = (of: Partial<Extraction>) => {
  const { entities, facts, faults } = provenExtraction({ ...NOTHING_EXTRACTED, ...of }, MATERIAL);
  return {
    names: entities.map(({ name }) => name),
    facts: facts.map(({ fact: text }) => text),
    faults,
  };
};

describe('a finding of a model in a turn', () => {
  it('is kept where the turn, the turns before it or a known name has it', () => {
    const facts = [
      fact('Ada', 'Siemens', 'Ada works at Siemens.'),
      fact('Ada', 'Siemens', 'Ada started at Siemens in May 2024.', '2024-05-06T00:00:00.000Z'),
      fact('Marek', 'New York City', 'Marek bought two bicycles in New York City.'),
      fact('Ada', 'Rex', 'Ada lives in Turin with her dog Rex.'),
    ];
    const { facts: left, faults } = kept({ facts });
    expect(faults).toEqual([]);
    expect(left).toEqual(facts.map(({ fact: text }) => text));
  });

  it('is left out where no turn said it: names, numbers and whole facts', () => {
    const facts = [
      fact('Ada', 'Bosch', 'Ada works at Bosch.'),
      fact('Marek', 'New York City', 'Marek bought three bicycles in New York City.'),
      fact('Ada', 'Siemens', 'Ada met Zoe at Siemens.'),
      fact('Ada', 'Turin', 'Ada opened a large bakery beside the river near Turin.'),
      fact('Ada', 'Siemens', 'Ada started at Siemens in 2019.'),
    ];
    expect(kept({ facts }).facts).toEqual([]);
    const entities = ['Siemens', 'Marek', 'New York City', 'Analytical Engine', 'Bosch', 'Zoe'].map(
      (name) => ({ name, category: null, summary: '' }),
    );
    expect(kept({ entities })).toEqual({
      names: ['Siemens', 'Marek', 'New York City', 'Analytical Engine'],
      facts: [],
      faults: ['"Bosch" is not in the text.', '"Zoe" is not in the text.'],
    });
  });
});
