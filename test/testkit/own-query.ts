import type { TestClient } from './client.ts';

/** Asks the Tool `query_graph` for this user, as a client of the API does. @throws on a refusal */
export async function queryOwnGraph(
  user: TestClient,
  query: string,
  parameters: object = {},
): Promise<Record<string, unknown>[]> {
  const { tools } = await user.query<{ tools: { nodes: { id: string; name: string }[] } }>(
    '{ tools(first: 50, query: "query_graph") { nodes { id name } } }',
  );
  const id = tools.nodes.find(({ name }) => name === 'query_graph')?.id;
  type Tried = { output: { rows: Record<string, unknown>[] } | null; error: object | null };
  const { output, error } = await user.mutate<Tried>(
    'testTool',
    { id, inputs: { query, parameters } },
    'output error { code message }',
  );
  if (output === null) throw new Error(JSON.stringify(error));
  return output.rows;
}
