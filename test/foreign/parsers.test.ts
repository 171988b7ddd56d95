import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBlobUri } from '../../src/common/blob-uri.ts';
import type { Json } from '../../src/common/json.ts';
import { decodeCursor, encodeCursor, newestFirst } from '../../src/common/page.ts';
import { evaluateCondition, readCondition } from '../../src/expressions/condition.ts';
import { checkTemplate } from '../../src/expressions/template.ts';
import { searchQueryOf } from '../../src/memory-graph/search/search-query.ts';
import { labelOf } from '../../src/memory-graph/search/speech.ts';
import { renderTemplate } from '../../src/platform/renderer/template-engine.ts';
import { parseYaml } from '../../src/platform/yaml/parse-yaml.ts';
import { parseBundle } from '../../src/processes/bundle/bundle.ts';
import { checkCron, checkTimezone } from '../../src/schedules/cron.ts';
import { isRequest } from '../../src/text/questions.ts';
import { recallQueryOf } from '../../src/working-memory/recall/recall-query.ts';

// Each parser of ours reads any text: it gives a value or problems with words, and never throws
// anything else. Each is given the texts that it is made of, and the ones that it is not.

const ODD = ['\ud800', '\udc00', '\0', '\u2028', '\u202e', '\ufeff', '\u200b', '😀', 'é', 'ß', 'İ'];

/** Texts of the pieces that a parser knows, between odd ones. */
function textsOf(...pieces: string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...pieces) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
  );
  return fc.array(piece, { maxLength: 24 }).map((all) => all.join(''));
}

const value: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 4 })
  .map((one) => JSON.parse(JSON.stringify(one)) as Json);
const runs = { seed: 39, numRuns: 2_000 };

function isSaid(error: unknown): void {
  expect(error).toBeInstanceOf(Error);
  // A defect of ours has one of these types; a message for the author has none of them.
  expect(error).not.toBeInstanceOf(TypeError);
  expect(error).not.toBeInstanceOf(RangeError);
  expect(error).not.toBeInstanceOf(ReferenceError);
}

const CEL = textsOf(
  ...['step.a', 'context.b', 'step["x"]', '==', '<', ' && ', '!', '(', ')', '[', ']', '{', '}'],
  ...['1', '9223372036854775808', '-', '"', "'", 'size(', '.all(x, ', 'has(', ' in ', ' ? ', ' : '],
  ...['null', 'r"', 'b"', '\\u', '\\ud83d', '1e999', '0x', 'dyn('],
  ...['type(', '__proto__', '%', '/ 0', 'map', '1e9', '//', ','],
);
const TEMPLATE = textsOf(
  ...['{{', '}}', '{{{', '}}}', '#if ', '/if', '#each ', '/each', 'else', 'x', 'a.b', 'a.[', ']'],
  ...['"', '(json x)', '@index', 'this', '../', '!--', '--', '~'],
  ...['\\', '>p', '=', 'as |x|', '|', '__proto__', '*', '^', '#', '..', '(', ')', '\n'],
);
const YAML = textsOf(
  ...['a', ': ', '\n', '  ', '- ', '"', "'", '&x ', '*x', '!!binary '],
  ...['<<: ', '|', '>', '[', ']', '{'],
  ...['}', '# ', '---\n', '1e999', '0x1F', 'null', '~', '\t', '?', '%TAG', '2001-01-01'],
);
const CRON = textsOf('*', '/', '-', ',', ' ', '0', '59', '7', 'MON', '@daily', 'L', '#', '?', '\n');
const SPOKEN = textsOf(
  ...['Ada', ' lives in ', 'Turin', '?', ' who ', 'AND', 'OR', 'NOT', '"', '~', '*', '(', ')', ':'],
  ...['^', '+', '-', '\\', '/', '&&', '[a TO b]', ' 東京', ' يعيش', 'straße', '.', '\n', 'don’t'],
);

describe('parsers take any text', () => {
  it('of a condition', () => {
    fc.assert(
      fc.property(CEL, value, (source, a) => {
        const { problems } = readCondition(source, ['condition']);
        for (const { code, path } of problems)
          expect([code, path]).toEqual(['CONDITION_INVALID', ['condition']]);
        if (problems.length > 0) return;
        try {
          const result = evaluateCondition(source, { step: { a, x: a }, context: { b: a } });
          expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        } catch (error) {
          isSaid(error);
        }
      }),
      runs,
    );
  });

  it('of a template', () => {
    fc.assert(
      fc.property(TEMPLATE, value, (source, x) => {
        const { problems, variables } = checkTemplate(source, ['template']);
        expect(variables).not.toContain('__proto__');
        for (const { code, message, path } of problems) {
          expect([code, path]).toEqual(['TEMPLATE_INVALID', ['template']]);
          expect(message.isWellFormed()).toBe(true);
        }
        if (problems.length > 0) return;
        try {
          expect(typeof renderTemplate(source, { x, a: { b: x } })).toBe('string');
        } catch (error) {
          isSaid(error);
        }
      }),
      runs,
    );
  });

  it('of YAML, and of a bundle', () => {
    fc.assert(
      fc.property(YAML, (text) => {
        const read = parseYaml(text);
        if ('faults' in read) {
          expect(read.faults.length).toBeGreaterThan(0);
          return;
        }
        expect(JSON.parse(JSON.stringify(read.value))).toEqual(read.value);
        parseBundle(read.value);
      }),
      runs,
    );
  });

  it.each<[string, Json]>([
    ['id: 7615917337495251231', { id: '7615917337495251231' }],
    ['7615917337495251231: id', { '7615917337495251231': 'id' }],
    ['big: 1e400', { big: '1e400' }],
    ['hex: 0x1F', { hex: 31 }],
    ['half: 2.50', { half: 2.5 }],
  ])('of YAML with the number of %s', (text, right) => {
    expect(parseYaml(text)).toEqual({ value: right });
  });

  it.each(['a: .inf', 'a: .nan', 'a: !!binary aGk=', 'a: !!set {b}', 'a: 0x1FFFFFFFFFFFFFFF'])(
    'of YAML that JSON cannot write, with words: %s',
    (text) => expect(parseYaml(text)).toEqual({ faults: [expect.any(String)] }),
  );

  it('of a bundle that is any JSON', () => {
    const section = fc.oneof(
      value,
      fc.array(fc.dictionary(fc.constantFrom('name', 'steps'), value)),
    );
    const bundle = fc.record({ aiden: value, processes: section, tools: section });
    fc.assert(
      fc.property(fc.oneof(value, bundle), (document) => {
        const { problems } = parseBundle(JSON.parse(JSON.stringify(document)) as Json);
        for (const one of problems) expect(one.message.isWellFormed()).toBe(true);
      }),
      runs,
    );
  });

  it('of a schedule', () => {
    fc.assert(
      fc.property(CRON, (text) => {
        for (const { code, path } of checkCron(text))
          expect([code, path]).toEqual(['INVALID', ['cron']]);
        checkTimezone(text);
      }),
      runs,
    );
  });

  it('of a question to the memory', () => {
    fc.assert(
      fc.property(SPOKEN, (text) => {
        const { stems, match } = searchQueryOf(text, 'ada');
        expect(match([text])[0]?.words).toHaveLength(stems.length);
        recallQueryOf(text);
        labelOf(text);
        isRequest(text);
      }),
      runs,
    );
  });

  it('of a cursor and of the address of a blob', () => {
    const order = newestFirst('node');
    const key = fc
      .tuple(fc.date({ noInvalidDate: true }), fc.string())
      .map(([at, id]) => [at.toISOString(), id]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), key, (text, sorted) => {
        decodeCursor(text, order);
        parseBlobUri(text);
        parseBlobUri(`ci-blob://${text}`);
        const read = decodeCursor(encodeCursor(sorted), order);
        if (read !== null) expect(JSON.stringify(read)).toBe(JSON.stringify(sorted));
      }),
      runs,
    );
  });
});
