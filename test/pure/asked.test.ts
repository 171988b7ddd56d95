import { describe, expect, it } from 'vitest';
import { askedIn } from '../../src/memory-graph/search/asked.ts';

const asked = (text: string) => {
  const found = askedIn(text, 'Ada');
  const before = found?.former == null ? '' : `, before ${found.former.before ?? 'now'}`;
  return found && `${found.attribute} of ${found.subject}${before}`;
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
    ['What is my job?', 'employer of user'],
    ['Where did I live before?', 'home of user, before now'],
    ['Where did I live before I moved to Faro?', 'home of user, before Faro'],
    ['Before Faro, where did I live?', 'home of user, before Faro'],
    ['What was my job before the current one?', 'employer of user, before now'],
    ['Where did Ines use to work?', 'employer of ines, before now'],
    ['Who was my previous dentist?', 'dentist of user, before now'],
    ['Who was my doctor before Dr. Lind?', 'doctor of user, before Lind'],
    ['Wo habe ich vor Kiel gewohnt?', 'home of user, before Kiel'],
    ['Wo habe ich gearbeitet, bevor ich zu Axis kam?', 'employer of user, before Axis'],
    ['Wer war mein früherer Arzt?', 'doctor of user, before now'],
    ['Wer war vorher mein Chef?', 'boss of user, before now'],
    ['¿Dónde vivía antes de Faro?', 'home of user, before Faro'],
    ['¿Quién era mi anterior médico?', 'doctor of user, before now'],
  ])('%j: %s', (text, attribute) => {
    expect(asked(text)).toBe(attribute);
  });

  it.each([
    'Where did I live before May?',
    'Where did I live?',
    'What did I say before lunch?',
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
