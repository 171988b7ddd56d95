import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { openLanguage } from '../../packages/local-llm/src/language.ts';
import { findNames } from '../../packages/local-llm/src/names.ts';
import { findRelations } from '../../packages/local-llm/src/relations.ts';
import { sentencesOf } from '../../src/text/sentences.ts';

const language = openLanguage();

function read(text: string) {
  const { sentences } = language.parse(text);
  const names = findNames(sentences);
  const speakers = new Set(sentences.map(({ speaker }) => speaker));
  return {
    sentences,
    names: names.entities.map(({ name }) => name).filter((name) => !speakers.has(name)),
    facts: findRelations(sentences, names).map(({ text: fact }) => fact),
  };
}

describe('the language of a sentence', () => {
  it.each([
    ['Am 5. Juli fliegen wir mit Tante Grete nach Korfu.', 'de'],
    ['A Pedro no le gusta nada el pescado.', 'es'],
    ['Mieszkam w Krakowie od roku.', 'pl'],
    ['Olga met Stefan near the lake.', 'en'],
    ['We visited El Escorial in the rain.', 'en'],
    ['私は大阪に住んでいます。', 'other'],
  ])('of %j is %s', (text, tongue) => {
    expect(read(text).sentences.map((sentence) => sentence.tongue)).toEqual([tongue]);
  });

  it('is that of the speaker where the words do not tell', () => {
    const { sentences } = read('Nora: Wir waren gestern bei uns im Garten.\nNora: Bahnhof Altona.');
    expect(sentences.map(({ tongue }) => tongue)).toEqual(['de', 'de']);
  });
});

describe('a language of which local-llm reads no facts', () => {
  it.each([
    ['Nora: Desde marzo vivo en Teruel con João y Maite.', ['Teruel', 'João', 'Maite']],
    ['Nora: Estudié en la Universidad de Vigo.', ['Universidad de Vigo']],
    ['Nora: Mio fratello lavora con Chiara a Torino.', ['Chiara', 'Torino']],
    ['Nora: Seit März lebe ich in Jena, Frau Rohde hilft mir.', ['Jena', 'Rohde']],
    ['Nora: Mein Name ist Nora Vogt und ich komme aus Linz.', ['Nora Vogt', 'Linz']],
  ])('gives the names within %j', (text, names) => {
    expect(read(text).names).toEqual(names);
  });

  it.each([
    [
      'Mein Mann Jorin arbeitet bei Vestas in Skagen.',
      'Jorin person, Vestas organization, Skagen place',
    ],
    ['Jette wohnt in Husum und geht zu Dr. Rohde.', 'Jette person, Husum place, Rohde person'],
    ['Mi hermana Maite vive en Jaca con Nerea.', 'Maite person, Jaca place, Nerea person'],
    ['Trabajo en Zubiri, la casera se llama Paqui.', 'Zubiri organization, Paqui person'],
    ['Saúl se ha ido a Teruel.', 'Teruel place'],
    ['Mijn baas heet Ineke, ze komt uit Hoorn.', 'Ineke person, Hoorn place'],
    ['Ho dato il libro a Marco.', 'Marco person'],
    ["J'ai parlé à Marie.", 'Marie person'],
    ['Pienso en Lucía.', 'Lucía person'],
    ['Hay un contrato con Telefónica.', 'Telefónica organization'],
    ['Ik vlieg met KLM.', 'KLM organization'],
    ['Ich wohne in Jena.', 'Jena place'],
    ['Ich war in Jena.', 'Jena place'],
    ['Er arbeitet bei Siemens.', 'Siemens organization'],
    ['Sie wohnt in Husum.', 'Husum place'],
    ['Heute kocht Torben.', ''],
    ['Abends kocht Torben, ich nicht.', ''],
  ])('gives the kinds of %j', (text, kinds) => {
    const { sentences } = language.parse(`Nora: ${text}`);
    const found = findNames(sentences).entities.filter(({ name }) => name !== 'Nora');
    expect(found.map(({ name, kind }) => `${name} ${kind}`).join(', ')).toBe(kinds);
  });

  it.each([
    'Nora: Wann kommt der Zug? Schön, dann hole ich Brot, Milch und Kirschen.',
    'Nora: Meine Nachbarin und ich gehen am Sonntag auf den Markt.',
    'Nora: ¿Quién viene? Tengo dos entradas para el teatro. ¡Qué ilusión!',
    "Nora: Je suis arrivée à la Gare avec ma Sœur, c'est bien.",
  ])('gives no other names and no facts: %j', (text) => {
    expect(read(text)).toMatchObject({ names: [], facts: [] });
  });

  it('still shows a known name, and names by their form', () => {
    const { sentences } = language.parse('Nora: Torben hat QUO-88 und invoice-worker übernommen.');
    const names = findNames(sentences, [{ name: 'Torben' }]).entities.map(({ name }) => name);
    expect(names).toEqual(['Nora', 'Torben', 'QUO-88', 'invoice-worker']);
  });
});

describe('code, traces, logs and results of Tools', () => {
  it.each([
    'Tool: Peter Fox restarted Jenkins in Zurich.',
    'Nora: Traceback (most recent call last):\n  File "/srv/app.py", line 3, in Main\n' +
      '    Client().connect(Retry)\nacme.ServerGone: Peter Fox left',
    'Nora: 2026-03-01T09:14:02Z WARN Scheduler Peter Fox is late',
    'Nora: {"owner": "Peter Fox", "city": "Zurich"}',
    'Nora: Caused by: java.lang.IllegalState: Peter Fox\nNora: ... 12 more',
  ])('give no names: %j', (text) => {
    expect(read(text)).toMatchObject({ names: [], facts: [] });
  });

  it('a fault is no speaker', () => {
    const text = 'Nora: Look at this.\nacme.db.TimeoutError: Peter Fox is away';
    expect(read(text).sentences.map(({ speaker }) => speaker)).not.toContain(
      'acme.db.TimeoutError',
    );
  });

  it('the names of services, tables, branches and tickets are things', () => {
    const text =
      'Nora: quota-agent reads audit_rw since OPS-12, see fix/slow-login; a well-known check-up ' +
      'of customer-service took 40 MiB.';
    expect(read(text).names).toEqual(['quota-agent', 'audit_rw', 'OPS-12', 'fix/slow-login']);
  });
});

describe('a point that ends no sentence', () => {
  const cases: [string, number][] = [
    ['My vet is Dr. Ann Sahl and I trust her. She is kind.', 2],
    ['Mr. and Mrs. Pike live next door.', 1],
    ['Wir treffen uns am 12. März, z. B. bei Dr. Weber. Das passt.', 2],
    ['La Sra. Paredes vive en la Av. Goya. Es simpática.', 2],
    ['I counted 12. Then we left.', 2],
    ['I met Max. He sings.', 2],
  ];
  it.each(cases)('%j has %i sentences', (text, count) => {
    expect(sentencesOf(text)).toHaveLength(count);
    expect(language.parse(text).sentences).toHaveLength(count);
  });

  it('is none after a short word that may end one', () => {
    expect(sentencesOf('So did I. Then she said no. We left.')).toHaveLength(3);
  });

  it('is told by the same rule in the product and in local-llm', async () => {
    const [own, other] = await Promise.all(
      ['src/text', 'packages/local-llm/src'].map((folder) =>
        readFile(new URL(`../../${folder}/abbreviations.ts`, import.meta.url), 'utf8'),
      ),
    );
    expect(own).toBe(other);
  });
});

describe('phrases that are no things', () => {
  it.each([
    'Ada: I like said the fox.',
    'Ada: I love is important.',
    'Ada: I am learning are going strong.',
    'Ada: We enjoyed spending time there.',
    "Ada: Rex is my uncle's horse.",
    'Ada: My partner, Rex and I are camping.',
    'Ada: I work with Python.',
  ])('%j states nothing', (text) => {
    expect(read(text).facts).toEqual([]);
  });

  it.each([
    ['Ada: I love sailing.', 'Ada likes sailing.'],
    ['Ada: I am learning Finnish.', 'Ada is learning Finnish.'],
    ['Ada: Otto is my uncle.', "Otto is Ada's uncle."],
  ])('%j states %j', (text, fact) => {
    expect(read(text).facts).toEqual([fact]);
  });
});
