import { afterAll, expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';

const graph = testGraph();
afterAll(() => graph.close());
const NODE = 'query($id: ID!) { node(id: $id) { __typename id } }';

it('finds oneself, and other users only for an admin', async () => {
  const [ada, bob] = [client(freshName('ada')), client(freshName('bob'))];
  const viewer = await ada.one<{ id: string }>('{ viewer { id } }');
  const admin = client(freshName('admin'), { role: 'admin' });
  expect(await ada.query(NODE, viewer)).toEqual({ node: { __typename: 'User', id: viewer.id } });
  expect(await bob.query(NODE, viewer)).toEqual({ node: null });
  expect(await admin.query(NODE, viewer)).toEqual({ node: { __typename: 'User', id: viewer.id } });
});

it.each(['', 'x', '00000000-0000-7000-8000-ffffffffffff', "' OR 1=1 //", '\u0000'])(
  'answers null for "%s"',
  async (id) => {
    expect(await client(freshName()).query(NODE, { id })).toEqual({ node: null });
  },
);

it('keeps the order of ids, with null for each that is not there', async () => {
  const ada = client(freshName('ada'));
  const viewer = await ada.one<{ id: string }>('{ viewer { id } }');
  const document = 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }';
  const nodes = await ada.one<unknown>(document, {
    ids: ['x', viewer.id, 'y', viewer.id],
  });
  expect(nodes).toEqual([null, { id: viewer.id }, null, { id: viewer.id }]);
  const { errors } = await ada.ask(document, { ids: Array.from({ length: 201 }, String) });
  expect(errors[0]?.extensions.code).toBe('BAD_USER_INPUT');
});
