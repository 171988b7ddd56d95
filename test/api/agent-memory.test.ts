import { expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { eventually } from '../testkit/outbox.ts';
import { ingests, said } from '../testkit/recall-events.ts';

const NODE = 'nodeId version bullets { text grips { gripId excerpt source } }';
interface Node {
  readonly nodeId: string;
  readonly version: number;
  readonly bullets: readonly {
    text: string;
    grips: readonly { gripId: string; excerpt: string; source: string }[];
  }[];
}

/** Until the year has been summed up from this many days. */
const settled = (ada: ReturnType<typeof client>, check: (nodes: Node[]) => boolean) =>
  eventually('it is summed up', async () => {
    const tocRoot = await ada.one<Node[]>(`{ tocRoot { ${NODE} } }`);
    return check(tocRoot) && tocRoot;
  });

it('new events are summed up at once by the shipped Process (S2-TOC-07, S2-GRIP-04)', async () => {
  const ada = client(freshName('ada'));
  const text =
    'Marie Curie was born in Warsaw in 1867. She moved to Paris. She won two Nobel prizes.';
  // Long enough for a model: shorter segments are quoted (setting summaryTokensMin).
  const notes = Array.from(
    { length: 45 },
    (_, day) => `On day ${day + 1} the laboratory measured ${day + 3} grams of pitchblende.`,
  );
  const events = [
    said('2024-01-15T09:00', text),
    said('2024-01-15T09:01', `Radium was found in 1898. ${notes.join(' ')}`),
    said('2024-01-15T09:02', 'It glows.', { role: 'ASSISTANT', eventType: 'ASSISTANT_MESSAGE' }),
  ];
  expect(await ingests(ada, events)).toEqual({ created: 3, duplicates: 0 });
  const [year] = await settled(ada, (nodes) => nodes.length > 0);
  expect(year?.nodeId).toBe('toc:year:2024');
  const said1 = events.map((event) => event.text).join('\n');
  for (const { grips } of year?.bullets ?? []) {
    expect(grips[0]?.source).toBe('year_rollup');
    expect(said1).toContain(grips[0]?.excerpt);
  }
  expect(year?.bullets.length).toBeGreaterThan(0);
  // The model sums up a batch once no further one has come for some seconds.
  const runsOf = () =>
    ada.query<{
      processRuns: { nodes: { status: string; origin: string; workFor: object }[] };
      own: { totalCount: number };
    }>(`{ processRuns(includeSystem: true) { nodes { process { name } status origin workFor {
      kind targetId name } } }
      own: processRuns { totalCount } }`);
  await expect
    .poll(async () => (await runsOf()).processRuns.nodes.map(({ status }) => status), {
      timeout: 180_000,
    })
    .toContain('COMPLETED');
  const { processRuns, own } = await runsOf();
  expect(own.totalCount).toBe(0);
  expect(processRuns.nodes).toContainEqual({
    process: { name: 'summarise memory' },
    status: 'COMPLETED',
    origin: 'SYSTEM',
    workFor: {
      kind: 'TOC_NODE',
      targetId: expect.stringMatching(/^toc:segment:2024-01-15:/),
      name: '09:00-09:02',
    },
  });
  // Once more is no news.
  expect(await ingests(ada, events)).toEqual({ created: 0, duplicates: 3 });
  await ingests(ada, [said('2024-01-16T09:00', 'The next day it rained.')]);
  const [later] = await settled(ada, ([node]) => JSON.stringify(node).includes('rained'));
  expect(later?.version).toBeGreaterThan(1);
  // No other user sees any of it.
  const bob = client(freshName('bob'));
  const gripId = year?.bullets[0]?.grips[0]?.gripId;
  expect(
    await bob.query(
      'query ($gripId: ID!) { tocRoot { nodeId } expandGrip(gripId: $gripId) { grip { gripId } } }',
      { gripId },
    ),
  ).toEqual({ tocRoot: [], expandGrip: null });
});
