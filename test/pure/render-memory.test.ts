import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/common/json.ts';
import { fitsInBytes, jsonChars } from '../../src/common/json-size.ts';
import { HELPERS } from '../../src/platform/renderer/helpers.ts';

const RENDERER = new URL('../../src/platform/renderer/renderer.ts', import.meta.url).href;

// V8 ends a process in which one allocation does not fit, so sizes are counted before text is
// built. Templates are rendered in child processes too: see confined.test.ts for allocations that
// no count foresees.

const SHAPES: Readonly<Record<string, string>> = {
  'join with a long separator': `renderer.render('{{join list text}}', { list, text })`,
  'join whose result is cut': `renderer.render('{{truncate (join list text) 10}}', { list, text })`,
  'json of json':
    `renderer.render('${`{{json`}${'(json '.repeat(16)}text${')'.repeat(16)}}}', { text: ` +
    `'"'.repeat(100_000) })`,
  'truncate of text': `renderer.render('{{truncate text 7000000}}', { text: 'x€'.repeat(4e6) })`,
  'values in a loop': `renderer.render('{{#each list}}{{../text}}{{/each}}', { list, text })`,
  'the author’s text in nested loops':
    `renderer.render('{{#each list}}{{#each ../list}}${'y'.repeat(60_000)}{{/each}}{{/each}}', ` +
    '{ list })',
  'one value in many leaves': `renderer.renderJson(Array(4_000).fill('{{text}}'), { text })`,
  'many texts at once': `renderer.render('{{and${' (json text)'.repeat(4_000)}}}', { text })`,
  'an expression that repeats a text':
    `renderer.evaluate('context.list.map(n, context.text)', { step: {}, context: { list, text } ` +
    '})',
  'many small values': `renderer.render('{{list.length}}', { list: Array(6_000_000).fill({}) })`,
};
const program = (call: string) => `
  const { openRenderer } = await import(${JSON.stringify(RENDERER)});
  const list = Array.from({ length: 4_000 }, (_, index) => index);
  const text = 'x'.repeat(100_000);
  const opened = openRenderer();
  const renderer = opened.of('somebody');
  const code = await ${call}.then(() => 'rendered', (error) => error.code);
  const next = await renderer.render('{{n}} more', { n: 1 });
  await opened.close();
  console.log(code, next);
`;

describe('a template that wants all memory', () => {
  it.each(Object.entries(SHAPES))(
    '%s: is refused, and the process lives',
    async (_shape, call) => {
      const child = promisify(execFile)(process.execPath, [
        '--input-type=module',
        '--eval',
        program(call),
      ]);
      const { stdout } = await child;
      expect(stdout).toMatch(/^(TEMPLATE|CONDITION)_FAILED 1 more\n$/);
    },
    120_000,
  );
});

describe('the length that is counted before the text is built', () => {
  it('is the length of the JSON, to the character', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'binary' }),
        fc.integer({ min: -1, max: 12 }),
        (value, indent) => {
          const json = value as Json;
          expect(jsonChars(json, Number.POSITIVE_INFINITY, indent)).toBe(
            JSON.stringify(json, null, indent).length,
          );
        },
      ),
    );
    for (const text of ['\ud800', '\udc00\ud800', '😀"\\\n\u0001\u007f\u2028', '\ud83d😀'])
      expect(jsonChars(text, 100)).toBe(JSON.stringify(text).length);
  });

  it('tells whether a value fits without writing it out', () => {
    const text = 'ä'.repeat(1_000);
    expect([fitsInBytes(text, 2_002), fitsInBytes(text, 2_001)]).toEqual([true, false]);
    expect(fitsInBytes(Array<Json>(10_000).fill('x'.repeat(1_000_000)), 1_000)).toBe(false);
  });

  it('ends soon after the limit', () => {
    const large: Json = Array.from({ length: 1_000_000 }, () => ['x'.repeat(10)]);
    expect(jsonChars(large, 1_000)).toBeLessThan(1_100);
  });

  it('cuts between characters, as before', () => {
    const cut = (value: Json, length: Json) => HELPERS['truncate']?.(value, length);
    expect(cut('a😀b😀', 3)).toBe('a😀…');
    expect(cut('a😀b😀', 2)).toBe('a…');
    expect(cut('a😀b😀', 4)).toBe('a😀b😀');
    expect(cut('a😀b😀', 1)).toBe('…');
    expect(cut('a😀b😀', 0)).toBe('');
    expect(cut('', 0)).toBe('');
    expect(cut('abc', -1)).toBe('abc');
    expect(cut(['a'], 3)).toBe('["…');
  });
});
