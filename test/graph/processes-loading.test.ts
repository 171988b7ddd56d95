import { graphql } from 'graphql';
import { expect, it } from 'vitest';
import { buildSchema } from '../../schema/index.ts';
import { createsProcess, toolStep } from '../testkit/processes.ts';
import { world, worldGraph } from '../testkit/world.ts';

const PAGE = `{
  processes(first: 50, includeShared: false) {
    totalCount
    nodes {
      name version owner { name }
      steps { stepId inputs execution { mode onFailure } target { __typename ... on Tool { name
      service { name } owner { name } } ... on Process { name } } }
    }
  }
}`;

it('a page of Processes with all their parts takes the statements of one', async () => {
  const all = await world();
  const { ada, deps } = all;
  const ask = async () => {
    const contextValue = { ...deps, viewer: ada.viewer, requestId: 'test' };
    const { value, statements } = await worldGraph().counting(() =>
      graphql({ schema: buildSchema(), source: PAGE, contextValue }),
    );
    expect(value.errors).toBeUndefined();
    return {
      page: value.data as never as { processes: { totalCount: number } },
      names: statements.map(({ name }) => name).sort(),
    };
  };
  const add = async () => {
    const tool = await ada.createsTool();
    const inner = await createsProcess(all, ada);
    await createsProcess(all, ada, {
      steps: [
        toolStep('a', tool.id),
        toolStep('b', inner.id, { calls: { processId: inner.id }, inputs: {} }),
      ],
    });
  };
  await add();
  const few = await ask();
  for (let index = 0; index < 9; index++) await add();
  const many = await ask();
  expect(many.page.processes.totalCount).toBe(20);
  expect(many.names).toEqual(few.names);
  expect(many.names.length).toBeLessThanOrEqual(6);
});
