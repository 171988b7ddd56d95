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

  // The same runs in figures: one root, whose two sub-runs are of a Process of their own.
  const figures = `{ runTimes { processCount total { runs failedRuns p50Seconds tokens }
    processes { process { name } times { runs p99Seconds } } } }`;
  const { processCount, total, processes } = await ada.one<Figures>(figures);
  expect(processCount).toBe(2);
  expect(total).toMatchObject({ runs: 1, failedRuns: 0 });
  expect(total.p50Seconds).toBeGreaterThan(0);
  expect(total.tokens).toBeGreaterThan(0);
  const byName = processes.map(({ process, times }) => [process?.name, times.runs]);
  expect(byName.toSorted()).toEqual([
    ['tour of one paragraph', 2],
    ['tour', 1],
  ]);
  const eve = client(freshName('eve'));
  expect((await eve.one<Figures>(figures)).processCount).toBe(0);
  const refused = async (args: string) => {
    const { errors } = await eve.ask(`{ runTimes(${args}) { processCount } }`);
    return errors[0]?.extensions.problems?.map(({ code, path }) => [code, ...path]);
  };
  expect(await refused('ofEveryone: true')).toEqual([['FORBIDDEN', 'ofEveryone']]);
  expect(await refused('first: 0, bucketSeconds: 1')).toEqual([
    ['INVALID', 'bucketSeconds'],
    ['INVALID', 'first'],
  ]);
});

interface Figures {
  readonly processCount: number;
  readonly total: {
    readonly runs: number;
    readonly failedRuns: number;
    readonly p50Seconds: number;
    readonly tokens: number;
  };
  readonly processes: readonly {
    readonly process: { readonly name: string } | null;
    readonly times: { readonly runs: number; readonly p99Seconds: number };
  }[];
}
