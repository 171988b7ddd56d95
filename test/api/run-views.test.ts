import { expect, it } from 'vitest';
import { settled, startRun } from '../browser/tour-data.ts';
import { client, freshName } from '../testkit/client.ts';
import { shipped } from '../testkit/shipped.ts';

interface Step {
  readonly id: string;
  readonly stepId: string;
  readonly prompt: { readonly role: string; readonly content: string }[] | null;
}

it('gives the messages that a step sent to its model, to the owner of the run only', async () => {
  const ada = client(freshName('ada'));
  const { toolId, processId } = await shipped(ada);
  const id = await ada.creates('process', {
    initialContext: ['text'],
    steps: [
      {
        stepId: 'gist',
        calls: { toolId: toolId('summarise text') },
        inputs: { text: '{context.text}', sentences: 1 },
        output: { variable: 'gist' },
      },
      {
        stepId: 'part',
        calls: { processId: processId('tour of one paragraph') },
        inputs: { paragraph: '{step.gist}' },
        output: { variable: 'part' },
      },
    ],
    outputTemplate: '{{part}}',
  });
  const runId = await startRun(ada, id, { text: 'Water boils at 100 degrees.' });
  expect(await settled(ada, runId)).toBe('COMPLETED');
  const processRun = await ada.one<{ steps: Step[] }>(
    `query ($runId: ID!) { processRun(id: $runId) { steps { id stepId prompt { role content } }
      } }`,
    { runId },
  );
  const [gist, part] = processRun.steps;
  expect(gist?.prompt?.map(({ role }) => role)).toEqual(['SYSTEM', 'USER']);
  expect(gist?.prompt?.[1]?.content).toContain('Summarise in 1 sentence');
  expect(gist?.prompt?.[1]?.content).toContain('Water boils at 100 degrees.');
  expect(part?.prompt).toBeNull();

  const eve = client(freshName('eve'));
  const node = await eve.find<object | null>(
    'node',
    gist?.id,
    '... on StepRun { prompt { content } }',
  );
  expect(node).toBeNull();
});

it('lists root runs only on demand, and leads to Temporal where its web UI is known', async () => {
  const ada = client(freshName('ada'));
  const { processId } = await shipped(ada);
  const runId = await startRun(ada, processId('tour'), {
    title: 'Water',
    text: 'Water boils at 100 degrees.\n\nIce melts at 0 degrees.',
    question: 'When does ice melt?',
  });
  expect(await settled(ada, runId)).toBe('COMPLETED');
  const { all, roots } = await ada.query<{
    all: { totalCount: number };
    roots: { totalCount: number; nodes: { id: string; temporalUrl: string | null }[] };
  }>(
    `{ all: processRuns { totalCount } roots: processRuns(rootsOnly: true) { totalCount nodes {
      id temporalUrl } } }`,
  );
  expect(all.totalCount).toBe(3);
  expect(roots.totalCount).toBe(1);
  const ui = process.env['TEMPORAL_UI'];
  const [root] = roots.nodes;
  if (ui === undefined) expect(root?.temporalUrl).toBeNull();
  else
    expect(root?.temporalUrl).toMatch(
      new RegExp(`^${ui}/namespaces/default/workflows/${runId}/[0-9a-f-]{36}/history$`),
    );
});
