import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimEventLabels } from '../../src/session-graph/events/event-label.cypher.ts';
import { recordSessionEvents } from '../../src/session-graph/events/raw-event.mutations.ts';
import type { SessionEventInput } from '../../src/session-graph/events/raw-event.ts';
import type { Viewer } from '../../src/users/user.ts';
import { runCypher, writeWith } from '../testkit/graph.ts';
import { event, moment, rawGraph, streamDeps } from '../testkit/streams.ts';
import { newViewer, refuses, worldDeps } from '../testkit/world.ts';

const deps = streamDeps();
const user = (name = 'ada') => newViewer(worldDeps(), name);
const [ada, bob] = await Promise.all([user('ada'), user('bob')]);

const records = (viewer: Viewer, ...events: SessionEventInput[]) =>
  recordSessionEvents(deps, viewer, events);
const problemsOf = (answer: Awaited<ReturnType<typeof records>>) =>
  answer.problems.map(({ code, path }) => `${code} ${path.join('.')}`);
const ask = (cypher: string, params: object = {}) =>
  runCypher(deps.graph, `${cypher}`, params as Record<string, unknown>);

const S = 'f881e0a0-c055-4ee4-84ed-ff44703150ea';
const CHILD = 'a1b2c3d4-e5f6-7890-abcd-ef1234567890_foundation:explorer';

/** The session of the document's examples: a prompt, a tool call, a forked session, an end. */
function exampleSession(): SessionEventInput[] {
  return [
    event(S, 'session:start', { session_id: S, parent_id: null }, -1_000),
    event(S, 'prompt:submit', { prompt: 'Look around.' }, -500),
    event(S, 'tool:pre', { tool_name: 'bash', tool_call_id: 'call_abc123', tool_input: { c: 1 } }),
    event(S, 'tool:post', { tool_name: 'bash', tool_call_id: 'call_abc123', result: 'ok' }, 250),
    event(CHILD, 'session:fork', { parent: S, metadata: { agent_name: 'explorer' } }, 300),
    event(CHILD, 'artifact:write', { path: 'a.md', bytes: 12 }, 400),
    event(S, 'session:end', { status: 'completed' }, 900),
  ];
}

describe('the golden graph of the examples', () => {
  // S0-NODE-01, -02, -03, -04, -05, S0-EDGE-01, -02, -03, -04, -05, S0-ID-01, -02, -03, -05, -06,
  // S0-WS-01: other tests record the same session in workspaces of their own.
  it('is this, to the letter', async () => {
    const me = await user();
    const expected = { recorded: 7, duplicates: 0, problems: [] };
    expect(await records(me, ...exampleSession())).toEqual(expected);
    const { nodes, edges } = await rawGraph(me.workspace);
    const call = `${S}__tool_call__call_abc123`;
    const of = (session: string, name: string, ms: string) => `${session}__${name}__17420185${ms}`;
    const [pre, post] = ['tool_pre__1742018545123', 'tool_post__1742018545373'].map(
      (name) => `${S}__${name}__call_abc123`,
    );
    const events = {
      [of(S, 'prompt_submit', '44623')]: 'Event PromptEvent PromptSubmitEvent',
      [of(S, 'session_end', '46023')]: 'Event SessionEndEvent SessionEvent',
      [of(S, 'session_start', '44123')]: 'Event SessionEvent SessionStartEvent',
      [String(post)]: 'Event ToolEvent ToolPostEvent',
      [String(pre)]: 'Event ToolEvent ToolPreEvent',
      [of(CHILD, 'artifact_write', '45523')]: 'ArtifactEvent ArtifactWriteEvent Event',
      [of(CHILD, 'session_fork', '45423')]: 'Event SessionEvent SessionForkEvent',
    };
    const others = {
      [S]: 'RootSession Session',
      [call]: 'ToolCall',
      [CHILD]: 'ForkedSession Session',
    };
    expect(nodes.map(({ id, labels }) => [id, ...(labels as string[])].join(' '))).toEqual(
      Object.entries({ ...events, ...others })
        .map(([id, labels]) => `${id} ${labels}`)
        .sort(),
    );
    expect(edges).toEqual(
      [
        `${S} HAS_FORK ${CHILD}`,
        `${S} HAS_TOOL_CALL ${call}`,
        `${call} HAS_EVENT ${post}`,
        `${call} HAS_EVENT ${pre}`,
        ...Object.keys(events).map((id) => `${id.startsWith(CHILD) ? CHILD : S} HAS_EVENT ${id}`),
      ].sort(),
    );
    const props = Object.fromEntries(nodes.map(({ id, props }) => [id, props]));
    // S0-TC-01, S0-TC-02
    expect(props[call]).toEqual({
      node_id: call,
      session_id: S,
      tool_call_id: 'call_abc123',
      tool_name: 'bash',
      started_at: moment(),
      ended_at: moment(250),
    });
    expect(props[S]).toMatchObject({ started_at: moment(-1_000), ended_at: moment(900) });
    expect(props[String(pre)]).toEqual({
      node_id: pre,
      session_id: S,
      event_name: 'tool:pre',
      occurred_at: moment(),
      tool_name: 'bash',
      tool_call_id: 'call_abc123',
      tool_input: '{"c":1}',
      data: '{"tool_name":"bash","tool_call_id":"call_abc123","tool_input":{"c":1}}',
      content_hash: expect.any(String) as string,
    });
  });
});

// A small world of events in which no two differ under one id, so that only their order is random.
const sessions = ['root', 'aa-bb_agent', 'cc-dd_agent'];
const anyEvent = fc
  .record({
    sessionId: fc.constantFrom(...sessions),
    name: fc.constantFrom(
      ...['start', 'fork', 'end', 'resume'].map((name) => `session:${name}`),
      ...['pre', 'post', 'error'].map((name) => `tool:${name}`),
      ...['llm:request', 'note'],
    ),
    laterMs: fc.integer({ min: 0, max: 5_000 }),
    call: fc.constantFrom('c1', 'c2', null),
  })
  .map(({ sessionId, name, laterMs, call }) => {
    const isFork = name === 'session:fork' && sessionId !== 'root';
    return event(
      sessionId,
      name === 'session:fork' && !isFork ? 'session:start' : name,
      {
        ...(isFork ? { parent: 'root' } : {}),
        ...(name.startsWith('tool:') ? { tool_call_id: call, tool_name: `t${laterMs}` } : {}),
        ...(name === 'session:end' ? { status: `s${laterMs}` } : {}),
      },
      laterMs,
    );
  });

describe('the same events', () => {
  // S0-NODE-02, S0-TC-02, S0-LIFT-10
  it('make one graph in any order, any batches, fed twice', async () => {
    const keyOf = ({ sessionId, name, timestamp, data }: SessionEventInput) =>
      `${sessionId} ${name} ${timestamp} ${String(data['tool_call_id'])}`;
    const twoOrders = fc.uniqueArray(anyEvent, { maxLength: 25, selector: keyOf }).chain((events) =>
      fc.record({
        events: fc.constant(events),
        shuffled: fc.shuffledSubarray(events, { minLength: events.length }),
        cut: fc.nat({ max: events.length }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(twoOrders, async ({ events, shuffled, cut }) => {
        const [first, second] = await Promise.all([user(), user()]);
        expect(await records(first, ...events)).toMatchObject({ recorded: events.length });
        await records(second, ...shuffled.slice(0, cut));
        await records(second, ...shuffled.slice(cut));
        const again = await records(second, ...shuffled);
        expect(again).toEqual({ recorded: 0, duplicates: events.length, problems: [] });
        expect(await rawGraph(second.workspace)).toEqual(await rawGraph(first.workspace));
      }),
      { numRuns: 8 },
    );
  });

  it('written by two at once are there once', async () => {
    const me = await user();
    const batch = Array.from({ length: 200 }, (_, n) => {
      const name = n % 2 === 0 ? 'tool:pre' : 'tool:post';
      return event(`s${n % 3}`, name, { tool_call_id: `c${n >> 1}` }, n);
    });
    const answers = await Promise.all([records(me, ...batch), records(me, ...batch.toReversed())]);
    expect(answers.reduce((sum, { recorded }) => sum + recorded, 0)).toBe(200);
    expect(answers.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(200);
    const { nodes, edges } = await rawGraph(me.workspace);
    expect(nodes.filter(({ labels }) => (labels as string[]).includes('Event'))).toHaveLength(200);
    expect(new Set(edges).size).toBe(edges.length);
  });

  it('cost as many statements for 100 as for ten', async () => {
    const me = await user();
    const batch = (count: number, from: number) =>
      Array.from({ length: count }, (_, index) =>
        event(`s${index % 5}`, 'tool:pre', { tool_call_id: `c${from + index}` }, from + index),
      );
    const few = await deps.graph.counting(() => records(me, ...batch(10, 0)));
    const many = await deps.graph.counting(() => records(me, ...batch(100, 10)));
    expect(many.value.recorded).toBe(100);
    expect(many.statements.length).toBe(few.statements.length);
    expect(many.statements.length).toBeLessThanOrEqual(6);
  });
});

it('S0-ID-05: events of one name and millisecond differ by tool call or payload', async () => {
  const me = await user();
  const pre = (id: string) => event('t', 'tool:pre', { tool_call_id: id });
  expect(await records(me, pre('one'), pre('two'))).toMatchObject({ recorded: 2 });
  // Others are kept as __2 and on; the same payload is a duplicate.
  const says = (text: string) => event('s', 'llm:response', { text });
  const first = await records(me, says('a'), says('b'), says('a'));
  expect(first).toMatchObject({ recorded: 2, duplicates: 1 });
  expect(await records(me, says('b'), says('c'))).toMatchObject({ recorded: 1, duplicates: 1 });
  const ids = (await rawGraph(me.workspace)).nodes.map(({ id }) => String(id));
  const base = 's__llm_response__1742018545123';
  const expected = ['s', base, `${base}__2`, `${base}__3`];
  expect(ids.filter((id) => id.startsWith('s'))).toEqual(expected);
});

describe('a tool call', () => {
  it('S0-NODE-04, S0-EDGE-03, -05: is made by tool:pre, with an end that came before', async () => {
    const me = await user();
    await records(me, event('s', 'tool:post', { tool_call_id: 'c', tool_name: 'late' }, 500));
    expect((await rawGraph(me.workspace)).nodes.map(({ labels }) => labels)).not.toContainEqual([
      'ToolCall',
    ]);
    await records(me, event('s', 'tool:pre', { tool_call_id: 'c', tool_name: 'bash' }));
    const { nodes, edges } = await rawGraph(me.workspace);
    expect(nodes.find(({ id }) => id === 's__tool_call__c')).toMatchObject({
      labels: ['ToolCall'],
      props: { tool_name: 'bash', started_at: moment(), ended_at: moment(500) },
    });
    expect(edges.filter((edge) => edge.startsWith('s__tool_call__c HAS_EVENT'))).toHaveLength(2);
  });

  // S0-TC-01, -02
  it('that only began has no end, one of several a group, one without id no node', async () => {
    const me = await user();
    await records(
      me,
      event('s', 'tool:pre', { tool_call_id: 'alone', parallel_group_id: null }),
      event('s', 'tool:pre', { tool_call_id: 'many', parallel_group_id: 'g' }),
      event('s', 'tool:pre', { tool_name: 'bash' }),
    );
    const { nodes } = await rawGraph(me.workspace);
    const calls = nodes.filter(({ id }) => String(id).startsWith('s__tool_call__'));
    const [alone, many, ...others] = calls.map(({ props }) => props as object);
    const expected = ['node_id', 'session_id', 'started_at', 'tool_call_id'];
    expect(Object.keys(alone ?? {}).sort()).toEqual(expected);
    expect(many).toMatchObject({ parallel_group_id: 'g' });
    expect(others).toEqual([]);
  });
});

describe('a session', () => {
  it('S0-NODE-03: with a parent is no root, and forked once its fork is known', async () => {
    const me = await user();
    const labels = async () => {
      const { nodes } = await rawGraph(me.workspace);
      return Object.fromEntries(
        nodes
          .filter((node) => (node['labels'] as string[]).includes('Session'))
          .map((node) => [node['id'], node['labels']]),
      );
    };
    await records(me, event('aa-bb_x', 'session:start', { parent_id: 'top' }));
    expect(await labels()).toEqual({ 'aa-bb_x': ['Session'] });
    await records(me, event('aa-bb_x', 'session:fork', { parent: 'top' }));
    const expected = { 'aa-bb_x': ['ForkedSession', 'Session'], top: ['RootSession', 'Session'] };
    expect(await labels()).toEqual(expected);
    await records(me, event('top', 'session:start', {}, -100));
    expect((await labels())['top']).toEqual(['RootSession', 'Session']);
  });

  it('has one parent: another fork of it is refused', async () => {
    const me = await user();
    await records(me, event('aa-bb_x', 'session:fork', { parent: 'one' }));
    const answer = await records(
      me,
      event('aa-bb_x', 'session:fork', { parent: 'two' }, 5),
      event('aa-bb_x', 'session:fork', { parent: 'one' }, 6),
    );
    expect(problemsOf(answer)).toEqual(['CONFLICT 0.data.parent']);
    expect(answer.recorded).toBe(1);
  });
});

describe('a wrong event is reported by its index, and the rest is written', () => {
  it('for each fault', async () => {
    const faults: readonly [Partial<SessionEventInput>, string][] = [
      ...['tool:pre`) DETACH DELETE (n', 'tool pre', 'a"b', '', 'tööl:pre', 'a'.repeat(129)].map(
        (name): [Partial<SessionEventInput>, string] => [{ name }, 'INVALID name'],
      ),
      ...['', 'yesterday', '2025-03-15T06:02:25', '2025-02-30T06:02:25Z', '1742018545123'].map(
        (timestamp): [Partial<SessionEventInput>, string] => [{ timestamp }, 'INVALID timestamp'],
      ),
      [{ sessionId: '../../etc' }, 'INVALID sessionId'],
      [{ name: 'tool:pre', data: { tool_call_id: 7 } }, 'INVALID data.tool_call_id'],
      [{ name: 'tool:pre', data: { tool_name: {} } }, 'INVALID data.tool_name'],
      [{ name: 'session:fork', data: {} }, 'REQUIRED data.parent'],
      [{ name: 'session:fork', data: { parent: 'bad' } }, 'INVALID data.parent'],
      [{ data: { text: 'x'.repeat(20_000_000) } }, 'TOO_LARGE data'],
    ];
    const me = await user();
    const events = faults.map(([change]) => ({ ...event('bad', 'note'), ...change }));
    const good = [event('good', 'note'), event('good', 'note', {}, 1)];
    const answer = await records(me, ...events.slice(0, 3), ...good, ...events.slice(3));
    const expected = faults.map(([, said], n) => said.replace(' ', ` ${n < 3 ? n : n + 2}.`));
    expect(problemsOf(answer)).toEqual(expected);
    expect(answer.recorded).toBe(2);
    const ids = (await rawGraph(me.workspace)).nodes.map(({ id }) => id);
    expect(ids).toContain('good');
    expect(ids).not.toContain('bad');
  });

  it('all faults of an event at once; more than 1,000 events are refused as a whole', async () => {
    const answer = await records(ada, { name: '', sessionId: '', timestamp: 'x', data: {} });
    const expected = ['INVALID 0.name', 'INVALID 0.sessionId', 'INVALID 0.timestamp'];
    expect(problemsOf(answer)).toEqual(expected);
    const batch = Array.from({ length: 1_001 }, (_, index) => event('s', 'note', {}, index));
    await refuses(records(ada, ...batch), 'TOO_LARGE ');
  });

  it("another owner's session in a shared workspace is NOT_FOUND, as is a fork of it", async () => {
    const shared = `shared-${randomUUID()}`;
    const [mine, theirs] = [ada, bob].map((one) => ({ ...one, workspace: shared }));
    if (mine === undefined || theirs === undefined) throw new Error('No users.');
    await records(mine, event('s', 'session:start'));
    const answer = await records(
      theirs,
      event('s', 'note'),
      event('aa-bb_x', 'session:fork', { parent: 's' }),
      event('own', 'note'),
    );
    expect(problemsOf(answer)).toEqual(['NOT_FOUND 0.sessionId', 'NOT_FOUND 1.data.parent']);
    expect(answer.recorded).toBe(1);
    const { nodes } = await rawGraph(shared);
    const expected = ['own', 'own__note__1742018545123', 's', 's__session_start__1742018545123'];
    expect(nodes.map(({ id }) => id).sort()).toEqual(expected);
  });
});

describe('labels of events (S0-LABEL-01)', () => {
  const labelsOf = async (viewer: Viewer) => {
    const rows = await ask(
      `MATCH (e:Event {owner_id: $id}) UNWIND labels(e) AS l WITH DISTINCT l ORDER BY l
       RETURN collect(l) AS labels`,
      { id: viewer.userId },
    );
    return rows[0]?.['labels'] as string[];
  };
  const names = (count: number) =>
    Array.from({ length: count }, (_, at) => `x${randomUUID().slice(0, 8)}:n${at}`);

  it('a user makes at most 100 of them; all events are kept, and others make theirs', async () => {
    const [eve, carol] = await Promise.all([user('eve'), user('carol')]);
    const session = randomUUID();
    for (const count of [30, 30, 30]) {
      const events = names(count).map((name) => event(session, name));
      expect(await records(eve, ...events)).toMatchObject({ recorded: count, problems: [] });
    }
    // Each name makes two labels; Event needs no place.
    expect((await labelsOf(eve)).length).toBe(101);
    const [name = ''] = names(1);
    await records(eve, event(session, name), event(session, 'tool:error', { tool_call_id: 'c' }));
    const named = 'MATCH (e:Event {owner_id: $id, event_name: $name})';
    const rows = await ask(`${named} RETURN labels(e) AS labels`, { id: eve.userId, name });
    expect(rows).toEqual([{ labels: ['Event'] }]);
    expect(await labelsOf(eve)).toContain('ToolErrorEvent');
    await records(carol, event(randomUUID(), name));
    expect(await labelsOf(carol)).toHaveLength(3);
    // The same name again makes no label, so eve's events may have it now.
    await records(eve, event(session, name, {}, 5));
    const again = await ask(
      `MATCH (e:Event {owner_id: $id, event_name: $name})
       RETURN size(labels(e)) AS n ORDER BY n`,
      { id: eve.userId, name },
    );
    expect(again).toEqual([{ n: 1 }, { n: 3 }]);
  });

  it('the installation has a limit too, and two writers never pass it together', async () => {
    const [eve, carol] = await Promise.all([user('eve'), user('carol')]);
    const [row] = await ask("MATCH (r:EventLabels {id: 'all'}) RETURN size(r.labels) AS n");
    const wanted = (who: string) => [1, 2, 3].map((at) => `Test${randomUUID()}${who}${at}Event`);
    const claims = await Promise.all(
      [eve, carol].map(({ userId, name }) =>
        // Other tests may make labels meanwhile, and take some of the places.
        writeWith(deps.graph, claimEventLabels, userId, wanted(name), {
          total: Number(row?.['n']) + 4,
          perOwner: 3,
        }),
      ),
    );
    expect(claims.reduce((sum, taken) => sum + taken.size, 0)).toBeLessThanOrEqual(4);
  });
});
