import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { client, freshName } from '../testkit/client.ts';
import { type Loaded, openMemoryRpc } from '../testkit/memory-rpc.ts';
import { eventually } from '../testkit/outbox.ts';
import { said } from '../testkit/recall-events.ts';

// Document 002 over gRPC, which "mirrors the domain model": sentences of it as titles, its own
// conversations as values.
//
// Sentence of the document                   | shown by
// Durability, crash recovery, the outbox     | test/faults/agent-memory-crash.test.ts (S2-OUT-04)
// Token threshold: 4K tokens                 | test/pure/agent-memory-segments.test.ts (S2-SEG-03)
// Key formats                                | test/pure/agent-memory.test.ts (S2-KEY-01)
// Settings, their defaults and priority      | test/pure/memory-settings.test.ts (S2-CFG-01..03)
// Scheduler RPCs                             | test/api/memory-grpc.test.ts (S2-API-02)
// Summaries by a model                       | test/api/agent-memory.test.ts (S2-TOC-07)

const { call, close } = openMemoryRpc();
afterAll(close);

const ada = client(freshName('ada'));
const bob = client(freshName('bob'));
const wire = (at: string, type: string, role: string, text: string) => {
  const { eventId, timestamp } = said(at, text);
  return {
    event_id: eventId,
    session_id: 'config',
    timestamp_ms: String(Date.parse(timestamp)),
    event_type: `EVENT_TYPE_${type}`,
    role: `EVENT_ROLE_${role}`,
    text,
    metadata: { tool: 'Read' },
  };
};
/** The conversation of the section "Event type hierarchy", and that of "Expanding a grip". */
const EVENTS = [
  wire('2024-01-15T09:00', 'SESSION_START', 'SYSTEM', ''),
  wire('2024-01-15T09:01', 'USER_MESSAGE', 'USER', 'Read the config file'),
  wire('2024-01-15T09:02', 'TOOL_RESULT', 'TOOL', 'Read(path="/app/config.toml")'),
  wire('2024-01-15T09:03', 'ASSISTANT_MESSAGE', 'ASSISTANT', "Here's the config..."),
  wire('2024-01-15T09:04', 'ASSISTANT_STOP', 'ASSISTANT', ''),
  wire('2024-01-15T14:30', 'USER_MESSAGE', 'USER', "I'm having trouble with authentication"),
  wire('2024-01-15T14:31', 'ASSISTANT_MESSAGE', 'ASSISTANT', 'What error are you seeing?'),
  wire('2024-01-15T14:32', 'USER_MESSAGE', 'USER', 'JWT token expired error'),
  wire('2024-01-15T14:33', 'ASSISTANT_MESSAGE', 'ASSISTANT', "That's a common issue..."),
  wire('2024-01-15T14:34', 'USER_MESSAGE', 'USER', 'How do I refresh the token?'),
  wire('2024-01-15T14:35', 'ASSISTANT_MESSAGE', 'ASSISTANT', 'Call the refresh endpoint'),
  wire('2024-01-15T14:36', 'USER_MESSAGE', 'USER', 'That worked, thanks!'),
  wire('2024-01-15T14:37', 'SESSION_END', 'SYSTEM', ''),
];
const DAY = 'toc:day:2024-01-15';
let segments: Loaded[] = [];
beforeAll(async () => {
  for (const event of EVENTS)
    expect(await call(ada, 'IngestEvent', { event })).toEqual({
      event_id: event.event_id,
      created: true,
    });
  segments = await eventually('the day is summed up up to its year', async () => {
    // The year is the last: it is there when all below it are.
    const { nodes: years = [] } = await call(ada, 'GetTocRoot', {});
    if (years.length === 0) return false;
    const { nodes = [] } = await call(ada, 'BrowseToc', { parent_id: DAY, limit: 10 });
    const isWhole = nodes.at(-1)?.end_time_ms === EVENTS.at(-1)?.timestamp_ms;
    return nodes.length === 2 && isWhole && nodes;
  });
});
const refusals = async (changes: object) => {
  const event = { ...wire('2024-01-15T18:00', 'USER_MESSAGE', 'USER', 'x'), ...changes };
  const error = await call(ada, 'IngestEvent', { event }).catch((refused) => refused);
  expect(error.code).toBe(3);
  const problems = JSON.parse(String(error.metadata.get('problems-bin')[0]));
  return problems.map(({ path }: { path: string[] }) => path.join('.'));
};
const nodeOf = async (node_id: string): Promise<Loaded> =>
  (await call(ada, 'GetNode', { node_id })).node;

describe('an event', () => {
  it('"event_id must be a valid 26-character ULID" (S2-EVT-02, -03, -04, -05)', async () => {
    expect(await refusals({ event_id: 'not-a-ulid' })).toEqual(['eventId']);
    // "timestamp must not be in the future (at ingestion time)"
    const future = String(Date.now() + 86_400_000);
    expect(await refusals({ timestamp_ms: future })).toEqual(['timestamp']);
    // "session_id must not be empty"
    expect(await refusals({ session_id: '' })).toEqual(['sessionId']);
    // "text may be empty for boundary events (SessionStart, SessionEnd)"
    expect(EVENTS.filter(({ text }) => text === '')).toHaveLength(3);
    expect(await refusals({ text: '' })).toEqual(['text']);
  });

  it('"Events are never modified after creation" (S2-EVT-01, S2-EVT-06, S2-ENUM-01)', async () => {
    const [, event] = EVENTS;
    const again = { ...event, text: 'Another text' };
    const answer = await call(ada, 'IngestEvent', { event: again }).catch((error) => error.code);
    const span = { from_timestamp_ms: '0', to_timestamp_ms: String(Date.now()), limit: 50 };
    const { events } = await call(ada, 'GetEvents', span);
    expect(events.map(({ agent_id: _agent, ...stored }: Loaded) => stored)).toEqual(EVENTS);
    expect(answer).toBe(6);
    expect((await call(ada, 'IngestEvent', { event })).created).toBe(false);
    expect((await call(bob, 'GetEvents', span)).events ?? []).toEqual([]);
  });
});

describe('the table of contents', () => {
  it('"Drill down from year to segment" (S2-TOC-03, S2-TOC-04, S2-TOC-08..10)', async () => {
    const { nodes } = await call(ada, 'GetTocRoot', {});
    const ids: string[] = [];
    for (let [node] = nodes; node !== undefined; ) {
      ids.push(node.node_id);
      const { nodes: below = [] } = await call(ada, 'BrowseToc', { parent_id: node.node_id });
      node = below[0];
    }
    expect(ids.slice(0, 4)).toEqual([
      'toc:year:2024',
      'toc:month:2024-01',
      'toc:week:2024-W03',
      DAY,
    ]);
    expect(ids[4]).toMatch(/^toc:segment:2024-01-15:[0-9a-z]+$/);
    expect(ids).toHaveLength(5);
    const first = await call(ada, 'BrowseToc', { parent_id: DAY, limit: 1 });
    expect([first.nodes.length, first.has_more]).toEqual([1, true]);
    const rest = await call(ada, 'BrowseToc', { parent_id: DAY, token: first.next_token });
    expect(rest.nodes[0].node_id).toBe(segments[1].node_id);
    expect((await call(ada, 'GetNode', { node_id: 'toc:year:1999' })).node ?? null).toBeNull();
    expect((await call(bob, 'GetTocRoot', {})).nodes ?? []).toEqual([]);
  });

  it('"Human-readable display title" (S2-TOC-01, S2-TOC-05, S2-TOC-06)', async () => {
    const day = await nodeOf(DAY);
    expect(day).toMatchObject({ level: 'TOC_LEVEL_DAY', title: 'Monday, January 15, 2024' });
    expect(day.child_node_ids).toEqual(segments.map(({ node_id }: Loaded) => node_id));
    expect((await nodeOf('toc:month:2024-01')).title).toBe('January 2024');
    expect(day.keywords.length).toBeGreaterThan(0);
    // "Historical versions are retained": the first of them is there.
    expect(day.version).toBeGreaterThanOrEqual(1);
    const { node } = await call(ada, 'GetNode', { node_id: DAY, version: 1 });
    expect(node).toMatchObject({ node_id: DAY, version: 1 });
  });

  it('"Time threshold: 30-minute gap between events" (S2-SEG-02, S2-SEG-05)', () => {
    const times = segments.map(({ start_time_ms, end_time_ms }: Loaded) =>
      [start_time_ms, end_time_ms].map((ms) => new Date(Number(ms)).toISOString().slice(11, 16)),
    );
    expect(times).toEqual([
      ['09:00', '09:04'],
      ['14:30', '14:37'],
    ]);
  });
});

describe('a grip', () => {
  it('"Any summary claim can be traced to source events" (S2-GRIP-01..06)', async () => {
    const bullets = segments[1].bullets as { text: string; grip_ids: string[] }[];
    expect(bullets.length).toBeGreaterThan(0);
    const texts = EVENTS.map(({ text }) => text);
    for (const { grip_ids } of bullets) {
      expect(grip_ids.length).toBeGreaterThan(0);
      for (const grip_id of grip_ids) {
        expect(grip_id).toMatch(/^grip:\d{13}:\w+$/);
        const context = { grip_id, events_before: 1, events_after: 1 };
        const expanded = await call(ada, 'ExpandGrip', context);
        const { grip, events_before = [], excerpt_events, events_after = [] } = expanded;
        expect(grip).toMatchObject({ grip_id, source: 'segment_summarizer' });
        // "excerpt_events (the grip spans these)", "Surrounding events provide context"
        const at = EVENTS.findIndex(({ event_id }) => event_id === grip.event_id_start);
        const end = EVENTS.findIndex(({ event_id }) => event_id === grip.event_id_end);
        const ids = (events: Loaded[]) => events.map(({ text }) => text);
        expect(ids(excerpt_events)).toEqual(texts.slice(at, end + 1));
        expect(ids(events_before)).toEqual(texts.slice(at - 1, at));
        expect(ids(events_after)).toEqual(texts.slice(end + 1, end + 2));
        expect(texts.slice(at, end + 1).join('\n')).toContain(grip.excerpt);
        expect(grip.timestamp_ms).toBe(EVENTS[at]?.timestamp_ms);
        expect((await call(bob, 'ExpandGrip', context)).grip ?? null).toBeNull();
      }
    }
    const unknown = await call(ada, 'ExpandGrip', { grip_id: 'grip:1706540400000:test123' });
    expect(unknown.grip ?? null).toBeNull();
  });
});
