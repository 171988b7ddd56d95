import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aggregateOf,
  asType,
  checkDimensions,
  checkValue,
  dimensionsOf,
  METRIC_AGGREGATIONS,
  METRIC_DATA_TYPES,
  measureOf,
  pairsOf,
  type Summary,
} from '../../src/metrics/metric.ts';
import { checkSeries, windowOf } from '../../src/metrics/series.ts';

const summaryOf = (values: readonly number[]): Summary => ({
  count: values.length,
  sum: values.reduce((sum, value) => sum + value, 0),
  min: Math.min(...values),
  max: Math.max(...values),
  last: values.at(-1) ?? 0,
});

describe('the type of a metric value (S4-MVAL-02)', () => {
  it('is one of four, and each takes its own and no other', () => {
    const fitting = { integer: 3, float: 3.5, boolean: false, timestamp: '2026-11-21T09:30:00Z' };
    for (const dataType of METRIC_DATA_TYPES)
      for (const [other, value] of Object.entries(fitting)) {
        const fits = other === dataType || (dataType === 'float' && other === 'integer');
        expect(checkValue(dataType, value).map(({ code, path }) => [code, ...path])).toEqual(
          fits ? [] : [['TYPE_MISMATCH', 'value']],
        );
      }
  });

  it.each([
    ['integer', 2 ** 53],
    ['integer', Number.NaN],
    ['float', Number.POSITIVE_INFINITY],
    ['timestamp', 'yesterday'],
    ['timestamp', '2026-13-01T00:00:00Z'],
    ['boolean', null],
    ['float', [1]],
  ] as const)('is not fulfilled for %s by %s', (dataType, value) => {
    expect(measureOf(dataType, value as never)).toBeNull();
  });

  it('survives being stored as a number', () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }),
        (date) => {
          const text = date.toISOString();
          const stored = measureOf('timestamp', text);
          expect(stored === null ? null : asType('timestamp', stored)).toBe(text);
        },
      ),
    );
    for (const value of [true, false])
      expect(asType('boolean', measureOf('boolean', value) ?? Number.NaN)).toBe(value);
  });
});

describe('aggregation (S4-MVAL-03)', () => {
  it('of any values is the named one', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1 }), (values) => {
        const summary = summaryOf(values);
        const by = (aggregation: (typeof METRIC_AGGREGATIONS)[number]) =>
          aggregateOf({ aggregation, dataType: 'integer' }, summary);
        expect(by('sum')).toBe(values.reduce((sum, value) => sum + value, 0));
        expect(by('count')).toBe(values.length);
        expect(by('min')).toBe([...values].sort((a, b) => a - b)[0]);
        expect(by('max')).toBe([...values].sort((a, b) => b - a)[0]);
        expect(by('last')).toBe(values.at(-1));
        expect(Number(by('avg')) * values.length).toBeCloseTo(Number(by('sum')), 3);
      }),
    );
  });

  it('of nothing is nothing, and a count of 0', () => {
    const nothing = { count: 0, sum: 0, min: 0, max: 0, last: 0 };
    for (const aggregation of METRIC_AGGREGATIONS)
      expect(aggregateOf({ aggregation, dataType: 'float' }, nothing)).toBe(
        aggregation === 'count' ? 0 : null,
      );
  });

  it('of truth values is the share of true ones, of moments a moment', () => {
    const flags = summaryOf([1, 0, 1, 1]);
    expect(aggregateOf({ aggregation: 'avg', dataType: 'boolean' }, flags)).toBe(0.75);
    expect(aggregateOf({ aggregation: 'max', dataType: 'boolean' }, flags)).toBe(true);
    const moments = summaryOf([0, 2_000]);
    expect(aggregateOf({ aggregation: 'avg', dataType: 'timestamp' }, moments)).toBe(
      '1970-01-01T00:00:01.000Z',
    );
  });
});

describe('dimensions', () => {
  const flat = fc.dictionary(
    fc.string({ maxLength: 10 }).filter((name) => name !== '__proto__'),
    fc.oneof(fc.string({ maxLength: 10 }), fc.integer(), fc.boolean()),
    { minKeys: 1, maxKeys: 8 },
  );
  it('come back as they were given, in whatever order of names', () => {
    fc.assert(
      fc.property(flat, (dimensions) => {
        expect(checkDimensions(dimensions)).toEqual([]);
        expect(dimensionsOf(pairsOf(dimensions))).toEqual({ ...dimensions });
        const turned = Object.fromEntries(Object.entries(dimensions).reverse());
        expect(pairsOf(turned)).toEqual(pairsOf(dimensions));
      }),
    );
  });

  it('are flat, few and small', () => {
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`d${index}`, index]));
    const problems = [{ a: { b: 1 } }, { a: null }, many, { a: 'x'.repeat(3_000) }].map(
      (dimensions) =>
        checkDimensions(dimensions).map(({ code, path }) => `${code} ${path.join('.')}`),
    );
    expect(problems).toEqual([
      ['INVALID dimensions.a'],
      ['INVALID dimensions.a'],
      ['INVALID dimensions'],
      ['TOO_LARGE dimensions'],
    ]);
  });
});

describe('the window of a series', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00Z');
  it('is the last day by default, and holds a value that is recorded now', () => {
    const window = windowOf({}, nowMs);
    expect(window.from).toBe('2026-11-20T12:00:00.000Z');
    expect(Date.parse(window.to)).toBeGreaterThan(nowMs);
    expect(windowOf({ to: '2026-01-02T00:00:00.000Z' }, nowMs).from).toBe(
      '2026-01-01T00:00:00.000Z',
    );
  });

  it('has buckets of whole minutes where the product measures by itself', () => {
    const window = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' };
    const problems = (bucketSeconds: number, builtIn: boolean) =>
      checkSeries({ bucketSeconds }, window, { builtIn }).map(({ path }) => path.join('.'));
    expect(problems(90, true)).toEqual(['bucketSeconds']);
    expect(problems(90, false)).toEqual([]);
    expect(problems(120, true)).toEqual([]);
  });
});
