import { expect, it } from 'vitest';
import { errorWords } from '../../console/src/runs/error-words.ts';

it('takes the sentence out of the answer of a service', () => {
  expect(
    errorWords('GET http://a/b answered 404: {"error":{"message":"No such page.","type":"x"}}'),
  ).toEqual({
    words: 'GET http://a/b answered 404: No such page.',
    body: '{"error":{"message":"No such page.","type":"x"}}',
  });
  expect(errorWords('It answered 400: [{"detail":"Too old."}]').words).toBe(
    'It answered 400: Too old.',
  );
  expect(errorWords('It answered 500: {"errors":["down"],"ok":false}').words).toBe(
    'It answered 500: down',
  );
  // A body that was cut short.
  expect(errorWords('It answered 500: {"message":"A \\"b\\".","trace":"xxxxx').words).toBe(
    'It answered 500: A "b".',
  );
  expect(errorWords('POST x answered 502: <!doctype html><p>Bad</p>').words).toBe(
    'POST x answered 502, with a page in place of an answer.',
  );
});

it('leaves other messages as they are, and folds long ones', () => {
  const plain = 'The condition step.short > 10 compares a text with a number: {step.short}.';
  expect(errorWords(plain)).toEqual({ words: plain, body: null });
  expect(errorWords('It answered 400: {"code":7}')).toEqual({
    words: 'It answered 400: {"code":7}',
    body: null,
  });
  const long = 'x'.repeat(1_000);
  expect(errorWords(long).body).toBe(long);
  expect(errorWords(long).words.length).toBeLessThan(250);
});
