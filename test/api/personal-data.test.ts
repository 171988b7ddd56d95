import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTemporal, type TemporalClient } from '../../src/platform/temporal/client.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { testGraph } from '../testkit/graph.ts';
import { eventually } from '../testkit/outbox.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';
import { shipped } from '../testkit/shipped.ts';

// Everything of a user is gone after deleteMyData: graph, Temporal histories and blobs
// (docs/decisions/0038).

const graph = testGraph();
let rest: RestServer;
let temporal: TemporalClient;
beforeAll(async () => {
  rest = await openRestServer();
  temporal = openTemporal({ address: process.env['TEMPORAL_ADDRESS'] ?? '', namespace: 'default' });
});
afterAll(async () => {
  await Promise.all([rest.close(), temporal.close(), graph.close()]);
});

/** Runs, a conversation with an answer, a schedule, and a value too large for a property. */
async function lives(ada: TestClient, canary: string) {
  const viewer = await ada.one<{ id: string }>('{ viewer { id } }');
  const world = await runWorld(ada, rest);
  const processId = await world.createsProcess([{ stepId: 'a' }, { stepId: 'b' }]);
  const runIds = [
    await world.starts(processId, { context: { name: canary } }),
    await world.starts(processId, { context: { name: `${canary} ${'x'.repeat(300_000)}` } }),
  ];
  for (const id of runIds) expect((await world.finishes(id)).status).toBe('COMPLETED');
  const { run } = await ada.mutate<{ run: { id: string } | null }>(
    'sendMessage',
    {
      conversationId: await ada.creates('conversation'),
      processId: (await shipped(ada)).processId('chat'),
      content: `My boat is called ${canary}.`,
    },
    'run { id }',
  );
  expect((await world.finishes(run?.id ?? '')).status).toBe('COMPLETED');
  const nightly = { processId, cron: '0 3 * * *', context: { name: canary } };
  expect((await ada.mutate('createProcessSchedule', nightly)).userErrors).toEqual([]);
  return { userId: viewer.id, workflowIds: [...runIds, run?.id ?? ''] };
}

/** It reads each property of the whole database, so the test asks once. */
const MENTIONS = `// mentionsOf
  MATCH (n) WHERE any(key IN keys(n) WHERE any(text IN $texts WHERE
    toStringOrNull(n[key]) CONTAINS text))
  RETURN labels(n) AS labels, n.kind AS kind`;
const ENTITIES = `// entitiesOf
  MATCH (n:Entity) WHERE any(key IN keys(n) WHERE toStringOrNull(n[key]) CONTAINS $text)
  RETURN n.uuid AS uuid`;

async function historiesOf(ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    ids.map((id) =>
      temporal.client.workflow
        .getHandle(id)
        .describe()
        .then(
          () => [id],
          () => [],
        ),
    ),
  );
  return found.flat();
}

describe('deleteMyData', () => {
  it('leaves no node and no history of a user with runs, talks and schedules', async () => {
    const began = new Date(Date.now() - 60_000).toISOString();
    const account = freshName('leaver');
    // It has to read as a name, or nothing is read out of the message: with a vowel behind each
    // letter.
    const canary = freshName('Sea').replace(
      /[\da-f-]/g,
      (sign) => `${'bdfgklmnprstvwzj'[Number.parseInt(sign, 16)] ?? ''}a`,
    );
    const ada = client(account);
    const { userId, workflowIds } = await lives(ada, canary);
    expect(await historiesOf(workflowIds)).toEqual(workflowIds);
    // The facts of the message, too.
    await eventually('its facts are known', async () => {
      const named = await graph.read((tx) => tx.run(ENTITIES, { text: canary }));
      return named.length > 0;
    });

    const { request, userErrors } = await ada.mutate<{ request: { id: string } | null }>(
      'deleteMyData',
      { confirm: 'delete all my data' },
      'request { id }',
    );
    expect(userErrors).toEqual([]);
    const root = client(freshName('root'), { role: 'admin' });
    const isDone = async () => {
      const dataRequests = await root.one<{ id: string; status: string }[]>(
        '{ dataRequests { id status } }',
      );
      return dataRequests.find(({ id }) => id === request?.id)?.status === 'DONE';
    };
    // It begins a minute after its request.
    await expect.poll(isDone, { interval: 1_000, timeout: 300_000 }).toBe(true);
    const texts = [canary, userId];
    expect(await graph.read((tx) => tx.run(MENTIONS, { texts }))).toEqual([]);
    expect(await historiesOf(workflowIds)).toEqual([]);
    // Temporal lists a deleted execution a moment longer.
    await expect.poll(() => leftIn(temporal, userId, began), { interval: 500 }).toEqual([]);
  });
});

/** Workflows since then whose memo or id names the user. */
async function leftIn({ client: of }: TemporalClient, userId: string, since: string) {
  const left: string[] = [];
  const query = `StartTime >= "${since}"`;
  for await (const { workflowId, memo } of of.workflow.list({ query }))
    if (`${workflowId} ${JSON.stringify(memo ?? {})}`.includes(userId)) left.push(workflowId);
  return left;
}
