import { expect, it } from 'vitest';
import { freshName, client as signsIn } from '../../testkit/client.ts';
import { REQUESTS } from '../client.cases.ts';

// Requests of OpenAI's clients as they reach /v1 (docs/decisions/0069).

const { url, authorization } = signsIn(freshName('ada'));

it.each(REQUESTS)('$title ($source)', async ({ input, right }) => {
  const { path, method = 'GET', headers, body } = input;
  const response = await fetch(`${new URL(url).origin}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  expect([response.status, text.slice(0, 200)]).toEqual([right.status, expect.any(String)]);
  if (method === 'HEAD') expect(text).toBe('');
  if (right.words === undefined) return;
  const { error, errors } = JSON.parse(text);
  expect(error?.message ?? errors[0].message).toMatch(right.words);
});
