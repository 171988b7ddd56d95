import { graphql } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { RequestContext } from '../../schema/context.ts';
import { buildSchema } from '../../schema/index.ts';
import type { Viewer } from '../../src/users/user.ts';
import { type World, world, worldGraph } from '../testkit/world.ts';

const PAGE = /* GraphQL */ `
  query ($first: Int) {
    tools(first: $first, includeShared: false) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes { id name service { id name status owner { name } } owner { id name } secret { id name
      } operation { ... on RestCallOperation { path } } }
    }
  }
`;

const ask = async (deps: World['deps'], viewer: Viewer, source: string, variableValues = {}) => {
  const contextValue = { ...deps, viewer, requestId: 'test' } as unknown as RequestContext;
  const { value, statements } = await worldGraph().counting(() =>
    graphql({ schema: buildSchema(), source, variableValues, contextValue }),
  );
  expect(value.errors).toBeUndefined();
  return {
    data: JSON.parse(JSON.stringify(value.data)),
    names: statements.map(({ name }) => name),
  };
};

describe('a page of Tools', () => {
  it('of 50 with service, owner and secret takes at most 4 statements', async () => {
    const { deps, ada } = await world();
    const services = await Promise.all(Array.from({ length: 10 }, () => ada.createsService()));
    const secrets = await Promise.all(Array.from({ length: 10 }, () => ada.createsSecret()));
    for (let index = 0; index < 50; index++) {
      await ada.createsTool({
        serviceId: services[index % 10]?.id ?? '',
        secretId: secrets[index % 10]?.id ?? null,
      });
    }
    const { data, names } = await ask(deps, ada.viewer, PAGE, { first: 50 });
    expect(data.tools.nodes).toHaveLength(50);
    expect(data.tools).toMatchObject({ totalCount: 50, pageInfo: { hasNextPage: false } });
    expect(
      new Set(data.tools.nodes.map((tool: { service: { id: string } }) => tool.service.id)).size,
    ).toBe(10);
    expect(
      data.tools.nodes.every((tool: { secret: { id: string } | null }) => tool.secret !== null),
    ).toBe(true);
    // The page brings along the things of its Tools; only the health of Services is counted
    // apart.
    expect(names.sort()).toEqual(['findServiceHealth', 'listTools']);
  });

  it('gives 200 at once', async () => {
    const { deps, ada } = await world();
    const service = await ada.createsService();
    for (let index = 0; index < 201; index += 67)
      await Promise.all(
        Array.from({ length: 67 }, () => ada.createsTool({ serviceId: service.id })),
      );
    const { data } = await ask(
      deps,
      ada.viewer,
      `query { tools(first: 200, includeShared: false) { totalCount pageInfo { hasNextPage } edges
        { cursor } } }`,
    );
    expect(data.tools).toMatchObject({ totalCount: 201, pageInfo: { hasNextPage: true } });
    expect(data.tools.edges).toHaveLength(200);
  });

  it('shows the target of a shared Tool of a private Service, never its Secret', async () => {
    const { deps, ada, bob } = await world();
    const secret = await ada.createsSecret({ shared: true });
    const tool = await ada.createsTool({ shared: true, secretId: secret.id });
    const query = `query ($id: ID!, $service: ID!) { tool(id: $id) { secret { id } secretScope
      service { id
        tools { totalCount } } } service(id: $service) { id } }`;
    const asked = { id: tool.id, service: tool.serviceId };
    expect((await ask(deps, ada.viewer, query, asked)).data).toEqual({
      tool: {
        secret: { id: secret.id },
        secretScope: 'bearer',
        service: { id: tool.serviceId, tools: { totalCount: 1 } },
      },
      service: { id: tool.serviceId },
    });
    expect((await ask(deps, bob.viewer, query, asked)).data.tool).toEqual({
      secret: null,
      secretScope: 'bearer',
      service: { id: tool.serviceId, tools: { totalCount: 1 } },
    });
    expect(
      (
        await ask(deps, bob.viewer, 'query ($service: ID!) { service(id: $service) { id } }', {
          service: tool.serviceId,
        })
      ).data.service,
    ).toBeNull();
  });
});
