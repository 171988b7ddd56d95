import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bindInputs,
  InputsTooLarge,
  listReferences,
  referencesOf,
  valueAt,
} from '../../src/expressions/interpolation.ts';
import { cpuMs } from '../testkit/cpu.ts';

const scope = {
  step: {
    person: { name: 'Ada', tags: ['x', 'y'] },
    none: null,
    count: 3,
    text: 'hi {step.count}',
  },
  context: { question: 'Who?', flag: false },
};
const json = () => fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)));
const name = () => fc.stringMatching(/^[a-z_][a-zA-Z0-9_]{0,8}$/);

describe('binding inputs (S4-EXEC-04)', () => {
  it('puts values into texts at any depth, and leaves other values alone', () => {
    const inputs = {
      whole: '{step.person}',
      path: '{step.person.tags.1}',
      mixed:
        'Hello {step.person.name}, {step.count} times: {step.person.tags} ' +
        '{step.none}{step.person.missing}.',
      deep: [{ q: '{context.question}', n: 1, flag: '{context.flag}' }, null, true],
    };
    expect(bindInputs(inputs, scope)).toEqual({
      whole: { name: 'Ada', tags: ['x', 'y'] },
      path: 'y',
      mixed: 'Hello Ada, 3 times: ["x","y"] .',
      deep: [{ q: 'Who?', n: 1, flag: false }, null, true],
    });
  });

  it('a path that leads nowhere is null, and never a property that JSON does not have', () => {
    const nowhere =
      'missing none.a count.x person.name.length person.tags.length person.tags.7 ' +
      'person.toString person.constructor person.__proto__ text.0';
    for (const path of nowhere.split(' ')) {
      expect(bindInputs({ v: `{step.${path}}` }, scope)).toEqual({ v: null });
    }
  });

  it('{item} and {index} mean something under forEach only', () => {
    const inputs = { a: '{item.id}', b: '{item}', c: '{index}', d: 'No. {index}' };
    expect(bindInputs(inputs, { ...scope, item: { id: 7 }, index: 0 })).toEqual({
      a: 7,
      b: { id: 7 },
      c: 0,
      d: 'No. 0',
    });
    expect(bindInputs(inputs, { ...scope, item: null, index: 1 })).toEqual({
      a: null,
      b: null,
      c: 1,
      d: 'No. 1',
    });
    expect(bindInputs(inputs, scope)).toEqual(inputs);
  });

  it('one whole expression keeps any JSON value as it is', () => {
    fc.assert(
      fc.property(name(), json(), (variable, value) => {
        const bound = bindInputs(
          { v: `{step.${variable}}`, w: [`{context.${variable}}`] },
          { step: { [variable]: value }, context: { [variable]: value } },
        );
        expect(bound).toEqual({ v: value, w: [value] });
      }),
    );
  });

  it('braces that open no expression are text, whatever stands around them', () => {
    const words =
      '{|}|{{|}}|step|context|.|a|item|index| |{step}|{step.}|{stepx.a}|{ step.a }|{step.a..b}|' +
      '{context}|{step.1a}|{"a": 1}';
    const pieces = fc.constantFrom(...words.split('|'));
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 15 }), (parts) => {
        const text = parts.join('');
        fc.pre(listReferences(text, 'items').length === 0);
        expect(bindInputs({ text }, { ...scope, item: 1, index: 1 })).toEqual({ text });
      }),
      { numRuns: 2_000 },
    );
  });

  it('braces inside a value are not read again', () => {
    expect(bindInputs({ v: 'a {step.text}' }, scope)).toEqual({ v: 'a hi {step.count}' });
  });

  it('changes neither inputs nor scope, and takes a key named __proto__ as a key', () => {
    const inputs = JSON.parse('{"__proto__": {"x": "{step.count}"}, "a": ["{step.count}"]}');
    const before = JSON.stringify([inputs, scope]);
    const bound = bindInputs(inputs, scope);
    expect(JSON.stringify([inputs, scope])).toBe(before);
    expect(JSON.stringify(bound)).toBe('{"__proto__":{"x":3},"a":[3]}');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('takes time in proportion to the text', () => {
    const inputs = {
      v: '{step.a'.repeat(50_000),
      w: `{step.a${'.b'.repeat(100_000)}`,
      x: '{item'.repeat(50_000),
    };
    expect(cpuMs(() => void bindInputs(inputs, { ...scope, item: 1 }))).toBeLessThan(2_500);
  });
});

describe('references of inputs', () => {
  it('is named once, with the place it stands at', () => {
    const inputs = {
      a: '{step.x.y} {step.x}',
      b: [{ c: '{context.q}' }],
      '{step.key}': 1,
      d: '{item.z}',
    };
    expect(referencesOf(inputs)).toEqual({ steps: ['x'], context: ['q'], item: true });
    expect(listReferences(inputs, 'no items')).toEqual([
      { root: 'step', path: ['x', 'y'], at: ['a'] },
      { root: 'step', path: ['x'], at: ['a'] },
      { root: 'context', path: ['q'], at: ['b', '0', 'c'] },
    ]);
    expect(referencesOf({})).toEqual({ steps: [], context: [], item: false });
  });

  it('reading a path out of a value agrees with walking it', () => {
    fc.assert(
      fc.property(
        json(),
        fc.array(fc.oneof(name(), fc.nat(3).map(String)), { maxLength: 4 }),
        (value, path) => {
          const walked = path.reduce<unknown>(
            (at, key) =>
              typeof at === 'object' && at !== null && Object.hasOwn(at, key)
                ? (at as Record<string, unknown>)[key]
                : undefined,
            value,
          );
          expect(valueAt(value, path)).toEqual(walked ?? null);
        },
      ),
    );
  });

  it('counts the values before it builds text of them', () => {
    const scope = { step: { big: 'x'.repeat(1_000_000) }, context: {} };
    const inputs = { text: '{step.big} '.repeat(20_000) };
    expect(() => bindInputs(inputs, scope)).toThrow(InputsTooLarge);
    // Each value is a reference here; written out, they would be 20 GB.
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [at, '{step.big}']));
    expect(() => bindInputs(many, scope)).toThrow(/16 MiB/);
    expect(bindInputs({ a: '{step.big}' }, scope)['a']).toBe(scope.step.big);
  });
});
