import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  type CursoredEvent,
  createGraph,
  follow,
  listGraph,
  type RunEvent,
  type RunEventSource,
  reduceEvent,
  SubscriptionRefused,
} from '../../packages/client/src/conversation-graph/index.ts';
import { fromGraphQL } from '../../packages/client/src/conversation-graph/run-event.ts';
import { connect } from '../../packages/client/src/live/subscription.ts';
import { calls, ends, gives, says, starts, usage } from '../testkit/graph-events.ts';

const TOLD: readonly RunEvent[] = [
  starts('r'),
  says('t', 'r', 'one '),
  says('t', 'r', 'two '),
  calls('c', 'r'),
  starts('s', 'c', 'b'),
  says('t2', 's', 'inner'),
  ends('s', 'b'),
  gives('c', 'r', 'n', 1),
  usage('r', 1, 2),
  says('t', 'r', 'three'),
  ends('r'),
];
const LOG: readonly CursoredEvent[] = TOLD.map((event, index) => ({
  ...event,
  cursor: `c${index}`,
}));
const whole = listGraph(TOLD.reduce(reduceEvent, createGraph()));
const noPause = { pauseMs: () => 0 };

/**
 * A server whose connections break: connection n tells `plan[n]` events, then throws or ends early;
 * the last holds.
 */
function breaking(
  plan: readonly {
    readonly events: number;
    readonly overlap: number;
    readonly how: 'throws' | 'ends';
  }[],
): RunEventSource & { afters: (string | null)[] } {
  const afters: (string | null)[] = [];
  return {
    afters,
    async *events(after) {
      const step = plan[afters.length];
      afters.push(after);
      const start = after === null ? 0 : LOG.findIndex(({ cursor }) => cursor === after) + 1;
      const from = Math.max(0, start - (step?.overlap ?? 0));
      yield* LOG.slice(from, step === undefined ? undefined : start + step.events);
      if (step?.how === 'throws') throw new Error('socket hang up');
    },
  };
}

describe('following a run (S1-PERSIST-01, S1-PERSIST-02)', () => {
  it('gives the graph of the run however connections break or events come twice', async () => {
    const plan = fc.array(
      fc.record({
        events: fc.integer({ min: 1, max: 5 }),
        overlap: fc.nat(4),
        how: fc.constantFrom('throws' as const, 'ends' as const),
      }),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(plan, async (steps) => {
        const source = breaking(steps);
        const feed = follow(source, 'r', noPause);
        expect(listGraph(await feed.done)).toEqual(whole);
        expect(feed.cursor).toBe('c10');
        expect(source.afters[0]).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it('tells of every event and every drop', async () => {
    const sizes: number[] = [];
    const drops: unknown[] = [];
    const source = breaking([{ events: 3, overlap: 0, how: 'throws' }]);
    await follow(source, 'r', {
      ...noPause,
      onGraph: ({ nodes }) => sizes.push(nodes.size),
      onDrop: (error) => drops.push(error),
    }).done;
    expect(sizes).toHaveLength(LOG.length);
    expect(drops).toHaveLength(1);
    expect(source.afters).toEqual([null, 'c2']);
  });

  it('gives up when no connection brings anything any more', async () => {
    const feed = follow(
      {
        events() {
          throw new Error('refused');
        },
      },
      'r',
      { ...noPause, attemptsMax: 3 },
    );
    await expect(feed.done).rejects.toThrow('refused');
  });

  it('stops at once when closed, also while it waits', async () => {
    let returned = false;
    const silent: RunEventSource = {
      events: () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => new Promise<never>(() => {}),
          return: async () => {
            returned = true;
            return { done: true as const, value: undefined };
          },
        }),
      }),
    };
    const feed = follow(silent, 'r', noPause);
    feed.close();
    expect((await feed.done).nodes.size).toBe(0);
    expect(returned).toBe(true);
  });
});

describe('connecting a GraphQL client', () => {
  const told = (type: string, runId: string, id: string, cursor: string, fields: object = {}) => ({
    ...{ __typename: `${type}Event`, id, runId, parentId: null, cursor, at: 'now', ...fields },
  });
  const answers = [
    told('HarnessStart', 'r', 'r:harness_start', '1', { agentId: 'a' }),
    told('Future', 'r', 'f', '2'),
    told('ToolProgress', 'r', 'p', '3', { callId: 'c', name: 'n', progress: null }),
    told('User', 'v', 'u', '4', { said: 'hi' }),
    told('HarnessEnd', 'r', 'r:harness_end', '5', { agentId: 'a' }),
  ];

  it('names nodes by callId, textId and approvalId, not by the id of events (S1-ID-01, 02)', () => {
    const event = (type: string, fields: object) =>
      fromGraphQL({ __typename: type, id: 'e', runId: 'r', cursor: '1', ...fields });
    expect(event('ToolCallEvent', { callId: 'c', name: 'n', input: 1 })).toMatchObject({ id: 'c' });
    expect(event('ToolResultEvent', { callId: 'c', name: 'n', output: 1 })).toMatchObject({
      id: 'c',
    });
    expect(event('TextEvent', { textId: 't', content: 'x' })).toMatchObject({ id: 't' });
    expect(event('RelayEvent', { approvalId: 'a', callId: 'c', params: {} })).toMatchObject({
      id: 'a',
      toolCallId: 'c',
    });
  });

  it('asks with run and cursor, and reads its answers', async () => {
    const asked: unknown[] = [];
    const feed = connect(
      {
        async *iterate({ query, variables }) {
          expect(query).toMatch(/^subscription RunEvents/);
          asked.push(variables);
          for (const runEvents of answers) yield { data: { runEvents } };
        },
      },
      'r',
    );
    const graph = await feed.done;
    expect(asked).toEqual([{ runId: 'r', after: null }]);
    expect([...graph.nodes.keys()]).toEqual(['r:harness_start', 'p', 'v:user', 'r:harness_end']);
    expect(graph.nodes.get('p')).toEqual({
      id: 'p',
      runId: 'r',
      kind: 'tool_progress',
      toolCallId: 'c',
      name: 'n',
      content: null,
    });
  });

  it('asks for fields that the schema has', async () => {
    const schema = buildSchema(
      readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'),
    );
    let asked = '';
    const client = {
      async *iterate({ query }: { query: string }) {
        asked = query;
        yield { data: null, errors: [{ message: 'enough' }] };
      },
    };
    await connect(client, 'r', noPause).done.catch(() => {});
    expect(validate(schema, parse(asked)).map(({ message }) => message)).toEqual([]);
  });

  it('does not ask again after a refusal', async () => {
    let asked = 0;
    const feed = connect(
      {
        async *iterate() {
          asked++;
          yield {
            data: null,
            errors: [{ message: 'No run with this id.', extensions: { code: 'NOT_FOUND' } }],
          };
        },
      },
      'r',
      noPause,
    );
    await expect(feed.done).rejects.toThrow(SubscriptionRefused);
    expect(asked).toBe(1);
  });
});
