// Products of matrices of 32-bit floats, in WebAssembly with 4 lanes: some ten times as fast as the
// same loops in JavaScript, on every processor, without a binary to install. The module is written
// here instruction by instruction, since a compiler would be a heavier dependency than its output.

/** Columns of one panel of weights, and rows that are computed at once. */
const [PANEL, TILE] = [8, 4];
const FLOAT_BYTES = 4;
const LANE_BYTES = 16;
const PAGE_BYTES = 65_536;

/** A matrix of weights, laid out for `multiply`. */
export interface Weights {
  /** Address of the first panel. */
  readonly at: number;
  readonly rows: number;
  readonly columns: number;
}

/** Numbers in the memory of the module. */
export interface Block {
  readonly at: number;
  readonly values: Float32Array;
}

/** A fixed memory with products of matrices in it. */
export interface Matrices {
  /** Zeros. */
  block(length: number): Block;
  /** @param values row after row; the number of columns is a multiple of 8 */
  weights(values: Float32Array, rows: number, columns: number): Weights;
  /** Writes the products of `rows` rows from `from` with the weights to `to`. */
  multiply(weights: Weights, rows: number, from: Place, to: Place): void;
}

/** Rows in the memory; `stride` numbers lie between the beginnings of two, so they may overlap. */
export interface Place {
  readonly at: number;
  readonly stride: number;
}

export function openMatrices(numbers: number): Matrices {
  const pages = Math.ceil((numbers * FLOAT_BYTES) / PAGE_BYTES) + 1;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const module = new WebAssembly.Module(moduleBytes(pages));
  const { exports } = new WebAssembly.Instance(module, { m: { m: memory } });
  const run = exports['multiply'] as (...args: number[]) => void;
  let free = LANE_BYTES;
  const block = (length: number): Block => {
    const at = free;
    free += Math.ceil((length * FLOAT_BYTES) / LANE_BYTES) * LANE_BYTES;
    return { at, values: new Float32Array(memory.buffer, at, length) };
  };
  return {
    block,
    weights(values, rows, columns) {
      const { at, values: packed } = block(rows * columns);
      for (let index = 0; index < packed.length; index++) {
        const panel = Math.floor(index / (rows * PANEL));
        const row = Math.floor((index % (rows * PANEL)) / PANEL);
        packed[index] = values[row * columns + panel * PANEL + (index % PANEL)] ?? 0;
      }
      return { at, rows, columns };
    },
    multiply({ at, rows: inner, columns }, rows, from, to) {
      const bytes = FLOAT_BYTES;
      run(from.at, from.stride * bytes, at, to.at, to.stride * bytes, rows, inner, columns / PANEL);
    },
  };
}

const I32 = 0x7f;
const V128 = 0x7b;
// The parameters and variables of the function by their number.
const [X, X_STRIDE, W, Y, Y_STRIDE, ROWS, INNER, PANELS] = [0, 1, 2, 3, 4, 5, 6, 7];
const [X_ROW, Y_ROW, LEFT, W_AT, COUNT] = [8, 9, 10, 11, 12];
/** Addresses in the rows of a tile; sums of the low and the high half of a panel, for each row. */
const X_AT = 13;
const SUMS = X_AT + TILE;
const W_LOW = SUMS + 2 * TILE;
const W_HIGH = W_LOW + 1;
const X_VALUE = W_HIGH + 1;

function moduleBytes(pages: number): Uint8Array<ArrayBuffer> {
  const body = [
    ...[2, X_AT + TILE - 1 - PANELS, I32, X_VALUE - SUMS + 1, V128],
    ...loopWhile([
      ...assign(X_ROW, get(X)),
      ...assign(Y_ROW, get(Y)),
      ...assign(LEFT, get(ROWS)),
      ...tiles(TILE),
      ...tiles(1),
      ...assign(W, add(get(W), times(get(INNER), constant(PANEL * FLOAT_BYTES)))),
      ...assign(Y, add(get(Y), constant(PANEL * FLOAT_BYTES))),
      ...decrease(PANELS, 1),
      ...get(PANELS),
    ]),
    0x0b,
  ];
  const name = text('multiply');
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 8, ...new Array<number>(8).fill(I32), 0]),
    ...section(2, [1, ...text('m'), ...text('m'), 2, 1, ...unsigned(pages), ...unsigned(pages)]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name, 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

/** Computes all tiles of so many rows that are left, for one panel. */
function tiles(rows: number): number[] {
  const each = (of: (row: number) => number[]) =>
    Array.from({ length: rows }, (_, row) => of(row)).flat();
  const sumOf = (row: number, half: number) => SUMS + 2 * row + half;
  const one = [
    ...each((row) => [
      ...assign(X_AT + row, add(get(X_ROW), times(get(X_STRIDE), constant(row)))),
      ...assign(sumOf(row, 0), ZEROS),
      ...assign(sumOf(row, 1), ZEROS),
    ]),
    ...assign(W_AT, get(W)),
    ...assign(COUNT, get(INNER)),
    ...loopWhile([
      ...assign(W_LOW, [...get(W_AT), ...LOAD, 4, 0]),
      ...assign(W_HIGH, [...get(W_AT), ...LOAD, 4, LANE_BYTES]),
      ...each((row) => [
        ...assign(X_VALUE, [...get(X_AT + row), ...LOAD_SPLAT, 2, 0]),
        ...assign(sumOf(row, 0), sum(get(sumOf(row, 0)), product(get(X_VALUE), get(W_LOW)))),
        ...assign(sumOf(row, 1), sum(get(sumOf(row, 1)), product(get(X_VALUE), get(W_HIGH)))),
        ...assign(X_AT + row, add(get(X_AT + row), constant(FLOAT_BYTES))),
      ]),
      ...assign(W_AT, add(get(W_AT), constant(PANEL * FLOAT_BYTES))),
      ...decrease(COUNT, 1),
      ...get(COUNT),
    ]),
    ...each((row) => [
      ...assign(COUNT, add(get(Y_ROW), times(get(Y_STRIDE), constant(row)))),
      ...[...get(COUNT), ...get(sumOf(row, 0)), ...STORE, 4, 0],
      ...[...get(COUNT), ...get(sumOf(row, 1)), ...STORE, 4, LANE_BYTES],
    ]),
    ...assign(X_ROW, add(get(X_ROW), times(get(X_STRIDE), constant(rows)))),
    ...assign(Y_ROW, add(get(Y_ROW), times(get(Y_STRIDE), constant(rows)))),
    ...decrease(LEFT, rows),
  ];
  // block { loop { leave if fewer rows are left; …; again } }
  const leaves = [...get(LEFT), ...constant(rows), 0x49, 0x0d, 1];
  return [0x02, 0x40, 0x03, 0x40, ...leaves, ...one, 0x0c, 0, 0x0b, 0x0b];
}

const LOAD = [0xfd, 0x00];
const LOAD_SPLAT = [0xfd, 0x09];
const STORE = [0xfd, 0x0b];
const ZEROS = [0xfd, 0x0c, ...new Array<number>(LANE_BYTES).fill(0)];
const get = (local: number) => [0x20, local];
const assign = (local: number, value: readonly number[]) => [...value, 0x21, local];
const constant = (value: number) => [0x41, ...signed(value)];
const add = (a: readonly number[], b: readonly number[]) => [...a, ...b, 0x6a];
const times = (a: readonly number[], b: readonly number[]) => [...a, ...b, 0x6c];
const sum = (a: readonly number[], b: readonly number[]) => [...a, ...b, 0xfd, 0xe4, 0x01];
const product = (a: readonly number[], b: readonly number[]) => [...a, ...b, 0xfd, 0xe6, 0x01];
const decrease = (local: number, by: number) =>
  assign(local, [...get(local), ...constant(by), 0x6b]);
/** Repeats the body, which leaves a number, until that is 0. */
const loopWhile = (body: readonly number[]) => [0x03, 0x40, ...body, 0x0d, 0, 0x0b];
const section = (id: number, content: readonly number[]) => [
  id,
  ...unsigned(content.length),
  ...content,
];
const text = (value: string) => [value.length, ...Buffer.from(value, 'latin1')];

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Of a number from 0 up: its highest bit must not be taken for a sign. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
