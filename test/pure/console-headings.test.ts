import { expect, it } from 'vitest';
import { textHeadings } from '../../console/src/ui/text-headings.ts';

function fitted(level: number, ...names: string[]): string[] {
  const headings = names.map((tagName) => ({ tagName }));
  textHeadings(level)({ children: [{ tagName: 'blockquote', children: headings }] });
  return headings.map(({ tagName }) => tagName);
}

it('fits the headings of a text below those of the page, and none skips a level', () => {
  expect(fitted(2, 'h1', 'h2', 'h2', 'h1')).toEqual(['h2', 'h3', 'h3', 'h2']);
  expect(fitted(2, 'h3', 'h1', 'h4', 'h2')).toEqual(['h2', 'h2', 'h3', 'h3']);
  expect(fitted(5, 'h1', 'h2', 'h3')).toEqual(['h5', 'h6', 'h6']);
});
