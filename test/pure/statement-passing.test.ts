import { describe, expect, it } from 'vitest';
import { NOTHING_EXTRACTED } from '../../src/memory-graph/extraction/extraction.ts';
import {
  type KnownStatement,
  planStatements,
} from '../../src/memory-graph/statements/statement-plan.ts';

/** Whether the earlier of two statements of one speaker holds after the later, by words alone. */
function holdsAfter(earlier: string, later: string): boolean {
  let known: readonly KnownStatement[] = [];
  let isOver = false;
  for (const [at, text] of [earlier, later].entries()) {
    const given = { text, attribute: null, about: [], validAt: null, invalidAt: null, ends: [] };
    const plan = planStatements([given], known, {
      extraction: NOTHING_EXTRACTED,
      ...{ saidBy: 'Runa', isOwner: true, ownerName: 'Runa', now: '2026-01-01T00:00:00Z' },
      ...{ saidAt: `2025-03-0${at + 1}T09:00:00.000Z`, groupId: 'user_1', episodeUuid: `e${at}` },
      ...{ conversationId: `c${at}`, uuidOf: () => `s${at}` },
    });
    isOver = plan.ended.has('s0');
    known = plan.created;
  }
  return !isOver;
}

describe('a statement of the same person (docs/decisions/0135)', () => {
  it.each([
    ['My dog is called Pluto.', 'We had to put Pluto down.'],
    ['Tenemos un gato que se llama Max.', 'Max murió ayer.'],
    ['I live in Bristol.', 'We finally left Bristol.'],
    ['I live in Bristol.', 'Edinburgh is home now.'],
    ['My doctor is Dr Falk.', 'Dr Falk retired.'],
    ['Mein Arzt ist Dr. Falk.', 'Dr. Falk ist in Rente.'],
    ['Mi jefe es Falk.', 'Falk se jubiló.'],
    ['My boss is Falk.', 'Greta Moe is my boss now.'],
    ['Meine Chefin ist Frau Moe.', 'Herr Falk ist jetzt mein Chef.'],
    ["I'm reading Dune.", 'Finished Dune last night.'],
    ['Estoy leyendo Dune.', 'Ya terminé Dune.'],
    ['My car is in the garage.', 'I got my car back.'],
    ['I work at Axis.', 'I handed in my notice.'],
    ['I work at Axis.', "I'm retired now."],
    ["I'm looking for a flat.", 'I moved to Faro.'],
    ['Busco trabajo.', 'Trabajo en Axis.'],
    ["I'm single.", 'Bo and I got married.'],
    ['I live with my parents.', 'I live alone now.'],
    ['Ich wohne in einer WG.', 'Ich habe jetzt eine eigene Wohnung.'],
    ['I eat fish.', "I don't eat fish."],
    ['Ich trinke keinen Kaffee.', 'Ich trinke wieder Kaffee.'],
    ['Fumo mucho.', 'Dejé de fumar.'],
    ['The heating is on.', 'I turned the heating off.'],
    ['Las luces están encendidas.', 'Las luces están apagadas.'],
    ['Bo takes the minutes.', 'Greta takes the minutes instead of Bo.'],
    ['Ich lerne Geige.', 'Statt Geige lerne ich jetzt Cello.'],
  ])('%j is over by %j', (earlier, later) => expect(holdsAfter(earlier, later)).toBe(false));

  it.each([
    ['My phone is a Nokia.', 'My phone died.'],
    ['I live in Bristol.', 'We left Bristol at six.'],
    ['I live in Bristol.', 'Edinburgh is home to a festival.'],
    ['My grandfather was a miner.', 'My grandfather died.'],
    ['My doctor is Dr Falk.', 'Dr Moe retired.'],
    ['My boss is Falk.', 'Falk left at five.'],
    ["I'm working at Axis.", 'Finished work late.'],
    ['I work at Axis.', 'My dad retired.'],
    ['I work at Axis.', "I'm looking for a job."],
    ['I work at Axis.', 'A mate of mine quit Axis.'],
    ['My wife is Bo.', 'My sister got divorced.'],
    ['My wife is Bo.', 'I booked a single room.'],
    ['I live in Bristol.', 'I live with my parents.'],
    ['Ich wohne in Kiel.', 'Ich wohne in einer WG.'],
    ['I go to the gym.', "I didn't go to the gym."],
    ['Ich esse kein Fleisch.', 'Ich esse keinen Fisch mehr.'],
    ['The heating is on.', 'I turned the oven off.'],
    ['I live in Rome.', 'My flight to Rome got cancelled.'],
    ['Bo likes jazz.', 'Greta takes the minutes instead of Bo.'],
  ])('%j stands beside %j', (earlier, later) => expect(holdsAfter(earlier, later)).toBe(true));
});
