import { join } from 'node:path';
import { readArrays, type StoredArray } from './arrays-file.ts';
import { type Block, type Matrices, openMatrices, type Weights } from './matrix.ts';
import { openPieces, type Pieces } from './word-pieces.ts';

// Google's Universal Sentence Encoder, multilingual, version 3, of convolutions: the meaning of a
// sentence in 16 languages, in some 1.7 million products a word (README, "Sentence model").

export const DIMENSIONS = 512;
/** Longer texts are read so far: some 2,000 characters. */
const PIECES_MAX = 512;

export interface SentenceModel {
  /** The meaning of a text as a vector of length 1, and the number of pieces that were read. */
  embed(text: string): { readonly vector: Float32Array; readonly pieces: number };
}

/** The embedding table lies in so many parts: piece n is row n / PARTS of part n % PARTS. */
const PARTS = 17;
const WIDTH = 256;
/** Convolutions over windows of so many words, with so many of them before the word itself. */
const WINDOWS = [
  { words: 2, before: 0 },
  { words: 3, before: 1 },
  { words: 5, before: 2 },
];
const FEATURES = DIMENSIONS + WINDOWS.length * WIDTH;
/** Empty rows around the rows of a text, for the windows that reach beyond it. */
const MARGIN = 2;

/** @throws Error where the files of the model are missing or damaged */
export async function openSentenceModel(folder: string): Promise<SentenceModel> {
  const [pieces, arrays] = await Promise.all([
    openPieces(join(folder, 'pieces.model')),
    readArrays(join(folder, 'weights.npz')),
  ]);
  return encoderOf(pieces, partsOf(arrays));
}

/** Rows of the longest text. */
const ROWS_MAX = PIECES_MAX + 2 * MARGIN;
/** Numbers beside weights and rows. */
const OTHER_NUMBERS = 16_384;

type Parts = ReturnType<typeof partsOf>;

/** The layers of the model; what was read is let go. */
function partsOf(arrays: ReadonlyMap<string, StoredArray>) {
  const array = (name: string): StoredArray => {
    const found = arrays.get(name);
    if (found === undefined) throw new Error(`The sentence model has no array ${name}.`);
    return found;
  };
  const floats = (name: string): Float32Array => {
    const { bytes } = array(name);
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  };
  const isWeight = ([name, { shape }]: [string, StoredArray]) =>
    shape.length === 2 && !/^q\d/.test(name);
  const numbers = [...arrays]
    .filter(isWeight)
    .reduce((sum, [, { bytes }]) => sum + bytes.length / Float32Array.BYTES_PER_ELEMENT, 0);
  const matrices = openMatrices(numbers + ROWS_MAX * (FEATURES + 2 * WIDTH) + OTHER_NUMBERS);
  const weights = (name: string): Weights => {
    const [rows = 0, columns = 0] = array(name).shape;
    return matrices.weights(floats(name), rows, columns);
  };
  return {
    matrices,
    table: Array.from({ length: PARTS }, (_, part) => array(`q${part + 1}`).bytes),
    scale: floats('scale'),
    low: floats('lo'),
    convolutions: WINDOWS.map(({ words, before }) => ({
      before,
      projection: weights(`proj${words}`),
      bias: floats(`proj_b${words}`),
      norm: { gain: floats(`ln_g${words}`), shift: floats(`ln_b${words}`) },
      layers: [1, 2].map((layer) => ({
        weights: weights(`w${layer}_${words}`),
        bias: floats(`b${layer}_${words}`),
      })),
    })),
    norm: { gain: floats('ln_g'), shift: floats('ln_b') },
    merge: weights('cnn_W'),
    mergeBias: floats('cnn_b'),
    dense: denseOf(matrices, weights),
  };
}

function encoderOf(pieces: Pieces, parts: Parts): SentenceModel {
  const { matrices, table, scale, low, convolutions, norm, merge, mergeBias, dense } = parts;
  const features = matrices.block(ROWS_MAX * FEATURES);
  const [input, output] = [matrices.block(ROWS_MAX * WIDTH), matrices.block(ROWS_MAX * WIDTH)];
  const summed = matrices.block(FEATURES);

  /** Writes the embeddings of the pieces to the first columns of `features`. */
  function look(ids: readonly number[]): void {
    for (const [row, id] of ids.entries()) {
      const [part, place] = [id % PARTS, Math.floor(id / PARTS) * DIMENSIONS];
      const [bytes, step, least] = [table[part], scale[part] ?? 0, low[part] ?? 0];
      for (let column = 0; column < DIMENSIONS; column++)
        features.values[row * FEATURES + column] = (bytes?.[place + column] ?? 0) * step + least;
    }
  }

  /** One convolution over all words; writes to the columns of `features` from `column`. */
  function convolve(of: (typeof convolutions)[number], rows: number, column: number): void {
    const [inside, inWords] = [MARGIN * WIDTH, (rows + MARGIN) * WIDTH];
    const from = { at: features.at, stride: FEATURES };
    const rowsOf = ({ at }: Block, row: number) => ({ at: at + 4 * row * WIDTH, stride: WIDTH });
    input.values.fill(0, 0, inside);
    input.values.fill(0, inWords, inWords + MARGIN * WIDTH);
    matrices.multiply(of.projection, rows, from, rowsOf(input, MARGIN));
    const text = input.values.subarray(inside, inWords);
    addToRows(text, of.bias);
    normaliseRows(text, of.norm);
    for (const { weights: layer, bias } of of.layers) {
      // A window is the rows of its words, one after the other: a row that is longer than a step.
      matrices.multiply(layer, rows, rowsOf(input, MARGIN - of.before), rowsOf(output, 0));
      for (let index = 0; index < text.length; index++) {
        const raised = (output.values[index] ?? 0) + (bias[index % WIDTH] ?? 0);
        text[index] = (text[index] ?? 0) + Math.max(0, raised);
      }
    }
    for (let row = 0; row < rows; row++)
      features.values.set(text.subarray(row * WIDTH, (row + 1) * WIDTH), row * FEATURES + column);
  }

  return {
    embed(text) {
      const all = pieces(text);
      const ids = all.length > PIECES_MAX ? all.slice(0, PIECES_MAX) : all;
      const rows = ids.length;
      look(ids);
      for (const [at, one] of convolutions.entries()) convolve(one, rows, DIMENSIONS + at * WIDTH);
      const read = features.values.subarray(0, rows * FEATURES);
      normaliseRows(read, norm);
      summed.values.fill(0);
      for (let index = 0; index < read.length; index++) {
        const column = index % FEATURES;
        summed.values[column] = (summed.values[column] ?? 0) + (read[index] ?? 0);
      }
      const merged = dense.of(merge, summed);
      const root = Math.sqrt(rows);
      for (const [at, bias] of mergeBias.entries())
        merged.values[at] = ((merged.values[at] ?? 0) + rows * bias) / root;
      return { vector: dense.finish(merged), pieces: rows };
    },
  };
}

/** The layers after the words are joined: products of one row. */
function denseOf(matrices: Matrices, weights: (name: string) => Weights) {
  const [d0, d1, d2, d3] = [weights('d0'), weights('d1'), weights('d2'), weights('d3')];
  const [p1, p3] = [weights('p1'), weights('p3')];
  const out = new Map<Weights, Block>();
  const of = (by: Weights, from: Block): Block => {
    const to = out.get(by) ?? matrices.block(by.columns);
    out.set(by, to);
    matrices.multiply(by, 1, { at: from.at, stride: 0 }, { at: to.at, stride: 0 });
    return to;
  };
  const raised = (to: Block, other?: Block): Block => {
    for (const [at, value] of to.values.entries())
      to.values[at] = Math.max(0, value + (other?.values[at] ?? 0));
    return to;
  };
  return {
    of,
    finish(merged: Block): Float32Array {
      const first = raised(of(d0, merged));
      const second = raised(of(p1, merged), of(d1, first));
      const third = raised(of(d2, second));
      const [a, b] = [of(p3, second).values, of(d3, third).values];
      const vector = a.map((value, at) => Math.tanh(value + (b[at] ?? 0)));
      const length = Math.hypot(...vector) || 1;
      return vector.map((value) => value / length);
    },
  };
}

function addToRows(values: Float32Array, bias: Float32Array): void {
  for (let index = 0; index < values.length; index++)
    values[index] = (values[index] ?? 0) + (bias[index % bias.length] ?? 0);
}

const VARIANCE_MIN = 1e-12;

/** Each row with mean 0 and variance 1, then weighted. */
function normaliseRows(
  values: Float32Array,
  { gain, shift }: { readonly gain: Float32Array; readonly shift: Float32Array },
): void {
  const { length } = gain;
  for (let from = 0; from < values.length; from += length) {
    let [sum, squares] = [0, 0];
    for (let at = from; at < from + length; at++) sum += values[at] ?? 0;
    const mean = sum / length;
    for (let at = from; at < from + length; at++) squares += ((values[at] ?? 0) - mean) ** 2;
    const step = 1 / Math.sqrt(squares / length + VARIANCE_MIN);
    for (let at = 0; at < length; at++)
      values[from + at] =
        ((values[from + at] ?? 0) - mean) * step * (gain[at] ?? 0) + (shift[at] ?? 0);
  }
}
