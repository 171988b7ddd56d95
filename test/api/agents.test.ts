import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '../testkit/agents.ts';
import { freshName, client as signsIn } from '../testkit/client.ts';
import { openRestServer, type RestServer } from '../testkit/rest-server.ts';
import { runWorld } from '../testkit/run-world.ts';
import { talkWorld } from '../testkit/talk-world.ts';

// docs/decisions/0065 and 0066 over the public API.

let rest: RestServer;
beforeAll(async () => {
  rest = await openRestServer();
});
afterAll(() => rest.close());

const ROUNDS = `query ($id: ID!) { processRun(id: $id) { steps { stepId usage { llmCalls
  toolCalls } rounds {
  index text usage { llmCalls } toolCalls { stepId status inputs output } } } } }`;

interface Rounds {
  processRun: {
    steps: {
      stepId: string;
      usage: object;
      rounds: { index: number; text: string; toolCalls: { stepId: string }[] }[];
    }[];
  };
}

describe('an agent over the API', () => {
  it('shows its rounds, with the text, the calls and the usage of each', async () => {
    const ada = signsIn(freshName('ada'));
    const [world, talk] = await Promise.all([runWorld(ada, rest), talkWorld(ada)]);
    const speaker = await talk.speaker();
    const step = {
      stepId: 'answer',
      calls: { toolId: speaker.toolId },
      inputs: { messages: [{ role: 'user', content: 'Greet {context.name}' }] },
      tools: [{ toolId: world.toolId, name: 'greet' }],
      agent: { maxRounds: 4 },
    };
    const processId = await world.createsProcess([step], { outputTemplate: '{{answer}}' });
    speaker.says([
      { text: 'Let me greet.', ...calls(['greet', { name: 'Grace' }]) },
      { text: 'Greeted.' },
    ]);
    const id = await world.starts(processId);
    expect(await world.finishes(id)).toMatchObject({ status: 'COMPLETED', output: 'Greeted.' });
    const { processRun } = await ada.query<Rounds>(ROUNDS, { id });
    expect(processRun.steps).toMatchObject([
      {
        stepId: 'answer',
        usage: { llmCalls: 2, toolCalls: 1 },
        rounds: [
          {
            index: 1,
            text: 'Let me greet.',
            usage: { llmCalls: 1 },
            toolCalls: [
              { stepId: 'answer~1.0.greet', status: 'COMPLETED', inputs: { name: 'Grace' } },
            ],
          },
          { index: 2, text: 'Greeted.', toolCalls: [] },
        ],
      },
    ]);
    const events: { __typename: string; name?: string; content?: unknown }[] = [];
    for await (const { runEvents } of ada.subscribeSse<{ runEvents: (typeof events)[number] }>(
      `subscription ($runId: ID!) { runEvents(runId: $runId) { __typename
        ... on ToolCallEvent { name } ... on ToolResultEvent { name } ... on TextEvent { content
        } } }`,
      { runId: id },
    ))
      events.push(runEvents);
    expect(events.map(({ __typename }) => __typename)).toEqual([
      'HarnessStartEvent',
      'TextEvent',
      'ToolProgressEvent',
      'UsageEvent',
      'ToolCallEvent',
      'ToolResultEvent',
      'TextEvent',
      'UsageEvent',
      'HarnessEndEvent',
    ]);
    await talk.close();
  });
});
