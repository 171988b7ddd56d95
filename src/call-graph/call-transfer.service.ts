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
 * The whole call graph of an installation as one JSON document, in pieces of text, so that it need not fit memory. For operators: it
 * holds everybody's calls, redacted as they were when they were recorded.
 * @param ownerId only the calls of this account
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
 * Adds what a document holds: calls that are there already stay as they are, so the same again changes nothing.
 * @returns calls in the document, and how many of them another call of the same requestId stood in the way of
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

function pagesOf<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / PAGE) }, (_, page) =>
    items.slice(page * PAGE, (page + 1) * PAGE),
  );
}
