import { graphql } from 'graphql';
import { expect, it } from 'vitest';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import { createsProcess, toolStep } from '../testkit/processes.ts';
import { type Person, world, worldGraph } from '../testkit/world.ts';

const { deps, ...people } = await world();

const ask = async ({ viewer }: Person, source: string, variableValues = {}) => {
  const contextValue = { ...deps, viewer, requestId: 'test' } as unknown as RequestContext;
  const { value, statements } = await worldGraph().counting(() =>
    graphql({ schema: buildSchema(), source, variableValues, contextValue }),
  );
  expect(value.errors).toBeUndefined();
  const names = statements.map(({ name }) => name).sort();
  return { data: JSON.parse(JSON.stringify(value.data)), names };
};

const TOOLS = `{ tools(first: 50, includeShared: false) { totalCount nodes { id name
  service { id name status owner { name } } owner { id name } secret { id name }
  operation { ... on RestCallOperation { path } } } } }`;
const PROCESSES = `{ processes(first: 50, includeShared: false) { totalCount nodes {
  name version owner { name } steps { stepId inputs execution { mode onFailure }
  target { __typename ... on Tool { name service { name } owner { name } } ... on Process { name } }
  } } } }`;

it('a page of Tools or Processes with all their parts takes the statements of one', async () => {
  const { ada } = await world();
  const add = async () => {
    const { id: secretId } = await ada.createsSecret();
    const tool = await ada.createsTool({ secretId });
    const inner = await createsProcess({ deps }, ada, { steps: [toolStep('a', tool.id)] });
    const calls = { calls: { processId: inner.id }, inputs: {} };
    const steps = [toolStep('a', tool.id), toolStep('b', inner.id, calls)];
    await createsProcess({ deps }, ada, { steps });
  };
  await add();
  const few = [await ask(ada, TOOLS), await ask(ada, PROCESSES)];
  for (let index = 0; index < 5; index++) await add();
  const [tools, processes] = [await ask(ada, TOOLS), await ask(ada, PROCESSES)];
  expect([tools, processes].map(({ names }) => names)).toEqual(few.map(({ names }) => names));
  expect([tools.data.tools.totalCount, processes.data.processes.totalCount]).toEqual([6, 12]);
  type Found = { readonly secret: object | null; readonly service: { readonly id: string } };
  const found: Found[] = tools.data.tools.nodes;
  expect(found.filter(({ secret }) => secret === null)).toEqual([]);
  expect(new Set(found.map(({ service }) => service.id)).size).toBe(6);
  // The page brings along the things of its Tools; only the health of Services is counted apart.
  expect(tools.names).toEqual(['findServiceHealth', 'listTools']);
  expect(processes.names.length).toBeLessThanOrEqual(6);
});

it('a shared Tool of a private Service shows its target, never its Secret', async () => {
  const { ada, bob } = people;
  const { id: secretId } = await ada.createsSecret({ shared: true });
  const { id, serviceId } = await ada.createsTool({ shared: true, secretId });
  const query = `query ($id: ID!, $service: ID!) { service(id: $service) { id }
    tool(id: $id) { secret { id } secretScope service { id tools { totalCount } } } }`;
  const asked = { id, service: serviceId };
  const target = { secretScope: 'bearer', service: { id: serviceId, tools: { totalCount: 1 } } };
  const own = { tool: { secret: { id: secretId }, ...target }, service: { id: serviceId } };
  expect((await ask(ada, query, asked)).data).toEqual(own);
  const others = { tool: { secret: null, ...target }, service: null };
  expect((await ask(bob, query, asked)).data).toEqual(others);
});
