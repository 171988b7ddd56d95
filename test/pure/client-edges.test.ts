import { GraphQLError } from 'graphql';
import { describe, expect, it } from 'vitest';
import { dateTime } from '../../schema/scalars.ts';
import { cursorOf, pageToken } from '../../src/agent-memory/page-token.service.ts';
import { presentError } from '../../src/platform/http/present-error.ts';

describe('a DateTime', () => {
  it.each([
    ['2026-11-21', '2026-11-21T00:00:00Z for the start of that day in UTC'],
    ['2026-11-21T09:30:00', 'needs seconds and its offset'],
    ['2026-11-21 09:30', 'needs seconds and its offset'],
    ['tomorrow', 'RFC 3339 text such as'],
    [5, 'RFC 3339 text such as'],
  ])('%s is refused with the accepted form', (value, words) => {
    expect(() => dateTime.parseValue(value)).toThrow(words);
  });
});

describe('a suggestion', () => {
  const asked = () => new GraphQLError('Cannot query field "nam". Did you mean "name"?');
  const parts = { requestId: 'r', onDefect: () => {} };

  it('names fields only where introspection is on', () => {
    expect(presentError(asked(), { ...parts, suggests: true }).message).toContain('Did you mean');
    expect(presentError(asked(), parts).message).toBe('Cannot query field "nam".');
  });
});

describe('the token of a page', () => {
  const query = ['0', '10', null, 'ops-bot'];

  it('gives the cursor back to its own query only', () => {
    const token = pageToken('abc', query);
    expect(cursorOf(token, query)).toBe('abc');
    for (const other of [['0', '11', null, 'ops-bot'], ['0', '10', 'ops-bot', null], []])
      expect(cursorOf(token, other)).toBeNull();
    for (const text of ['', 'abc', 'W10', Buffer.from('[1,2,3]').toString('base64url')])
      expect(cursorOf(text, query)).toBeNull();
  });
});
