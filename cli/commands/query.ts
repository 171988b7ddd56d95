import type { Command } from 'commander';
import { SYSTEM_USER_ID } from '../../packages/client/src/system-user.ts';
import { CliError, type Client } from '../client.ts';
import { FindQueryToolDocument, QueryOwnGraphDocument } from '../generated/documents.ts';
import { jsonObject } from '../json.ts';

/** `aiden query '<cypher>'`: runs a query over one's own graph (docs/own-graph.md), as JSON. */
export function addQueryCommand(program: Command, client: () => Client): void {
  program
    .command('query')
    .description('Query your own session graph, call graph and memory, in a part of Cypher.')
    .argument('<query>', 'MATCH … RETURN …; docs/own-graph.md lists labels and limits')
    .option('-p, --parameters <json>', 'the values of $name in the query', '{}')
    .action(async (query: string, { parameters }: { parameters: string }) => {
      const values = jsonObject(parameters, '--parameters');
      const api = client();
      const { tools } = await api.query(FindQueryToolDocument, {});
      const tool = tools.nodes.find(
        ({ name, owner }) => name === 'query_graph' && owner.id === SYSTEM_USER_ID,
      );
      if (tool === undefined)
        throw new CliError('The Tool query_graph is missing; npm start loads what ships.');
      const inputs = { query, parameters: values };
      const { testTool } = await api.query(QueryOwnGraphDocument, { id: tool.id, inputs });
      const message = testTool.userErrors[0]?.message ?? testTool.error?.message;
      if (message !== undefined) throw new CliError(message);
      console.log(JSON.stringify(testTool.output, null, 2));
    });
}
