import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readArrays } from '../../packages/local-llm/src/arrays-file.ts';
import { openEmbeddingQueue } from '../../packages/local-llm/src/embedding-queue.ts';
import { openMatrices } from '../../packages/local-llm/src/matrix.ts';
import { DIMENSIONS, openSentenceModel } from '../../packages/local-llm/src/sentence-model.ts';
import { openPieces } from '../../packages/local-llm/src/word-pieces.ts';
import { withBefore } from '../../src/memory-graph/embeddings/embedding.ts';
import { windowsOf } from '../../src/memory-graph/episodes/episode-text.ts';
import { compared, replaces, textsToEmbed } from '../../src/memory-graph/statements/replacement.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

const FOLDER = join(import.meta.dirname, '../../packages/local-llm/model');
const model = await openSentenceModel(FOLDER);

const cosine = (a: string, b: string): number => {
  const other = model.embed(b).vector;
  return model.embed(a).vector.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
};

describe('the sentence model', () => {
  it('is the published one, byte by byte', async () => {
    const readme = await readFile(join(FOLDER, 'README.md'), 'utf8');
    for (const name of ['weights.npz', 'pieces.model']) {
      const bytes = await readFile(join(FOLDER, name));
      const sum = createHash('sha256').update(bytes).digest('hex');
      expect(readme).toMatch(new RegExp(`\`${name}\` *\\| \`${sum}\``));
    }
  });

  it('gives the vectors of the reference', () => {
    // By the package's own program in Python, with each convolution normalised by itself.
    const [first, second] = [model.embed('hello'), model.embed('Wo wohnt seine Schwester?')];
    const begin = ({ vector }: typeof first) => [...vector.slice(0, 4)];
    const near = (values: number[]) => values.map((value) => expect.closeTo(value, 4));
    expect(begin(first)).toEqual(near([0.12794, 0.00707, 0.00122, 0.00657]));
    expect(begin(second)).toEqual(near([0.00053, -0.01294, -0.04076, 0.04784]));
    expect(first.pieces).toBe(4);
  });

  it('finds one meaning in several languages', () => {
    const question = 'Where does the mechanic live?';
    for (const answer of [
      'The mechanic has a flat near the harbour.',
      'Der Mechaniker hat eine Wohnung am Hafen.',
      'El mecánico tiene un piso cerca del puerto.',
      'Le mécanicien habite près du port.',
    ])
      expect(cosine(question, answer)).toBeGreaterThan(
        cosine(question, 'Il pleut depuis trois jours, and the soup is cold.') + 0.1,
      );
  });

  it('tells which statement takes the place of another (docs/decisions/0131)', () => {
    const isReplaced = (earlier: string, later: string) => {
      const pair = compared({ earlier, later });
      if (pair === null) return false;
      const texts = textsToEmbed([pair]);
      return replaces(pair, new Map(texts.map((text) => [text, model.embed(text).vector])));
    };
    const ends = [
      ['The chess club meets on Wednesdays.', 'The chess club meets on Fridays.'],
      ['I take the bus to school.', 'I walk to school now.'],
      ['I bank with Nordea.', 'I bank with Revolut these days.'],
      ['We use Jira for planning.', 'We use Linear for planning now.'],
      ['I drive a Skoda.', 'I drive a Polestar now.'],
      ['Ich fahre einen Golf.', 'Ich fahre jetzt einen Corsa.'],
      ['Uso Firefox.', 'Ahora uso Vivaldi.'],
      ['Meine Lieblingsfarbe ist blau.', 'Meine Lieblingsfarbe ist inzwischen grün.'],
      ['La reunión es el lunes.', 'La reunión es ahora el miércoles.'],
      ["J'ai deux chats.", "J'ai trois chats maintenant."],
    ] as const;
    expect(ends.filter(([earlier, later]) => !isReplaced(earlier, later))).toEqual([]);
    const stands = [
      ['I like jazz.', 'I also like techno.'],
      ['My sister lives in Bergen.', 'My brother lives in Tromsø.'],
      ['Ich war im Mai in Rom.', 'Ich war im Juli in Oslo.'],
      ['Tengo un gato.', 'Tengo un jardín.'],
      ['La mia macchina è una Punto.', 'La mia macchina è rossa.'],
      // Two things of one subject, and one thing of two subjects.
      ['Nora Feld works at Siemens since 2015.', 'Nora Feld moved to Ghent in March 2021.'],
      ['My tutor is Dr. Falk.', 'I need a new tutor.'],
      ['Anna teaches maths.', 'I teach music now.'],
      ['She lives in Lund.', 'She lives in Kiel.'],
      ['Er wohnt in Lund.', 'Er wohnt in Kiel.'],
      ['Our server runs Debian.', 'Our server moved to Falkenstein.'],
      ['Mein Chef heißt Krause.', 'Mein Chef ist jetzt im Urlaub.'],
      ['The staging key expires in March.', 'The production key expires in June.'],
      ['The chess club meets on Wednesdays.', 'The chess club meets on Fridays!'],
    ] as const;
    expect(stands.filter(([earlier, later]) => isReplaced(earlier, later))).toEqual([]);
  });

  it('gives 512 numbers of length 1 for any text, however long', () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(texts, (text) => {
        const { vector } = model.embed(text);
        expect(vector).toHaveLength(DIMENSIONS);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 3);
      }),
      { numRuns: 50 },
    );
    const endless = model.embed('The lighthouse keeper counts ships. '.repeat(1_000));
    expect(endless.pieces).toBe(512);
    expect(Math.hypot(...endless.vector)).toBeCloseTo(1, 3);
  });
});

describe('the parts of the sentence model', () => {
  it('cuts a text into its likeliest pieces, and knows signs that it never saw', async () => {
    const pieces = await openPieces(join(FOLDER, 'pieces.model'));
    expect(pieces('hello')).toEqual([1, 6, 27_492, 2]);
    expect(pieces('  hello\n ')).toEqual(pieces('hello'));
    expect(pieces('ﬁne')).toEqual(pieces('fine'));
    const unknown = pieces('Das ist schön — 你好 😀 o\u200bk');
    expect(unknown).toEqual([1, 899, 176, 7650, 6, 127_994, 6, 91, 156, 6, 0, 50, 317, 2]);
    expect(pieces(' ')).toEqual([1, 0, 2]);
  });

  it('multiplies matrices of any number of rows, with overlapping rows too', () => {
    const sizes = fc.record({
      rows: fc.integer({ min: 1, max: 11 }),
      inner: fc.integer({ min: 1, max: 9 }),
      panels: fc.integer({ min: 1, max: 3 }),
      stride: fc.integer({ min: 0, max: 12 }),
    });
    fc.assert(
      fc.property(sizes, ({ rows, inner, panels, stride }) => {
        const columns = 8 * panels;
        const matrices = openMatrices(4_096);
        const value = (at: number) => ((at * 37) % 23) - 11;
        const values = Float32Array.from({ length: inner * columns }, (_, at) => value(at));
        const weights = matrices.weights(values, inner, columns);
        const from = matrices.block(rows * stride + inner);
        for (const at of from.values.keys()) from.values[at] = value(at + 5);
        const to = matrices.block(rows * columns);
        const place = { at: from.at, stride };
        matrices.multiply(weights, rows, place, { at: to.at, stride: columns });
        const expected = Array.from({ length: rows * columns }, (_, at) => {
          const [row, column] = [Math.floor(at / columns), at % columns];
          return Array.from({ length: inner }).reduce<number>(
            (sum, _one, k) =>
              sum + (from.values[row * stride + k] ?? 0) * (values[k * columns + column] ?? 0),
            0,
          );
        });
        expect([...to.values]).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('names a damaged file', async () => {
    const folder = tempFolder('arrays');
    const bytes = await readFile(join(FOLDER, 'weights.npz'));
    const write = async (name: string, content: Uint8Array) => {
      await writeFile(join(folder, name), content);
      return readArrays(join(folder, name));
    };
    await expect(write('half', bytes.subarray(0, 10_000))).rejects.toThrow(/half is no whole/);
    bytes.fill(0, bytes.length - 900, bytes.length - 600);
    await expect(write('hole', bytes)).rejects.toThrow(/hole is damaged/);
  });
});

describe('the queue of embeddings', () => {
  it('lets a question in between a large batch, and refuses what would wait too long', async () => {
    const queue = openEmbeddingQueue();
    const ended: string[] = [];
    const wanted = () => true;
    const many = (count: number) => Array.from({ length: count }, (_, at) => `Ship ${at} sails.`);
    const batch = queue.embed(many(200), wanted).then(({ vectors }) => {
      ended.push('batch');
      return vectors;
    });
    const question = queue.embed(['Which ship sails?'], wanted).then(() => ended.push('question'));
    const left = queue.embed(['Gone.'], () => false);
    await expect(left).rejects.toMatchObject({ code: 'client_left' });
    await question;
    const vectors = await batch;
    expect(ended).toEqual(['question', 'batch']);
    expect(vectors.map((vector) => vector.length)).toEqual(new Array(200).fill(DIMENSIONS));
    expect([...(vectors[7] ?? [])]).toEqual([...model.embed('Ship 7 sails.').vector]);
    const waits = Array.from({ length: 4 }, () => queue.embed(many(2_048), wanted));
    for (const one of waits) one.catch(() => {});
    expect(() => queue.embed(many(2_048), wanted)).toThrow(/texts wait/);
    await queue.close();
    await expect(waits.at(-1)).rejects.toMatchObject({ status: 503 });
  });
});

it('means a piece of an Episode with the end of what precedes it', () => {
  const [window = ''] = windowsOf('Ida: In Turin.', { before: 'Max: Where?', after: 'Max: Ah.' });
  expect(withBefore('Ida: In Turin.', window)).toBe('Max: Where?\nIda: In Turin.');
  const [long = ''] = windowsOf('Yes.', { before: 'a'.repeat(3_000), after: null });
  expect(withBefore('Yes.', long)).toBe(`${'a'.repeat(399)}\nYes.`);
  expect(withBefore('Yes.', 'Yes.\nMax: Ah.')).toBe('Yes.');
});
