import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshName, client as signsIn, type TestClient } from '../../testkit/client.ts';
import { mcpClients, processTools } from '../../testkit/mcp-client.ts';
import { eventually } from '../../testkit/outbox.ts';
import { openRestServer, type RestServer } from '../../testkit/rest-server.ts';
import { runWorld } from '../../testkit/run-world.ts';
import { shipped } from '../../testkit/shipped.ts';
import { CHANGED, HINTS, LISTS, MEMORY, NAMES } from '../sharing.cases.ts';

// Another user's Processes in the running product (docs/decisions/0093, 0094).

let rest: RestServer;
let eve: TestClient;
let toolId: (name: string) => string;
beforeAll(async () => {
  rest = await openRestServer();
  eve = signsIn(freshName('eve'));
  ({ toolId } = await shipped(eve));
});
afterAll(() => rest.close());
const connects = mcpClients();

/** A mutation with one input. @throws its first code */
async function does<Result>(user: TestClient, field: string, input: object, of = '') {
  const answer = await user.mutate<Result & object>(field, input, of);
  if (answer.userErrors.length > 0) throw new Error(answer.userErrors[0]?.code);
  return answer;
}

const calls = (stepId: string, calls: object, inputs: object, more: object = {}) => ({
  stepId,
  calls,
  inputs,
  output: { variable: stepId },
  ...more,
});
const process = (user: TestClient, steps: object[], more: object = {}) =>
  user.creates('process', { initialContext: [], steps, outputTemplate: 'done', ...more });
const exposed = (user: TestClient, name: string, more: object = {}) =>
  process(user, [calls('a', { toolId: toolId('now') }, {})], {
    name,
    exposeAsTool: true,
    shared: true,
    ...more,
  });

interface Waiting {
  readonly stepId: string;
  readonly run: { readonly id: string };
  readonly memoryRequest: {
    readonly reads: boolean;
    readonly writes: boolean;
    readonly owner: { readonly name: string };
    readonly question: string;
  } | null;
}
async function approvals(user: TestClient): Promise<Waiting[]> {
  const found = await user.one<{ nodes: Waiting[] }>(
    `{ approvals(first: 50) { nodes { stepId run { id } memoryRequest { reads writes question
      owner { name } } } } }`,
  );
  return found.nodes;
}
const statusOf = async (user: TestClient, id: string) =>
  (
    await user.query<{ processRun: { status: string } }>(
      'query ($id: ID!) { processRun(id: $id) { status } }',
      { id },
    )
  ).processRun.status;
const ends = (user: TestClient, id: string) =>
  eventually('the run ends', async () =>
    ['COMPLETED', 'FAILED'].includes(await statusOf(user, id)),
  );

/** Eve's Tool, which sends its input to Eve's server. */
async function leakTool(): Promise<string> {
  const { toolId: id } = await runWorld(eve, rest);
  await does(eve, 'updateTool', { id, shared: true });
  return id;
}

describe('the memory of a runner', () => {
  it.for(MEMORY)('$title ($source)', async ({ input, right }) => {
    const { tool, inputs, by = 'eve', steps: count = 1 } = input;
    const ada = signsIn(freshName('ada'));
    const steps = Array.from({ length: count }, (_, at) =>
      calls(`s${at}`, { toolId: toolId(tool) }, inputs, {
        execution: { mode: 'PARALLEL' },
        output: { variable: `s${at}`, required: false },
      }),
    );
    const eves = await process(eve, steps, { shared: true });
    const processId =
      by === 'eve' ? eves : await process(ada, [calls('e', { processId: eves }, {})]);
    const { run } = await does<{ run: { id: string } }>(
      ada,
      'startProcessRun',
      { processId, context: {} },
      'run { id }',
    );
    if (right.asks !== 'nothing') {
      let waiting: Waiting[] = [];
      await eventually('it asks', async () => {
        waiting = await approvals(ada);
        return waiting.length > 0;
      });
      expect(waiting).toHaveLength(1);
      expect(waiting[0]?.memoryRequest).toMatchObject({
        reads: right.asks === 'to read',
        writes: right.asks === 'to write',
        question: expect.stringContaining('your memory?'),
      });
      const { run: asked, stepId } = waiting[0] as Waiting;
      await does(ada, 'resolveStep', {
        runId: asked.id,
        stepId,
        decision: 'APPROVE',
      });
    }
    await ends(ada, run.id);
    expect(await approvals(ada)).toEqual([]);
    const processMemoryAgreements = await ada.one<{ nodes: { process: { id: string } }[] }>(
      '{ processMemoryAgreements(first: 5) { nodes { process { id } } } }',
    );
    expect(processMemoryAgreements.nodes).toEqual(
      right.asks === 'nothing' ? [] : [{ process: { id: eves } }],
    );
  });

  it('is allowed beforehand by version, is told, and is withdrawn', async () => {
    const ada = signsIn(freshName('ada'));
    const leak = await leakTool();
    const query = { query: 'MATCH (c:Conversation) RETURN c.title' };
    const eves = await process(
      eve,
      [
        calls('a', { toolId: toolId('query_graph') }, query),
        calls('b', { toolId: leak }, { name: 'a summary' }),
      ],
      { shared: true, name: 'nice summary' },
    );
    const access = async (user: TestClient) =>
      (
        await user.query<{ process: { memoryAccess: object | null } }>(
          `query ($id: ID!) { process(id: $id) {
            memoryAccess { reads writes toolNames isAllowed askingProcesses { id } } } }`,
          { id: eves },
        )
      ).process.memoryAccess;
    const told = { reads: true, writes: false, toolNames: ['query_graph'] };
    expect(await access(eve)).toEqual({ ...told, isAllowed: true, askingProcesses: [] });
    expect(await access(ada)).toEqual({
      ...told,
      isAllowed: false,
      askingProcesses: [{ id: eves }],
    });
    const allow = (version: number) =>
      does(ada, 'allowProcessMemory', { processId: eves, version });
    await expect(allow(2)).rejects.toThrow('CONFLICT');
    await allow(1);
    expect(await access(ada)).toMatchObject({ isAllowed: true });
    await does(ada, 'revokeProcessMemory', { processId: eves });
    expect(await access(ada)).toMatchObject({ isAllowed: false });
  });

  it('is asked for by an MCP client in place', async () => {
    const ada = signsIn(freshName('ada'));
    const steps = [calls('a', { toolId: toolId('browse_toc') }, {})];
    const eves = await process(eve, steps, { shared: true, exposeAsTool: true, name: 'digest' });
    await does(ada, 'adoptProcess', { processId: eves, name: 'digest' });
    const mcp = await connects(ada, { capabilities: { elicitation: {} } });
    const asked: string[] = [];
    mcp.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: { approve: true } };
    });
    const result = await mcp.callTool({ name: 'digest', arguments: {} });
    expect(result).toMatchObject({ structuredContent: { status: 'completed' } });
    expect(asked).toEqual([
      'May the Process "digest" of another user (version 1) read your memory?',
    ]);
  });
});

describe('tools of an MCP client', () => {
  /** `own deploy_report`; `+` stands for the end of an id. */
  const shown = async (user: TestClient, owners: ReadonlyMap<string, string>) => {
    const mcp = await connects(user);
    const tools = await processTools(mcp);
    const names = new Map<string, string>();
    for (const { name } of tools) {
      const called = await mcp.callTool({ name, arguments: {} });
      const { runId } = called.structuredContent as { runId: string };
      const processRun = await user.find<{ process: { id: string } }>(
        'processRun',
        runId,
        'process { id }',
      );
      names.set(name, owners.get(processRun.process.id) ?? 'unknown');
    }
    return [...names].map(([name, owner]) => `${owner} ${name.replace(/_[0-9a-f]{12}$/, '_+')}`);
  };

  it.for(NAMES)('$title ($source)', async ({ input: { own, eves }, right }) => {
    const ada = signsIn(freshName('ada'));
    const owners = new Map<string, string>();
    for (const name of own) owners.set(await exposed(ada, name), 'own');
    for (const { name, as } of eves) {
      const processId = await exposed(eve, name);
      owners.set(processId, 'eve');
      if (as === undefined) continue;
      const adopts = does(ada, 'adoptProcess', { processId, name: as });
      if (own.includes(as)) await expect(adopts).rejects.toThrow('TAKEN');
      else await adopts;
    }
    expect(await shown(ada, owners)).toEqual(right.tools);
  });

  it('describe their parameters where their author wrote no description', async () => {
    const ada = signsIn(freshName('ada'));
    const processId = await exposed(eve, 'bare', { initialContext: ['name', 'place'] });
    await does(ada, 'adoptProcess', { processId, name: 'bare' });
    const tools = await processTools(await connects(ada));
    expect(tools[0]?.description).toMatch(/^Runs the Process "bare" .* It takes name, place\./);
  });

  it.for(CHANGED)('$title ($source)', async ({ input }) => {
    const ada = signsIn(freshName('ada'));
    const processId = await exposed(eve, 'report', {
      description: 'Writes a report.',
      initialContext: ['name'],
    });
    await does(ada, 'adoptProcess', { processId, name: 'report' });
    const mcp = await connects(ada);
    const before = await mcp.listTools();
    expect(before.tools[0]?.description).toContain('Writes a report.');
    await does(eve, 'updateProcess', { id: processId, ...input });
    expect(await mcp.listTools()).toEqual(before);
    const told = await ada.find<{ version: number; adoption: object }>(
      'process',
      processId,
      'version adoption { version }',
    );
    expect(told).toEqual({ version: 2, adoption: { version: 1 } });
  });

  it.for(HINTS)('$title ($source)', async ({ input: { method, mutating }, right }) => {
    const ada = signsIn(freshName('ada'));
    const world = await runWorld(ada, rest);
    await does(ada, 'updateTool', {
      id: world.toolId,
      operation: { restCall: { method, path: '/echo', query: { name: '{{name}}' } } },
      ...(mutating === undefined ? {} : { mutating }),
    });
    await world.createsProcess([{ stepId: 'a' }], { exposeAsTool: true });
    const tools = await processTools(await connects(ada));
    expect(tools).toMatchObject([{ annotations: { readOnlyHint: right } }]);
  });

  it.for(LISTS)('$title ($source)', async ({ input, right }) => {
    const ada = signsIn(freshName('ada'));
    await Promise.all(Array.from({ length: input }, (_, at) => exposed(ada, `tool ${at}`)));
    const tools = await processTools(await connects(ada));
    expect(tools).toHaveLength(right);
  });
});
