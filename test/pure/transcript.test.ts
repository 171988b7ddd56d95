import { describe, expect, it } from 'vitest';
import { eventsOfLine } from '../../cli/memory/transcript.ts';
import { checkEvent } from '../../src/agent-memory/events/event.ts';
import { createUlids, isUlid } from '../../src/agent-memory/events/ulid.ts';

const options = { session: 'a file' };
const read = (line: object) => eventsOfLine(JSON.stringify(line), options);
const at = '2024-01-15T09:00:00.000Z';

describe('a line of a transcript', () => {
  it('may be an event of the document, in either spelling, with times of both kinds', () => {
    const event = {
      session_id: 's',
      timestamp: at,
      event_type: 'UserMessage',
      role: 'User',
      text: 'Hi',
    };
    const [first] = read({ ...event, event_id: '01HN4QXKN6YWXVKZ3JMHP4BCDE', metadata: { n: 1 } });
    expect(first).toEqual({
      eventId: '01HN4QXKN6YWXVKZ3JMHP4BCDE',
      sessionId: 's',
      timestamp: at,
      eventType: 'UserMessage',
      role: 'User',
      text: 'Hi',
      metadata: { n: '1' },
    });
    const camel = {
      timestampMs: Date.parse(at),
      eventType: 'SessionEnd',
      role: 'System',
      text: '',
    };
    expect(read(camel)[0]).toMatchObject({
      sessionId: 'a file',
      timestamp: at,
      eventType: 'SessionEnd',
    });
  });

  it('may be a record of coding agents: messages, calls of tools and their answers', () => {
    const line = { sessionId: 's', timestamp: at, uuid: 'u', type: 'assistant' };
    const parts = [
      { type: 'thinking', thinking: '…' },
      { type: 'text', text: 'I read it.' },
      { type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'a' } },
    ];
    const told = read({ ...line, message: { role: 'assistant', model: 'm', content: parts } });
    expect(told.map(({ eventType, text, metadata }) => [eventType, text, metadata])).toEqual([
      ['ASSISTANT_MESSAGE', 'I read it.', { model: 'm' }],
      ['TOOL_RESULT', 'Read({"path":"a"})', { tool: 'Read', call: 'c1' }],
    ]);
    const result = {
      type: 'tool_result',
      tool_use_id: 'c1',
      content: [{ type: 'text', text: 'x = 1' }],
    };
    const answered = read({ ...line, type: 'user', message: { role: 'user', content: [result] } });
    expect(answered).toMatchObject([
      { eventType: 'TOOL_RESULT', text: 'x = 1', metadata: { call: 'c1' } },
    ]);
    const asked = read({ ...line, type: 'user', message: { role: 'user', content: 'Read a' } });
    expect(asked).toMatchObject([{ eventType: 'USER_MESSAGE', role: 'USER', text: 'Read a' }]);
    expect(read({ type: 'summary', summary: 'x' })).toEqual([]);
  });

  it('gives each event the same sound id every time, in the order of its parts', () => {
    const content = Array.from({ length: 40 }, (_, index) => ({
      type: 'text',
      text: `${index % 2}`,
    }));
    const line = { sessionId: 's', timestamp: at, type: 'user', message: { content } };
    const ids = read(line).map(({ eventId }) => eventId ?? '');
    expect(ids).toEqual(read(line).map(({ eventId }) => eventId));
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids.every(isUlid)).toBe(true);
    const checks = read(line).map((event) =>
      checkEvent(event, [], { nowMs: Date.now(), newUlid: createUlids(Math.random) }),
    );
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('is told apart from other lines', () => {
    for (const text of ['{', '[]', '1', 'null'])
      expect(() => eventsOfLine(text, options), text).toThrow();
  });
});
