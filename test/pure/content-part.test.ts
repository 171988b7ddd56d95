import { describe, expect, it } from 'vitest';
import {
  attachmentTokens,
  type ContentPart,
  readContent,
} from '../../src/conversations/content-part.ts';

const image: ContentPart = {
  type: 'image',
  uri: 'https://example.com/dog.png',
  mediaType: 'image/png',
  alt: 'Daisy\nthe dog',
};
const file: ContentPart = {
  type: 'file',
  uri: 'ci-blob://uploads/abc',
  mediaType: 'text/csv',
  name: null,
};
const faults = (content: string, parts: readonly ContentPart[] | null) =>
  readContent({ content, parts }).problems.map(({ code, path }) => `${code} ${path.join('.')}`);

describe('the parts of a content (S1-NODE-03)', () => {
  it('follow the text, and are named in the plain text', () => {
    const parts: ContentPart[] = [{ type: 'text', text: 'Look!' }, image, file];
    expect(readContent({ content: 'Look!', parts: [image, file] }).stored).toEqual({
      content: 'Look!\n[image: Daisy the dog]\n[file: ci-blob://uploads/abc]',
      parts: JSON.stringify(parts),
    });
    expect(readContent({ content: ' ', parts: [image] }).stored.parts).toBe(
      JSON.stringify([image]),
    );
    expect(readContent({ content: 'Look!', parts: [] }).stored).toEqual({
      content: 'Look!',
      parts: null,
    });
    expect(attachmentTokens(parts)).toBe(4_000);
    expect(attachmentTokens(null)).toBe(0);
  });

  it('may stand without a text, and a text without them', () => {
    expect(faults('', [image])).toEqual([]);
    expect(faults('Look!', null)).toEqual([]);
    expect(faults('', [])).toEqual(['REQUIRED content']);
    expect(faults(' ', [{ type: 'text', text: '\n' }])).toEqual([
      'REQUIRED content',
      'INVALID parts.0.text',
    ]);
  });

  it.each([
    'http://example.com/a.png',
    'https://user:key@example.com/a.png',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'ci-blob://../../other/key',
    'ci-blob://uploads/..',
    'javascript:alert(1)',
    '',
    `https://example.com/${'x'.repeat(2_048)}`,
  ])('are at https or a blob of the owner: not at %s', (uri) => {
    expect(faults('', [{ ...image, uri }])).toEqual(['INVALID parts.0.uri']);
  });

  it('have known media types and bounded names, and are 20 at most; all faults at once', () => {
    expect(
      faults('', [
        { ...image, mediaType: 'image/svg+xml', alt: 'x'.repeat(501) },
        { ...file, mediaType: 'application/x-sh' },
      ]),
    ).toEqual(['INVALID parts.0.mediaType', 'INVALID parts.0.alt', 'INVALID parts.1.mediaType']);
    expect(
      faults(
        '',
        Array.from({ length: 21 }, () => image),
      ),
    ).toEqual(['TOO_LARGE parts']);
    expect(faults('x'.repeat(300 * 1024), [image])).toEqual(['INVALID content']);
  });
});
