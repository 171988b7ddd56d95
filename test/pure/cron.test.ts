import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCron, checkTimezone, cronForTemporal } from '../../src/schedules/cron.ts';

const faultOf = (cron: string) => checkCron(cron).map(({ message }) => message);

describe('the cron of a schedule (SX-07)', () => {
  it.each([
    '* * * * *',
    '30 6 * * 1-5',
    '*/15 0,12 1-15 jan-mar *',
    '5/20 * * * *',
    '0 0 29 2 *',
    '0 0 * * SUN',
    '0 0 * * 7',
    '0 9 * * mon-sun',
    '  0  9 * * * ',
    '@hourly',
    '@monthly',
  ])('%s can be used', (cron) => expect(faultOf(cron)).toEqual([]));

  it.each([
    ['', 'five fields'],
    ['* * * *', 'this has 4'],
    ['0 * * * * *', 'this has 6'],
    ['60 * * * *', 'minute'],
    ['* 24 * * *', 'hour'],
    ['* * 0 * *', 'day of month'],
    ['* * * 13 *', 'month'],
    ['* * * * 8', 'day of week'],
    ['* * * * mo', 'day of week'],
    ['* * * * 5-1', 'ends before it begins'],
    ['*/0 * * * *', 'step'],
    ['*/x * * * *', 'step'],
    ['30-10 * * * *', 'ends before it begins'],
    ['1-2-3 * * * *', 'minute'],
    ['1,,2 * * * *', 'minute'],
    ['0 0 30 2 *', 'never run'],
    ['0 0 31 4,6,9,11 *', 'never run'],
    ['@every 5s', 'There is no @every 5s'],
    ['CRON_TZ=UTC 0 0 * * *', 'this has 6'],
    ['0 0 * * * # daily', 'this has 7'],
    ['0 0 L * *', 'day of month'],
    [`${'1,'.repeat(200)}1 * * * *`, 'at most 200'],
  ])('%s is refused with its fault', (cron, message) => {
    expect(faultOf(cron).join(' ')).toContain(message);
  });

  it.each([
    ['1-7', '0,1,2,3,4,5,6'],
    ['mon-7', '0,1,2,3,4,5,6'],
    ['mon-sun', '0,1,2,3,4,5,6'],
    ['0-7', '0,1,2,3,4,5,6'],
    ['5-7', '0,5,6'],
    ['fri-sun', '0,5,6'],
    ['7', '0'],
    ['sun', '0'],
    ['0', '0'],
    ['1-7/2', '0,1,3,5'],
    ['1-7/3', '1,4,0'],
    ['0-7/7', '0'],
    ['5-7,2', '0,2,5,6'],
    ['MON-FRI', '1,2,3,4,5'],
    ['*/2', '0,2,4,6'],
    ['3/2', '3,5'],
    ['6/2', '6'],
    ['7/2', '0'],
    ['*', '*'],
  ])('%s as the day of week is %s for Temporal', (days, right) => {
    const sorted = right.split(',').sort().join(',');
    expect(cronForTemporal(`0 9 * jan-mar ${days}`)).toBe(`0 9 * jan-mar ${sorted}`);
    expect(faultOf(`0 9 * * ${days}`)).toEqual([]);
  });

  it('a shorthand is sent to Temporal as it is', () => {
    expect(cronForTemporal('@daily')).toBe('@daily');
  });

  it('says all that is wrong at once', () => {
    expect(faultOf('60 24 * 13 *')).toHaveLength(3);
  });

  it('takes any five fields made of numbers in range, lists, ranges and steps', () => {
    const field = (from: number, to: number) => {
      const number = fc.integer({ min: from, max: to });
      const range = fc.tuple(number, number).map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
      const base = fc.oneof(fc.constant('*'), number.map(String), range);
      const step = fc.option(fc.integer({ min: 1, max: 99 }));
      const part = fc.tuple(base, step).map(([one, n]) => (n === null ? one : `${one}/${n}`));
      return fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(','));
    };
    // Days up to 28, so that every month has them.
    const cron = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 7));
    fc.assert(
      fc.property(cron, (fields) => {
        expect(faultOf(fields.join(' '))).toEqual([]);
      }),
    );
  });
});

describe('the time zone of a schedule', () => {
  it.each(
    'UTC GMT Europe/Berlin America/Argentina/Buenos_Aires Etc/GMT+5 CET EST5EDT NZ-CHAT GB'.split(
      ' ',
    ),
  )('%s is one', (name) => expect(checkTimezone(name)).toEqual([]));
  it.each([
    '',
    'europe/berlin',
    'Mars/Olympus',
    '+02:00',
    'Europe/',
    'Local',
    'cet',
    'CEST',
    '../etc',
  ])('%s is none', (name) =>
    expect(checkTimezone(name)).toEqual([
      { code: 'INVALID', path: ['timezone'], message: expect.stringContaining('no time zone') },
    ]),
  );
});
