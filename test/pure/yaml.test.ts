import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../src/platform/yaml/parse-yaml.ts';
import { readYaml } from '../../src/platform/yaml/read-yaml.ts';

const LONG = '# a comment that makes the text long enough for a thread of its own\n'.repeat(40);

describe('reading YAML', () => {
  it.each<[string, unknown]>([
    ['a: 1\nb: [x, "2", null, true, 1.5]', { a: 1, b: ['x', '2', null, true, 1.5] }],
    ['a: &x { k: v }\nb: *x', { a: { k: 'v' }, b: { k: 'v' } }],
    ['a: |-\n  two\n  lines', { a: 'two\nlines' }],
    ['on: yes\nno: off', { on: 'yes', no: 'off' }],
    ['', null],
    ['{"json": ["too"]}', { json: ['too'] }],
  ])('%j is plain values, in place and in a thread', async (text, value) => {
    expect(parseYaml(text)).toEqual({ value });
    expect(await readYaml(LONG + text)).toEqual({ value });
  });

  it.each([
    ['a tag of code', 'a: !!js/function "x"'],
    ['a tag of anything', 'a: !thing { b: 1 }'],
    ['a key twice', 'a: 1\na: 2'],
    ['a key twice inside', 'a: [{ b: 1, c: 2, b: 3 }]'],
    ['two documents', 'a: 1\n---\nb: 2'],
    ['an alias of nothing', 'a: *b'],
    ['an alias into itself', 'a: &a [*a]'],
    ['more than 100 levels', `a: ${'['.repeat(101)}${']'.repeat(101)}`],
    [
      'more than 100 aliases',
      `a: &a 1\n${Array.from({ length: 101 }, (_, at) => `k${at}: *a`).join('\n')}`,
    ],
    [
      'aliases that multiply',
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: ' +
        '[*c,*c,*c,*c,*c,*c,*c,*c]',
    ],
    ['brackets without end', `a: ${'['.repeat(5_000)}`],
    ['dashes without end', '- '.repeat(5_000)],
    ['no YAML', '{'],
  ])('refuses %s', async (_what, text) => {
    expect(parseYaml(text)).toHaveProperty('faults.0');
    expect(await readYaml(LONG + text)).toHaveProperty('faults.0');
  });

  it('takes a key named __proto__ as a key', () => {
    const parsed = parseYaml('__proto__: { polluted: true }');
    expect(JSON.stringify(parsed)).toBe('{"value":{"__proto__":{"polluted":true}}}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('lets the process go on while it reads a long text', async () => {
    const keys = Array.from({ length: 20_000 }, (_, at) => `k${at}: v`).join('\n');
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const parsed = await readYaml(keys);
    clearInterval(timer);
    expect(Object.keys('value' in parsed ? (parsed.value as object) : {})).toHaveLength(20_000);
    expect(turns).toBeGreaterThan(3);
  });
});
