import { z } from 'zod';
import { parseStored } from '../../common/stored.ts';
import type { Row } from './graph.ts';

const IDS = [
  'id',
  'uuid',
  'nodeId',
  'node_id',
  'key',
  'eventId',
  'gripId',
  'name',
  'hash',
] as const;

/**
 * Parses one row, or one map of a row.
 * @param label of the node, for the error
 * @throws DamagedRow naming the node and each missing or wrong property
 */
export function parseRow<T extends z.ZodType>(schema: T, row: unknown, label: string): z.output<T> {
  return parseStored(schema, row, () => `${label} ${idOf(row)}`);
}

function idOf(row: unknown): string {
  if (!isRow(row)) return '(no row)';
  const inner = isRow(row['props']) ? row['props'] : row;
  const id = IDS.map((name) => inner[name]).find((value) => typeof value === 'string');
  return typeof id === 'string' ? id : '(without an id)';
}

/** Whether a value is a map. */
export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const Text = z.string();
const Texts = z.array(z.string());
const Int = z.int();

/**
 * A text column of all rows, such as ids.
 * @throws DamagedRow when one is missing
 */
export function textsOf(rows: readonly Row[], column: string, label: string): string[] {
  return rows.map((row) => textOf(row, column, label));
}

/**
 * A text column.
 * @throws DamagedRow when it is missing
 */
export function textOf(row: Row, column: string, label: string): string {
  return parseStored(Text, row[column], () => `${label} ${idOf(row)}, ${column}`);
}

/**
 * A column with a list of texts.
 * @throws DamagedRow when it is missing
 */
export function textListOf(row: Row, column: string, label: string): string[] {
  return parseStored(Texts, row[column], () => `${label} ${idOf(row)}, ${column}`);
}

/**
 * A column with a whole number.
 * @throws DamagedRow when it is missing
 */
export function intOf(row: Row, column: string, label: string): number {
  return parseStored(Int, row[column], () => `${label} ${idOf(row)}, ${column}`);
}

/**
 * A count in the only row; 0 without a row.
 * @throws DamagedRow when the count is missing
 */
export function countOf(rows: readonly Row[], column: string): number {
  const [row] = rows;
  return row === undefined ? 0 : intOf(row, column, 'Count');
}
