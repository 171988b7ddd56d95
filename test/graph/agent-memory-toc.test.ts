import { describe, expect, it } from 'vitest';
import { estimateTokens, Ingested } from '../../src/agent-memory/events/event.ts';
import { holdsExcerpt } from '../../src/agent-memory/grips/grip.ts';
import { listTocWork } from '../../src/agent-memory/rollup/rollup.cypher.ts';
import { rollUp } from '../../src/agent-memory/rollup/rollup.job.ts';
import { storeOf } from '../../src/agent-memory/store.ts';
import { SETTINGS_DEFAULT } from '../../src/settings/settings.ts';
import type { Viewer } from '../../src/users/user.ts';
import { fixedSettings } from '../testkit/fixed.ts';
import { said } from '../testkit/recall-events.ts';
import { recallWorld } from '../testkit/recall-world.ts';
import { worldGraph } from '../testkit/world.ts';

const here = recallWorld();

const NODE = `nodeId level title provisional unsummarised unsummarisedReason startsAt endsAt version keywords childNodeIds
  bullets { text support quotation speakers grips { gripId excerpt eventIdStart eventIdEnd occurredAt source tocNodeId } }`;
const nodeOf = async (viewer: Viewer, nodeId: string, version?: number) => {
  const { data } = await here.ask(
    viewer,
    `query ($nodeId: ID!, $version: Int) { tocNode(nodeId: $nodeId, version: $version) { ${NODE} } }`,
    { nodeId, version: version ?? null },
  );
  return data.tocNode;
};
const tokens = (events: readonly { text: string }[]) =>
  events.reduce((sum, { text }) => sum + estimateTokens(text), 0);
/** The whole table of contents. Its keywords depend on the segments that were there when it was made. */
const tree = async (viewer: Viewer) => {
  const below = (depth: number): string =>
    `nodeId title startsAt endsAt childNodeIds bullets { text grips { excerpt eventIdStart eventIdEnd } }
     ${depth === 0 ? '' : `children(first: 50) { nodes { ${below(depth - 1)} } }`}`;
  const { data, errors } = await here.ask(viewer, `{ tocRoot { ${below(4)} } }`);
  expect(errors).toEqual([]);
  return data.tocRoot;
};
const MORNING = [
  said('2024-01-15T09:00', "I'm having trouble with authentication"),
  said('2024-01-15T09:01', 'What error are you seeing?', {
    role: 'Assistant',
    eventType: 'AssistantMessage',
  }),
  said('2024-01-15T09:02', 'JWT token expired error'),
  said('2024-01-15T09:03', "That's a common issue...", {
    role: 'Assistant',
    eventType: 'AssistantMessage',
  }),
  said('2024-01-15T09:04', 'How do I refresh the token?'),
  said('2024-01-15T09:05', 'Call the refresh endpoint', {
    role: 'Assistant',
    eventType: 'AssistantMessage',
  }),
  said('2024-01-15T09:06', 'That worked, thanks!'),
  said('2024-01-15T09:45', 'Great! Let me know...', {
    role: 'Assistant',
    eventType: 'AssistantMessage',
  }),
];

describe('the table of contents', () => {
  it('leads from the year down to the very words (S2-TOC-04, S2-TOC-05, S2-TOC-07, S2-TOC-08, S2-GRIP-04, S2-SEG-01, 04, 05)', async () => {
    const ada = await here.person();
    await here.ingest(ada, MORNING);
    await here.settle();
    const { data, errors } = await here.ask(
      ada,
      `{ tocRoot { nodeId title parent { nodeId } children { totalCount nodes { nodeId title parent { nodeId }
          children { nodes { nodeId title children { nodes { nodeId title startsAt endsAt
          children { nodes { nodeId title level startsAt tokenCount overlapEvents { text } parent { nodeId } events { totalCount nodes { text } }
          bullets { text grips { excerpt eventIdStart } } } } } } } } } } } }`,
    );
    expect(errors).toEqual([]);
    const [year] = data.tocRoot;
    const month = year.children.nodes[0];
    const week = month.children.nodes[0];
    const day = week.children.nodes[0];
    expect([year, month, week, day].map(({ nodeId }) => nodeId)).toEqual([
      'toc:year:2024',
      'toc:month:2024-01',
      'toc:week:2024-W03',
      'toc:day:2024-01-15',
    ]);
    expect([year.parent, month.parent.nodeId, year.children.totalCount]).toEqual([
      null,
      'toc:year:2024',
      1,
    ]);
    expect(day).toMatchObject({
      title: 'Monday, January 15, 2024',
      startsAt: '2024-01-15T00:00:00.000Z',
      endsAt: '2024-01-15T23:59:59.999Z',
    });
    const [first, second] = day.children.nodes;
    expect(first).toMatchObject({ title: '09:00-09:06', level: 'SEGMENT' });
    expect(first.nodeId).toMatch(/^toc:segment:2024-01-15:[0-9a-f]{8}$/);
    expect(first.parent.nodeId).toBe('toc:day:2024-01-15');
    expect(first.events.nodes.map(({ text }: { text: string }) => text)).toEqual(
      MORNING.slice(0, 7).map(({ text }) => text),
    );
    expect(first).toMatchObject({ tokenCount: tokens(MORNING.slice(0, 7)), overlapEvents: [] });
    expect(second).toMatchObject({
      startsAt: MORNING[7]?.timestamp,
      tokenCount: tokens(MORNING.slice(7)),
    });
    const overlap = second.overlapEvents.map(({ text }: { text: string }) => text);
    expect(
      MORNING.slice(0, 7)
        .map(({ text }) => text)
        .slice(-overlap.length),
    ).toEqual(overlap);
    expect(second.events.totalCount).toBe(1);
    const { bullets } = first;
    expect(bullets.length).toBeGreaterThan(0);
    for (const { text, grips } of bullets) {
      const event = MORNING.find(({ eventId }) => eventId === grips[0].eventIdStart);
      const speaker = event?.role === 'Assistant' ? 'Assistant' : 'somebody';
      expect(text).toBe(`${speaker}: "${grips[0].excerpt}"`);
      expect(event?.text).toContain(grips[0].excerpt);
    }
  });

  it('cites a grip for every line at every level, made by the job of that level, and drops what nobody said (S2-TOC-07, S2-GRIP-03, S2-KEY-05)', async () => {
    const ada = await here.person();
    await here.ingest(
      ada,
      MORNING.map((event) => ({ ...event, eventId: null })),
    );
    await here.settle();
    const levels = ['segment', 'day', 'week', 'month', 'year'];
    const day = await nodeOf(ada, 'toc:day:2024-01-15');
    const ids = [
      day.childNodeIds[0],
      'toc:day:2024-01-15',
      'toc:week:2024-W03',
      'toc:month:2024-01',
      'toc:year:2024',
    ];
    for (const [index, nodeId] of ids.entries()) {
      const node = await nodeOf(ada, nodeId);
      const grips = node.bullets.flatMap((bullet: { grips: unknown[] }) => bullet.grips);
      expect(node.bullets.every((bullet: { grips: unknown[] }) => bullet.grips.length > 0)).toBe(
        true,
      );
      expect(JSON.stringify(node)).not.toContain('Zebras');
      const level = levels[index] ?? '';
      const source = level === 'segment' ? 'segment_summarizer' : `${level}_rollup`;
      for (const grip of grips) {
        expect(grip).toMatchObject({ source, tocNodeId: nodeId });
        expect(grip.gripId).toMatch(/^grip:\d{13}:[0-9a-f]{12}$/);
        const { data } = await here.ask(
          ada,
          `query ($id: ID!) { expandGrip(gripId: $id) { excerptEvents { text occurredAt } } }`,
          { id: grip.gripId },
        );
        const events = data.expandGrip.excerptEvents;
        expect(
          holdsExcerpt(
            grip.excerpt,
            events.map(({ text }: { text: string }) => text),
          ),
        ).toBe(true);
        expect(grip.occurredAt).toBe(events[0].occurredAt);
      }
      const { key: store } = storeOf(ada, here.deps.memoryMode, null);
      const listed = await worldGraph().read((tx) =>
        tx.run(
          `// test
          MATCH (g:Grip {store: $store}) WHERE g.indexKey STARTS WITH $prefix
          RETURN g.gripId AS gripId`,
          { store, prefix: `node:${nodeId}:grip:` },
        ),
      );
      expect(listed.map(({ gripId }) => gripId).sort()).toEqual(
        grips.map(({ gripId }: { gripId: string }) => gripId).sort(),
      );
      expect(node.keywords.length).toBeGreaterThan(0);
    }
  });

  it('keeps what it was: an update is a new version, and the latest is pointed to (S2-TOC-06, S2-TOC-09, S2-KEY-04)', async () => {
    const ada = await here.person();
    await here.ingest(ada, [said('2024-03-05T10:00', 'We chose Postgres.')]);
    await here.settle();
    await here.ingest(ada, [said('2024-03-05T10:10', 'No, we chose Neo4j.')]);
    await here.settle();
    const nodeId = 'toc:day:2024-03-05';
    const [first, second, latest] = [
      await nodeOf(ada, nodeId, 1),
      await nodeOf(ada, nodeId, 2),
      await nodeOf(ada, nodeId),
    ];
    expect([first.version, second.version]).toEqual([1, 2]);
    expect(latest).toEqual(second);
    expect(first.bullets).not.toEqual(second.bullets);
    expect(await nodeOf(ada, nodeId, 3)).toBeNull();
    expect(await nodeOf(ada, 'toc:day:2024-03-06')).toBeNull();
    const [row] = await worldGraph().read((tx) =>
      tx.run(
        `// pointers
        MATCH (l:TocLatest {store: $store, nodeId: $nodeId})
        MATCH (n:TocNode {store: $store}) WHERE n.nodeId = $nodeId
        WITH l, n ORDER BY n.version
        RETURN l.key AS key, l.version AS version, collect(n.key) AS keys`,
        { store: storeOf(ada, here.deps.memoryMode, null).key, nodeId },
      ),
    );
    expect(row).toEqual({
      key: `latest:${nodeId}`,
      version: 2,
      keys: [`${nodeId}:v000001`, `${nodeId}:v000002`],
    });
    const { data } = await here.ask(
      ada,
      `{ tocNode(nodeId: "${nodeId}") { versions { version bullets { text } } } }`,
    );
    expect(data.tocNode.versions.map(({ version }: { version: number }) => version)).toEqual([
      2, 1,
    ]);
  });

  it('comes to the same in whatever order events arrive, and joins what a late one joins (S2-SEG-02, S2-TOC-07)', async () => {
    const [ada, bob] = [await here.person(), await here.person()];
    const runState = [
      ...MORNING,
      said('2024-01-15T10:40', 'Back from lunch already.'),
      said('2024-01-15T11:20', 'Deploying the service now.'),
      said('2024-01-16T08:00', 'The deployment failed at night.'),
      said('2024-01-31T08:00', 'Month end: invoices are due.', { sessionId: 'money' }),
      said('2024-02-01T08:00', 'Invoices were paid.', { sessionId: 'money' }),
      said('2024-01-15T11:00', 'Late: the pipeline is green.'),
    ];
    await here.ingest(ada, runState);
    await here.settle();
    for (const event of [runState[9], runState[8], runState[13]].filter(
      (one) => one !== undefined,
    )) {
      await here.ingest(bob, [event]);
      await here.settle();
    }
    // 10:40 and 11:20 were two segments until 11:00 was heard of.
    const day = await nodeOf(bob, 'toc:day:2024-01-15');
    expect(day.childNodeIds).toHaveLength(1);
    expect(day.version).toBeGreaterThan(1);
    await here.ingest(bob, runState.toReversed());
    await here.settle();
    expect(await tree(bob)).toEqual(await tree(ada));
  });

  it('takes leave of a segment that is no more, and keeps what it was', async () => {
    const ada = await here.person();
    await here.ingest(ada, [said('2024-05-06T10:00', 'One.'), said('2024-05-06T10:40', 'Two.')]);
    await here.settle();
    const [, gone] = (await nodeOf(ada, 'toc:day:2024-05-06')).childNodeIds;
    await here.ingest(ada, [said('2024-05-06T10:20', 'Between them.')]);
    await here.settle();
    expect((await nodeOf(ada, 'toc:day:2024-05-06')).childNodeIds).not.toContain(gone);
    expect(await nodeOf(ada, gone)).toMatchObject({ version: 2, bullets: [] });
    expect((await nodeOf(ada, gone, 1)).bullets[0].text).toBe('somebody: "Two."');
  });

  it('touches only what changed: five versions for one new event, and the same statements whatever there is besides', async () => {
    const counts: number[] = [];
    for (const days of [1, 25]) {
      const ada = await here.person();
      const events = Array.from({ length: days }, (_, day) =>
        Array.from({ length: 3 }, (_, talk) =>
          said(
            `2024-07-${String(day + 1).padStart(2, '0')}T${String(8 + talk * 2).padStart(2, '0')}:00`,
            `Topic ${day} ${talk}.`,
          ),
        ),
      ).flat();
      await here.ingest(ada, events);
      await here.settle();
      const versions = async () => {
        const { key: store } = storeOf(ada, here.deps.memoryMode, null);
        const rows = await worldGraph().read((tx) =>
          tx.run('// versions\nMATCH (n:TocNode) WHERE n.store = $store RETURN n.key AS key', {
            store,
          }),
        );
        return rows.map(({ key }) => String(key));
      };
      const before = new Set(await versions());
      await here.ingest(ada, [said('2024-07-01T12:10', 'The boat was sold in Bergen.')]);
      const { statements } = await worldGraph().counting(() => here.settle());
      const added = (await versions()).filter((key) => !before.has(key));
      expect(added.map((key) => key.split(':')[1]).sort()).toEqual([
        'day',
        'month',
        'segment',
        'week',
        'year',
      ]);
      counts.push(statements.length);
    }
    expect(counts[1]).toBe(counts[0]);
  });

  it('waits where no summary is to be had, and then tells the words themselves', async () => {
    const ada = await here.person();
    await here.ingest(ada, [
      said('2024-08-06T10:00', 'Who answers here? Nobody. It is late. All sleep.'),
    ]);
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
    expect(day.bullets[0]).toMatchObject({
      text: 'somebody: "Nobody."',
      quotation: true,
      support: 1,
    });
    const segment = await nodeOf(ada, day.childNodeIds[0]);
    expect(segment).toMatchObject({ unsummarised: true, provisional: false });
    expect(segment.unsummarisedReason).toContain('no answer in 3 attempts');
    // The mark goes when it is summed up later.
    expect(await here.turn('memory-audit')).toBe('done');
    await here.settle();
    expect(await nodeOf(ada, day.childNodeIds[0])).toMatchObject({
      unsummarised: false,
      unsummarisedReason: null,
      version: segment.version + 1,
    });
  });

  it('shows lines of its parts while a period is not over, and asks a model once, afterwards', async () => {
    const ada = await here.person();
    const things = [
      'kayak',
      'violin',
      'telescope',
      'oven',
      'saddle',
      'printer',
      'tent',
      'lathe',
      'harp',
      'anvil',
    ];
    const talk = (hour: number, from: number) =>
      things
        .slice(from, from + 5)
        .map((thing, minute) =>
          said(
            `2024-06-10T${hour}:0${minute}`,
            `The ${thing} costs ${100 + minute} euros. It is blue.`,
          ),
        );
    let calls = 0;
    const summarise: typeof here.deps.summarise = async (call, signal) => {
      calls++;
      return here.deps.summarise(call, signal);
    };
    const at = (moment: string) => ({ summarise, clock: { nowMs: () => Date.parse(moment) } });
    await here.ingest(ada, talk(10, 0));
    await here.settle(at('2024-06-10T10:06:00Z'), false);
    const year = await nodeOf(ada, 'toc:year:2024');
    expect(year.bullets.length).toBeGreaterThanOrEqual(3);
    expect(year.bullets[0]).toMatchObject({ quotation: true, support: 1, speakers: ['somebody'] });
    const [segmentId] = (await nodeOf(ada, 'toc:day:2024-06-10')).childNodeIds;
    expect(await nodeOf(ada, segmentId)).toMatchObject({ provisional: true, version: 1 });
    // Changes within a minute make no version of their own.
    await here.ingest(ada, [said('2024-06-10T10:05', 'The sledge costs 99 euros.')]);
    await here.settle(at('2024-06-10T10:06:30Z'), false);
    expect(await nodeOf(ada, segmentId)).toMatchObject({ version: 1 });
    await here.settle(at('2024-06-10T10:07:10Z'), false);
    expect(await nodeOf(ada, segmentId)).toMatchObject({ provisional: true, version: 2 });
    await here.ingest(ada, [...talk(12, 5), ...talk(14, 3), ...talk(16, 1)]);
    await here.settle(at('2024-06-10T17:00:00Z'), false);
    expect(await nodeOf(ada, 'toc:day:2024-06-10')).toMatchObject({ provisional: true });
    expect(calls).toBe(0);
    // Years later: four segments, and the day. Week, month and year have the few lines of the day.
    const later = { summarise, clock: { nowMs: () => Date.now() + 60_000 } };
    for (let turn = 0; turn < 3; turn++) await here.settle(later, false);
    expect(calls).toBe(5);
    for (const nodeId of [segmentId, 'toc:day:2024-06-10', 'toc:year:2024'])
      expect(await nodeOf(ada, nodeId)).toMatchObject({ provisional: false, unsummarised: false });
    expect(await here.turn('memory-audit')).toBe('done');
  });

  it('is whole where an event arrives while its day is rolled up', async () => {
    const ada = await here.person();
    const talk = (hour: string) =>
      ['kayak', 'violin', 'telescope', 'oven', 'saddle'].map((thing, at) =>
        said(`2024-06-18T${hour}:0${at}`, `The ${thing} costs ${hour}${at} euros. It is blue.`),
      );
    await here.ingest(ada, [...talk('08'), ...talk('10'), ...talk('12')]);
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
    const day = await nodeOf(ada, 'toc:day:2024-06-18');
    expect(day.childNodeIds).toHaveLength(4);
    const { key: store } = storeOf(ada, here.deps.memoryMode, null);
    const [left] = await worldGraph().read((tx) =>
      tx.run('// left\nMATCH (w:TocWork {store: $store}) RETURN count(w) AS left', { store }),
    );
    expect(left).toEqual({ left: 0 });
  });

  it('is tried again at once where a clock that was an hour ahead deferred it', async () => {
    const ada = await here.person();
    await here.ingest(ada, [
      said('2024-06-22T10:00', 'Bob bought a mill. The wheel turns. It is old. All sleep.'),
    ]);
    const ahead = { nowMs: () => Date.now() + 3_600_000 };
    const none = async () => null;
    expect(await here.settle({ summarise: none, clock: ahead })).toContain(
      'segment-summarizer failed',
    );
    await here.settle();
    expect(await nodeOf(ada, 'toc:day:2024-06-22')).toMatchObject({ version: 1 });
  });

  it('gets one version of two roll-ups of one node at once', async () => {
    const ada = await here.person();
    await here.ingest(ada, [
      said(
        '2024-06-20T10:00',
        'Bob sold the mill. Eve bought it. The roof leaks. The wheel turns.',
      ),
    ]);
    await here.turn('segmenter');
    const { key: store } = storeOf(ada, here.deps.memoryMode, null);
    const all = await worldGraph().read((tx) =>
      listTocWork(tx, 'segment', { nowMs: Date.now(), isAsked: true, limit: 1_000 }),
    );
    const work = all.filter((one) => one.store === store);
    expect(work).toHaveLength(1);
    const jobRun = {
      isAsked: true,
      signal: new AbortController().signal,
      progressIn: async () => {},
    };
    await Promise.all([1, 2].map(() => rollUp(here.deps, 'segment', work, jobRun)));
    const nodeId = work[0]?.nodeId ?? '';
    expect(await nodeOf(ada, nodeId)).toMatchObject({ version: 1 });
    expect(await nodeOf(ada, nodeId, 2)).toBeNull();
    await here.settle();
  });

  it('costs a page of nodes the statements of one (S2-TOC-10)', async () => {
    const ada = await here.person();
    const days = ['01', '02', '03'].map((day) => said(`2024-10-${day}T10:00`, `Day ${day}.`));
    await here.ingest(ada, days);
    await here.settle();
    const names = async (nodeId: string) => {
      const { value, statements } = await worldGraph().counting(() =>
        here.ask(
          ada,
          `{ browseToc(parentId: "${nodeId}") { nodes { nodeId parent { nodeId } versions { version }
            bullets { grips { excerpt } } children(first: 5) { nodes { nodeId } } events(first: 5) { nodes { text } } } } }`,
        ),
      );
      expect(value.errors).toEqual([]);
      return {
        count: value.data.browseToc.nodes.length,
        names: statements.map(({ name }) => name),
      };
    };
    const [few, many] = [await names('toc:month:2024-10'), await names('toc:week:2024-W40')];
    expect([few.count, many.count]).toEqual([1, 3]);
    expect(many.names.sort()).toEqual(few.names.sort());
  });
});

describe('browsing', () => {
  it('pages without loss or repeat, by tokens of its own (S2-TOC-10)', async () => {
    const ada = await here.person();
    const times = Array.from(
      { length: 7 },
      (_, at) => `2024-09-02T${String(8 + at).padStart(2, '0')}:00`,
    );
    await here.ingest(ada, [
      ...times.map((at, index) => said(at, `Talk ${index}.`)),
      said('2024-09-03T08:00', 'Next day.'),
    ]);
    await here.settle();
    const browse = async (variables: object, viewer = ada) => {
      const { data, errors } = await here.ask(
        viewer,
        `query ($parentId: ID!, $limit: Int, $token: String) {
          browseToc(parentId: $parentId, limit: $limit, token: $token) { nodes { nodeId startsAt } nextToken hasMore } }`,
        variables,
      );
      return errors.length > 0 ? { refused: errors[0]?.problems } : data.browseToc;
    };
    const parentId = 'toc:day:2024-09-02';
    const seen: string[] = [];
    let token: string | null = null;
    for (let pages = 0; pages < 4; pages++) {
      const page: { nodes: { startsAt: string }[]; nextToken: string | null; hasMore: boolean } =
        await browse({ parentId, limit: 3, token });
      seen.push(...page.nodes.map(({ startsAt }) => startsAt.slice(0, 16)));
      expect(page.hasMore).toBe(page.nextToken !== null);
      if (page.nextToken === null) break;
      token = page.nextToken;
    }
    expect(seen).toEqual(times);
    const code = (refused: unknown) =>
      (refused as { code: string; path: string[] }[]).map(({ code, path }) => `${code} ${path}`);
    const wrong = async (variables: object, viewer = ada) =>
      code((await browse({ parentId, ...variables }, viewer)).refused);
    expect(await wrong({ parentId: 'toc:day:2024-09-03', token })).toEqual(['INVALID token']);
    expect(await wrong({ token: 'x' })).toEqual(['INVALID token']);
    expect(await wrong({ limit: 0 })).toEqual(['INVALID limit']);
    expect(await wrong({ limit: 501 })).toEqual(['INVALID limit']);
    expect(await wrong({ parentId: 'toc:day:1999-01-01' })).toEqual(['NOT_FOUND parentId']);
    expect(await wrong({ parentId: 'day' })).toEqual(['INVALID parentId']);
    const bob = await here.person();
    expect(await wrong({}, bob)).toEqual(['NOT_FOUND parentId']);
    expect(await wrong({ token }, bob)).toEqual(['INVALID token']);
  });
});

describe('a grip', () => {
  it('expands to its events and those around them, as the document shows (S2-GRIP-05)', async () => {
    const ada = await here.person();
    await here.ingest(ada, MORNING);
    await here.settle();
    const { key: store, realm } = storeOf(ada, here.deps.memoryMode, null);
    const [start, end] = [MORNING[2], MORNING[5]].map((event) => String(event?.eventId));
    // A range over four events, as somebody's summary may have one.
    await worldGraph().write((tx) =>
      tx.run(
        `// makeGrip
        MATCH (a:MemoryEvent {realm: $realm, eventId: $start}), (b:MemoryEvent {realm: $realm, eventId: $end})
        CREATE (:Grip {realm: $realm, store: $store, gripId: 'grip:1706540400000:test123', excerpt: 'JWT token expired error',
          eventIdStart: $start, eventIdEnd: $end, startKey: a.key, endKey: b.key, sessionId: a.sessionId,
          timestampMs: a.timestampMs, source: 'segment_summarizer', tocNodeId: 'toc:day:2024-01-15', indexKey: 'node:x'})`,
        { realm, store, start, end },
      ),
    );
    const QUERY = `query ($id: ID!, $before: Int, $after: Int) {
      expandGrip(gripId: $id, eventsBefore: $before, eventsAfter: $after) {
        grip { gripId excerpt } eventsBefore { text } excerptEvents { text } eventsAfter { text } } }`;
    const expand = async (variables: object, viewer = ada) =>
      (
        await here.ask(viewer, QUERY, {
          id: 'grip:1706540400000:test123',
          before: 3,
          after: 3,
          ...variables,
        })
      ).data.expandGrip;
    const texts = (events: { text: string }[]) => events.map(({ text }) => text);
    const shown = await expand({});
    expect(texts(shown.eventsBefore)).toEqual(MORNING.slice(0, 2).map(({ text }) => text));
    expect(texts(shown.excerptEvents)).toEqual(MORNING.slice(2, 6).map(({ text }) => text));
    expect(texts(shown.eventsAfter)).toEqual(MORNING.slice(6, 8).map(({ text }) => text));
    const little = await expand({ before: 1, after: 0 });
    expect(texts(little.eventsBefore)).toEqual(['What error are you seeing?']);
    expect(little.eventsAfter).toEqual([]);
    // Unknown, ill-formed and somebody else's read alike (S2-GRIP-06).
    expect(await expand({ id: 'grip:1:none' })).toBeNull();
    expect(await expand({ id: 'x' })).toBeNull();
    expect(await expand({}, await here.person())).toBeNull();
    const { errors } = await here.ask(ada, QUERY, { id: 'grip:1:none', before: -1, after: 101 });
    expect(errors[0]?.problems).toMatchObject([
      { path: ['eventsBefore'] },
      { path: ['eventsAfter'] },
    ]);
  });

  it('is found out where its events do not say its excerpt any more, and so is a line without one (S2-GRIP-04)', async () => {
    const ada = await here.person();
    await here.ingest(ada, [said('2024-11-04T10:00', 'The key is under the mat.')]);
    await here.settle();
    const { key: store } = storeOf(ada, here.deps.memoryMode, null);
    const run = (cypher: string) => worldGraph().write((tx) => tx.run(cypher, { store }));
    expect(await here.turn('memory-audit')).toBe('done');
    await run(
      "// forge\nMATCH (g:Grip {store: $store}) WHERE g.source = 'segment_summarizer' SET g.true = g.excerpt, g.excerpt = 'The key is lost.'",
    );
    expect(await here.turn('memory-audit')).toBe('failed');
    await run(
      '// mend\nMATCH (g:Grip {store: $store}) WHERE g.true IS NOT NULL SET g.excerpt = g.true REMOVE g.true',
    );
    expect(await here.turn('memory-audit')).toBe('done');
    await run(
      "// lose\nMATCH (g:Grip {store: $store}) WHERE g.source = 'day_rollup' DETACH DELETE g",
    );
    expect(await here.turn('memory-audit')).toBe('failed');
    await here.settle();
    expect(await here.turn('memory-audit')).toBe('done');
    await run(
      "// invent\nMATCH (n:TocNode {store: $store}) WHERE n.level = 'week' SET n.bullets = replace(n.bullets, 'mat', 'bridge in Turin')",
    );
    expect(await here.turn('memory-audit')).toBe('failed');
    await here.settle();
    expect(await here.turn('memory-audit')).toBe('done');
    expect((await nodeOf(ada, 'toc:week:2024-W45')).bullets).toMatchObject([
      { text: 'somebody: "The key is under the mat."', support: 1, quotation: true },
    ]);
    await run('// forget\nMATCH (n:TocNode {store: $store}) DETACH DELETE n');
    await run('// forget\nMATCH (n:TocLatest {store: $store}) DETACH DELETE n');
  });
});

describe('searching', () => {
  it('finds events and pages by their words, of their owner and agent only, among what else is found', async () => {
    const [ada, bob] = [await here.person(), await here.person()];
    const word = `quetzal${Date.now()}`;
    await here.ingest(ada, [
      said('2024-12-02T10:00', `The ${word} flew away.`, { sessionId: 'birds' }),
      said('2024-12-02T10:01', 'It was raining.', { sessionId: 'birds' }),
      said('2024-12-02T10:02', `Another ${word} came.`, { sessionId: 'more birds' }),
    ]);
    await here.settle();
    const search = async (viewer: Viewer, more: object) => {
      const { data, errors } = await here.ask(
        viewer,
        `query ($input: SearchInput!) { search(input: $input) { kind matched event { text } tocNode { nodeId level } entity { uuid } } }`,
        { input: { query: word, kinds: ['EVENT', 'TOC'], ...more } },
      );
      expect(errors).toEqual([]);
      return data.search;
    };
    const found = await search(ada, {});
    const texts = (hits: { event: { text: string } | null }[]) =>
      hits.flatMap(({ event }) => (event === null ? [] : [event.text])).sort();
    expect(texts(found)).toEqual([`Another ${word} came.`, `The ${word} flew away.`]);
    const levels = found.flatMap(({ tocNode }: { tocNode: { level: string } | null }) =>
      tocNode === null ? [] : [tocNode.level],
    );
    expect(new Set(levels)).toEqual(new Set(['SEGMENT', 'DAY', 'WEEK', 'MONTH', 'YEAR']));
    expect(found[0].matched[0]).toMatch(/^words #/);
    expect(await search(ada, { kinds: ['EVENT'] })).toHaveLength(2);
    expect(await search(ada, { agentId: 'another' })).toEqual([]);
    expect(await search(bob, {})).toEqual([]);
  });
});

describe('what is stored', () => {
  it('lies in six stores, each a label of its own with unique keys in order: events, versions, pointers, grips, checkpoints, and an outbox that is first in, first out (S2-STORE-01, S2-OUT-03, S2-KEY-02)', async () => {
    const ada = await here.person();
    for (const event of MORNING) await here.ingest(ada, [event]);
    await here.settle();
    const { key: store, realm } = storeOf(ada, here.deps.memoryMode, null);
    const stores: Readonly<Record<string, { key: string; where: string; like: RegExp }>> = {
      MemoryEvent: { key: 'key', where: 'n.store = $store', like: /^evt:\d{13}:[0-9A-Z]{26}$/ },
      TocNode: { key: 'key', where: 'n.store = $store', like: /^toc:[a-z]+:.+:v\d{6}$/ },
      TocLatest: { key: 'key', where: 'n.store = $store', like: /^latest:toc:[a-z]+:/ },
      Grip: { key: 'gripId', where: 'n.realm = $realm', like: /^grip:\d{13}:[0-9a-f]{12}$/ },
      Checkpoint: {
        key: 'name',
        where: "n.name IN ['checkpoint:indexer', 'checkpoint:segmenter']",
        like: /^checkpoint:[a-z]+$/,
      },
      MemoryIngest: { key: 'seq', where: 'n.ownerId = $ownerId', like: /^\d+$/ },
    };
    const six = Object.keys(stores);
    const params = { store, realm, ownerId: ada.userId };
    const rows = async (cypher: string) =>
      worldGraph().read((tx) => tx.run(`// stored\n${cypher}`, params));
    for (const [label, { key, where, like }] of Object.entries(stores)) {
      const found = await rows(
        `MATCH (n:${label}) WHERE ${where} RETURN toString(n.${key}) AS key, labels(n) AS labels ORDER BY n.${key}`,
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
    // What came first is taken first: the entries of the log, in the order of their numbers, tell the events as they came.
    const entries = await rows(
      'MATCH (n:MemoryIngest {ownerId: $ownerId}) RETURN n.payload AS payload ORDER BY n.seq',
    );
    const told = entries.flatMap(({ payload }) =>
      Ingested.parse(JSON.parse(String(payload))).events.map(([eventId]) => eventId),
    );
    expect(told).toEqual(MORNING.map(({ eventId }) => eventId));
    const [left] = await worldGraph().read((tx) =>
      tx.run(
        `// left
        MATCH (c:Checkpoint {name: 'checkpoint:segmenter'})
        RETURN COUNT { MATCH (o:MemoryIngest {ownerId: $ownerId}) WHERE o.seq > toInteger(c.value) } AS waiting`,
        params,
      ),
    );
    // Entries that both jobs have read stay, for `entryRetentionDays`.
    expect(left).toEqual({ waiting: 0 });
  });
});

describe('retention', () => {
  // In 2001, when nobody else's memory was there to be forgotten.
  const keeping = (memoryRetentionDays: number) => ({
    settings: fixedSettings({ ...SETTINGS_DEFAULT, memoryRetentionDays }),
    clock: { nowMs: () => Date.parse('2001-03-01T12:00:00Z') },
  });
  const told = (at: string, text: string) => said(at, text, { sessionId: 'house' });

  it('forgets nothing by default; told to, whole days with all that rests on them, and sums up anew what is left (S2-EVT-06, S2-GRIP-04)', async () => {
    const [ada, bob] = [await here.person(), await here.person()];
    const young = [
      told('2001-01-30T09:00', 'The roof was mended.'),
      told('2001-02-27T09:00', 'The garden was watered.'),
    ];
    await here.ingest(bob, young);
    await here.ingest(ada, [
      told('2001-01-20T08:00', 'The attic was painted green.'),
      told('2001-01-29T23:50', 'The cellar was flooded.'),
      // The night's talk began in a day that goes, and goes whole.
      told('2001-01-30T00:05', 'The pump was ordered.'),
      ...young,
    ]);
    await here.settle();
    const { key: store } = storeOf(ada, here.deps.memoryMode, null);
    const stored = async () => {
      const rows = await worldGraph().read((tx) =>
        tx.run(
          `// stored
          MATCH (n:MemoryEvent|Segment|TocNode|TocLatest|TocWork|Grip {store: $store})
          RETURN coalesce(n.key, n.gripId, n.nodeId) AS key,
            [n.text, n.bullets, n.keywords, n.words, n.excerpt] AS texts ORDER BY key`,
          { store },
        ),
      );
      return JSON.stringify(rows);
    };
    const before = await stored();
    expect(before).toContain('attic');
    expect(await here.turn('memory-retention')).toBe('done');
    expect(await here.turn('memory-retention', keeping(0))).toBe('done');
    expect(await here.turn('memory-retention', keeping(41))).toBe('done');
    expect(await stored()).toEqual(before);

    expect(await here.turn('memory-retention', keeping(30))).toBe('done');
    const after = await stored();
    for (const gone of ['attic', 'cellar', 'pump']) expect(after).not.toContain(gone);
    expect(await here.turn('memory-audit')).toBe('done');
    await here.settle();
    expect(await tree(ada)).toEqual(await tree(bob));
    for (const kept of ['roof', 'garden']) expect(await stored()).toContain(kept);
    const settled = await stored();
    expect(await here.turn('memory-retention', keeping(30))).toBe('done');
    expect(await stored()).toEqual(settled);
  });
});
