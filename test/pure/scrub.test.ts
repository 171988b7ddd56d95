import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { REDACTED } from '../../src/common/redaction.ts';
import { problem, Refusal } from '../../src/common/refusal.ts';
import { ToolFault } from '../../src/common/tool-fault.ts';
import { openLog } from '../../src/platform/telemetry/log.ts';
import { scrub } from '../../src/platform/telemetry/scrub.ts';
import { withoutWords } from '../../src/platform/temporal/failure-words.ts';

const CANARY = 'cAnary-7f3A9b21-do-not-show';
const shown = (value: unknown, values: string[] = []) => JSON.stringify(scrub(value, { values }));

// S3-RED-01 … 04; pino's own redaction leaked these.
describe('scrub hides', () => {
  it.each([
    ['a field four levels down', { a: { b: { c: { password: CANARY } } } }],
    ['a field in a list', { list: [{ token: CANARY }] }],
    ['whatever its case and spelling', { 'API-KEY': CANARY, Api_Key: CANARY, apikey: CANARY }],
    ['the value of a Secret', { input: { name: 'n', value: CANARY } }],
    [
      'headers of an error',
      Object.assign(new Error('x'), { config: { headers: { Authorization: CANARY } } }),
    ],
    ['a bearer token in a text', `curl -H "Authorization: Bearer ${CANARY}"`],
    ['user and password of an address', `bolt+s://neo4j:${CANARY}@db.example:7687`],
    ['a telling query parameter', `https://api.example/v1?a=1&api_key=${CANARY}&b=2`],
    [
      'JSON that travels as text',
      JSON.stringify({ nested: JSON.parse(`{"password": "${CANARY}"}`) }),
    ],
    ['a password in a sentence', `login failed for password=${CANARY}`],
    ['an error and its cause', new Error('outer', { cause: new Error(`token: ${CANARY}`) })],
    ['a field whose value is an object', { secret: { inner: CANARY } }],
  ])('%s', (_what, value) => {
    expect(shown(value)).not.toContain(CANARY);
  });

  it.each([
    'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    'QWxhZGRpbjpvcGVuIHNlc2FtZSBhbmQgbW9yZSB0ZXh0IDEyMzQ1Njc4OTA=',
  ])('text that looks like a key: %s', (text) => {
    expect(shown(`before ${text} after`)).toBe(JSON.stringify(`before ${REDACTED} after`));
  });

  it('exact values in use, in any text at any depth', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40 }).filter((s) => !REDACTED.includes(s)),
        fc.string(),
        (secret, around) => {
          const result = scrub({ a: [`${around}${secret}${around}`] }, { values: [secret] }) as {
            a: string[];
          };
          return !result.a[0]?.includes(secret);
        },
      ),
    );
  });
});

describe('scrub shows', () => {
  it.each([
    '01a1fd0c-c952-72c0-8426-4d7094a07b09',
    'an ordinary sentence about tokens and keys, which has no secret in it',
    'src/platform/telemetry/scrub-with-a-long-name.test.ts',
    'https://api.example/v1/items?page=2',
    'toc:week:2026-W47',
  ])('%s as it is', (text) => {
    expect(scrub(text)).toBe(text);
  });

  it('numbers, null and lists as they are', () => {
    const value = { count: 3, none: null, yes: true, list: [1, 'two'] };
    expect(scrub(value)).toEqual(value);
  });
});

it('scrub survives circles, depth and values that throw when serialised', () => {
  const circle: Record<string, unknown> = { name: 'a' };
  circle['self'] = circle;
  let deep: unknown = 'bottom';
  for (let level = 0; level < 50; level++) deep = { deep };
  expect(shown([circle, deep, 10n, () => 1])).toContain('[CUT]');
});

it('a log line has only fields on the list, scrubbed, and never the rest', () => {
  const lines: string[] = [];
  const log = openLog('info', { write: (line: string) => void lines.push(line) });
  const fields = {
    requestId: 'r1',
    error: new Error(`Bearer ${CANARY}`),
    headers: { cookie: CANARY },
    input: CANARY,
  };
  log.info(`Hello token=${CANARY}`, fields);
  expect(lines.join()).not.toContain(CANARY);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    requestId: 'r1',
    msg: `Hello token=${REDACTED}`,
  });
  expect(JSON.parse(lines[0] ?? '')).not.toHaveProperty('input');
});

it('a log holds codes and places of errors for users, not the names in their words', () => {
  const lines: string[] = [];
  const log = openLog('info', { write: (line: string) => void lines.push(line) });
  const refusal = new Refusal([problem('DISABLED', ['id'], 'The Process my diary is disabled.')]);
  const constraint = Object.assign(new Error("property `name` = 'my diary'"), {
    code: 'Neo.ClientError.Schema.ConstraintValidationFailed',
  });
  const errors = [
    refusal,
    new ToolFault('TARGET_DISABLED', 'The Tool my diary is disabled.'),
    constraint,
    new Error('outer', { cause: refusal }),
  ];
  for (const error of errors) log.error('It failed', { error });
  expect(lines.join()).not.toContain('diary');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    error: { name: 'Refusal', problems: [{ code: 'DISABLED', path: ['id'] }] },
  });
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ error: { code: 'TARGET_DISABLED' } });
  log.error('It failed', { error: new ToolFault('TOOL_FAILED', 'Could not reach it.') });
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    error: { message: 'Could not reach it.' },
  });
});

it('a failure of Temporal is logged by its kind and frames, also from a workflow’s sandbox', () => {
  const failure = ApplicationFailure.create({
    type: 'OUTPUT_INVALID',
    message: 'my diary\nis odd',
  });
  // The sandbox passes on name, message and stack only.
  const { message, stack } = failure;
  const cloned = Object.assign(new Error(message), { stack });
  const outer = new ActivityFailure('my diary', 'executeStep', '1', 'TIMEOUT', undefined, failure);
  for (const error of [failure, cloned, outer]) {
    const shown = JSON.stringify(scrub(withoutWords(error)));
    expect(shown).not.toContain('diary');
    expect(shown).toMatch(/Failure/);
    expect(shown).toContain(' at ');
  }
  expect(withoutWords(failure)).toMatchObject({
    name: 'ApplicationFailure',
    code: 'OUTPUT_INVALID',
  });
  const other = new Error('Connection refused');
  expect(withoutWords(other)).toBe(other);
});
