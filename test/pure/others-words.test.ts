import { describe, expect, it } from 'vitest';
import { NOTHING_EXTRACTED } from '../../src/memory-graph/extraction/extraction.ts';
import { ownFindings } from '../../src/memory-graph/extraction/others-words.ts';
import { sentencesOf } from '../../src/text/sentences.ts';

/** The sentences of Runa's turn that are kept as statements. */
function kept(content: string): string[] {
  const statements = sentencesOf(content).map((text) => ({
    ...{ text, about: [], attribute: null, validAt: null, invalidAt: null, ends: [] },
  }));
  const extraction = { ...NOTHING_EXTRACTED, statements };
  return ownFindings(extraction, { content, speaker: 'Runa' }).statements.map(({ text }) => text);
}

/** Whether a fact between these two is kept. */
function keeps(content: string, source: string, target: string): boolean {
  const fact = {
    ...{ source, target, relation: 'KNOWS', fact: `${source} knows ${target}.` },
    ...{ validAt: null, invalidAt: null },
  };
  const extraction = { ...NOTHING_EXTRACTED, facts: [fact] };
  return ownFindings(extraction, { content, speaker: 'Runa' }).facts.length > 0;
}

describe('sentences within the words of others', () => {
  it.each([
    ['Timo said: "I sold my van. I live in Husum now. I sail each day." I live in Faro.', 1],
    ['“I sold my van. I live in Husum now.” That is Timo. I live in Faro.', 0],
    ['> I sold my van. I live in Husum now.\nI live in Faro.', 0],
    ['Translate this into Danish: I sold my van. I live in Husum.\n\nI live in Faro.', 1],
    ['Hier ist der Brief: Ich wohne in Husum. Mein Arzt ist Kim Lund.\n\nI live in Faro.', 1],
    ['Timo me escribió: «Vivo en Lugo. Mi médico es Kim Lund.» I live in Faro.', 1],
  ])('%s', (content, before) => {
    const rest = kept(content);
    expect(rest.at(-1)).toBe('I live in Faro.');
    for (const lost of ['Husum', 'Kim Lund']) expect(rest.slice(before).join()).not.toContain(lost);
  });

  it('and none of names in quotation marks, or of a turn without', () => {
    expect(kept('My band is called "Blue Rain". I live in Faro.')).toHaveLength(2);
    expect(kept('I said I live in Faro. It rains.')).toHaveLength(2);
  });
});

it('a fact of the speaker is named in words of their own', () => {
  const content = 'Timo said: "I live in Husum. My dentist is Kim Lund." I live in Faro.';
  expect(keeps(content, 'Runa', 'Husum')).toBe(false);
  expect(keeps(content, 'Kim Lund', 'Runa')).toBe(false);
  expect(keeps(content, 'Runa', 'Faro')).toBe(true);
  expect(keeps(content, 'Timo', 'Husum')).toBe(true);
});
