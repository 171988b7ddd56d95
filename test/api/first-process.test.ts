import { readFile } from 'node:fs/promises';
import { Kind, parse, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { SYSTEM_USER_ID } from '../../src/users/user.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';

let rest: RestServer;
beforeAll(async () => {
  rest = await openRestServer();
});
afterAll(() => rest.close());

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** As in the README: a Service, a Tool on it, and a run of a Process of two steps that greets. */
async function greets(ada: TestClient) {
  const world = await runWorld(ada, rest);
  const steps = [
    { stepId: 'greet', inputs: { name: 'Hello, {context.name}' }, output: { variable: 'first' } },
    {
      stepId: 'again',
      inputs: { name: 'Hello, {step.first.body.name}!' },
      output: { variable: 'second' },
      dependsOn: ['greet'],
    },
  ];
  const outputTemplate = '{{second.body.name}}';
  return world.starts(await world.createsProcess(steps, { outputTemplate }));
}

const GraphiqlOptions = z.object({
  title: z.string(),
  logo: z.string(),
  defaultTabs: z.array(z.object({ query: z.string(), variables: z.string() })).length(3),
});

/**
 * Runs the operations of a tab by name. Ids of the answers become variables, as a newcomer copies
 * them.
 */
function walkOf(ada: TestClient) {
  return (tab: { query: string; variables: string }) => {
    // The shared app's model server has a port of its own.
    const port = process.env['AIDEN_TEST_LOCAL_LLM_PORT'] ?? '';
    const query = tab.query.replace(':11500/', `:${port}/`);
    const values: Record<string, unknown> = JSON.parse(tab.variables);
    const operations = parse(query).definitions.filter(
      (definition) => definition.kind === Kind.OPERATION_DEFINITION,
    );
    return async (operationName: string): Promise<unknown> => {
      const operation = operations.find(({ name }) => name?.value === operationName);
      if (operation === undefined) throw new Error(`The tab has no operation ${operationName}.`);
      const names = operation.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
      const used = Object.fromEntries(names.map((name) => [name, values[name]]));
      if (operation.operation === 'subscription')
        return (await collect(ada.subscribeSse(print(operation), used))).at(-1);
      const answer: Record<string, unknown> = await ada.query(print(operation), used);
      expect(JSON.stringify(answer)).not.toContain('"userErrors":[{');
      for (const payload of Object.values(answer))
        for (const [kind, made] of Object.entries(payload ?? {})) {
          const { data } = Made.safeParse(made);
          if (data !== undefined) values[`${kind}Id`] = data.id;
        }
      const listed = Listed.safeParse(answer).data?.processes.nodes ?? [];
      const wanted = operationName === 'FindTour' ? 'tour' : 'chat';
      const found = listed.find(
        ({ name, owner }) => name === wanted && owner.id === SYSTEM_USER_ID,
      );
      if (found !== undefined) values['processId'] = found.id;
      return answer;
    };
  };
}
const Made = z.object({ id: z.string() });
const Listed = z.object({
  processes: z.object({
    nodes: z.array(
      z.object({ id: z.string(), name: z.string(), owner: z.object({ id: z.string() }) }),
    ),
  }),
});

// Issue 3, purpose: a newcomer creates a Service, a Tool and a Process, starts a run, and watches
// it happen.
describe('the first Process of a newcomer', () => {
  it('is watched to its output, as the README says', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const [walk = ''] = readme.split('## A first Process')[1]?.split('\n## ') ?? [];
    const [subscription = ''] = /^subscription .*?(?=^```)/ms.exec(walk) ?? [];
    const ada = client(freshName('ada'));
    const runId = await greets(ada);
    const answers = await collect(ada.subscribeSse(subscription.replace('RUN_ID', runId)));
    expect(answers.at(-1)).toEqual({
      processRun: { status: 'COMPLETED', output: 'Hello, Hello, Grace!', error: null },
    });
  });

  it('is made in GraphiQL, as are the tour and a chat, by tabs of our own words', async () => {
    const ada = client(freshName('ada'));
    const page = await (await fetch(ada.url, { headers: { accept: 'text/html' } })).text();
    const [, text = '{}'] =
      /renderYogaGraphiQL\(\s*window[^{]*?(\{.*\}),\s*\);\s*<\/script>/.exec(page) ?? [];
    const options = GraphiqlOptions.parse(JSON.parse(text));
    expect(options).toMatchObject({ title: 'Aiden', logo: expect.stringContaining('<svg') });
    expect(text).not.toMatch(/yoga|graphiql/i);

    const [tour, chat, first] = options.defaultTabs.map(walkOf(ada));
    expect(await tour?.('FindTour')).toMatchObject({ viewer: { roles: ['USER'] } });
    await tour?.('RunTour');
    const watched = await tour?.('WatchTour');
    expect(watched).toMatchObject({ processRun: { status: 'COMPLETED', error: null } });

    for (const name of ['FindChat', 'StartConversation', 'Say']) await chat?.(name);
    await expect
      .poll(async () => JSON.stringify(await chat?.('ReadConversation')), { interval: 500 })
      .toMatch(/"speaker":"AGENT","content":"[^"]*Turin/);

    for (const name of ['MakeService', 'MakeTool', 'MakeProcess', 'RunProcess'])
      await first?.(name);
    expect(await first?.('WatchRun')).toMatchObject({
      processRun: { status: 'COMPLETED', output: expect.stringMatching(/^In short: Marie Curie/) },
    });
  });
});
