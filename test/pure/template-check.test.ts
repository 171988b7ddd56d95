import { describe, expect, it } from 'vitest';
import { checkTemplate } from '../../src/expressions/template.ts';
import { renderTemplate } from '../../src/platform/renderer/template-engine.ts';
import { cpuMs } from '../testkit/cpu.ts';

const codesOf = (source: unknown) => checkTemplate(source, ['x']).problems.map(({ code }) => code);

describe('reading a template (S4-PROC-05)', () => {
  it.each<[string, string[]]>([
    ['no braces at all', []],
    ['{{a}} {{b.c}} {{{d}}} {{&e}}', ['a', 'b', 'd', 'e']],
    [
      '{{#each list as |x i|}}{{x.y}} {{i}} {{own}} {{../outer}} {{@index}} {{@root.top}}{{/each}}',
      ['list', 'outer', 'top'],
    ],
    [
      '{{#each list}}{{#if flag}}{{../a}}{{else}}{{b}}{{/if}}{{else}}{{empty}}{{/each}}',
      ['list', 'a', 'empty'],
    ],
    ['{{#with person as |p|}}{{name}} {{p.age}} {{../title}}{{/with}}', ['person', 'title']],
    ['{{#if (and a (not b))}}{{c}}{{else if d}}{{e}}{{/if}}', ['a', 'b', 'c', 'd', 'e']],
    [
      '{{join (default names list) ", "}} {{json x 2}} {{lookup map key}}',
      ['names', 'list', 'x', 'map', 'key'],
    ],
    ['{{this.a}} {{./b}} \\{{text}} {{! note }}{{!-- {{note}} --}}', ['a', 'b']],
  ])('finds the top-level names of %s', (source, variables) => {
    const reading = checkTemplate(source, []);
    expect(reading).toEqual({ problems: [], variables });
  });

  it('says every fault at once, with its line, at the path it was given', () => {
    const { problems } = checkTemplate('{{> a}}\n{{log b}}\n{{c.__proto__}}', ['steps', 3]);
    expect(problems.map(({ message }) => message.slice(0, 7))).toEqual([
      'Line 1:',
      'Line 2:',
      'Line 3:',
    ]);
    expect(problems.every(({ path }) => path.join() === 'steps,3')).toBe(true);
  });

  it('refuses more than 64 KiB, counted in bytes', () => {
    expect(codesOf('ż'.repeat(32 * 1024 + 1))).toEqual(['TOO_LARGE']);
    expect(codesOf('z'.repeat(64 * 1024))).toEqual([]);
  });

  it.each([
    ['blocks', '{{#if x}}'.repeat(3_000) + '{{/if}}'.repeat(3_000)],
    ['calls', `{{json ${'(not '.repeat(5_000)}x${')'.repeat(5_000)}}}`],
    ['else', `{{#if x}}${'{{else if x}}'.repeat(4_500)}{{/if}}`],
    ['each', '{{#each a}}'.repeat(4) + '{{/each}}'.repeat(4)],
  ])('refuses too many %s inside one another, at once', (_what, source) => {
    const work = () => expect(codesOf(source)).toEqual(['TEMPLATE_INVALID']);
    expect(cpuMs(work)).toBeLessThan(2_500);
  });

  it.each(['{{[]}}', '{{a.[]}}', '{{#if []}}x{{/if}}'])(
    'refuses a name without characters: %s',
    (source) => {
      expect(checkTemplate(source, []).variables).not.toContain('');
      expect(codesOf(source)).toEqual(['TEMPLATE_INVALID']);
    },
  );
});

/** Known ways out of Handlebars and its relatives, and harmless texts that look like one. */
const ESCAPES: unknown[] = [
  '{{constructor}}',
  '{{constructor.constructor "return process"}}',
  '{{a.constructor.name}}',
  '{{a.__proto__.b}}',
  '{{__proto__}}',
  '{{a.prototype}}',
  '{{[constructor]}}',
  '{{a.[__proto__].x}}',
  '{{this.constructor}}',
  '{{#with a}}{{constructor}}{{/with}}',
  '{{#each a}}{{../constructor}}{{/each}}',
  '{{lookup a "constructor"}}',
  '{{lookup a "__proto__"}}',
  '{{#with (lookup a "constructor")}}{{this}}{{/with}}',
  '{{__defineGetter__ "x" a}}',
  '{{a.__lookupGetter__}}',
  '{{helperMissing a}}',
  '{{blockHelperMissing a}}',
  '{{#blockHelperMissing a}}x{{/blockHelperMissing}}',
  '{{#a}}x{{/a}}',
  '{{^a}}x{{/a}}',
  '{{^if a}}x{{/if}}',
  '{{log "to stdout"}}',
  '{{split a ","}}',
  '{{a.b "called"}}',
  '{{@root}}',
  '{{json @root}}',
  '{{this}}',
  '{{@level}}',
  '{{@partial-block}}',
  '{{../a}}',
  '{{> partial}}',
  '{{> (lookup a "b")}}',
  '{{#> layout}}x{{/layout}}',
  '{{#*inline "x"}}y{{/inline}}',
  '{{* decorator}}',
  '{{{{raw}}}}x{{{{/raw}}}}',
  '{{json a b=c}}',
  '{{eq a}}',
  '{{"literal"}}',
  '{{#each a as |json|}}{{json}}{{/each}}',
  '{{#if a as |b|}}{{b}}{{/if}}',
  '{{#with "s" as |string|}}{{#with (string.sub.apply 0 codelist)}}{{this}}{{/with}}{{/with}}',
  `{{#with split as |conslist|}}{{this.pop}}{{this.push
    (lookup string.sub "constructor")}}{{/with}}`,
  // A syntax tree in place of text (CVE-2026-33937).
  { type: 'Program', body: [{ type: 'MustacheStatement', params: [], path: 0, loc: 0 }] },
  { type: 'Program', body: [], blockParams: ['x = process.exit()'] },
  ['{{a}}'],
  null,
  42,
];

describe('the escape corpus', () => {
  // Kept as compiled, beside the list of it in the corpus.
  renderTemplate('{{a}}', { a: 1 });
  it.each(ESCAPES.map((source) => [JSON.stringify(source), source] as const))(
    '%s is refused when stored and when run',
    (_name, source) => {
      expect(codesOf(source)).toContain('TEMPLATE_INVALID');
      expect(() => renderTemplate(source as string, { a: { b: 'value' }, codelist: [] })).toThrow();
    },
  );

  it('a key that only a JSON object has is shown, though it reads like a method', () => {
    const data = JSON.parse('{"a": {"toString": "own", "valueOf": 1}}');
    expect(renderTemplate('{{a.toString}}{{a.valueOf}}', data)).toBe('own1');
  });
});
