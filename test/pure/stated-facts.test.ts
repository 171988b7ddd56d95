import { expect, it } from 'vitest';
import type { Fact } from '../../src/memory-graph/entities/fact.ts';
import { endedWithStatements } from '../../src/memory-graph/statements/stated-facts.ts';
import type { Statement } from '../../src/memory-graph/statements/statement.ts';

const SAID = '2025-03-01T09:00:00.000Z';
const OVER = '2025-06-01T09:00:00.000Z';
const NOW = '2026-01-01T00:00:00.000Z';

function statement(text: string, invalidAt: string | null, episode = 'e1'): Statement {
  return {
    ...{ uuid: text, text, groupId: 'user_1', saidBy: 'Runa', subject: 'user', attribute: null },
    ...{ saidAt: SAID, validAt: SAID, createdAt: SAID, invalidAt, expiredAt: invalidAt },
    episodes: [episode],
  };
}

function fact(text: string, ...episodes: string[]): Fact {
  return {
    ...{ uuid: text, name: 'KNOWS', fact: text, groupId: 'user_1', sourceUuid: 'a' },
    ...{ targetUuid: 'b', validAt: SAID, invalidAt: null, expiredAt: null, createdAt: SAID },
    ...{ saidAt: SAID, episodes },
  };
}

function ended(one: Fact, ...statements: Statement[]) {
  return endedWithStatements([{ fact: one, statements }], NOW);
}

it('a fact ends with the statement that shares the most words with it', () => {
  const vet = statement('My vet is Jonas Falk.', OVER);
  const friend = statement('I often meet Jonas Falk.', null);
  const change = { invalidAt: OVER, expiredAt: NOW, byFact: null };
  const known = fact('Jonas Falk is the vet of Runa.', 'e1');
  expect(ended(known, vet, friend)).toEqual([{ uuid: known.uuid, ...change, endedLast: vet.uuid }]);
  expect(ended(fact('Runa meets Jonas Falk.', 'e1'), vet, friend)).toEqual([]);
});

it('a fact holds while a statement of another turn states it', () => {
  const first = statement('My vet is Jonas Falk.', OVER);
  const again = statement('Jonas Falk is my vet once more.', null, 'e2');
  expect(ended(fact('Jonas Falk is the vet of Runa.', 'e1', 'e2'), first, again)).toEqual([]);
  expect(ended(fact('Jonas Falk is the vet of Runa.', 'e1'))).toEqual([]);
});

it('an end that is known already stays', () => {
  const vet = statement('My vet is Jonas Falk.', OVER);
  const known = { ...fact('Jonas Falk is the vet of Runa.', 'e1'), invalidAt: SAID };
  expect(ended(known, vet)).toEqual([]);
});
