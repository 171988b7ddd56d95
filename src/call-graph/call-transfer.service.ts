import { refuse } from '../common/refusal.ts';
import type { Graph } from '../platform/neo4j/graph.ts';
import {
  exportCalls,
  exportEdges,
  importCalls,
  importEdges,
  importOperations,
  listOperations,
} from './call-file.cypher.ts';
import { type FileEdge, readCallFile } from './call-file.ts';

const PAGE = 500;

/**
 * Exports the call graph of the whole installation as one JSON document, in pieces of text,
 * because it may not fit into memory. For operators: it has the calls of all users, as redacted
 * when recorded.
 * @param ownerId only the calls of this account; null (default) = all
 */
export async function* exportCallFile(
  graph: Graph,
  { ownerId = null }: { readonly ownerId?: string | null } = {},
): AsyncGenerator<string, void, void> {
  const operations = await graph.read((tx) => listOperations(tx));
  yield `{"format":"aiden-calls","version":1,"operations":${JSON.stringify(operations)},"nodes":[`;
  let edges: FileEdge[] = [];
  for (let after = '', isFirst = true, isMore = true; isMore; ) {
    const from = after;
    const page = await graph.read(async (tx) => {
      const calls = await exportCalls(tx, { after: from, limit: PAGE, ownerId });
      const sources = calls.map(({ requestId }) => requestId);
      return { calls, edges: await exportEdges(tx, sources) };
    });
    for (const call of page.calls) {
      yield `${isFirst ? '' : ','}\n${JSON.stringify(call)}`;
      isFirst = false;
    }
    edges = edges.concat(page.edges);
    after = page.calls.at(-1)?.requestId ?? '';
    isMore = page.calls.length === PAGE;
  }
  yield `\n],"edges":[${edges.map((edge) => `\n${JSON.stringify(edge)}`).join(',')}\n]}\n`;
}

/**
 * Imports the calls of a document. Idempotent: existing calls are not changed.
 * @returns `calls` in the document; `kept` = those not imported because another call has their
 * requestId
 * @throws Refusal with all problems of the document; nothing is written then
 */
export async function importCallFile(
  graph: Graph,
  document: unknown,
): Promise<{ readonly calls: number; readonly kept: number }> {
  const file = readCallFile(document);
  if ('problems' in file) {
    refuse(file.problems);
    return { calls: 0, kept: 0 };
  }
  await graph.write((tx) => importOperations(tx, file.operations));
  let same = 0;
  for (const page of pagesOf(file.nodes)) same += await graph.write((tx) => importCalls(tx, page));
  for (const page of pagesOf(file.edges)) await graph.write((tx) => importEdges(tx, page));
  return { calls: file.nodes.length, kept: file.nodes.length - same };
}

const pagesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / PAGE) }, (_, page) =>
    items.slice(page * PAGE, (page + 1) * PAGE),
  );
