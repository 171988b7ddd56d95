import { describe, expect, it } from 'vitest';
import { askedIn } from '../../src/memory-graph/search/asked.ts';

const asked = (text: string) => {
  const found = askedIn(text, 'Ada');
  return found && `${found.attribute} of ${found.subject}`;
};

describe('the attribute that a question asks for (docs/decisions/0133)', () => {
  it.each([
    ['Where do I live?', 'home of user'],
    ['And where does Ada live now?', 'home of user'],
    ['Where does Ines work?', 'employer of ines'],
    ['Who is my dentist?', 'dentist of user'],
    ["What's the batch size?", 'is of batch size'],
    ['Who owns parcel-tracker?', 'owner of parcel-tracker'],
    ['Wo wohne ich?', 'home of user'],
    ['Wie heißt mein Tierarzt?', 'vet of user'],
    ['¿Dónde trabajo?', 'employer of user'],
    ['¿Cómo se llama mi casera?', 'landlord of user'],
  ])('%j: %s', (text, attribute) => {
    expect(asked(text)).toBe(attribute);
  });

  it.each([
    'Where did I live before?',
    'What is my cat called?',
    'I live in Faro.',
    'Where do I live and what did I say about the roof of it?',
    'Wo habe ich gewohnt?',
    '?',
    '',
  ])('none in %j', (text) => {
    expect(asked(text)).toBeNull();
  });
});
