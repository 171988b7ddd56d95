import type { Graph, WriteTx } from '../platform/neo4j/graph.ts';

/** Makes a change with its entries, and tells the relay after the commit that entries wait. */
export async function writeAndWake<T>(
  deps: { readonly graph: Graph; wake(): void },
  work: (tx: WriteTx) => Promise<T>,
): Promise<T> {
  const value = await deps.graph.write(work);
  deps.wake();
  return value;
}
