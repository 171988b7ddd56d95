import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import neo4j from 'neo4j-driver';
import { describe, expect, it } from 'vitest';
import {
  BadArchive,
  createSealedFile,
  readSealedFile,
} from '../../src/platform/archive/sealed-file.ts';
import { GraphDigest } from '../../src/platform/neo4j/graph-digest.ts';
import { decodeStored, encodeStored } from '../../src/platform/neo4j/stored-value.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

// docs/decisions/0060
const PASSPHRASE = 'correct horse battery staple';
const folder = tempFolder('sealed');

async function sealedOf(lines: readonly object[], name: string): Promise<string> {
  const path = join(folder, name);
  const file = await createSealedFile(path, PASSPHRASE);
  for (const line of lines) await file.add(line);
  await file.close();
  return path;
}

async function linesOf(path: string, passphrase = PASSPHRASE): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of readSealedFile(path, passphrase)) lines.push(line);
  return lines;
}

/** Lines that do not compress, so that the file has several chunks. */
const LINES = Array.from({ length: 300 }, (_, index) => ({
  index,
  text: 'ä\u2028"\n',
  noise: Buffer.from(
    Array.from({ length: 700 }, (_, at) => (index * 7919 + at * at * 31) % 251),
  ).toString('base64'),
}));

describe('a sealed file', () => {
  it('gives back its lines, keeps them from other readers, and shows no text of them', async () => {
    const path = await sealedOf(LINES, 'whole');
    expect(await linesOf(path)).toEqual(LINES);
    expect((await stat(path)).mode & 0o077).toBe(0);
    expect((await readFile(path)).includes('noise')).toBe(false);
    expect(await linesOf(await sealedOf([], 'empty'))).toEqual([]);
  });

  it('leaves nothing when it is given up, before and after a write', async () => {
    for (const lines of [[], LINES]) {
      const path = join(folder, `given-up-${lines.length}`);
      const file = await createSealedFile(path, PASSPHRASE);
      for (const line of lines) await file.add(line);
      await file.discard();
      await file.discard();
      expect((await readdir(folder)).filter((name) => name.includes('given-up'))).toEqual([]);
    }
  });

  it('is refused with another passphrase, cut off anywhere, or with any byte changed', async () => {
    const path = await sealedOf(LINES, 'attacked');
    await expect(linesOf(path, `${PASSPHRASE}.`)).rejects.toThrow('passphrase is not the one');
    const whole = await readFile(path);
    const header = whole.indexOf('\n', 20) + 1;
    const chunk = 64 * 1024 + 16;
    expect(whole.length).toBeGreaterThan(header + chunk + 100);
    const cuts = [10, header - 5, header, header + 7, header + chunk, whole.length - 1];
    for (const [index, length] of cuts.entries()) {
      const cut = join(folder, `cut-${index}`);
      await writeFile(cut, whole.subarray(0, length));
      await expect(linesOf(cut), `cut at ${length}`).rejects.toThrow(BadArchive);
    }
    const places = [3, 60, header + 1, header + chunk - 1, header + chunk, whole.length - 1];
    for (const [index, place] of places.entries()) {
      const altered = Buffer.from(whole);
      altered[place] = (altered[place] ?? 0) ^ 1;
      const other = join(folder, `altered-${index}`);
      await writeFile(other, altered);
      await expect(linesOf(other), `byte ${place}`).rejects.toThrow(BadArchive);
    }
    // Chunks of one file can not be swapped, and nothing can follow the last one.
    const longer = join(folder, 'longer');
    await writeFile(longer, Buffer.concat([whole, whole.subarray(-40)]));
    await expect(linesOf(longer)).rejects.toThrow(BadArchive);
  });

  it('has no name before it is complete, and never replaces a file', async () => {
    const path = join(folder, 'unfinished');
    const file = await createSealedFile(path, PASSPHRASE);
    await file.add({ half: true });
    await file.discard();
    expect((await readdir(folder)).filter((name) => name.startsWith('unfinished'))).toEqual([]);
    await writeFile(path, 'mine');
    await expect(createSealedFile(path, PASSPHRASE)).rejects.toThrow('exists');
    expect(await readFile(path, 'utf8')).toBe('mine');
  });
});

describe('a stored property', () => {
  const { DateTime, Date: Day } = neo4j.types;
  it.each([
    ['text', 'ä'],
    ['a whole float, which is no integer', 3],
    ['an integer beyond 2^53', neo4j.int('9007199254740993')],
    [
      'a time in a named zone',
      new DateTime(2026, 3, 29, 1, 2, 3, 456_000_789, 3_600, 'Europe/Berlin'),
    ],
    ['a time with an offset', new DateTime(2026, 1, 1, 0, 0, 0, 0, -3_600)],
    ['a day', new Day(2026, 2, 28)],
    ['a list', [neo4j.int(1), neo4j.int(2)]],
    ['bytes', Int8Array.from([-1, 0, 127])],
    ['no number', Number.NaN],
    ['minus infinity', Number.NEGATIVE_INFINITY],
  ])('survives JSON: %s', (_name, value) => {
    const text = JSON.stringify(encodeStored(value));
    const back = decodeStored(JSON.parse(text));
    expect(JSON.stringify(encodeStored(back))).toBe(text);
    expect(neo4j.isInt(back)).toBe(neo4j.isInt(value));
    expect(String(back)).toBe(String(value));
  });

  it('of an unknown type is refused, in both directions', () => {
    expect(() => encodeStored(new neo4j.types.Duration(1, 2, 3, 4))).toThrow('type');
    expect(() => decodeStored({ int: 'x' })).toThrow();
    expect(() => decodeStored({ other: 1 })).toThrow();
    expect(() => decodeStored(null)).toThrow();
  });
});

describe('the digest of a graph', () => {
  const node = (id: number, name: string) => ({
    id,
    labels: ['B', 'A'],
    properties: { name, x: 1 },
  });
  const digest = (
    nodes: ReturnType<typeof node>[],
    edges: readonly (readonly [number, number])[],
  ) => {
    const graph = new GraphDigest();
    for (const one of nodes) graph.addNode(one);
    for (const [from, to] of edges) graph.addRelationship({ from, to, type: 'T', properties: {} });
    return graph.sum;
  };

  it('depends neither on ids nor on order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (order) => {
        const names = ['a', 'b', 'c', 'd'];
        const nodes = order.map((place) => node(place * 10, names[place] ?? ''));
        const other = [node(0, 'a'), node(1, 'b'), node(2, 'c'), node(3, 'd')];
        expect(
          digest(nodes, [
            [0, 10],
            [20, 30],
          ]),
        ).toEqual(
          digest(other, [
            [2, 3],
            [0, 1],
          ]),
        );
      }),
    );
  });

  it('changes with a property, a label, a direction and a missing relationship', () => {
    const nodes = [node(0, 'a'), node(1, 'b')];
    const sums = [
      digest(nodes, [[0, 1]]),
      digest([node(0, 'a'), node(1, 'c')], [[0, 1]]),
      digest([{ ...node(0, 'a'), labels: ['A'] }, node(1, 'b')], [[0, 1]]),
      digest(nodes, [[1, 0]]),
      digest(nodes, []),
      digest(nodes, [
        [0, 1],
        [0, 1],
      ]),
    ];
    expect(new Set(sums.map((sum) => JSON.stringify(sum))).size).toBe(sums.length);
    expect(() => digest(nodes, [[0, 7]])).toThrow('lacks a node');
  });
});
