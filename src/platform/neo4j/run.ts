import type { Params, ReadTx, Row, WriteTx } from './graph.ts';

/**
 * Runs a statement and reads each of its rows.
 * @throws DamagedRow as `read`
 */
export async function readAll<T>(
  tx: ReadTx,
  cypher: string,
  params: Params,
  read: (row: Row) => T,
): Promise<T[]> {
  const rows = await tx.run(cypher, params);
  return rows.map((row) => read(row));
}

/**
 * Runs a statement and reads its first row; null without a row.
 * @throws DamagedRow as `read`
 */
export async function readOne<T>(
  tx: ReadTx,
  cypher: string,
  params: Params,
  read: (row: Row) => T,
): Promise<T | null> {
  const [row] = await tx.run(cypher, params);
  return row === undefined ? null : read(row);
}

/** Runs a statement that writes, and leaves out its rows. */
export async function runWrite(tx: WriteTx, cypher: string, params: Params): Promise<void> {
  await tx.run(cypher, params);
}

/**
 * Runs a statement and reads each of its rows as a key with its value.
 * @throws DamagedRow as `read`
 */
export async function readMap<K, V>(
  tx: ReadTx,
  cypher: string,
  params: Params,
  read: (row: Row) => readonly [K, V],
): Promise<Map<K, V>> {
  return new Map(await readAll(tx, cypher, params, read));
}
