import { expect, it } from 'vitest';
import { kindOf, wordsOf } from '../../console/src/conversations/attached.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = { __typename: 'TextPart' as const };
const image = {
  __typename: 'ImagePart' as const,
  uri: 'ci-blob://uploads/a',
  mediaType: 'image/png',
  alt: 'a dog',
};
const file = { ...image, __typename: 'FilePart' as const, mediaType: 'text/csv', name: 'list.csv' };

it('takes pictures, PDFs and any text, and an SVG as text', () => {
  const of = (name: string, type: string, content: Uint8Array) =>
    kindOf({ name, type }, content)?.mediaType ?? null;
  expect(of('a.png', 'image/png', bytes('x'))).toBe('image/png');
  expect(of('a.svg', 'image/svg+xml', bytes('<svg onload=""/>'))).toBe('text/plain');
  expect(of('a.PDF', '', bytes('%PDF-1'))).toBe('application/pdf');
  expect(of('main.rs', '', bytes('fn main() {} // ä'))).toBe('text/plain');
  expect(of('a.md', 'text/markdown', bytes('# a'))).toBe('text/markdown');
  expect(of('a.zip', 'application/zip', new Uint8Array([80, 75, 3, 4, 0]))).toBeNull();
  // A character that is cut where the look ends is no fault.
  expect(of('a.txt', '', bytes(`${'a'.repeat(8_191)}ä`))).toBe('text/plain');
});

it('shows the words of a message without the lines that name its files', () => {
  const lines = 'What is this?\n[image: a dog]\n[file: list.csv]';
  expect(wordsOf(lines, [text, image, file])).toBe('What is this?');
  expect(wordsOf('[image: a dog]', [image])).toBe('');
  expect(wordsOf('[image: typed]', [text])).toBe('[image: typed]');
  const between = '[image: a dog]\nWhat is this?';
  expect(wordsOf(between, [image, text])).toBe(between);
});
