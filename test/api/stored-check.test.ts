import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { client, freshName } from '../testkit/client.ts';
import { testGraph, writeCypher } from '../testkit/graph.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';

interface Invalid {
  readonly kind: string;
  readonly objectId: string;
  readonly ownerName: string;
  readonly problems: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: readonly string[];
  }[];
}
interface StoredCheck {
  readonly checked: number;
  readonly invalid: readonly Invalid[];
  readonly endCursor: string | null;
}
const CHECK = `query ($kind: StoredKind!, $first: Int, $after: String) {
  storedCheck(kind: $kind, first: $first, after: $after) {
    checked endCursor
    invalid { kind objectId name ownerName problems { code message path } }
  }
}`;
const root = client(freshName('root'), { role: 'admin' });
const name = freshName('ada');
const ada = client(name);
let rest: RestServer;
let graph: Graph;
beforeAll(async () => {
  rest = await openRestServer();
  graph = testGraph();
});
afterAll(async () => {
  rest.close();
  await graph.close();
});

/** All pages of so many objects. */
async function pagesOf(kind: string, first: number): Promise<StoredCheck[]> {
  const pages: StoredCheck[] = [];
  for (let after: string | null = null; ; ) {
    const page: StoredCheck = await root.one<StoredCheck>(CHECK, { kind, first, after });
    pages.push(page);
    if (page.endCursor === null) return pages;
    after = page.endCursor;
  }
}

it('admins read page by page which stored Tools and Processes would be refused', async () => {
  const world = await runWorld(ada, rest);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push(await world.createsProcess([{ stepId: 'greeting' }]));
  const [broken, , twice] = ids;
  // A later version may refuse what this one took; here the graph holds what it would not take.
  const set = (label: string, id: unknown, field: string, value: string) =>
    writeCypher(graph, `MATCH (n:${label} {id: $id}) SET n.${field} = $value`, { id, value });
  await set('Process', broken, 'outputTemplate', '{{nothing}}');
  await set('Process', twice, 'outputTemplate', '{{nothing}} {{nowhere}}');
  await set('Tool', world.toolId, 'outputSchema', '{"type":"of a later version"}');
  try {
    const pages = await pagesOf('PROCESS', 2);
    expect(pages.length).toBeGreaterThan(1);
    for (const { checked } of pages.slice(0, -1)) expect(checked).toBe(2);
    const found = pages.flatMap(({ invalid }) => invalid);
    const own = found.filter(({ objectId }) => ids.includes(objectId));
    const problems = own.map(({ objectId, ...one }) => [
      ids.indexOf(objectId),
      one.kind,
      one.ownerName,
      one.problems.map(({ code, path }) => `${code} ${path.join('.')}`),
    ]);
    const unknown = 'UNKNOWN_VARIABLE outputTemplate';
    expect(problems.toSorted()).toEqual([
      [0, 'PROCESS', name, [unknown]],
      [2, 'PROCESS', name, [unknown, unknown]],
    ]);
    expect(own[0]?.problems[0]?.message).toContain('nothing');
    const tools = (await pagesOf('TOOL', 200)).flatMap(({ invalid }) => invalid);
    const tool = tools.find(({ objectId }) => objectId === world.toolId);
    expect(tool?.problems.map(({ path }) => path[0])).toContain('outputSchema');
  } finally {
    for (const id of [broken, twice]) await set('Process', id, 'outputTemplate', '');
    await set('Tool', world.toolId, 'outputSchema', '{}');
  }
});

it('is refused for others, and for pages that are too long or no pages', async () => {
  const codes = async (who: typeof ada, variables: object) => {
    const { errors } = await who.ask(CHECK, { kind: 'TOOL', ...variables });
    return errors.map(({ extensions }) => [
      extensions.code,
      ...(extensions.problems ?? []).map(({ path }) => path.join('.')),
    ]);
  };
  expect(await codes(ada, {})).toEqual([['FORBIDDEN']]);
  expect((await codes(root, { first: 201 })).flat()).toContain('first');
  expect((await codes(root, { after: 'no cursor' })).flat()).toContain('after');
});
