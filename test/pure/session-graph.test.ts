import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blobUri, parseBlobUri } from '../../src/common/blob-uri.ts';
import type { JsonObject } from '../../src/common/json.ts';
import {
  eventLabels,
  FIELD_LIFTERS,
  LABEL,
  liftFields,
} from '../../src/session-graph/events/event-node.ts';
import { planSessionGraph } from '../../src/session-graph/events/plan.ts';
import {
  checkEvent,
  epochMs,
  eventNodeId,
  type RawEvent,
  toolCallNodeId,
} from '../../src/session-graph/events/raw-event.ts';
import { sessionState } from '../../src/session-graph/events/session.ts';
import { KNOWN_EVENT_NAMES } from '../testkit/event-names.ts';

const S = 'f881e0a0-c055-4ee4-84ed-ff44703150ea';
const event = (name: string, data: JsonObject = {}, more: Partial<RawEvent> = {}): RawEvent => ({
  name,
  sessionId: S,
  atMs: 1_742_018_545_123,
  data,
  disambiguator: null,
  ...more,
});

const words = (text: string) => text.split(' ');

describe('labels', () => {
  // The table of the document, row by row.
  it.each([
    ['session:start', 'SessionEvent', 'SessionStartEvent'],
    ['session:fork', 'SessionEvent', 'SessionForkEvent'],
    ['session:end', 'SessionEvent', 'SessionEndEvent'],
    ['session:resume', 'SessionEvent', 'SessionResumeEvent'],
    ['execution:start', 'ExecutionEvent', 'ExecutionStartEvent'],
    ['execution:end', 'ExecutionEvent', 'ExecutionEndEvent'],
    ['orchestrator:complete', 'OrchestratorEvent', 'OrchestratorCompleteEvent'],
    ['prompt:submit', 'PromptEvent', 'PromptSubmitEvent'],
    ['prompt:complete', 'PromptEvent', 'PromptCompleteEvent'],
    ['provider:request', 'ProviderEvent', 'ProviderRequestEvent'],
    ['provider:response', 'ProviderEvent', 'ProviderResponseEvent'],
    ['llm:request', 'LlmEvent', 'LlmRequestEvent'],
    ['llm:response', 'LlmEvent', 'LlmResponseEvent'],
    ['tool:pre', 'ToolEvent', 'ToolPreEvent'],
    ['tool:post', 'ToolEvent', 'ToolPostEvent'],
    ['tool:error', 'ToolEvent', 'ToolErrorEvent'],
    ['delegate:start', 'DelegateEvent', 'DelegateStartEvent'],
    ['delegate:agent_spawned', 'DelegateEvent', 'DelegateAgentSpawnedEvent'],
    ['delegate:complete', 'DelegateEvent', 'DelegateCompleteEvent'],
    ['recipe:start', 'RecipeEvent', 'RecipeStartEvent'],
    ['recipe:step', 'RecipeEvent', 'RecipeStepEvent'],
    ['recipe:complete', 'RecipeEvent', 'RecipeCompleteEvent'],
    ['recipe:loop_iteration', 'RecipeEvent', 'RecipeLoopIterationEvent'],
    ['skill:load', 'SkillEvent', 'SkillLoadEvent'],
    // Unknown names follow the same rule.
    ['artifact:write', 'ArtifactEvent', 'ArtifactWriteEvent'],
    ['a:b:c', 'ABEvent', 'ABCEvent'],
    ['mcp.tool-server:ready_now', 'McpToolServerEvent', 'McpToolServerReadyNowEvent'],
  ])(
    'S0-LABEL-01, -02, -03, -04, -05, -06, -07, -08, -09: %s is :Event:%s:%s',
    (name, category, specific) => {
      expect(eventLabels(name)).toEqual(['Event', category, specific]);
    },
  );

  it('are known for 24 names (S0-LABEL-08)', () => {
    expect(new Set(KNOWN_EVENT_NAMES).size).toBe(24);
  });

  it('S0-LABEL-09: of any name that is taken are plain words, whatever was tried', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_:.-]{1,128}$/), (name) => {
        for (const label of eventLabels(name)) expect(label).toMatch(LABEL);
        expect(eventLabels(name)[0]).toBe('Event');
      }),
    );
  });

  it('S0-LABEL-09: every other name is refused', () => {
    const words = fc.stringMatching(/^[a-z_:]{0,5}$/);
    const strange = fc.constantFrom(...'` \n"\'{)\\\0ö：😀', '\ud800', '-'.repeat(129));
    fc.assert(
      fc.property(words, strange, words, (before, inside, after) => {
        const name = before + inside + after;
        const checked = checkEvent({
          name,
          sessionId: S,
          timestamp: '2025-03-15T06:02:25Z',
          data: {},
        });
        expect('problems' in checked && checked.problems[0]?.path).toEqual(['name']);
      }),
      { numRuns: 50 },
    );
  });
});

describe('node ids', () => {
  it('S0-ID-01, -03, -04, -05, -06: are those of the document', () => {
    expect(eventNodeId(event('session:start'))).toBe(`${S}__session_start__1742018545123`);
    expect(eventNodeId(event('tool:pre'))).toBe(`${S}__tool_pre__1742018545123`);
    expect(eventNodeId(event('tool:pre', { tool_call_id: 'call_abc123' }))).toBe(
      `${S}__tool_pre__1742018545123__call_abc123`,
    );
    expect(eventNodeId(event('delegate:start', { tool_call_id: 'call_abc123' }))).toBe(
      `${S}__delegate_start__1742018545123`,
    );
    expect(toolCallNodeId(S, 'call_abc123')).toBe(`${S}__tool_call__call_abc123`);
  });

  it('S0-ID-02: keep the colon of an agent in a forked session', () => {
    const sessionId = 'a1b2c3d4-e5f6-7890-abcd-ef1234567890_foundation:explorer';
    const input = { name: 'x', sessionId, timestamp: '2025-03-15T06:02:25Z', data: {} };
    expect(checkEvent(input)).toMatchObject({ event: { sessionId } });
  });

  it.each([
    ['2025-03-15T06:02:25.123Z', 1_742_018_545_123],
    ['2025-03-15T07:02:25.123+01:00', 1_742_018_545_123],
    ['2025-03-15T01:32:25.123456-0430', 1_742_018_545_123],
    ['2025-03-15 06:02:25.123999+00:00', 1_742_018_545_123],
    ['2025-03-15T06:02Z', 1_742_018_520_000],
    ['2024-02-29T00:00:00Z', 1_709_164_800_000],
  ])('S0-ID-04: %s is %d', (timestamp, ms) => {
    expect(epochMs(timestamp)).toBe(ms);
  });

  it.each([
    '2025-02-29T00:00:00Z',
    '2025-03-15T24:00:00Z',
    '2025-13-01T00:00:00Z',
    '2025-03-15',
    'now',
    '',
    '1742018545123',
    '2025-03-15T06:02:25',
    '2025-03-15T06:02:25+25:00',
    ' 2025-03-15T06:02:25Z',
  ])('S0-ID-04: %j is no moment', (timestamp) => {
    expect(epochMs(timestamp)).toBeNull();
  });

  it('S0-ID-04: every moment comes back from its ISO text', () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date('0001-01-01T00:00:00Z'),
          max: new Date('9999-12-31T00:00:00Z'),
          noInvalidDate: true,
        }),
        (date) => {
          expect(epochMs(date.toISOString())).toBe(date.getTime());
        },
      ),
    );
  });
});

describe('field lifters', () => {
  // The document's table: pattern, an event of it, and its lifted fields.
  const fields = {
    'note:any': ['session_id', 'parent_id'],
    'tool:pre': ['tool_name', 'tool_input', 'tool_call_id', 'parallel_group_id'],
    'llm:request': ['model', 'provider'],
    'delegate:start': words(
      'agent sub_session_id parent_session_id tool_call_id parallel_group_id',
    ),
    'prompt:submit': ['prompt', 'response_preview'],
    'recipe:step': words('recipe_name current_step description status step_id total_steps'),
    'session:start': ['parent'],
    'skill:load': ['skill_directory', 'skill_name'],
    'artifact:write': ['bytes', 'path'],
  };
  const ALL = [...new Set(Object.values(fields).flat())];
  const METADATA = words(
    'agent_name tool_call_id parallel_group_id recipe_name recipe_step recipe_step_index',
  );

  it.each(Object.entries(fields))(
    'S0-LIFT-01, -02, -03, -04, -05, -06, -07, -08: %s lifts own and universal fields only',
    (name, own) => {
      const data = Object.fromEntries(ALL.map((key) => [key, `the ${key}`]));
      const lifted = liftFields(event(name, data));
      expect(Object.keys(lifted).sort()).toEqual(
        [...new Set([...own, 'session_id', 'parent_id'])].sort(),
      );
      expect(lifted).toEqual({
        ...Object.fromEntries(Object.keys(lifted).map((key) => [key, `the ${key}`])),
        session_id: S,
      });
    },
  );

  it('S0-LIFT-07: session:* lifts from the object metadata', () => {
    const metadata = Object.fromEntries(METADATA.map((key) => [key, `the ${key}`]));
    expect(liftFields(event('session:fork', { metadata }))).toEqual({ ...metadata, session_id: S });
    expect(liftFields(event('session:fork', { metadata: 'none' }))).toEqual({ session_id: S });
    expect(liftFields(event('tool:pre', { metadata }))).toEqual({ session_id: S });
  });

  it('are nine (S0-LIFT-01)', () => {
    expect(FIELD_LIFTERS.map(({ pattern }) => pattern)).toEqual(
      words('* tool:* llm:* delegate:* prompt:* recipe:* session:* skill:* artifact:*'),
    );
  });

  it('S0-LIFT-09: skip null; false, zero and empty are kept; objects are JSON text', () => {
    expect(
      liftFields(
        event('tool:pre', { tool_name: null, tool_input: { a: [1] }, parallel_group_id: '' }),
      ),
    ).toEqual({
      session_id: S,
      tool_input: '{"a":[1]}',
      parallel_group_id: '',
    });
    expect(liftFields(event('artifact:write', { bytes: 0 }))).toEqual({ session_id: S, bytes: 0 });
  });

  it('S0-LIFT-01, -09: of any payload are plain properties, and leave it alone', () => {
    const names = fc.constantFrom(...Object.keys(fields), 'session:end', 'toolish');
    fc.assert(
      fc.property(
        names,
        fc.dictionary(fc.constantFrom(...ALL, 'metadata', '__proto__'), fc.jsonValue()),
        (name, given) => {
          const data = given as JsonObject;
          const before = JSON.stringify(data);
          const lifted = liftFields(event(name, data));
          expect(JSON.stringify(data)).toBe(before);
          for (const [key, value] of Object.entries(lifted)) {
            expect(['string', 'number', 'boolean']).toContain(typeof value);
            if (key === 'session_id' || METADATA.includes(key)) continue;
            const source = data[key];
            expect(value).toBe(typeof source === 'object' ? JSON.stringify(source) : source);
          }
        },
      ),
    );
  });
});

describe('sessions and calls of a batch', () => {
  const anyEvent = fc
    .record({
      name: fc.constantFrom(
        ...words('session:start session:end session:resume tool:pre tool:post note'),
      ),
      atMs: fc.integer({ min: 0, max: 50 }),
      call: fc.constantFrom('a', 'b'),
      word: fc.constantFrom('x', 'y', 'z'),
    })
    .map(({ name, atMs, call, word }) =>
      event(name, { tool_call_id: call, tool_name: word, status: word }, { atMs }),
    );

  it('S0-NODE-02, S0-TC-02: is the same in any order, and said twice', () => {
    fc.assert(
      fc.property(
        fc
          .array(anyEvent)
          .chain((events) =>
            fc.tuple(
              fc.constant(events),
              fc.shuffledSubarray(events, { minLength: events.length }),
            ),
          ),
        ([events, shuffled]) => {
          expect(planSessionGraph(shuffled)).toEqual(planSessionGraph(events));
          expect(planSessionGraph([...shuffled, ...events])).toEqual(planSessionGraph(events));
        },
      ),
    );
  });

  it('S0-TC-02: a session that was resumed after its end goes on', () => {
    const at = (hour: number) => `2025-03-15T0${hour}:00:00.000Z`;
    expect(sessionState({ endedAt: at(1), resumedAt: at(2), endStatus: 'x' })).toEqual({
      endedAt: null,
      status: 'active',
    });
    expect(sessionState({ endedAt: at(3), resumedAt: at(2), endStatus: null })).toEqual({
      endedAt: at(3),
      status: 'ended',
    });
  });
});

describe('ci-blob:// URIs', () => {
  it('S0-BLOB-01: come back as the parts that they were made of', () => {
    const part = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((text) => !/^\.*$|[/\\\0]/.test(text) && text.isWellFormed());
    fc.assert(
      fc.property(part, part, (session, key) => {
        expect(parseBlobUri(blobUri(session, key))).toEqual({ session, key });
      }),
    );
  });

  it.each(words('s s/ /k s/../k ../k s/%2e%2e s/a%2Fb s/% s/k?x s/a%5Cb'))(
    'S0-BLOB-02: ci-blob://%s is none, nor is another scheme',
    (path) => {
      expect(parseBlobUri(`ci-blob://${path}`)).toBeNull();
      expect(parseBlobUri('file:///etc/passwd')).toBeNull();
    },
  );
});
