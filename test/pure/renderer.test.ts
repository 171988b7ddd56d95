import { afterAll, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { openRenderer } from '../../src/platform/renderer/renderer.ts';

const opened = openRenderer();
const renderer = opened.of('somebody');
afterAll(() => opened.close());

const failed = { code: 'TEMPLATE_FAILED', retryable: false, details: null };
const list = Array.from({ length: 1_500 }, (_, index) => index);

describe('the renderer', () => {
  it('renders text, paths, values and conditions', async () => {
    const data: JsonObject = { name: 'a/b', n: 3 };
    expect(await renderer.render('Hi {{name}}', data)).toBe('Hi a/b');
    expect(await renderer.renderPath('/x/{{name}}', data)).toBe('/x/a%2Fb');
    expect(await renderer.renderJson({ a: ['{{n}}', 'plain'] }, data)).toEqual({ a: [3, 'plain'] });
    expect(await renderer.evaluate('step.n > 2', { step: { n: 3 }, context: {} })).toBe(true);
  });

  it('stops a template that loops after a second, and serves the next one', async () => {
    const looping = `{{#each list}}{{#each @root.list}}{{#each @root.list}}{{#if
        false}}x{{/if}}{{/each}}{{/each}}{{/each}}`;
    await Promise.all(
      [1, 2, 3].map(() =>
        expect(renderer.render(looping, { list })).rejects.toMatchObject({
          ...failed,
          details: { reason: 'TIME' },
          message: expect.stringMatching(/1 s/),
        }),
      ),
    );
    expect(await renderer.render('{{list.length}}', { list })).toBe('1500');
  });

  it('refuses more than 1 MiB of text, and survives a template that wants all memory', async () => {
    const text = 'x'.repeat(1_000);
    await expect(
      renderer.render('{{#each list}}{{../text}}{{/each}}', { list, text }),
    ).rejects.toMatchObject({ ...failed, message: expect.stringMatching(/1024 KiB/) });
    const greedy = '{{#each list}}{{#each @root.list}}{{@root.text}}{{/each}}{{/each}}';
    await expect(renderer.render(greedy, { list, text: text.repeat(100) })).rejects.toThrow(
      /memory|KiB|1 s/,
    );
    expect(await renderer.render('{{n}}', { n: 1 })).toBe('1');
  });

  it('refuses values above 16 MiB of JSON before it writes them out', async () => {
    const text = 'x'.repeat(1_000_000);
    const data = Object.fromEntries(list.map((index) => [`v${index}`, text]));
    await expect(renderer.render('{{v1}}', data)).rejects.toMatchObject({
      ...failed,
      message: expect.stringMatching(/16 MiB/),
    });
  });

  it('names the fault of a template or condition', async () => {
    await expect(renderer.render('{{#if}', {})).rejects.toMatchObject(failed);
    await expect(renderer.render('{{person.name}}', { person: {} })).rejects.toThrow(/person.name/);
    await expect(renderer.evaluate('step.n >', { step: {}, context: {} })).rejects.toMatchObject({
      code: 'CONDITION_FAILED',
    });
  });

  it('takes keys of the data as keys, also those that name parts of a prototype', async () => {
    const text = '{"__proto__":{"x":1},"constructor":{"name":"Ferrari"},"prototype":"p","b":3}';
    const a = JSON.parse(text) as Json;
    expect(await renderer.render('{{json a}}', { a })).toBe(text);
    expect(await renderer.render('{{#each a}}{{@key}} {{/each}}', { a })).toBe(
      '__proto__ constructor prototype b ',
    );
    expect(JSON.stringify(await renderer.renderJson({ v: '{{a}}' }, { a }))).toBe(`{"v":${text}}`);
    const scope = { step: {}, context: { a, list: [a], key: '__proto__' } };
    const evaluated = (source: string) => renderer.evaluate(source, scope);
    expect(JSON.stringify(await evaluated('context.list.map(x, x)'))).toBe(`[${text}]`);
    expect(await evaluated('context.a["constructor"].name == "Ferrari"')).toBe(true);
    expect(await evaluated('context.a[context.key].x == 1 && context.key in context.a')).toBe(true);
    expect(JSON.stringify(await evaluated('context.list.map(x, {"constructor": x.b})'))).toBe(
      '[{"constructor":3}]',
    );
  });

  it.each([
    '{{a.constructor.constructor}}',
    '{{lookup a key}}',
    '{{lookup (lookup a key) key}}',
    '{{#with (lookup a key)}}{{json this}}{{/with}}',
    '{{lookup a proto}}',
    '{{lookup text key}}',
    '{{lookup list key}}',
  ])('gives nothing of a prototype: %s', async (source) => {
    const data = { a: { b: 1 }, text: 't', list: [1], key: 'constructor', proto: '__proto__' };
    const shown = await renderer
      .render(source, data)
      .catch((error: { code: string }) => error.code);
    expect(['', 'TEMPLATE_FAILED']).toContain(shown);
  });

  it.each(['constructor', '__proto__', 'prototype', 'toString', '__defineGetter__'])(
    'a condition reaches no %s of a prototype',
    async (key) => {
      const scope = { step: { a: { b: 1 }, list: [1], text: 't' }, context: { key } };
      for (const of of ['a', 'list', 'text', 'a.b'])
        for (const source of [
          `step.${of}[context.key]`,
          `step.${of}["${key}"]`,
          `step.${of}.${key}`,
        ])
          await expect(renderer.evaluate(source, scope)).rejects.toMatchObject({
            code: 'CONDITION_FAILED',
          });
      expect(await renderer.evaluate('context.key in step.a', scope)).toBe(false);
    },
  );

  it('answers many at once', async () => {
    const texts = await Promise.all(list.slice(0, 200).map((n) => renderer.render('{{n}}', { n })));
    expect(texts).toEqual(list.slice(0, 200).map(String));
  });
});
