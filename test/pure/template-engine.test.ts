import fc from 'fast-check';
import Handlebars from 'handlebars';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/common/json.ts';
import { TEMPLATE_HELPERS } from '../../src/expressions/names.ts';
import { HELPERS } from '../../src/platform/renderer/helpers.ts';
import { renderLeaves, renderTemplate } from '../../src/platform/renderer/template-engine.ts';

const data: JsonObject = {
  name: 'Ada',
  n: 3,
  flag: true,
  off: false,
  nothing: null,
  empty: '',
  list: ['a', 'b'],
  none: [],
  user: { name: 'Grace', roles: [{ id: 1 }, { id: 2 }], boss: null, html: '<b>"x" & y</b>' },
};

describe('templates', () => {
  it.each<[string, string]>([
    ['Hi {{name}}!', 'Hi Ada!'],
    ['{{user.html}}', '<b>"x" & y</b>'],
    ['{{{user.html}}}', '<b>"x" & y</b>'],
    ['{{user}}', JSON.stringify(data['user'])],
    ['{{list}} {{list.[1]}} {{list.length}}', '["a","b"] b 2'],
    ['{{nothing}}|{{nothing.deeper.still}}|{{user.boss.name}}', '||'],
    ['{{flag}} {{off}} {{n}}', 'true false 3'],
    ['{{json user.roles}}', '[{"id":1},{"id":2}]'],
    ['{{json nothing}} {{json list 1}}', 'null [\n "a",\n "b"\n]'],
    ['{{join list "+"}} {{join list}} {{join nothing}}.', 'a+b a, b .'],
    ['{{truncate "héllo wörld" 6}} {{truncate name 9}}', 'héllo… Ada'],
    [
      `{{default nothing "x"}} {{default empty "y"}} {{default name "z"}} {{default user.absent
        "w"}}`,
      'x y Ada w',
    ],
    ['{{default nothing list}}', '["a","b"]'],
    ['{{#each (default nothing list)}}{{this}}{{/each}}', 'ab'],
    [
      '{{eq name "Ada"}} {{ne n 3}} {{gt n 2}} {{lt n "x"}} {{not none}}',
      'true false true false true',
    ],
    ['{{#if (and flag (or off (eq n 3)))}}yes{{else}}no{{/if}}', 'yes'],
    ['{{#if absent.path}}a{{else if nothing.x}}b{{else}}c{{/if}}', 'c'],
    ['{{#unless none}}none{{/unless}}', 'none'],
    [
      '{{#each user.roles}}{{@index}}={{id}} of {{../name}}{{#unless @last}}, {{/unless}}{{/each}}',
      '0=1 of Ada, 1=2 of Ada',
    ],
    ['{{#each user.roles as |role i|}}{{i}}:{{role.id}} {{/each}}', '0:1 1:2 '],
    ['{{#each absent}}x{{else}}none{{/each}}', 'none'],
    ['{{#with user}}{{name}}{{/with}}', 'Grace'],
    ['{{lookup list 1}}{{lookup user "name"}}{{lookup user "absent"}}', 'bGrace'],
    ['a {{!-- note --}} b {{~name~}} c', 'a  bAdac'],
    ['\\{{name}} {curly}', '{{name}} {curly}'],
  ])('%s', (source, expected) => {
    expect(renderTemplate(source, data)).toBe(expected);
  });

  it.each([
    '{{absent}}',
    '{{user.absent}}',
    '{{user.absent.deeper}}',
    '{{#each user.roles}}{{absent}}{{/each}}',
    '{{name.absent}}',
    '{{list.[7]}}',
  ])('a shown name that is not there is a fault: %s', (source) => {
    expect(() => renderTemplate(source, data)).toThrow(/is not there/);
  });

  // Ways out of a template beside those of template-check.test.ts: each gives its own text alone.
  it.each([
    '{{lookup (lookup this "constructor") "constructor"}}',
    '{{#with "s" as |string|}}{{#with "e"}}{{lookup string.sub "constructor"}}{{/with}}{{/with}}',
    '{{unknown name}}',
    '{{#unknown}}x{{/unknown}}',
    '{{$text name}}',
    '{{$uri name}}',
    '{{../../name}}',
    '{{toString}}',
    '{{valueOf}}',
    '{{hasOwnProperty}}',
    `{{#with (lookup user "name")}}{{constructor}}{{/with}}`,
    '{{json this}}',
  ])('gives nothing away: %s', (source) => {
    let shown = '';
    try {
      shown = renderTemplate(source, data);
    } catch {
      return;
    }
    expect(shown).toBe('');
  });

  it('in a path every shown value is URI-encoded, the text of the author is not', () => {
    const given = { id: 'a/b?c=d&e#f', n: 7, ids: ['x y', '/'] };
    expect(renderTemplate('/items/{{id}}/{{n}}?all={{join ids ","}}', given, 'uri')).toBe(
      '/items/a%2Fb%3Fc%3Dd%26e%23f/7?all=x%20y%2C%2F',
    );
    expect(renderTemplate('/{{#each ids}}{{this}};{{/each}}', given, 'uri')).toBe('/x%20y;%2F;');
  });

  it('a leaf that is one whole path keeps its JSON type, other leaves become text', () => {
    const value: Json = {
      a: '{{n}}',
      b: ' {{n}}',
      c: ['{{user.roles}}', '{{ user.boss }}', '{{{list.[0]}}}'],
      d: 4,
      '{{n}}': null,
      e: '{{user.boss.name}}',
      f: '{{json n}}',
    };
    expect(renderLeaves(value, data)).toEqual({
      a: 3,
      b: ' 3',
      c: [[{ id: 1 }, { id: 2 }], null, 'a'],
      d: 4,
      '{{n}}': null,
      e: null,
      f: '3',
    });
    const odd = { o: { 'a.b': 1, 'first name': 2, x: 3 } };
    expect(renderLeaves(['{{o.[a.b]}}', '{{o.[first name]}}', '{{./o/x}}'], odd)).toEqual([
      1, 2, 3,
    ]);
    expect(() => renderLeaves('{{o.[no such]}}', odd)).toThrow('{{default o.[no such] ""}}');
    expect(() => renderLeaves(['{{user.absent}}'], data)).toThrow(/is not there/);
    expect(() => renderLeaves(['{{user.constructor}}'], data)).toThrow();
  });

  it('has exactly the helpers that the check allows', () => {
    const blocks = ['if', 'unless', 'each', 'with'];
    const allowed = TEMPLATE_HELPERS.filter((name) => !blocks.includes(name));
    expect([...Object.keys(HELPERS), 'lookup'].sort()).toEqual([...allowed].sort());
  });

  it('agrees with plain Handlebars on values that are there', () => {
    const reference = Handlebars.create();
    const words = fc.string({ unit: fc.constantFrom('a', '<', '"', 'é', ' ', '\n') });
    const scope = fc.record({
      a: words,
      b: fc.record({ c: fc.integer(), d: fc.array(fc.record({ e: words })) }),
      f: fc.boolean(),
    });
    const part = fc.constantFrom(
      '{{a}}',
      '{{b.c}}',
      '{{#if f}}{{a}}{{else}}-{{/if}}',
      '{{#each b.d}}{{@index}}{{e}}{{/each}}',
      'text\n',
      '{{#with b}}{{c}}\n{{/with}}',
      '{{~a}}',
      '{{#each b.d as |x|}}{{x.e}}{{../a}}{{/each}}',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), scope, (parts, values) => {
        const source = parts.join('');
        expect(renderTemplate(source, values)).toBe(
          reference.compile(source, { noEscape: true })(values),
        );
      }),
    );
  });
});

describe('a number beyond 2^53, which arrives as the text of its digits', () => {
  const given = { id: '7615917337495251231', huge: '10000000000000000000001', low: '12', n: 5 };
  it.each([
    ['(gt id 5)', true],
    ['(lt id 5)', false],
    ['(lt n id)', true],
    ['(gt huge id)', true],
    ['(eq id 7615917337495251231)', true],
    ['(eq 7615917337495251231 id)', true],
    ['(eq id "7615917337495251231")', true],
    ['(eq id 7615917337495251230)', false],
    ['(ne id 7615917337495251230)', true],
    ['(gt id 7615917337495251230)', true],
    ['(lt id 7615917337495251232)', true],
    ['(eq n 5)', true],
    ['(eq n "5")', false],
    ['(gt low 5)', false],
    ['(eq absent null)', true],
  ])('%s', (asked, right) => {
    const source = `😀\r\n{{#if ${asked}}}yes{{else}}no{{/if}}`;
    expect(renderTemplate(source, given)).toBe(`😀\r\n${right ? 'yes' : 'no'}`);
  });
});
