import { expect, it } from 'vitest';
import { acceptanceOf } from '../../src/platform/http/accepts.ts';

it.each([
  // A client that names no type, as simonx1/ruby-mcp-client#29.
  [undefined, 'included', 'included'],
  ['', 'included', 'included'],
  ['*/*', 'included', 'included'],
  ['text/*', 'included', 'refused'],
  ['application/json, text/event-stream', 'named', 'named'],
  ['Text/Event-Stream; charset=utf-8', 'named', 'refused'],
  ['application/json, text/plain, */*', 'included', 'named'],
  ['*/*, text/event-stream;q=0', 'refused', 'included'],
  ['application/json;q=0.000, */*;q=0.1', 'included', 'refused'],
  ['text/event-stream-x', 'refused', 'refused'],
  [',,;', 'refused', 'refused'],
])('Accept: %s takes events: %s, JSON: %s', (accept, events, json) => {
  expect(acceptanceOf(accept, 'text/event-stream')).toBe(events);
  expect(acceptanceOf(accept, 'application/json')).toBe(json);
});
