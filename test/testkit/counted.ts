import { execute, parse } from 'graphql';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { openRunReads } from '../../src/runs/run/run-reads.service.ts';
import type { TestClient } from './client.ts';
import { testGraph } from './graph.ts';

/**
 * Answers a query of this user in the process of the test. @returns the data, and the names of the
 * statements that it took, in order @throws on an error
 */
export async function countedBy(user: TestClient, query: string) {
  const { id } = await user.one<{ id: string }>('{ viewer { id } }');
  const graph = testGraph();
  const viewer = { userId: id, name: 'ada', roles: ['user'], workspace: id };
  // Loaders cache the nodes of a request, so each query is a request of its own.
  const contextValue = { graph, viewer, readRuns: openRunReads(graph) } as unknown;
  const { value, statements } = await graph.counting(async () =>
    execute({
      schema: buildSchema(),
      document: parse(query),
      contextValue: contextValue as RequestContext,
    }),
  );
  await graph.close();
  if (value.errors !== undefined) throw new Error(JSON.stringify(value.errors));
  return { data: value.data, names: statements.map(({ name }) => name) };
}
