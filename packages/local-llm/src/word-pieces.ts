import { readFile } from 'node:fs/promises';

/** Cuts texts into the pieces that a sentence model knows, by their numbers. */
export type Pieces = (text: string) => number[];

/** Numbers of the pieces that stand for the unknown, the beginning and the end. */
const [UNKNOWN, BEGIN, END] = [0, 1, 2];
const SPACE = '▁';
/** An unknown sign is this much less likely than the rarest piece. */
const UNKNOWN_COST = 10;

/** Opens a SentencePiece model of the unigram kind. */
export async function openPieces(path: string): Promise<Pieces> {
  const pieces = piecesIn(await readFile(path));
  const tree = treeOf(pieces);
  const scores = Float32Array.from(pieces, ({ score }) => score);
  const unknown = scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_COST;
  return (text) => {
    const plain = normalised(text);
    const cut = plain === '' ? [UNKNOWN] : bestCut(plain, { tree, scores, unknown });
    return [BEGIN, ...cut, END];
  };
}

/** As SentencePiece's rule `nmt_nfkc`, but for rare signs of control. */
function normalised(text: string): string {
  const words = text
    .normalize('NFKC')
    .replace(/[\p{Z}\p{Cc}\u200b-\u200f\ufeff]+/gu, ' ')
    .trim();
  return words === '' ? '' : `${SPACE}${words.replaceAll(' ', SPACE)}`;
}

interface Vocabulary {
  readonly tree: PieceTree;
  readonly scores: Float32Array;
  readonly unknown: number;
}

/** The most likely cut: of all ways to each place, the best one (Viterbi). */
function bestCut(text: string, { tree, scores, unknown }: Vocabulary): number[] {
  const { length } = text;
  const best = new Float64Array(length + 1).fill(Number.NEGATIVE_INFINITY);
  const [startOf, pieceOf] = [new Int32Array(length + 1), new Int32Array(length + 1)];
  best[0] = 0;
  const offer = (start: number, end: number, piece: number, score: number): void => {
    const total = (best[start] ?? 0) + score;
    if (total <= (best[end] ?? 0)) return;
    best[end] = total;
    startOf[end] = start;
    pieceOf[end] = piece;
  };
  for (let start = 0; start < length; ) {
    // A character of two units is one sign.
    const next = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
    offer(start, next, UNKNOWN, unknown);
    let node = ROOT;
    for (let end = start; end < length; ) {
      node = tree.child(node, text.charCodeAt(end));
      if (node === NONE) break;
      end++;
      const piece = tree.pieceAt[node] ?? NONE;
      if (piece !== NONE) offer(start, end, piece, scores[piece] ?? unknown);
    }
    start = next;
  }
  const cut: number[] = [];
  for (let end = length; end > 0; end = startOf[end] ?? 0) cut.push(pieceOf[end] ?? UNKNOWN);
  return cut.reverse();
}

const ROOT = 0;
const NONE = -1;

/** All pieces by their signs, in flat arrays: a Map of 128,000 words takes five times as much. */
interface PieceTree {
  /** The node after another one with one more sign; NONE without. */
  child(node: number, unit: number): number;
  /** The piece that ends at a node; NONE without. */
  readonly pieceAt: Int32Array;
}

interface Piece {
  readonly text: string;
  readonly score: number;
}

function treeOf(pieces: readonly Piece[]): PieceTree {
  const nodesMax = 1 + pieces.reduce((sum, { text }) => sum + text.length, 0);
  const size = 2 ** Math.ceil(Math.log2(2 * nodesMax));
  const [parents, units] = [new Int32Array(size).fill(NONE), new Uint16Array(size)];
  const children = new Int32Array(size);
  const pieceAt = new Int32Array(nodesMax).fill(NONE);
  let nodes = 1;
  const placeOf = (node: number, unit: number): number => {
    let place = Math.imul(Math.imul(node, 0x9e3779b1) ^ unit, 0x85ebca6b) >>> 0;
    place = (place ^ (place >>> 15)) & (size - 1);
    while (parents[place] !== NONE && (parents[place] !== node || units[place] !== unit))
      place = (place + 1) & (size - 1);
    return place;
  };
  const child = (node: number, unit: number): number => {
    const place = placeOf(node, unit);
    return parents[place] === NONE ? NONE : (children[place] ?? NONE);
  };
  const added = (node: number, unit: number): number => {
    const place = placeOf(node, unit);
    if (parents[place] !== NONE) return children[place] ?? NONE;
    parents[place] = node;
    units[place] = unit;
    children[place] = nodes;
    return nodes++;
  };
  for (const [number, { text }] of pieces.entries()) {
    if (number <= END || text === '') continue;
    let node = ROOT;
    for (let at = 0; at < text.length; at++) node = added(node, text.charCodeAt(at));
    pieceAt[node] = number;
  }
  return { child, pieceAt };
}

/** The pieces of a model file: field 1 of the message, each with a text (1) and a score (2). */
function piecesIn(file: Buffer): Piece[] {
  const pieces: Piece[] = [];
  for (const { field, from, to } of fieldsOf(file, 0, file.length)) {
    if (field !== 1) continue;
    let [text, score] = ['', 0];
    for (const part of fieldsOf(file, from, to)) {
      if (part.field === 1) text = file.toString('utf8', part.from, part.to);
      else if (part.field === 2) score = file.readFloatLE(part.from);
    }
    pieces.push({ text, score });
  }
  return pieces;
}

/** Fields of a Protocol Buffers message, with the bytes of their values. */
function* fieldsOf(
  file: Buffer,
  from: number,
  to: number,
): Generator<{ field: number; from: number; to: number }> {
  const number = (at: number): [value: number, next: number] => {
    let [value, next] = [0, at];
    for (let shift = 1; ; shift *= 128) {
      const byte = file.readUInt8(next++);
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return [value, next];
    }
  };
  for (let at = from; at < to; ) {
    const [tag, next] = number(at);
    const [field, wire] = [tag >> 3, tag & 7];
    const fixed = wire === 5 ? 4 : wire === 1 ? 8 : null;
    const [length, start] = wire === 2 ? number(next) : [fixed ?? number(next)[1] - next, next];
    yield { field, from: start, to: start + length };
    at = start + length;
  }
}
