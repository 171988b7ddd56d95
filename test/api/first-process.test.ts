import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  CreateProcessDocument,
  CreateServiceDocument,
  CreateToolDocument,
  FinishedRunDocument,
  RunChangesDocument,
  RunEventsDocument,
  StartProcessRunDocument,
} from '../generated/documents.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';

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

/** What the README has a newcomer paste: a Service, a Tool on it, a Process of two steps that greets somebody. */
async function createGreeting(ada: TestClient): Promise<string> {
  const { createService } = await ada.query(CreateServiceDocument, {
    input: {
      name: freshName('greetings'),
      type: 'REST_API',
      protocol: 'HTTP',
      connectionSchema: {
        type: 'object',
        properties: { endpoint: { type: 'string' } },
        required: ['endpoint'],
      },
      requiresSecret: false,
    },
  });
  expect(createService.userErrors).toEqual([]);

  const { createTool } = await ada.query(CreateToolDocument, {
    input: {
      name: freshName('echo'),
      serviceId: createService.service?.id ?? '',
      connectionParams: { endpoint: rest.origin },
      operation: {
        restCall: { method: 'POST', path: '/echo', body: { greeting: 'Hello, {{name}}' } },
      },
      inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      outputSchema: { type: 'object', required: ['body'] },
      mutating: false,
    },
  });
  expect(createTool.userErrors).toEqual([]);
  expect(createTool.tool?.operation.__typename).toBe('RestCallOperation');

  const toolId = createTool.tool?.id ?? '';
  const { createProcess } = await ada.query(CreateProcessDocument, {
    input: {
      name: freshName('greeting'),
      initialContext: ['name'],
      steps: [
        {
          stepId: 'greet',
          calls: { toolId },
          inputs: { name: '{context.name}' },
          output: { variable: 'first' },
        },
        {
          stepId: 'again',
          calls: { toolId },
          inputs: { name: '{step.first.body.greeting}!' },
          output: { variable: 'second' },
          dependsOn: ['greet'],
        },
      ],
      outputTemplate: '{{second.body.greeting}}',
    },
  });
  expect(createProcess.userErrors).toEqual([]);
  expect(createProcess.process).toMatchObject({
    version: 1,
    steps: [{ stepId: 'greet' }, { stepId: 'again' }],
  });
  return createProcess.process?.id ?? '';
}

async function start(ada: TestClient, processId: string): Promise<string> {
  const { startProcessRun } = await ada.query(StartProcessRunDocument, {
    input: { processId, context: { name: 'Grace' } },
  });
  expect(startProcessRun.userErrors).toEqual([]);
  return startProcessRun.run?.id ?? '';
}

// Issue 3, purpose: a newcomer creates a Service, a Tool and a Process, starts a run, and watches it happen.
describe('the first Process of a newcomer', () => {
  it.each(['subscribeSse', 'subscribeWs'] as const)(
    'runs and is watched to its end by %s',
    async (subscribe) => {
      const ada = client(freshName('ada'));
      const processId = await createGreeting(ada);
      const runId = await start(ada, processId);

      const events = (await collect(ada[subscribe](RunEventsDocument, { runId }))).map(
        ({ runEvents }) => runEvents,
      );
      expect(events.map(({ __typename }) => __typename)).toEqual([
        'HarnessStartEvent',
        'ToolCallEvent',
        'ToolResultEvent',
        'ToolCallEvent',
        'ToolResultEvent',
        'HarnessEndEvent',
      ]);
      expect(new Set(events.map((event) => event.cursor)).size).toBe(events.length);

      const { processRun } = await ada.query(FinishedRunDocument, { id: runId });
      expect(processRun).toMatchObject({
        status: 'COMPLETED',
        output: 'Hello, Hello, Grace!',
        error: null,
        process: { id: processId },
        steps: [
          { stepId: 'greet', status: 'COMPLETED', attempt: 1 },
          { stepId: 'again', status: 'COMPLETED', attempt: 1 },
        ],
        usage: { toolCalls: 2, llmCalls: 0 },
      });
    },
  );

  it('is watched again from the start, and from any cursor without a gap', async () => {
    const ada = client(freshName('ada'));
    const runId = await start(ada, await createGreeting(ada));
    const live = await collect(ada.subscribeSse(RunEventsDocument, { runId }));
    const again = await collect(ada.subscribeSse(RunEventsDocument, { runId }));
    expect(again).toEqual(live);
    const after = live[2]?.runEvents.cursor;
    expect(await collect(ada.subscribeSse(RunEventsDocument, { runId, after }))).toEqual(
      live.slice(3),
    );
  });

  it('shows each change of the run until it is over', async () => {
    const ada = client(freshName('ada'));
    const runId = await start(ada, await createGreeting(ada));
    const changes = await collect(ada.subscribeSse(RunChangesDocument, { id: runId }));
    expect(changes.at(-1)?.processRun).toMatchObject({
      status: 'COMPLETED',
      steps: [{ status: 'COMPLETED' }, { status: 'COMPLETED' }],
    });
  });

  it('is watched to its output, as the README says', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const [walk = ''] = readme.split('## A first Process')[1]?.split('\n## ') ?? [];
    const [subscription = ''] = /^subscription .*?(?=^```)/ms.exec(walk) ?? [];
    const ada = client(freshName('ada'));
    const runId = await start(ada, await createGreeting(ada));
    const answers = await collect(ada.subscribeSse(subscription.replace('RUN_ID', runId)));
    expect(answers.at(-1)).toEqual({
      processRun: { status: 'COMPLETED', output: 'Hello, Hello, Grace!', error: null },
    });
  });

  it('is looked for in GraphiQL, whose first tab holds a query that runs', async () => {
    const ada = client(freshName('ada'));
    await createGreeting(ada);
    const page = await (await fetch(ada.url, { headers: { accept: 'text/html' } })).text();
    const [, options = '{}'] =
      /renderYogaGraphiQL\(\s*window[^{]*?(\{.*\}),\s*\);\s*<\/script>/.exec(page) ?? [];
    const { defaultQuery } = z.object({ defaultQuery: z.string() }).parse(JSON.parse(options));
    expect(defaultQuery.match(/^#.*$/gm)).toHaveLength(2);
    expect(await ada.query(defaultQuery)).toMatchObject({
      viewer: { roles: ['USER'] },
      // Twenty of them: other tests share Processes with everybody, so Ada's may be further down.
      processes: {
        nodes: expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]),
      },
    });
  });

  it('is nothing to anybody else: not the run, not its events', async () => {
    const [ada, eve] = [client(freshName('ada')), client(freshName('eve'))];
    const processId = await createGreeting(ada);
    const runId = await start(ada, processId);
    expect(await eve.query(FinishedRunDocument, { id: runId })).toEqual({ processRun: null });
    const { startProcessRun } = await eve.query(StartProcessRunDocument, {
      input: { processId, context: { name: 'Eve' } },
    });
    expect(startProcessRun).toMatchObject({
      run: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['input', 'processId'] }],
    });
    const events = await collect(eve.subscribeSse(RunEventsDocument, { runId })).catch(
      (error: unknown) => String(error),
    );
    expect(JSON.stringify(events)).not.toContain('Hello');
    expect(JSON.stringify(events)).not.toContain('ToolCallEvent');
  });
});
