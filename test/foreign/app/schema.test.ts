import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sentNumber } from '../../../src/common/exact-json.ts';
import { freshName, client as signsIn, type TestClient } from '../../testkit/client.ts';
import { mcpClients } from '../../testkit/mcp-client.ts';
import { openRestServer, type RestServer } from '../../testkit/rest-server.ts';
import { runWorld } from '../../testkit/run-world.ts';

// Numbers beyond 2^53 from a client to the server that a Tool calls (docs/decisions/0096).

const BIG = '9007199254740993';
const CONTEXT = { properties: { name: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } };
let rest: RestServer;
let ada: TestClient;
let toolId: string;
let processId: string;
let world: Awaited<ReturnType<typeof runWorld>>;
const processName = freshName('big').replaceAll('-', '_');

beforeAll(async () => {
  rest = await openRestServer();
  ada = signsIn(freshName('ada'));
  world = await runWorld(ada, rest);
  ({ toolId } = world);
  await ada.mutate('updateTool', {
    id: toolId,
    inputSchema: { ...CONTEXT, type: 'object', required: ['name'] },
  });
  processId = await world.createsProcess([{ stepId: 'send' }], {
    name: processName,
    contextSchema: CONTEXT,
    outputTemplate: 'done {{name}}',
    exposeAsTool: true,
  });
});
afterAll(() => rest.close());

const connects = mcpClients();

/** A GraphQL request as its JSON text. */
async function post(body: string): Promise<unknown> {
  const response = await fetch(ada.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: ada.authorization },
    body,
  });
  return response.json();
}
const sent = () => rest.requests.at(-1)?.body;

describe('a number beyond 2^53', () => {
  it('in a literal of GraphQL arrives digit for digit', async () => {
    const query = `mutation { testTool(input: {id: "${toolId}", inputs: {name: ${BIG}}}) { error
      { message } userErrors { message } } }`;
    expect(await post(JSON.stringify({ query }))).toMatchObject({
      data: { testTool: { error: null, userErrors: [] } },
    });
    expect(sent()).toBe(`{"name":${BIG}}`);
  });

  it('in the variables of a run arrives digit for digit', async () => {
    const query = `mutation ($input: StartProcessRunInput!) { startProcessRun(input: $input) {
      run { id }
        userErrors { message } } }`;
    const variables = `{"input":{"processId":"${processId}","context":{"name":-${BIG}}}}`;
    const answer = (await post(`{"query":${JSON.stringify(query)},"variables":${variables}}`)) as {
      data: { startProcessRun: { run: { id: string } } };
    };
    const end = await world.finishes(answer.data.startProcessRun.run.id);
    expect(end).toMatchObject({ status: 'COMPLETED', output: `done -${BIG}` });
    expect(sent()).toBe(`{"name":-${BIG}}`);
  });

  it('in the arguments of an MCP call arrives digit for digit', async () => {
    const mcp = await connects(ada);
    const args = { name: sentNumber(BIG) };
    expect(await mcp.callTool({ name: processName, arguments: args })).toMatchObject({
      content: [{ text: `done ${BIG}` }],
    });
    expect(sent()).toBe(`{"name":${BIG}}`);
  });
});
