import { expect, it } from 'vitest';
import { placeFormulas, withPlaces } from '../../console/src/ui/formulas.ts';
import type { HtmlNode } from '../../console/src/ui/html-node.ts';

const of = (text: string) => withPlaces(text).formulas.map(({ tex, isBlock }) => [tex, isBlock]);

it('finds formulas between the marks of TeX, and no prices', () => {
  expect(of('Of $5 and $6, and \\$7, and f(x) [1].')).toEqual([]);
  expect(of('The area is \\(\\pi r^2\\), or $$a^2$$.')).toEqual([
    ['\\pi r^2', false],
    ['a^2', false],
  ]);
  expect(of('\\[\n x = y \n\\]\n\n$$\na\n$$')).toEqual([
    ['x = y', true],
    ['a', true],
  ]);
});

it('leaves code, marks that are far apart, and marks that do not end', () => {
  for (const text of ['`$$x$$`', '```\n$$x$$\n```', '$$a\n\nb$$', '$$open', 'a \\\\(b\\\\)'])
    expect(of(text), text).toEqual([]);
});

it('puts a formula back as it was typed where nothing draws it, or in code', () => {
  const { text, formulas } = withPlaces('So \\(x\\).');
  const tree = (tagName: string) => {
    const children: HtmlNode[] = [{ type: 'text', value: text }];
    return { type: 'root', children: [{ type: 'element', tagName, children }] };
  };
  const [plain, code, drawn] = [tree('p'), tree('code'), tree('p')];
  placeFormulas(formulas, () => null)(plain);
  placeFormulas(formulas, () => ({ type: 'element', tagName: 'math' }))(code);
  placeFormulas(formulas, () => ({ type: 'element', tagName: 'math' }))(drawn);
  for (const one of [plain, code])
    expect(one.children[0]?.children.map(({ value }) => value).join('')).toBe('So \\(x\\).');
  expect(drawn.children[0]?.children).toMatchObject([
    { value: 'So ' },
    { tagName: 'math' },
    { value: '.' },
  ]);
});

it('leaves the address of a link as it was typed', () => {
  const { text, formulas } = withPlaces('https://a.example/\\(b\\)');
  const link = { type: 'element', tagName: 'a', properties: { href: encodeURI(text) } };
  placeFormulas(formulas, () => null)({ type: 'root', children: [link] });
  expect(link.properties.href).toBe(encodeURI('https://a.example/\\(b\\)'));
});
