import { describe, expect, it } from 'vitest';
import {
  firstChars,
  lastChars,
  oneLineJson,
  wellFormedJson,
  wellFormedJsonText,
  wholeCharacters,
} from '../../src/common/well-formed.ts';
import { STREAM_CASES, TEXT_CASES } from './text.cases.ts';

describe('a text from elsewhere', () => {
  it.each(TEXT_CASES)('$title ($source)', ({ input, right }) => {
    expect(wellFormedJson({ [input]: [input] })).toEqual({ [right]: [right] });
    const sent = oneLineJson(wellFormedJsonText(JSON.stringify(input)));
    expect(sent.isWellFormed()).toBe(true);
    expect(JSON.parse(sent)).toBe(right);
    for (let max = 0; max < 40; max++) {
      expect(firstChars(right, max).isWellFormed()).toBe(true);
      expect(lastChars(right, max).isWellFormed()).toBe(true);
    }
  });
});

describe('a stream from elsewhere', () => {
  it.each(STREAM_CASES)('$title ($source)', ({ input, right }) => {
    const told: string[] = [];
    const stream = wholeCharacters((piece) => told.push(piece));
    for (const delta of input) stream.push(delta);
    stream.flush();
    expect(told).toEqual(right);
  });
});
