import { describe, expect, it } from 'vitest';
import { correctionOf } from '../../src/working-memory/recall/correction.ts';
import { calledFor, corrected, lineOf } from '../../src/working-memory/recall/recall.ts';
import { recallQueryOf } from '../../src/working-memory/recall/recall-query.ts';
import { turn } from '../testkit/recall-candidate.ts';

// A later decision wins over an earlier one that has the question's words (docs/decisions/0118).

const after = (...texts: string[]) =>
  texts.map((text) => ({
    ...{ uuid: text, text, saidAt: '2026-04-01T10:00:00Z' },
    speaker: /^Agent: /.test(text) ? 'agent' : 'user',
  }));
const correcting = (text: string, ...later: string[]) =>
  correctionOf({ text, speaker: 'user' }, after(...later))?.text ?? null;

describe('a turn corrects an earlier one', () => {
  it.each([
    ['The boat leaves at seven.', 'Sorry, I meant half past eight.'],
    ['We book the ferry to Gotland for Friday.', 'On second thought, Sunday suits us better.'],
    ['The cache holds entries for ten minutes.', 'Wait, no, an hour.'],
    ['We will paint the barn red in May.', 'We changed plans: the barn is called off for May.'],
    ['Der Kurs beginnt am Montag.', 'Entschuldigung, am Mittwoch.'],
    ['El curso empieza el lunes.', 'Perdón, el miércoles.'],
  ])('%s %s', (earlier, later) => {
    expect(correcting(earlier, 'Agent: Noted.', later)).toBe(later);
  });

  it('and the last one of several counts', () => {
    const last = 'Sorry, it is nine after all.';
    expect(correcting('The boat leaves at seven.', 'No, at eight.', 'Agent: Eight.', last)).toBe(
      last,
    );
  });

  it.each([
    ['The boat leaves at seven.', 'Sorry to hear that.'],
    ['The boat leaves at seven.', 'No worries.'],
    ['The boat leaves at seven.', 'No, is it not late?'],
    ['When does the boat leave?', 'Actually at nine.'],
    [
      'The boat leaves at seven.',
      'Actually, my aunt Greta sells hand-made felt hats in Visby now.',
    ],
  ])('but not: %s %s', (earlier, later) => {
    expect(correcting(earlier, later)).toBeNull();
  });

  it('nor an answer with no, nor another person', () => {
    const boat = 'The boat leaves at seven.';
    expect(correcting(boat, 'Agent: Have you a ticket?', 'No, not yet.')).toBeNull();
    expect(correcting(`Ines: ${boat}`, 'Ruben: No, at eight.')).toBeNull();
    expect(correctionOf({ text: boat, speaker: 'agent' }, after('No, at eight.'))).not.toBeNull();
  });
});

describe('recall', () => {
  const asks = (message: string, ...texts: (readonly [text: string, saidAt: string])[]) => {
    const query = recallQueryOf(message);
    if (query === null) throw new Error('No words');
    const candidates = texts.map(([text, saidAt]) => turn(text, { saidAt }));
    return calledFor(query, { candidates, stretches: new Map() }, [message]).called;
  };

  it('brings the correction, which names the statement', () => {
    const earlier = 'The archive keeps each tape for ten years.';
    const later = 'Actually, make that thirty.';
    const called = asks('How long does the archive keep a tape?', [earlier, '2026-04-01']);
    const [one] = corrected(called, new Map([[earlier, after('Agent: Ten years.', later)]]));
    expect(one).toMatchObject({ thing: { kind: 'episode', uuid: later, text: later } });
    expect(one?.corrects).toBe(earlier);
    const line = lineOf({
      ...{ kind: 'episode', id: 'e', text: later, isQuotation: true, inReplyTo: null },
      ...{ corrects: earlier, sources: [] },
    });
    const named = 'The archive keeps each tape for ten years';
    expect(line).toBe(`Memory:, correcting “${named}”: "${later}"`);
  });

  it('puts the newer of two that tie first', () => {
    const [old, recent, other] = [
      ['I live in Visby now.', '2024-04-01T10:00:00Z'],
      ['I live in Kiruna now.', '2026-02-01T10:00:00Z'],
      ['We had soup.', '2026-03-01T10:00:00Z'],
    ] as const;
    for (const all of [[old, recent, other] as const, [recent, other, old] as const])
      expect(asks('Where do I live?', ...all)[0]?.thing.text).toBe(recent[0]);
  });
});
