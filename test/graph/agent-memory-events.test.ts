import { describe, expect, it } from 'vitest';
import { buildSchema } from '../../schema/index.ts';
import { LIST_EVENTS } from '../../src/agent-memory/events/event.cypher.ts';
import { ingestEvent, ingestEvents } from '../../src/agent-memory/events/event.mutations.ts';
import type { GivenEvent } from '../../src/agent-memory/events/event.ts';
import {
  Ingested,
  MEMORY_INGESTED,
  type MemoryEvent,
} from '../../src/agent-memory/events/event.ts';
import { listMemoryEvents } from '../../src/agent-memory/events/event-list.service.ts';
import { createUlids } from '../../src/agent-memory/events/ulid.ts';
import { type AgentMemoryMode, storeOf } from '../../src/agent-memory/store.ts';
import type { Viewer } from '../../src/users/user.ts';
import { plainDriver, planOf, runCypher, writeCypher } from '../testkit/graph.ts';
import { refuses, world, worldGraph } from '../testkit/world.ts';

const here = await world();
const ada = here.ada.viewer;
const bob = here.bob.viewer;

const SEPARATE: AgentMemoryMode = { mode: 'separate', agentId: null };
const deps = (memoryMode = SEPARATE) => ({ ...here.deps, memoryMode, random: Math.random });
const ulid = createUlids(Math.random);
const session = () => `talk ${here.deps.newId()}`;
const said = (minute: number, more: Partial<GivenEvent> = {}): GivenEvent => ({
  eventId: ulid(Date.parse('2024-01-15T09:00:00Z') + minute * 60_000),
  sessionId: 'talk',
  timestamp: new Date(Date.parse('2024-01-15T09:00:00Z') + minute * 60_000).toISOString(),
  eventType: 'UserMessage',
  role: 'User',
  text: `minute ${minute}`,
  ...more,
});
const YEAR = { from: '2024-01-01T00:00:00Z', to: '2025-01-01T00:00:00Z' };
const texts = async (viewer: Viewer, sessionId: string, more = {}) => {
  const page = await listMemoryEvents(deps(), viewer, { ...YEAR, sessionId, ...more });
  return page.items.map(({ item }) => item.text);
};

describe('an event', () => {
  it('gets an id where it has none, and events of one moment keep their order', async () => {
    const sessionId = session();
    const batch = Array.from({ length: 50 }, (_, index) =>
      said(0, { sessionId, eventId: null, text: `${index}` }),
    );
    const { events } = await ingestEvents(deps(), ada, batch);
    expect(new Set(events.map((one) => one?.event.eventId)).size).toBe(50);
    expect(await texts(ada, sessionId)).toEqual(batch.map(({ text }) => text));
  });

  // S2-EVT-06
  it('is known by its id: the same again changes nothing, another is a CONFLICT', async () => {
    const sessionId = session();
    const event = said(0, { sessionId, metadata: { a: '1', b: '2' } });
    const again = { ...event, eventId: event.eventId?.toLowerCase(), metadata: { b: '2', a: '1' } };
    expect((await ingestEvent(deps(), ada, event)).created).toBe(true);
    expect((await ingestEvent(deps(), ada, again)).created).toBe(false);
    for (const other of [{ text: 'else' }, { role: 'SYSTEM' }, { metadata: {} }])
      await refuses(ingestEvent(deps(), ada, { ...event, ...other }), 'CONFLICT eventId');
    expect(await texts(ada, sessionId)).toEqual(['minute 0']);
    const names = Object.keys(buildSchema().getMutationType()?.getFields() ?? {});
    expect(names.filter((name) => /(update|delete|archive)\w*(Memory|Event)/i.test(name))).toEqual(
      ['updateMemorySettings'].filter((name) => names.includes(name)),
    );
  });

  it('is there once, however many bring it at the same time (S2-EVT-06)', async () => {
    const sessionId = session();
    const batch = Array.from({ length: 20 }, (_, minute) => said(minute, { sessionId }));
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        ingestEvents(deps(), ada, at % 2 === 0 ? batch : batch.toReversed()),
      ),
    );
    const created = outcomes.flatMap(({ events }) =>
      events.filter((one) => one?.outcome === 'created'),
    );
    expect(created).toHaveLength(20);
    expect(outcomes.flatMap(({ problems }) => problems)).toEqual([]);
    expect(await texts(ada, sessionId)).toHaveLength(20);
  });
});

describe('a batch', () => {
  it('tells each fault at its index and keeps the rest', async () => {
    const sessionId = session();
    const known = said(9, { sessionId });
    await ingestEvent(deps(), ada, known);
    const twice = said(2, { sessionId });
    const { events, problems } = await ingestEvents(deps(), ada, [
      said(0, { sessionId }),
      said(1, { sessionId, eventId: 'no', text: '' }),
      twice,
      { ...known, text: 'else' },
      { ...twice, text: 'else' },
      twice,
      known,
      said(3, { sessionId, timestamp: '2999-01-01T00:00:00Z' }),
    ]);
    expect(events.flatMap((one) => one?.outcome ?? [])).toEqual([
      ...['created', 'created', 'duplicate', 'duplicate'],
    ]);
    expect(problems.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([
      ...['INVALID 1.eventId', 'REQUIRED 1.text', 'CONFLICT 3.eventId', 'CONFLICT 4.eventId'],
      'INVALID 7.timestamp',
    ]);
    expect(await texts(ada, sessionId)).toEqual(['minute 0', 'minute 2', 'minute 9']);
  });

  it('has at most 1,000, and costs two statements whatever it holds', async () => {
    const sessionId = session();
    const batch = (count: number) =>
      Array.from({ length: count }, (_, at) => said(at / 60, { sessionId, eventId: null }));
    await refuses(ingestEvents(deps(), ada, batch(1_001)), 'TOO_LARGE ');
    for (const count of [1, 1_000]) {
      const { statements } = await worldGraph().counting(() =>
        ingestEvents(deps(), ada, batch(count)),
      );
      const expected = ['findMemoryEvents', 'insertMemoryEvents'];
      expect(statements.map(({ name }) => name)).toEqual(expected);
    }
  });

  // S2-OUT-01, S2-OUT-02
  it('leaves one entry that stands for both actions of each event, or nothing at all', async () => {
    const sessionId = session();
    const { events } = await ingestEvents(deps(), ada, [
      said(0, { sessionId }),
      said(1, { sessionId }),
    ]);
    const ids = events.map((one) => one?.event.eventId ?? '');
    const [entry] = await runCypher(
      worldGraph(),
      `MATCH (o:OutboxEntry {kind: $kind}) WHERE o.payload CONTAINS $id RETURN o.payload
        AS payload`,
      { kind: MEMORY_INGESTED, id: ids[0] },
    );
    const told = Ingested.parse(JSON.parse(String(entry?.['payload'])));
    expect(told.events).toEqual(
      events.map((one) => [one?.event.eventId, Date.parse(one?.event.timestamp ?? '')]),
    );
    // A statement that fails after the first event was written takes the event with it.
    const lost = said(2, { sessionId });
    const broken = { ...deps(), newId: () => 'taken' };
    await ingestEvent(broken, ada, said(3, { sessionId, text: 'first' }));
    const failing = { ...broken, graph: { ...worldGraph(), write: onceOnly(worldGraph().write) } };
    await expect(ingestEvent(failing, ada, lost)).rejects.toThrow();
    expect(await texts(ada, sessionId)).toEqual(['minute 0', 'minute 1', 'first']);
    await writeCypher(worldGraph(), "MATCH (o:OutboxEntry {id: 'taken'}) DELETE o");
  });
});

/**
 * The mutation tries again when a unique key is broken; here the key stays broken, so the second
 * try gives up.
 */
function onceOnly<T extends (work: never) => Promise<unknown>>(write: T): T {
  let calls = 0;
  return ((work: never) => {
    if (calls++ > 0) throw new Error('That was all.');
    return write(work);
  }) as T;
}

describe('events', () => {
  it('are those of their owner, and of their agent (S2-CFG-04)', async () => {
    const sessionId = session();
    const event = said(0, { sessionId });
    await ingestEvent(deps(), ada, event);
    expect(await texts(bob, sessionId)).toEqual([]);
    // The same id in the memory of another user is another event.
    expect((await ingestEvent(deps(), bob, { ...event, text: 'mine' })).created).toBe(true);
    for (const mode of ['separate', 'unified'] as const) {
      const here = deps({ mode, agentId: 'A' });
      const own = session();
      await ingestEvent(here, ada, said(0, { sessionId: own, text: 'of A' }));
      await ingestEvent(here, ada, said(0, { sessionId: own, agentId: 'B', text: 'of B' }));
      const of = async (agentId: string | null) => {
        const page = await listMemoryEvents(here, ada, { ...YEAR, sessionId: own, agentId });
        return page.items.map(({ item }: { item: MemoryEvent }) => [item.text, item.agentId]);
      };
      const expected = [[['of A', 'A']], [['of A', 'A']], [['of B', 'B']], []];
      expect([await of(null), await of('A'), await of('B'), await of('C')]).toEqual(expected);
    }
  });

  // S2-CFG-04
  it('are those of all agents where neither the caller nor the settings name one', async () => {
    // A user without the events of the other tests, so that a whole year fits on a page.
    const ada = (await world()).ada.viewer;
    const sessionId = session();
    const mine = [said(0, { sessionId, text: 'of none' }), said(2, { sessionId, text: 'later' })];
    await ingestEvents(deps(), ada, mine);
    await ingestEvent(deps(), ada, said(1, { sessionId, agentId: 'B', text: 'of B' }));
    await ingestEvent(deps(), bob, said(1, { sessionId, agentId: 'B', text: 'of bob' }));
    const elsewhere = { ...ada, workspace: 'other' };
    await ingestEvent(deps(), elsewhere, said(1, { sessionId, text: 'of another project' }));
    const texts = async (more: object) => {
      const page = await listMemoryEvents(deps(), ada, { ...YEAR, ...more });
      return page.items.map(({ item }) => item.text);
    };
    expect(await texts({ sessionId })).toEqual(['of none', 'of B', 'later']);
    expect(await texts({ last: 200 })).toEqual(['of none', 'of B', 'later']);
    expect(await texts({ sessionId, agentId: 'B' })).toEqual(['of B']);
  });

  // S2-CFG-04
  it('of two projects are apart in separate mode, and together in unified mode', async () => {
    const elsewhere = { ...ada, workspace: 'other' };
    const stores = (mode: AgentMemoryMode['mode']) =>
      [ada, elsewhere, bob].map((viewer) => storeOf(viewer, { mode, agentId: null }, null).key);
    expect(new Set(stores('separate')).size).toBe(3);
    expect(new Set(stores('unified')).size).toBe(2);
    const sessionId = session();
    await ingestEvent(deps(), ada, said(0, { sessionId }));
    expect(await texts(elsewhere, sessionId)).toEqual([]);
  });

  // S2-EVT-03
  it('come in pages by the time of their source, without loss or repeat (S2-KEY-01)', async () => {
    const sessionId = session();
    const all = Array.from({ length: 10 }, (_, minute) => said(minute, { sessionId }));
    // Half of them arrive late.
    const half = all.filter((_, index) => index % 2 === 0);
    for (const batch of [half, all]) await ingestEvents(deps(), ada, batch);
    const walk = async (ahead: boolean) => {
      const seen: string[] = [];
      for (let cursor: string | null = null, more = true; more; ) {
        const where = ahead ? { first: 3, after: cursor } : { last: 3, before: cursor };
        const page = await listMemoryEvents(deps(), ada, { ...YEAR, sessionId, ...where });
        expect(page.totalCount).toBe(10);
        const found = page.items.map(({ item }) => item.text);
        seen.splice(ahead ? seen.length : 0, 0, ...found);
        more = ahead ? page.hasNextPage : page.hasPreviousPage;
        cursor = (ahead ? page.items.at(-1) : page.items.at(0))?.cursor ?? null;
      }
      return seen;
    };
    const expected = all.map(({ text }) => text);
    expect([await walk(true), await walk(false)]).toEqual([expected, expected]);
    await refuses(listMemoryEvents(deps(), ada, { ...YEAR, after: 'x' }), 'INVALID after');
    const backwards = { from: YEAR.to, to: YEAR.from };
    await refuses(listMemoryEvents(deps(), ada, backwards), 'INVALID to');
  });

  // S2-KEY-01
  it('of a time are found by an index of keys: no scan, and no needless sort', async () => {
    const driver = plainDriver();
    for (const statement of Object.values(LIST_EVENTS).flatMap((by) => Object.values(by))) {
      const operators = (await planOf(driver, statement)).map(({ name }) => name);
      expect(operators.filter((name) => name.startsWith('NodeIndexSeek'))).toHaveLength(2);
      const wrong = operators.filter((name) => /LabelScan|AllNodes|IndexScan|^Top/.test(name));
      expect(wrong).toEqual([]);
    }
    await driver.close();
  });
});
