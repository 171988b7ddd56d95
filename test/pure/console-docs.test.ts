import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openChoices } from '../../console/src/processes/step-choices.ts';
import { PAGES } from '../../console/src/ui/docs-pages.ts';
import { headingsOf, sectionOf, slugOf } from '../../console/src/ui/docs-sections.ts';
import { TOPICS } from '../../console/src/ui/docs-topics.ts';
import type { HtmlNode } from '../../console/src/ui/html-node.ts';
import { narrowTables } from '../../console/src/ui/narrow-tables.ts';
import { textDirection } from '../../console/src/ui/text-direction.ts';

const pageOf = (name: string) =>
  readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8');

it('leads each topic of a field to one section that has a text', () => {
  for (const [topic, [page, heading]] of Object.entries(TOPICS)) {
    const found = headingsOf(pageOf(page)).filter(({ title }) => title === heading);
    expect(found, topic).toHaveLength(1);
    expect(sectionOf(pageOf(page), heading)?.length, topic).toBeGreaterThan(100);
  }
});

it('has each page of its list in the build', () => {
  const source = readFileSync(
    new URL('../../console/src/ui/use-docs-page.ts', import.meta.url),
    'utf8',
  );
  const built = [...source.matchAll(/docs\/\{([\w,-]+)\}\.md/g)].flatMap(([, names = '']) =>
    names.split(','),
  );
  expect(built.toSorted()).toEqual(Object.keys(PAGES).toSorted());
});

it('leads each link between the pages of the console to a heading that is there', () => {
  const names = Object.keys(PAGES);
  const broken = names.flatMap((from) =>
    [...pageOf(from).matchAll(/\]\(([\w-]*)(?:\.md)?#([^)]+)\)/g)]
      .map(([, name = '', anchor = '']) => [name === '' ? from : name, anchor] as const)
      .filter(([name]) => names.includes(name))
      .filter(([name, anchor]) => headingsOf(pageOf(name)).every(({ slug }) => slug !== anchor))
      .map(([name, anchor]) => `${from}: ${name}#${anchor}`),
  );
  expect(broken).toEqual([]);
});

it('cuts a section where the next one of its level begins, and reads no heading in code', () => {
  const page = '# A\n\n## B\n\nb\n\n```sh\n# no heading\n```\n\n### C\n\nc\n\n## D\n\nd';
  expect(headingsOf(page).map(({ title }) => title)).toEqual(['A', 'B', 'C', 'D']);
  expect(sectionOf(page, 'B')).toBe('b\n\n```sh\n# no heading\n```\n\n### C\n\nc');
  expect(sectionOf(page, 'D')).toBe('d');
  expect(sectionOf(page, 'no heading')).toBeNull();
  expect(slugOf('4. Order, conditions and `lists`')).toBe('4-order-conditions-and-lists');
});

it('names the choices that a draft leaves open, from top to bottom', () => {
  const schema = { properties: { text: {}, note: {} }, required: ['text'] };
  const step = (id: string, more: object, execution: object = {}) =>
    ({
      id,
      target: { __typename: 'Tool', id, name: id, inputSchema: schema },
      inputs: { text: '{context.text}' },
      execution,
      ...more,
    }) as never;
  const steps = [
    step('whole', {}),
    step('bare', { inputs: {} }, { condition: '?' }),
    step('blank', { target: { __typename: 'Process', id: '', name: '?' } }, { forEach: '?' }),
  ];
  expect(openChoices(steps, undefined)).toEqual([
    { stepId: 'bare', path: 'inputs.text' },
    { stepId: 'bare', path: 'execution.condition' },
    { stepId: 'blank', path: 'calls' },
    { stepId: 'blank', path: 'execution.forEach' },
  ]);
});

it('leaves out the columns of a wide table after the fiftieth, and tells their number', () => {
  const table = (columns: number) => ({
    tagName: 'table',
    children: [
      {
        tagName: 'tr',
        children: Array.from({ length: columns }, () => ({ tagName: 'td' })),
      },
    ],
  });
  const [wide, usual] = [table(1_000), table(50)];
  const row = { tagName: 'tr', children: [{ tagName: 'td' }] };
  const long = { tagName: 'table', children: Array.from({ length: 200_000 }, () => row) };
  narrowTables()({ children: [wide, usual, long] });
  expect(wide).toMatchObject({ properties: { dataColumns: 1_000 } });
  expect(wide.children[0]?.children).toHaveLength(50);
  expect(usual).toEqual(table(50));
});

it('gives a direction to the outermost block only, for the letters inside to decide it', () => {
  const of = (tagName: string, ...children: HtmlNode[]): HtmlNode => ({ tagName, children });
  const tree: HtmlNode = {
    children: [
      of('p'),
      of('blockquote', of('p')),
      of('ul', of('li', of('p'), of('ol', of('li')))),
      of('table', of('tr', of('th')), of('tr', of('td'))),
    ],
  };
  textDirection()(tree);
  const withDirection = (node: HtmlNode): string[] => [
    ...(node.properties?.['dir'] === 'auto' ? [node.tagName ?? ''] : []),
    ...(node.children ?? []).flatMap(withDirection),
  ];
  expect(withDirection(tree)).toEqual(['p', 'blockquote', 'ul', 'table']);
});
