import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkEvent,
  documentName,
  EVENT_BYTES_MAX,
  EVENT_ROLES,
  EVENT_TYPES,
  estimateTokens,
  type GivenEvent,
} from '../../src/agent-memory/events/event.ts';
import { checkpointKey, eventKey, tocVersionKey } from '../../src/agent-memory/events/key.ts';
import { canonicalUlid, createUlids, isUlid, ulidMs } from '../../src/agent-memory/events/ulid.ts';
import { gripId, holdsExcerpt, isGripId } from '../../src/agent-memory/grips/grip.ts';
import {
  levelOf,
  parentLevel,
  parentNodeId,
  periodOf,
  segmentNodeId,
  segmentTitle,
  TOC_LEVELS,
} from '../../src/agent-memory/toc/toc.ts';
import { fromWireEvent } from '../../src/agent-memory/wire.ts';

const ULID = '01HN4QXKN6YWXVKZ3JMHP4BCDE';
const NOW = Date.parse('2026-11-21T12:00:00Z');
const random = () => Math.random();
const given = (more: Partial<GivenEvent> = {}): GivenEvent => ({
  eventId: ULID,
  sessionId: 'talk',
  timestamp: '2024-01-29T10:00:00Z',
  eventType: 'UserMessage',
  role: 'User',
  text: 'Read the config file',
  ...more,
});
const check = (more: Partial<GivenEvent> = {}) =>
  checkEvent(given(more), ['input'], { nowMs: NOW, newUlid: createUlids(random) });
const faults = (more: Partial<GivenEvent>) =>
  check(more).problems.map(({ code, path }) => `${code} ${path.join('.')}`);

describe('an event over gRPC', () => {
  it('of a type or role that the protocol has not is refused, no defect (S2-API-03)', () => {
    const wire = {
      event_id: ULID,
      session_id: 'talk',
      timestamp_ms: '1706522400000',
      text: 'Hi',
      metadata: {},
    };
    const problems = (event_type: string | number, role: string | number) =>
      check(fromWireEvent({ ...wire, event_type, role })).problems.map(({ path }) =>
        path.join('.'),
      );
    expect(problems('EVENT_TYPE_USER_MESSAGE', 'EVENT_ROLE_USER')).toEqual([]);
    expect(problems(99, 'EVENT_ROLE_USER')).toEqual(['input.eventType']);
    expect(problems('EVENT_TYPE_USER_MESSAGE', -7)).toEqual(['input.role']);
  });
});

describe('the id of an event', () => {
  it('is a ULID of 26 characters, or it is refused (S2-EVT-02)', () => {
    for (const good of [ULID, '01HN4QXKN8ABCDEF1234567890', ULID.toLowerCase()])
      expect(faults({ eventId: good })).toEqual([]);
    const bad = [ULID.slice(1), `${ULID}0`, `8${ULID.slice(1)}`, '', ' '.repeat(26)];
    for (const letter of 'ILOU') bad.push(`${ULID.slice(0, 25)}${letter}`);
    for (const one of bad) expect(faults({ eventId: one }), one).toEqual(['INVALID input.eventId']);
  });

  it('has one spelling, and one is made where none is given, at the time of the source', () => {
    expect(check({ eventId: ULID.toLowerCase() }).event?.eventId).toBe(ULID);
    const made = check({ eventId: null }).event?.eventId ?? '';
    expect(isUlid(made)).toBe(true);
    expect(ulidMs(made)).toBe(Date.parse('2024-01-29T10:00:00Z'));
  });

  it('rises within a batch wherever the time stands still', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2 }), (times) => {
        const next = createUlids(random);
        const made = times.map((ms) => ({ ms, id: next(ms) }));
        for (let at = 0; at <= 5; at++) {
          const ids = made.filter(({ ms }) => ms === at).map(({ id }) => id);
          expect(ids).toEqual([...new Set(ids)].sort());
        }
      }),
    );
  });
});

describe('an event', () => {
  it('tells all that is wrong with it at once (S2-EVT-03, S2-EVT-04, S2-EVT-05)', () => {
    expect(
      faults({
        eventId: 'x',
        sessionId: '',
        timestamp: '2026-11-21T12:00:00.001Z',
        eventType: 'UNSPECIFIED',
        role: 'nobody',
        metadata: { model: 1 },
      }),
    ).toEqual([
      'INVALID input.eventId',
      'REQUIRED input.sessionId',
      'INVALID input.timestamp',
      'INVALID input.eventType',
      'INVALID input.role',
      'INVALID input.metadata.model',
    ]);
  });

  it('has not happened later than it arrives, by nothing (S2-EVT-03)', () => {
    expect(faults({ timestamp: '2026-11-21T12:00:00Z' })).toEqual([]);
    expect(faults({ timestamp: '2026-11-21T13:00:00Z' })).toEqual(['INVALID input.timestamp']);
    expect(faults({ timestamp: '2026-11-21T13:30:00+02:00' })).toEqual([]);
    for (const wrong of ['', 'yesterday', '2026-02-31', '1969-12-31T00:00:00Z'])
      expect(faults({ timestamp: wrong }), wrong).toEqual(['INVALID input.timestamp']);
  });

  it('may be silent at the ends of things, and nowhere else (S2-EVT-05)', () => {
    const speaking = ['user_message', 'assistant_message', 'tool_result'];
    for (const eventType of EVENT_TYPES)
      expect(faults({ eventType, text: ' ' }), eventType).toEqual(
        speaking.includes(eventType) ? ['REQUIRED input.text'] : [],
      );
  });

  it('has eight types and four roles, in either spelling (S2-ENUM-01, S2-ENUM-02)', () => {
    expect(EVENT_TYPES.map(documentName).join(' ')).toBe(
      'SessionStart UserMessage AssistantMessage ToolResult AssistantStop SubagentStart ' +
        'SubagentStop SessionEnd',
    );
    expect(EVENT_ROLES.map(documentName)).toEqual(['User', 'Assistant', 'System', 'Tool']);
    for (const eventType of ['TOOL_RESULT', 'ToolResult', 'tool_result'])
      expect(check({ eventType, role: 'TOOL' }).event).toMatchObject({
        eventType: 'tool_result',
        role: 'tool',
      });
  });

  it('has at most 8 MiB', () => {
    expect(faults({ text: 'x'.repeat(EVENT_BYTES_MAX) })).toEqual(['TOO_LARGE input.text']);
    expect(faults({ text: 'x'.repeat(EVENT_BYTES_MAX - 100) })).toEqual([]);
  });

  it('counts ideographs as more than letters', () => {
    expect(['', 'abcd', 'abcdefgh', 'да', '漢字'].map(estimateTokens)).toEqual([1, 1, 2, 1, 2]);
  });
});

describe('keys', () => {
  it('are those of the document (S2-KEY-01, S2-KEY-03, S2-KEY-04)', () => {
    const key = eventKey.fromParts(1_706_540_400_000, ULID);
    expect(eventKey.text(key)).toBe(`evt:1706540400000:${ULID}`);
    expect(eventKey.fromBytes(eventKey.toBytes(key))).toEqual(key);
    expect(eventKey.eventId(key)).toBe(ULID);
    expect(eventKey.fromEventId(ULID)).toEqual({ timestampMs: ulidMs(ULID), ulid: ULID });
    expect([eventKey.fromEventId('x'), eventKey.fromText('evt:1:x')]).toEqual([null, null]);
    expect(checkpointKey('segmenter')).toBe('checkpoint:segmenter');
    expect(tocVersionKey('toc:day:2024-01-15', 1)).toBe('toc:day:2024-01-15:v000001');
  });

  it('of events order as their times, and a range of time is one of keys (S2-KEY-01)', () => {
    const ms = fc.integer({ min: 0, max: 9_999_999_999_999 });
    fc.assert(
      fc.property(ms, ms, (one, other) => {
        const [a, b] = [one, other].map((at) => eventKey.text(eventKey.fromParts(at, ULID)));
        expect(Math.sign((a ?? '').localeCompare(b ?? '', 'en'))).toBe(Math.sign(one - other));
        const at = eventKey.text(eventKey.fromParts(one, ULID));
        expect(at > eventKey.prefixStart(one) && at < eventKey.prefixEnd(one)).toBe(true);
      }),
    );
    expect(canonicalUlid(ULID.toLowerCase())).toBe(ULID);
  });
});

describe('a grip', () => {
  it('is named by its time (S2-GRIP-02)', () => {
    const id = gripId(1_706_540_400_000, 'test123');
    expect(id).toBe('grip:1706540400000:test123');
    expect([isGripId(id), isGripId('grip:x:y'), isGripId('grip:1:')]).toEqual([true, false, false]);
  });

  it('is true where one of its events says the excerpt, whatever the spaces (S2-GRIP-04)', () => {
    expect(holdsExcerpt('JWT  token\nexpired', ['x', 'The JWT token expired.'])).toBe(true);
    expect(holdsExcerpt('JWT token is new', ['The JWT token expired.'])).toBe(false);
    expect(holdsExcerpt(' ', ['anything'])).toBe(false);
    expect(holdsExcerpt('one two', ['one', 'two'])).toBe(false);
  });
});

describe('the table of contents', () => {
  const DAY_MS = 86_400_000;
  const calendar = ['year', 'month', 'week', 'day'] as const;
  const at = (date: string) => Date.parse(`${date}T12:00:00Z`);

  it('has five levels, each within the one above (S2-TOC-03)', () => {
    expect(TOC_LEVELS.map(parentLevel)).toEqual([null, 'year', 'month', 'week', 'day']);
  });

  it('names its nodes as the document does (S2-TOC-04, S2-TOC-05)', () => {
    const periods = calendar.map((level) => periodOf(level, at('2024-01-15')));
    expect(periods.map(({ nodeId, title }) => `${nodeId} ${title}`)).toEqual([
      'toc:year:2024 2024',
      'toc:month:2024-01 January 2024',
      'toc:week:2024-W03 Jan 15-21',
      'toc:day:2024-01-15 Monday, January 15, 2024',
    ]);
    expect(segmentNodeId(at('2024-01-15'), 'abc123')).toBe('toc:segment:2024-01-15:abc123');
    expect(segmentTitle(at('2024-01-15'), at('2024-01-15') + 45 * 60_000)).toBe('12:00-12:45');
    expect(
      [...periods.map(({ nodeId }) => nodeId), 'toc:segment:2024-01-15:abc123'].map(levelOf),
    ).toEqual([...TOC_LEVELS]);
    const wrong = ['', 'toc:day:2024', 'toc:hour:2024-01-15', 'toc:month:2024-13', 'x:year:2024'];
    expect(wrong.map(levelOf)).toEqual(wrong.map(() => null));
  });

  it('gives a week to the month of its Thursday', () => {
    const around = (date: string) =>
      calendar.map((level) => periodOf(level, at(date)).nodeId.replace(/^toc:\w+:/, ''));
    expect(around('2024-12-30')).toEqual(['2025', '2025-01', '2025-W01', '2024-12-30']);
    expect(around('2021-01-03').slice(0, 3)).toEqual(['2020', '2020-12', '2020-W53']);
    expect(periodOf('week', at('2024-12-30')).title).toBe('Dec 30-Jan 5');
  });

  it('holds from 1999 to 2040: ISO weeks, no gaps, each within its parent (S2-TOC-04)', () => {
    const wrong: string[] = [];
    let before = calendar.map((level) => periodOf(level, at('1998-12-31')));
    for (let ms = at('1999-01-01'); ms < at('2041-01-01'); ms += DAY_MS) {
      const periods = calendar.map((level) => periodOf(level, ms));
      periods.forEach((period, index) => {
        const above = periods[index - 1];
        const last = before[index];
        const isRight =
          period.startMs <= ms &&
          ms <= period.endMs &&
          levelOf(period.nodeId) === period.level &&
          (last?.nodeId === period.nodeId || last?.endMs === period.startMs - 1) &&
          (above === undefined ||
            (above.startMs <= period.startMs &&
              period.endMs <= above.endMs &&
              parentNodeId(period.level, period.startMs) === above.nodeId &&
              parentNodeId(period.level, period.endMs) === above.nodeId));
        if (!isRight) wrong.push(period.nodeId);
      });
      if (periods[2]?.nodeId !== isoWeek(ms)) wrong.push(isoWeek(ms));
      before = periods;
    }
    expect(wrong).toEqual([]);
  });
});

/** The week by the other definition: count from the week that holds January 4. */
function isoWeek(ms: number): string {
  const date = new Date(ms);
  const monday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()));
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  for (const year of [
    date.getUTCFullYear() + 1,
    date.getUTCFullYear(),
    date.getUTCFullYear() - 1,
  ]) {
    const fourth = new Date(Date.UTC(year, 0, 4));
    fourth.setUTCDate(fourth.getUTCDate() - ((fourth.getUTCDay() + 6) % 7));
    const weeks = Math.round((monday.getTime() - fourth.getTime()) / (7 * 86_400_000));
    if (weeks >= 0) return `toc:week:${year}-W${String(weeks + 1).padStart(2, '0')}`;
  }
  return '';
}
