import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/common/json.ts';
import {
  conditionReferences,
  evaluateCondition,
  readCondition,
} from '../../src/expressions/condition.ts';
import { cpuMs } from '../testkit/cpu.ts';

const scope = {
  step: {
    n: 3,
    half: 0.5,
    big: 2 ** 53,
    name: 'Ada',
    none: null,
    yes: true,
    list: [1, 2, 3],
    rows: [
      { id: 1, ok: true, tags: ['a'] },
      { id: 2, ok: false, tags: [] },
    ],
    map: { a: 1, b: { c: 'deep' } },
  },
  context: { limit: 2, 'a key': 1 },
};

describe('evaluating a condition (S4-EXEC-07)', () => {
  it.each<[string, Json]>([
    ['step.n > context.limit', true],
    ['step.n + 1', 4],
    ['step.n / 2', 1],
    ['step.half * step.n', 1.5],
    ['step.n * 1.5 == 4.5', true],
    ['step.big == 9007199254740992.0', true],
    ['-step.n % 2', -1],
    ['step.name + "!" == "Ada!"', true],
    ['step.none == null', true],
    ['step.none.a.b == null', true],
    ['step.none[0].x', null],
    ['step.map.b.c', 'deep'],
    ['step.map["b"].c', 'deep'],
    ['step.list[step.n - 1]', 3],
    ['2 in step.list && !(7 in step.list) && "a" in step.map', true],
    ['has(step.map.b.c) && !has(step.map.x) && !has(step.none.x) && !has(step.map.x.y)', true],
    ['has(step.absent)', false],
    ['size(step.list) == 3 && step.name.size() == 3 && size(step.map) == 2', true],
    ['step.rows.filter(r, r.ok)', [{ id: 1, ok: true, tags: ['a'] }]],
    ['step.rows.map(r, r.id * 10)', [10, 20]],
    ['step.rows.map(r, r.ok, r.id)', [1]],
    ['step.rows.exists(r, r.tags.exists(t, t == "a"))', true],
    ['step.rows.all(r, r.id > 0) && step.rows.exists_one(r, r.ok)', true],
    ['step.map.exists(key, key == "a")', true],
    ['step.yes ? "y" : "n"', 'y'],
    ['step.yes || step.absent', true],
    ['step.absent || step.yes', true],
    ['false && step.name > 1', false],
    ['step.name.startsWith("A") && step.name.endsWith("a") && step.name.contains("d")', true],
    ['step.name.lowerAscii() + step.name.upperAscii() + " x ".trim()', 'adaADAx'],
    ['"a,b".split(",").join("+")', 'a+b'],
    ['step.name.substring(1) + step.name.substring(0, 1) + string(step.name.indexOf("a"))', 'daA2'],
    [
      'int("42") + int(2.9) == 44 && double("1.5") == 1.5 && bool("true") && string(1) == "1"',
      true,
    ],
    ['{"a": step.n, "b": [1, 2.5, null]}', { a: 3, b: [1, 2.5, null] }],
    ['[1.5 * 2.0][0] + 1.0', 4],
    ['step.list == [1, 2, 3] && step.map != {"a": 1}', true],
    ['step.list + [4]', [1, 2, 3, 4]],
    ['step.rows', scope.step.rows],
  ])('%s', (source, expected) => {
    expect(evaluateCondition(source, scope)).toEqual(expected);
  });

  it.each([
    ['step.absent', /step\.absent is not there/],
    ['step.map.x > 1', /has\(\.\.\.\)/],
    ['step.list[9]', /out of range/],
    [
      'step.name > 1',
      /^step\.name > 1 is not possible: left is a text and right is a whole number\.$/,
    ],
    ['step.n && true', /true or false is wanted, not a whole number/],
    ['step.none.exists(x, x == 1)', /wants a list/],
    ['1 / (step.n - 3)', /Division by zero/],
    ['9223372036854775807 + step.n', /out of range/],
    ['9007199254740993 + step.n', /too large a number/],
    ['1.0 / 0.0', /no number JSON knows/],
    ['step.name.substring(9)', /out of range/],
    ['{step.name: 1, "x": 2}[context.limit]', /key is a string/],
  ])('%s fails with words an author understands', (source, message) => {
    expect(() => evaluateCondition(source, scope)).toThrow(message);
  });

  it('changes nothing in its scope', () => {
    const before = JSON.stringify(scope);
    evaluateCondition('step.rows.map(r, r.id) + step.list', scope);
    expect(JSON.stringify(scope)).toBe(before);
  });

  it('agrees with cel-js wherever cel-js has an answer', () => {
    const environment = new Environment({ homogeneousAggregateLiterals: false })
      .registerVariable('step', 'map')
      .registerVariable('context', 'map');
    const celScope = {
      step: { a: 2n, b: -7n, s: 'text', t: true, l: [1n, 2n, 3n], d: 1.25 },
      context: {},
    };
    const jsonScope = {
      step: { a: 2, b: -7, s: 'text', t: true, l: [1, 2, 3], d: 1.25 },
      context: {},
    };
    const { expression } = fc.letrec<{ expression: string; leaf: string }>((tie) => ({
      leaf: fc.constantFrom(
        ...'1 0 2.5 "te" true null step.a step.b step.s step.t step.l step.d'.split(' '),
        ...['[1, 2]', '{"k": 1}'],
      ),
      expression: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        tie('leaf'),
        fc
          .tuple(
            tie('expression'),
            fc.constantFrom('+', '-', '*', '/', '%', '<', '<=', '==', '!=', '&&', '||', 'in'),
            tie('expression'),
          )
          .map(([l, op, r]) => `(${l} ${op} ${r})`),
        fc
          .tuple(tie('expression'), tie('expression'), tie('expression'))
          .map(([c, l, r]) => `(${c} ? ${l} : ${r})`),
        tie('expression').map((e) => `!${e}`),
        tie('expression').map((e) => `size(${e})`),
        tie('expression').map((e) => `(${e})[0]`),
        tie('expression').map((e) => `(${e}).contains("e")`),
        tie('expression').map((e) => `step.l.map(i, ${e} == i)`),
        tie('expression').map((e) => `step.l.filter(i, i < ${e})`),
        tie('expression').map((e) => `step.l.exists(i, i == ${e})`),
      ),
    }));
    const toJson = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value ?? null, (_key, inner) =>
          typeof inner === 'bigint' ? Number(inner) : inner,
        ),
      );
    let answered = 0;
    fc.assert(
      fc.property(expression, (source) => {
        let expected: unknown;
        try {
          const parsed = environment.parse(source);
          if (!parsed.check().valid) return;
          expected = toJson(parsed(celScope));
        } catch {
          return;
        }
        if (readCondition(source, []).problems.length > 0) return;
        answered++;
        expect(evaluateCondition(source, jsonScope)).toEqual(expected);
      }),
      { numRuns: 4_000 },
    );
    expect(answered).toBeGreaterThan(500);
  });
});

describe('the work of an expression has an end', () => {
  const long = Array.from({ length: 3_000 }, (_, index) => index);
  const text = 'x'.repeat(200_000);
  it.each([
    ['two lists against each other', 'step.long.exists(a, step.long.exists(b, a + b == -1))'],
    ['a long text, many times over', 'step.long.map(i, step.text).join("")'],
    ['texts that double', 'step.long.map(i, step.text + step.text + step.text)'],
    ['splitting into characters', 'step.long.map(i, step.text.split(""))'],
    ['comparing large values', 'step.long.all(i, step.rows == step.rows2)'],
  ])('%s', (_what, source) => {
    const rows = long.map((id) => ({ id, text: 'same' }));
    const rows2 = structuredClone(rows)
      .concat([{ id: -1, text: '' }])
      .slice(0, -1);
    const scope = { step: { long, text, rows, rows2 }, context: {} };
    const refuses = () => expect(() => evaluateCondition(source, scope)).toThrow(/too much work/);
    expect(cpuMs(refuses)).toBeLessThan(10_000);
  });

  it('but a thousand items are none too many', () => {
    const items = long.slice(0, 1_000).map((id) => ({ id, tags: ['a', 'b'] }));
    const source =
      'step.items.filter(i, i.id % 2 == 0 && i.tags.exists(t, t == "b")).map(i, {"id": i.id, ' +
      '"name": "n" + string(i.id)})';
    expect(evaluateCondition(source, { step: { items }, context: {} })).toHaveLength(500);
  });
});

describe('reading a condition', () => {
  it('names the variables it takes, and none that it makes itself', () => {
    expect(conditionReferences('step.list.exists(n, n == context.limit)')).toEqual({
      steps: ['list'],
      context: ['limit'],
    });
  });

  it.each([
    ['bool', 'step.n + 1 > 2', true],
    ['bool', 'step.n', true],
    ['bool', '"text"', false],
    ['bool', '1 + 1', false],
    ['list', 'step.list', true],
    ['list', 'step.list.filter(i, i > 1)', true],
    ['list', '1 > 2', false],
    ['list', '{"a": 1}', false],
  ] as const)('where %s is wanted, %s fits: %s', (wants, source, fits) => {
    expect(readCondition(source, [], wants).problems.length === 0).toBe(fits);
  });

  it.each([
    '',
    'step.n >',
    'step.n > "unclosed',
    '1 + "a"',
    'true && 1',
    'step',
    'context == null',
    'step[context.limit]',
    'item.x',
    'process.env',
    'globalThis',
    'google.protobuf.Timestamp',
    'cel.bind(x, 1, x)',
    'type(1) == int',
    'step.n.matches("^(a+)+$")',
    '"a".matches(step.n)',
    'b"bytes" == b"bytes"',
    '1u == 1u',
    'timestamp("2024-01-01T00:00:00Z")',
    'duration("1s")',
    'optional.of(1)',
    'step.?n',
    'foo(step.n)',
    'step.n.foo()',
    'step.constructor',
    'step.n.constructor',
    'step["constructor"]',
    'step.n["__proto__"]',
    'step.n.__proto__.x',
    'step.n.prototype',
    'step.n.__defineGetter__',
    'step.n.constructor.constructor("return process")()',
    'step.list.map(step, step)',
    'step.list.map(1, 2)',
    'step.list.exists(a, step.list.exists(b, step.list.exists(c, a == b)))',
    `${'('.repeat(200)}1${')'.repeat(200)}`,
    `${'!'.repeat(3_000)}true`,
    `"${'a'.repeat(5_000)}" == ""`,
    Array.from({ length: 600 }, () => '1').join('+'),
  ])('refuses %.60s when stored and when run', (source) => {
    const { problems } = readCondition(source, ['c']);
    expect(problems.length).toBeGreaterThan(0);
    expect(
      problems.every(({ code, path }) => code === 'CONDITION_INVALID' && path[0] === 'c'),
    ).toBe(true);
    expect(() => evaluateCondition(source, scope)).toThrow();
  });

  it('a computed key reaches own properties only', () => {
    for (const key of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(() =>
        evaluateCondition('step.map[context.key]', { ...scope, context: { key } }),
      ).toThrow();
      expect(evaluateCondition('context.key in step.map', { ...scope, context: { key } })).toBe(
        false,
      );
    }
  });
});

describe('whole numbers and fractions', () => {
  const scope = { step: { price: 10.5, i: 2 }, context: {} };
  it.each([
    ['step.price * 2 == 21.0', true],
    ['step.price + 1 != 11.5', false],
    ['step.i * 2 == 4.0', true],
    ['step.i * 1.5 == 3', true],
    ['1 + 0.5 > 1', true],
    ['size([1]) * 1.5 > 1.0', true],
    ['5 / 2 == 2', true],
    ['(step.price + 1) in [11.5]', true],
  ])('%s', (source, right) => {
    expect(readCondition(source, [], 'bool').problems).toEqual([]);
    expect(evaluateCondition(source, scope)).toBe(right);
  });
});

describe('a number beyond 2^53, which arrives as the text of its digits', () => {
  const BIG = '7615917337495251231';
  const scope = {
    step: { v: { id: BIG, ids: [1, BIG], huge: '10000000000000000000001', text: '12' } },
    context: {},
  };
  it.each([
    ['step.v.id == 7615917337495251231', true],
    ['7615917337495251231 == step.v.id', true],
    ['step.v.id != 7615917337495251230', true],
    ['step.v.id == "7615917337495251231"', true],
    ['step.v.id > 5 && 5 < step.v.id && step.v.id >= 7615917337495251231', true],
    ['step.v.id < 7615917337495251232 && step.v.id > 0.5', true],
    ['step.v.id < 1e300', true],
    // As texts, "1..." comes first.
    ['step.v.huge > step.v.id', true],
    ['7615917337495251231 in step.v.ids', true],
    ['step.v.ids == [1, 7615917337495251231]', true],
    ['step.v.text == 12', false],
  ])('%s', (source, right) => {
    expect(evaluateCondition(source, scope)).toBe(right);
  });

  it.each(['step.v.text > 5', 'step.v.id + 1', '5 <= step.v.text'])('hints at %s', (source) => {
    expect(() => evaluateCondition(source, scope)).toThrow(/not possible: .*; write int\(\.\.\.\)/);
  });
});

describe('characters of a text', () => {
  const scope = { step: { a: 'a😀b😀', tilde: '～' }, context: {} };
  it.each([
    ['size(step.a)', 4],
    ['step.a.substring(0, size(step.a) - 1)', 'a😀b'],
    ['step.a.substring(2)', 'b😀'],
    ['step.a.substring(4)', ''],
    ['step.a.indexOf("b")', 2],
    ['step.a.lastIndexOf("😀")', 3],
    ['step.a.indexOf("z")', -1],
    ['step.a.indexOf("")', 0],
    ['step.a.lastIndexOf("")', 4],
    ['step.a.split("")', ['a', '😀', 'b', '😀']],
    ['step.a.split("😀")', ['a', 'b', '']],
    ['step.a.substring(step.a.indexOf("😀"), step.a.lastIndexOf("😀"))', '😀b'],
    ['step.tilde < "😀" && "a" < step.a && step.a >= "a"', true],
  ])('%s', (source, right) => {
    expect(evaluateCondition(source, scope)).toEqual(right);
  });

  it('are never cut in half', () => {
    const index = fc.nat({ max: 8 });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 8 }), index, index, (text, from, to) => {
        const letters = [...text];
        const [start, end] = [
          Math.min(from, to, letters.length),
          Math.min(Math.max(from, to), letters.length),
        ];
        const cut = evaluateCondition(`step.a.substring(${start}, ${end})`, {
          step: { a: text },
          context: {},
        });
        expect(cut).toBe(letters.slice(start, end).join(''));
      }),
      { seed: 39, numRuns: 200 },
    );
    expect(() => evaluateCondition('step.a.substring(5)', scope)).toThrow(/out of range/);
  });
});
