import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { CreateTool, toolOf } from './create-tool.ts';
import { Processes, rowOf } from './processes.ts';

// usage: node src/main.ts URL AUTHORIZATION SERVICE_ID ENDPOINT   (prints what it read as JSON)
const [url = '', authorization = '', serviceId = '', endpoint = ''] = process.argv.slice(2);

async function ask<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: NoInfer<Variables>,
): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

const { createTool } = await ask(CreateTool, { input: toolOf(serviceId, endpoint) });
// @ts-expect-error: a variable that the document has not.
const { processes } = await ask(Processes, { first: 5, last: 5 });
// @ts-expect-error: a field that the document does not ask for.
void processes.edges;
console.log(
  JSON.stringify({
    created: createTool.toolEdge?.node.name,
    errors: createTool.userErrors,
    total: processes.totalCount,
    rows: processes.nodes.map(rowOf),
  }),
);
