import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCondition } from '../../src/expressions/condition.ts';
import { bindInputs, parseText, printReference } from '../../src/expressions/interpolation.ts';
import {
  bracesInCondition,
  findNearReferences,
  meantInCondition,
  meantInTemplate,
  nearReferenceMessage,
  referencesInCondition,
  referencesInTemplate,
} from '../../src/expressions/near-reference.ts';
import { checkTemplate } from '../../src/expressions/template.ts';
import {
  EXPRESSIONS,
  INPUT_TEXTS,
  NAMES_ELSEWHERE,
  TEMPLATE_TEXTS,
  TEMPLATES,
} from './reference.cases.ts';

const names = (mode: 'items' | 'no items') => ({
  steps: new Set(['v', 'names', 'found']),
  stepIds: new Map([
    ['find', 'found'],
    ['same', 'v'],
  ]),
  context: new Set(['a', 'article', 'price', 'same']),
  mode,
});

describe('A text of inputs', () => {
  it.each(INPUT_TEXTS)('with $title ($source)', ({ input, right }) => {
    const found = findNearReferences(input.text, names('no items'));
    const isReference = parseText(input.text, 'no items').some((part) => typeof part !== 'string');
    if (right === 'text' || right === 'reference') {
      expect(found).toEqual([]);
      expect(isReference).toBe(right === 'reference');
      return;
    }
    expect(found.map(({ meant }) => meant)).toEqual([right === 'refused' ? null : right.meant]);
    for (const near of found) {
      const message = nearReferenceMessage(near, 'no items');
      const written = /write (\{".*"\})\.$/.exec(message)?.[1] ?? '';
      // The message says how to send it as it is.
      expect(findNearReferences(written, names('no items'))).toEqual([]);
      expect(bindInputs({ a: written }, { step: {}, context: {} })).toEqual({ a: near.found });
    }
  });

  it('reads items in a step with forEach', () => {
    expect(findNearReferences('{item} {item.name} {index}', names('items'))).toEqual([]);
    expect(findNearReferences('{item.größe}', names('items'))).toMatchObject([
      { meant: '{item["größe"]}' },
    ]);
    expect(findNearReferences('{{item.name}}', names('items'))).toMatchObject([
      { meant: '{item.name}' },
    ]);
  });

  it('names any key of a value', () => {
    const value = { größe: 1, 'first name': [{ 'a"b\\]}': 'x' }], '0': 'zero' };
    const scope = { step: { v: value }, context: {} };
    expect(
      bindInputs(
        {
          a: '{step.v["größe"]}',
          b: String.raw`{step.v['first name'][0]["a\"b\\]}"]}`,
          c: '{step.v[0]} and {step.v["größe"]}',
          d: '{step.v["no such key"]}',
        },
        scope,
      ),
    ).toEqual({ a: 1, b: 'x', c: 'zero and 1', d: null });
  });

  it('reads every reference that is printed', () => {
    const keys = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.nat().map(String)), {
      maxLength: 5,
    });
    const name = fc.constantFrom('a', 'long_name', '_x9');
    const reference = fc.oneof(
      fc.record({
        root: fc.constantFrom('step', 'context') as fc.Arbitrary<'step' | 'context'>,
        path: fc.tuple(name, keys).map(([first, rest]) => [first, ...rest]),
      }),
      fc.record({ root: fc.constant('item' as const), path: keys }),
      fc.constant({ root: 'index' as const, path: [] as string[] }),
    );
    fc.assert(
      fc.property(reference, fc.stringMatching(/^[a-z ]*$/), (given, around) => {
        const text = `${around}${printReference(given)}${around}`;
        const beside = around === '' ? [] : [around];
        expect(parseText(text, 'items')).toEqual([...beside, given, ...beside]);
      }),
      { seed: 39, numRuns: 500 },
    );
  });

  it('never takes long, and never throws', () => {
    const begin = performance.now();
    for (const piece of [
      '{',
      '{{',
      '{step.v["',
      "{step.v['",
      '${',
      '<<',
      '{{ ',
      '$(',
      '{"\\',
      '}',
      `{{${' '.repeat(298)}`,
      `{% ${'-'.repeat(296)}`,
      '%a',
      '{context.a',
      '{context.a}}',
      '{{#',
    ]) {
      const text = piece.repeat(60_000 / piece.length);
      parseText(text, 'items');
      findNearReferences(text, names('items'));
      referencesInCondition(text);
      referencesInTemplate(text, names('no items'));
      bracesInCondition(text, names('no items'));
      checkTemplate(text, []);
    }
    expect(performance.now() - begin).toBeLessThan(10_000);
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[].$<>"\'\\ stepvcontxa0'.split('')) }),
        (text) => {
          findNearReferences(text, names('items'));
          bindInputs({ text }, { step: {}, context: {}, item: 1, index: 0 });
        },
      ),
      { seed: 39, numRuns: 1_000 },
    );
  });
});

describe('A template', () => {
  it.each(TEMPLATES)('with $title ($source)', ({ input, right }) => {
    const messages = checkTemplate(input, []).problems.map(({ message }) => message);
    if (right === null) expect(messages).toEqual([]);
    else expect(messages).toEqual([expect.stringMatching(right)]);
  });

  it('has no references of inputs', () => {
    expect(
      referencesInTemplate(
        'In short: {step.summary} {{a}} {"a": {context.x[0]}}',
        names('no items'),
      ),
    ).toEqual([
      { found: '{step.summary}', meant: '{{summary}}' },
      { found: '{context.x[0]}', meant: '{{x.[0]}}' },
    ]);
  });
});

describe('A text of a template', () => {
  it.each(TEMPLATE_TEXTS)('with $title', ({ input, right }) => {
    const found = referencesInTemplate(input, names('no items')).map(({ meant }) => meant);
    expect(found).toEqual(right === null ? [] : [right]);
  });
});

describe('A name that no value has', () => {
  it.each(NAMES_ELSEWHERE)('with $title', ({ input: { text, name }, right }) => {
    expect({
      template: meantInTemplate(`On {{${text}}}`, name, names('no items')),
      condition: meantInCondition(`${text} == 1`, name, names('no items')),
    }).toEqual(right);
  });
});

describe('An expression', () => {
  it.each(EXPRESSIONS)('with $title', ({ input, right }) => {
    const found = bracesInCondition(input, names('no items')).map(({ meant }) => meant);
    expect(found).toEqual(right === null ? [] : [right]);
  });

  it('says how CEL writes a notation of another language', () => {
    const said = (source: string) =>
      readCondition(source, [])
        .problems.map(({ message }) => message)
        .join(' ');
    expect(said('context.a === 1')).toMatch(/Write == and !=/);
    expect(said('context.a = 1')).toMatch(/Write == to compare/);
    expect(said('context.a and not context.b')).toMatch(/Write &&, \|\| and !/);
    expect(said('context.a is null')).toMatch(/Write == null/);
    expect(said('context.a == None')).toMatch(/Did you mean null\?/);
    expect(said('context.größe == 1')).toMatch(/Write \["größe"\]/);
    expect(said('context.a == "x and y" && context.b')).toBe('');
  });

  it('has no references in its texts', () => {
    expect(referencesInCondition(`"{context.a}" == 'x'`)).toEqual([
      { found: '{context.a}', meant: 'context.a' },
    ]);
    expect(referencesInCondition('context.a == "{b}"')).toEqual([]);
  });
});
