import { beforeAll, describe, expect, it } from 'vitest';
import { estimateTokens, Ingested } from '../../src/agent-memory/events/event.ts';
import { holdsExcerpt } from '../../src/agent-memory/grips/grip.ts';
import { listTocWork } from '../../src/agent-memory/rollup/rollup.cypher.ts';
import { rollUp } from '../../src/agent-memory/rollup/rollup.job.ts';
import { storeOf } from '../../src/agent-memory/store.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import type { Viewer } from '../../src/users/user.ts';
import { fixedSettings } from '../testkit/fixed.ts';
import { readWith, runCypher, writeCypher } from '../testkit/graph.ts';
import { said } from '../testkit/recall-events.ts';
import { recallWorld } from '../testkit/recall-world.ts';
import { worldGraph } from '../testkit/world.ts';

const here = recallWorld();

const graph = worldGraph();
const storeKeyOf = (viewer: Viewer) => storeOf(viewer, here.deps.memoryMode, null).key;
const NODE = `nodeId level title provisional unsummarised unsummarisedReason startsAt endsAt version
  keywords childNodeIds bullets { text support quotation speakers
    grips { gripId excerpt eventIdStart eventIdEnd occurredAt source tocNodeId } }`;
const nodeOf = async (viewer: Viewer, nodeId: string, version: number | null = null) => {
  const { data } = await here.ask(
    viewer,
    `query ($nodeId: ID!, $version: Int) {
      tocNode(nodeId: $nodeId, version: $version) { ${NODE} } }`,
    { nodeId, version },
  );
  return data.tocNode;
};
const textsOf = (events: readonly { text: string }[]) => events.map(({ text }) => text);
const tokens = (events: readonly { text: string }[]) =>
  events.reduce((sum, { text }) => sum + estimateTokens(text), 0);
/** The whole table of contents without its keywords, which depend on segments of that time. */
const tree = async (viewer: Viewer) => {
  const below = (depth: number): string =>
    `nodeId title startsAt endsAt childNodeIds
     bullets { text grips { excerpt eventIdStart eventIdEnd } }
     ${depth === 0 ? '' : `children(first: 50) { nodes { ${below(depth - 1)} } }`}`;
  const { data, errors } = await here.ask(viewer, `{ tocRoot { ${below(4)} } }`);
  expect(errors).toEqual([]);
  return data.tocRoot;
};
const agent = { role: 'Assistant', eventType: 'AssistantMessage' } as const;
const MORNING = [
  said('2024-01-15T09:00', "I'm having trouble with authentication"),
  said('2024-01-15T09:01', 'What error are you seeing?', agent),
  said('2024-01-15T09:02', 'JWT token expired error'),
  said('2024-01-15T09:03', "That's a common issue...", agent),
  said('2024-01-15T09:04', 'How do I refresh the token?'),
  said('2024-01-15T09:05', 'Call the refresh endpoint', agent),
  said('2024-01-15T09:06', 'That worked, thanks!'),
  said('2024-01-15T09:45', 'Great! Let me know...', agent),
];
const MORNING_NODES = ['year:2024', 'month:2024-01', 'week:2024-W03', 'day:2024-01-15'].map(
  (name) => `toc:${name}`,
);
/** A user with this morning in memory. */
let morning: Viewer;
beforeAll(async () => {
  morning = await here.person();
  for (const events of [MORNING.slice(0, 3), MORNING.slice(3)]) await here.ingest(morning, events);
  await here.settle();
}, 600_000);
/** A new user with these events. */
const tells = async (...events: Parameters<typeof here.ingest>[1][number][]) => {
  const viewer = await here.person();
  await here.ingest(viewer, events);
  return viewer;
};

describe('the table of contents', () => {
  // S2-TOC-04, 05, 07, 08, S2-GRIP-04, S2-SEG-01, 04, 05
  it('leads from the year down to the very words', async () => {
    const { data, errors } = await here.ask(
      morning,
      `{ tocRoot { nodeId parent { nodeId } children { totalCount nodes {
          nodeId parent { nodeId } children { nodes {
            nodeId children { nodes { nodeId title startsAt endsAt children { nodes {
              nodeId title level startsAt tokenCount overlapEvents { text } parent { nodeId }
              events { nodes { text } } bullets { text grips { excerpt eventIdStart } } } } } } } }
      } } } }`,
    );
    expect(errors).toEqual([]);
    const [year] = data.tocRoot;
    const [month] = year.children.nodes;
    const [week] = month.children.nodes;
    const [day] = week.children.nodes;
    expect([year, month, week, day].map(({ nodeId }) => nodeId)).toEqual(MORNING_NODES);
    const above = [year.parent, month.parent.nodeId, year.children.totalCount];
    expect(above).toEqual([null, 'toc:year:2024', 1]);
    const title = 'Monday, January 15, 2024';
    const [startsAt, endsAt] = ['2024-01-15T00:00:00.000Z', '2024-01-15T23:59:59.999Z'];
    expect(day).toMatchObject({ title, startsAt, endsAt });
    const [first, second] = day.children.nodes;
    const [early, late] = [MORNING.slice(0, 7), MORNING.slice(7)];
    expect(first).toMatchObject({
      ...{ title: '09:00-09:06', level: 'SEGMENT', tokenCount: tokens(early), overlapEvents: [] },
      nodeId: expect.stringMatching(/^toc:segment:2024-01-15:[0-9a-f]{8}$/),
      parent: { nodeId: 'toc:day:2024-01-15' },
    });
    expect(second).toMatchObject({ startsAt: late[0]?.timestamp, tokenCount: tokens(late) });
    const overlap = textsOf(second.overlapEvents);
    expect(textsOf(early).slice(-overlap.length)).toEqual(overlap);
    const all = [first, second].map(({ events }) => textsOf(events.nodes));
    expect(all).toEqual([textsOf(early), textsOf(late)]);
    expect(first.bullets.length).toBeGreaterThan(0);
    for (const { text, grips } of first.bullets) {
      const event = MORNING.find(({ eventId }) => eventId === grips[0].eventIdStart);
      const speaker = event?.role === 'Assistant' ? 'Assistant' : 'somebody';
      expect(text).toBe(`${speaker}: "${grips[0].excerpt}"`);
      expect(event?.text).toContain(grips[0].excerpt);
    }
  });

  // S2-TOC-07, S2-GRIP-03, S2-KEY-05
  it('cites a grip for every line at every level, made by the job of that level', async () => {
    const day = await nodeOf(morning, 'toc:day:2024-01-15');
    const levels = ['segment', 'day', 'week', 'month', 'year'];
    for (const [index, nodeId] of [day.childNodeIds[0], ...MORNING_NODES.toReversed()].entries()) {
      const node = await nodeOf(morning, nodeId);
      for (const { grips } of node.bullets) expect(grips.length).toBeGreaterThan(0);
      expect(JSON.stringify(node)).not.toContain('Zebras');
      const level = levels[index] ?? '';
      const source = level === 'segment' ? 'segment_summarizer' : `${level}_rollup`;
      const grips = node.bullets.flatMap((bullet: { grips: unknown[] }) => bullet.grips);
      for (const grip of grips) {
        expect(grip).toMatchObject({ source, tocNodeId: nodeId });
        expect(grip.gripId).toMatch(/^grip:\d{13}:[0-9a-f]{12}$/);
        const { data } = await here.ask(
          morning,
          `query ($id: ID!) { expandGrip(gripId: $id) { excerptEvents { text occurredAt } } }`,
          { id: grip.gripId },
        );
        const events = data.expandGrip.excerptEvents;
        expect(holdsExcerpt(grip.excerpt, textsOf(events))).toBe(true);
        expect(grip.occurredAt).toBe(events[0].occurredAt);
      }
      const listed = await runCypher(
        graph,
        `MATCH (g:Grip {store: $store}) WHERE g.indexKey STARTS WITH $prefix
          RETURN g.gripId AS gripId`,
        { store: storeKeyOf(morning), prefix: `node:${nodeId}:grip:` },
      );
      const ids = grips.map(({ gripId }: { gripId: string }) => gripId);
      expect(listed.map(({ gripId }) => gripId).sort()).toEqual(ids.sort());
      expect(node.keywords.length).toBeGreaterThan(0);
    }
  });

  // S2-TOC-06, 09, S2-KEY-04
  it('keeps its versions: an update is a new one, with a pointer', async () => {
    const ada = await tells(said('2024-03-05T10:00', 'We chose Postgres.'));
    await here.settle();
    await here.ingest(ada, [said('2024-03-05T10:10', 'No, we chose Neo4j.')]);
    await here.settle();
    const nodeId = 'toc:day:2024-03-05';
    const [first, second] = [await nodeOf(ada, nodeId, 1), await nodeOf(ada, nodeId, 2)];
    expect([first.version, second.version]).toEqual([1, 2]);
    expect(await nodeOf(ada, nodeId)).toEqual(second);
    expect(first.bullets).not.toEqual(second.bullets);
    expect(await nodeOf(ada, nodeId, 3)).toBeNull();
    expect(await nodeOf(ada, 'toc:day:2024-03-06')).toBeNull();
    const [row] = await runCypher(
      graph,
      `MATCH (l:TocLatest {store: $store, nodeId: $nodeId})
        MATCH (n:TocNode {store: $store}) WHERE n.nodeId = $nodeId
        WITH l, n ORDER BY n.version
        RETURN l.key AS key, l.version AS version, collect(n.key) AS keys`,
      { store: storeKeyOf(ada), nodeId },
    );
    const keys = [`${nodeId}:v000001`, `${nodeId}:v000002`];
    expect(row).toEqual({ key: `latest:${nodeId}`, version: 2, keys });
    const asked = `{ tocNode(nodeId: "${nodeId}") { versions { version bullets { text } } } }`;
    const { versions } = (await here.ask(ada, asked)).data.tocNode;
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
  });

  // S2-SEG-02, S2-TOC-07
  it('is the same in any order of events, and a late event joins segments', async () => {
    const all = [
      ...MORNING,
      said('2024-01-15T10:40', 'Back from lunch already.'),
      said('2024-01-15T11:20', 'Deploying the service now.'),
      said('2024-01-16T08:00', 'The deployment failed at night.'),
      said('2024-01-31T08:00', 'Month end: invoices are due.', { sessionId: 'money' }),
      said('2024-02-01T08:00', 'Invoices were paid.', { sessionId: 'money' }),
      said('2024-01-15T11:00', 'Late: the pipeline is green.'),
    ];
    const ada = await tells(...all);
    await here.settle();
    const bob = await here.person();
    for (const at of [9, 8, 13]) {
      await here.ingest(bob, all.slice(at, at + 1));
      await here.settle();
    }
    // 10:40 and 11:20 were two segments until the event of 11:00 came.
    const day = await nodeOf(bob, 'toc:day:2024-01-15');
    expect(day.childNodeIds).toHaveLength(1);
    expect(day.version).toBeGreaterThan(1);
    await here.ingest(bob, all.toReversed());
    await here.settle();
    expect(await tree(bob)).toEqual(await tree(ada));
  });

  it('empties a segment that is no more, and keeps its earlier version', async () => {
    const ada = await tells(said('2024-05-06T10:00', 'One.'), said('2024-05-06T10:40', 'Two.'));
    await here.settle();
    const children = async () => (await nodeOf(ada, 'toc:day:2024-05-06')).childNodeIds;
    const [, gone] = await children();
    await here.ingest(ada, [said('2024-05-06T10:20', 'Between them.')]);
    await here.settle();
    expect(await children()).not.toContain(gone);
    expect(await nodeOf(ada, gone)).toMatchObject({ version: 2, bullets: [] });
    expect((await nodeOf(ada, gone, 1)).bullets[0].text).toBe('somebody: "Two."');
  });

  it('writes five versions for one new event, by a fixed number of statements', async () => {
    const counts: number[] = [];
    const two = (n: number) => String(n).padStart(2, '0');
    for (const days of [1, 12]) {
      const ada = await tells(
        ...Array.from({ length: days * 3 }, (_, n) => {
          const at = `2024-07-${two(Math.floor(n / 3) + 1)}T${two(8 + (n % 3) * 2)}:00`;
          return said(at, `Topic ${n}.`);
        }),
      );
      await here.settle();
      const versions = async () => {
        const all = 'MATCH (n:TocNode) WHERE n.store = $store RETURN n.key AS key';
        const rows = await runCypher(graph, all, { store: storeKeyOf(ada) });
        return rows.map(({ key }) => String(key));
      };
      const before = new Set(await versions());
      await here.ingest(ada, [said('2024-07-01T12:10', 'The boat was sold in Bergen.')]);
      const { statements } = await graph.counting(() => here.settle());
      const added = (await versions()).filter((key) => !before.has(key));
      const levels = added.map((key) => key.split(':')[1]).sort();
      expect(levels).toEqual(['day', 'month', 'segment', 'week', 'year']);
      counts.push(statements.length);
    }
    expect(counts[1]).toBe(counts[0]);
  });

  it('waits where there is no summary, and then quotes the words themselves', async () => {
    const text = 'Who answers here? Nobody. It is late. All sleep.';
    const ada = await tells(said('2024-08-06T10:00', text));
    let asked = 0;
    const summarise = async () => {
      asked++;
      return null;
    };
    let nowMs = Date.now();
    const clock = { nowMs: () => nowMs };
    expect(await here.settle({ summarise, clock })).toContain('segment-summarizer failed');
    expect(await nodeOf(ada, 'toc:day:2024-08-06')).toBeNull();
    for (let attempt = 0; attempt < 3; attempt++) {
      nowMs += 120_000;
      await here.settle({ summarise, clock });
    }
    expect(asked).toBe(3);
    const day = await nodeOf(ada, 'toc:day:2024-08-06');
    const quoted = { text: 'somebody: "Nobody."', quotation: true, support: 1 };
    expect(day.bullets[0]).toMatchObject(quoted);
    const segment = await nodeOf(ada, day.childNodeIds[0]);
    expect(segment).toMatchObject({ unsummarised: true, provisional: false });
    expect(segment.unsummarisedReason).toContain('no answer in 3 attempts');
    // The mark goes when it is summed up later.
    await here.passesAudit();
    await here.settle();
    const version = segment.version + 1;
    const summed = { unsummarised: false, unsummarisedReason: null, version };
    expect(await nodeOf(ada, day.childNodeIds[0])).toMatchObject(summed);
  });

  it('shows lines of its parts in an open period, and asks a model once, afterwards', async () => {
    const things = 'kayak violin telescope oven saddle printer tent lathe harp anvil'.split(' ');
    const talk = (hour: number, from: number) =>
      things.slice(from, from + 5).map((thing, minute) => {
        const text = `The ${thing} costs ${100 + minute} euros. It is blue.`;
        return said(`2024-06-10T${hour}:0${minute}`, text);
      });
    let calls = 0;
    const summarise: typeof here.deps.summarise = async (call, signal) => {
      calls++;
      return here.deps.summarise(call, signal);
    };
    const settleAt = (ms: number) => here.settle({ summarise, clock: { nowMs: () => ms } }, false);
    const at = (time: string) => Date.parse(`2024-06-10T${time}Z`);
    const ada = await tells(...talk(10, 0));
    await settleAt(at('10:06:00'));
    const year = await nodeOf(ada, 'toc:year:2024');
    expect(year.bullets.length).toBeGreaterThanOrEqual(3);
    const line = { quotation: true, support: 1, speakers: ['somebody'] };
    expect(year.bullets[0]).toMatchObject(line);
    const [segmentId] = (await nodeOf(ada, 'toc:day:2024-06-10')).childNodeIds;
    expect(await nodeOf(ada, segmentId)).toMatchObject({ provisional: true, version: 1 });
    // Changes within a minute make no version of their own.
    await here.ingest(ada, [said('2024-06-10T10:05', 'The sledge costs 99 euros.')]);
    await settleAt(at('10:06:30'));
    expect(await nodeOf(ada, segmentId)).toMatchObject({ version: 1 });
    await settleAt(at('10:07:10'));
    expect(await nodeOf(ada, segmentId)).toMatchObject({ provisional: true, version: 2 });
    await here.ingest(ada, [...talk(12, 5), ...talk(14, 3), ...talk(16, 1)]);
    await settleAt(at('17:00:00'));
    expect(await nodeOf(ada, 'toc:day:2024-06-10')).toMatchObject({ provisional: true });
    expect(calls).toBe(0);
    // Years later: four segments and the day. Week, month and year have the few lines of the day.
    for (let turn = 0; turn < 3; turn++) await settleAt(Date.now() + 60_000);
    expect(calls).toBe(5);
    for (const nodeId of [segmentId, 'toc:day:2024-06-10', 'toc:year:2024'])
      expect(await nodeOf(ada, nodeId)).toMatchObject({ provisional: false, unsummarised: false });
    await here.passesAudit();
  });

  it('is whole where an event arrives while its day is rolled up', async () => {
    const talk = (hour: string) =>
      ['kayak', 'violin', 'telescope', 'oven', 'saddle'].map((thing, at) =>
        said(`2024-06-18T${hour}:0${at}`, `The ${thing} costs ${hour}${at} euros. It is blue.`),
      );
    const ada = await tells(...talk('08'), ...talk('10'), ...talk('12'));
    let isLate = true;
    const summarise: typeof here.deps.summarise = async (call, signal) => {
      if (call.before === '' && call.sentences === 5 && isLate) {
        isLate = false;
        await here.ingest(ada, [said('2024-06-18T15:00', 'Zoe brought 40 melons.')]);
        await here.turn('segmenter');
        await here.turn('segment-summarizer');
      }
      return here.deps.summarise(call, signal);
    };
    await here.settle({ summarise });
    expect(isLate).toBe(false);
    await here.settle();
    expect((await nodeOf(ada, 'toc:day:2024-06-18')).childNodeIds).toHaveLength(4);
    const left = 'MATCH (w:Work {ownerId: $userId}) RETURN count(w) AS left';
    expect(await runCypher(graph, left, { ...ada })).toEqual([{ left: 0 }]);
  });

  it('gets one version of two roll-ups of one node at once', async () => {
    const text = 'Bob sold the mill. Eve bought it. The roof leaks. The wheel turns.';
    const ada = await tells(said('2024-06-20T10:00', text));
    await here.turn('segmenter');
    const now = { nowMs: Date.now(), isAsked: true, limit: 1_000 };
    const all = await readWith(graph, listTocWork, 'segment', now);
    const work = all.filter((one) => one.store === storeKeyOf(ada));
    expect(work).toHaveLength(1);
    const { signal } = new AbortController();
    const jobRun = { isAsked: true, signal, progressIn: async () => {} };
    await Promise.all([1, 2].map(() => rollUp(here.deps, 'segment', work, jobRun)));
    const nodeId = work[0]?.nodeId ?? '';
    expect(await nodeOf(ada, nodeId)).toMatchObject({ version: 1 });
    expect(await nodeOf(ada, nodeId, 2)).toBeNull();
    await here.settle();
  });

  // S2-TOC-10
  it('is browsed in pages of its owner, each by the statements of one node', async () => {
    const ada = await tells(
      ...[10, 11].map((hour) => said(`2024-09-02T${hour}:00`, `Talk of ${hour}.`)),
      said('2024-09-03T08:00', 'Next day.'),
    );
    await here.settle();
    const browse = async (variables: object, viewer = ada) => {
      const { data, errors } = await here.ask(
        viewer,
        `query ($parentId: ID!, $limit: Int, $token: String) {
          browseToc(parentId: $parentId, limit: $limit, token: $token) {
            nodes { startsAt } nextToken hasMore } }`,
        { parentId: 'toc:day:2024-09-02', ...variables },
      );
      return errors.length > 0 ? { refused: errors[0]?.problems } : data.browseToc;
    };
    const first = await browse({ limit: 1 });
    const token = first.nextToken;
    const rest = await browse({ limit: 1, token });
    expect([first.hasMore, rest.hasMore, rest.nextToken]).toEqual([true, false, null]);
    const times = [...first.nodes, ...rest.nodes].map(({ startsAt }) => startsAt.slice(11, 16));
    expect(times).toEqual(['10:00', '11:00']);
    const bob = await here.person();
    for (const [variables, viewer, problem] of [
      [{ parentId: 'toc:day:2024-09-03', token }, ada, 'INVALID token'],
      [{ token: 'x' }, ada, 'INVALID token'],
      [{ limit: 0 }, ada, 'INVALID limit'],
      [{ limit: 501 }, ada, 'INVALID limit'],
      [{ parentId: 'toc:day:1999-01-01' }, ada, 'NOT_FOUND parentId'],
      [{ parentId: 'day' }, ada, 'INVALID parentId'],
      [{}, bob, 'NOT_FOUND parentId'],
      [{ token }, bob, 'INVALID token'],
    ] as const) {
      const [code, path] = problem.split(' ');
      expect((await browse(variables, viewer)).refused).toMatchObject([{ code, path: [path] }]);
    }
    const counted = async (nodeId: string) => {
      const { value, statements } = await graph.counting(() =>
        here.ask(
          ada,
          `{ browseToc(parentId: "${nodeId}") { nodes { nodeId parent { nodeId }
            versions { version } bullets { grips { excerpt } }
            children(first: 5) { nodes { nodeId } } events(first: 5) { nodes { text } } } } }`,
        ),
      );
      const names = statements.map(({ name }) => name).sort();
      return { count: value.data.browseToc.nodes.length, names };
    };
    const [few, many] = [await counted('toc:month:2024-09'), await counted('toc:week:2024-W36')];
    expect([few.count, many.count]).toEqual([1, 2]);
    expect(many.names).toEqual(few.names);
  });
});

describe('a grip', () => {
  // S2-GRIP-05
  it('expands to its events and those around them, as the document shows', async () => {
    const { key: store, realm } = storeOf(morning, here.deps.memoryMode, null);
    const [start, end] = [MORNING[2], MORNING[5]].map((event) => String(event?.eventId));
    const gripId = 'grip:1706540400000:0123456789ab';
    // A range over four events, as the summary of a model may have one.
    await writeCypher(
      graph,
      `MATCH (a:MemoryEvent {realm: $realm, eventId: $start})
       MATCH (b:MemoryEvent {realm: $realm, eventId: $end})
       CREATE (:Grip {realm: $realm, store: $store, gripId: $gripId,
         excerpt: 'JWT token expired error', eventIdStart: $start, eventIdEnd: $end,
         startKey: a.key, endKey: b.key, sessionId: a.sessionId, timestampMs: a.timestampMs,
         source: 'segment_summarizer', tocNodeId: 'toc:day:2024-01-15', indexKey: 'node:x'})`,
      { realm, store, start, end, gripId },
    );
    const expand = async (variables: object, viewer = morning) => {
      const { data, errors } = await here.ask(
        viewer,
        `query ($id: ID!, $before: Int, $after: Int) {
          expandGrip(gripId: $id, eventsBefore: $before, eventsAfter: $after) {
            eventsBefore { text } excerptEvents { text } eventsAfter { text } } }`,
        { id: gripId, before: 1, after: 0, ...variables },
      );
      const parts = Object.values(data?.expandGrip ?? {}) as { text: string }[][];
      return errors.length > 0 ? errors[0]?.problems : parts.map(textsOf);
    };
    const texts = textsOf(MORNING);
    const shown = [texts.slice(0, 2), texts.slice(2, 6), texts.slice(6, 8)];
    expect(await expand({ before: 3, after: 3 })).toEqual(shown);
    expect(await expand({})).toEqual([texts.slice(1, 2), texts.slice(2, 6), []]);
    // Unknown, ill-formed and foreign ids read alike (S2-GRIP-06).
    for (const id of ['grip:1:none', 'x']) expect(await expand({ id })).toEqual([]);
    expect(await expand({}, await here.person())).toEqual([]);
    const problems = [{ path: ['eventsBefore'] }, { path: ['eventsAfter'] }];
    expect(await expand({ before: -1, after: 101 })).toMatchObject(problems);
  });

  // S2-GRIP-04
  it('fails the audit without its excerpt in its events, as does a line without one', async () => {
    const ada = await tells(said('2024-11-04T10:00', 'The key is under the mat.'));
    await here.settle();
    const run = (cypher: string) => writeCypher(graph, cypher, { store: storeKeyOf(ada) });
    const audit = () => here.turn('memory-audit');
    await here.passesAudit();
    const own = "MATCH (g:Grip {store: $store}) WHERE g.source = 'segment_summarizer' SET";
    await run(`${own} g.true = g.excerpt, g.excerpt = 'The key is lost.'`);
    expect(await audit()).toBe('failed');
    await run(`${own} g.excerpt = g.true REMOVE g.true`);
    await here.passesAudit();
    for (const damage of [
      "MATCH (g:Grip {store: $store}) WHERE g.source = 'day_rollup' DETACH DELETE g",
      `MATCH (n:TocNode {store: $store}) WHERE n.level = 'week'
       SET n.bullets = replace(n.bullets, 'mat', 'bridge in Turin')`,
    ]) {
      await run(damage);
      expect(await audit()).toBe('failed');
      await here.settle();
      await here.passesAudit();
    }
    const line = { text: 'somebody: "The key is under the mat."', support: 1, quotation: true };
    expect((await nodeOf(ada, 'toc:week:2024-W45')).bullets).toMatchObject([line]);
    await run('MATCH (n:TocNode|TocLatest {store: $store}) DETACH DELETE n');
  });
});

it('searching finds events and pages by their words, of their owner and agent only', async () => {
  const word = `quetzal${Date.now()}`;
  const ada = await tells(
    said('2024-12-02T10:00', `The ${word} flew away.`, { sessionId: 'birds' }),
    said('2024-12-02T10:02', `Another ${word} came.`, { sessionId: 'more birds' }),
  );
  await here.settle();
  const search = async (viewer: Viewer, more: object) => {
    const { data, errors } = await here.ask(
      viewer,
      'query ($input: SearchInput!) { search(input: $input) { kind tocNode { level } } }',
      { input: { query: word, kinds: ['EVENT', 'TOC'], ...more } },
    );
    expect(errors).toEqual([]);
    return data.search.map((hit: { kind: string; tocNode: { level: string } | null }) =>
      [hit.kind, hit.tocNode?.level].join(' ').trim(),
    );
  };
  const levels = ['SEGMENT', 'DAY', 'WEEK', 'MONTH', 'YEAR'].map((level) => `TOC ${level}`);
  expect(new Set(await search(ada, {}))).toEqual(new Set(['EVENT', ...levels]));
  expect(await search(ada, { kinds: ['EVENT'] })).toEqual(['EVENT', 'EVENT']);
  expect(await search(ada, { agentId: 'another' })).toEqual([]);
  expect(await search(await here.person(), {})).toEqual([]);
});

// S2-STORE-01, S2-OUT-03, S2-KEY-02
it('has six stores, each a label with ordered unique keys, and an outbox as queue', async () => {
  const { key: store, realm } = storeOf(morning, here.deps.memoryMode, null);
  const params = { store, realm, ownerId: morning.userId };
  const jobs = "n.name IN ['checkpoint:indexer', 'checkpoint:segmenter']";
  const stores: Readonly<Record<string, [key: string, where: string, like: RegExp]>> = {
    MemoryEvent: ['key', 'n.store = $store', /^evt:\d{13}:[0-9A-Z]{26}$/],
    TocNode: ['key', 'n.store = $store', /^toc:[a-z]+:.+:v\d{6}$/],
    TocLatest: ['key', 'n.store = $store', /^latest:toc:[a-z]+:/],
    Grip: ['gripId', 'n.realm = $realm', /^grip:\d{13}:[0-9a-f]{12}$/],
    Checkpoint: ['name', jobs, /^checkpoint:[a-z]+$/],
    MemoryIngest: ['seq', 'n.ownerId = $ownerId', /^\d+$/],
  };
  const six = Object.keys(stores);
  const rows = (cypher: string) => runCypher(graph, cypher, params);
  for (const [label, [key, where, like]] of Object.entries(stores)) {
    const found = await rows(
      `MATCH (n:${label}) WHERE ${where}
       RETURN toString(n.${key}) AS key, labels(n) AS labels ORDER BY n.${key}`,
    );
    expect(found.length, label).toBeGreaterThan(1);
    const keys = found.map((row) => String(row['key']));
    expect(new Set(keys).size, label).toBe(keys.length);
    for (const one of keys) expect(one).toMatch(like);
    for (const { labels } of found)
      expect((labels as string[]).filter((one) => six.includes(one))).toEqual([label]);
  }
  // Values are JSON where they are no plain properties; a checkpoint is opaque text.
  const [value] = await rows(
    'MATCH (n:TocNode {store: $store}) RETURN n.bullets AS bullets LIMIT 1',
  );
  expect(Array.isArray(JSON.parse(String(value?.['bullets'])))).toBe(true);
  // First in, first out: the entries, in the order of their numbers, have the events as they came.
  const entries = await rows(
    'MATCH (n:MemoryIngest {ownerId: $ownerId}) RETURN n.payload AS payload ORDER BY n.seq',
  );
  const told = entries.flatMap(({ payload }) =>
    Ingested.parse(JSON.parse(String(payload))).events.map(([eventId]) => eventId),
  );
  expect(told).toEqual(MORNING.map(({ eventId }) => eventId));
  // Both jobs have read them; test/graph/forgetting.test.ts shows that they go then.
  const left = await rows(
    `MATCH (c:Checkpoint {name: 'checkpoint:segmenter'}) RETURN COUNT {
       MATCH (o:MemoryIngest {ownerId: $ownerId}) WHERE o.seq > toInteger(c.value) } AS waiting`,
  );
  expect(left).toEqual([{ waiting: 0 }]);
});

// S2-EVT-06, S2-GRIP-04
it('retention forgets nothing by default, and whole days with their lines if told', async () => {
  // In 2001, when the memory of no other test was there to be forgotten.
  const retains = (memoryRetentionDays: number) =>
    here.turn('memory-retention', {
      settings: fixedSettings({ ...SETTINGS_DEFAULT, memoryRetentionDays }),
      clock: { nowMs: () => Date.parse('2001-03-01T12:00:00Z') },
    });
  const told = (at: string, text: string) => said(at, text, { sessionId: 'house' });
  const young = [
    told('2001-01-30T09:00', 'The roof was mended.'),
    told('2001-02-27T09:00', 'The garden was watered.'),
  ];
  const bob = await tells(...young);
  const ada = await tells(
    told('2001-01-20T08:00', 'The attic was painted green.'),
    told('2001-01-29T23:50', 'The cellar was flooded.'),
    // The talk of the night began in a day that goes, and goes whole.
    told('2001-01-30T00:05', 'The pump was ordered.'),
    ...young,
  );
  await here.settle();
  const stored = async () => {
    const rows = await runCypher(
      graph,
      `MATCH (n:MemoryEvent|Segment|TocNode|TocLatest|Grip {store: $store})
        RETURN coalesce(n.key, n.gripId, n.nodeId) AS key,
          [n.text, n.bullets, n.keywords, n.words, n.excerpt] AS texts ORDER BY key`,
      { store: storeKeyOf(ada) },
    );
    return JSON.stringify(rows);
  };
  const before = await stored();
  expect(before).toContain('attic');
  expect(await here.turn('memory-retention')).toBe('done');
  for (const days of [0, 41]) expect(await retains(days)).toBe('done');
  expect(await stored()).toEqual(before);

  expect(await retains(30)).toBe('done');
  const after = await stored();
  for (const gone of ['attic', 'cellar', 'pump']) expect(after).not.toContain(gone);
  await here.passesAudit();
  await here.settle();
  expect(await tree(ada)).toEqual(await tree(bob));
  const settled = await stored();
  for (const kept of ['roof', 'garden']) expect(settled).toContain(kept);
  expect(await retains(30)).toBe('done');
  expect(await stored()).toEqual(settled);
});
