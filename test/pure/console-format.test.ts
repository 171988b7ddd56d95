import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayName, relativeTime } from '../../console/src/ui/format.ts';

const zone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'Europe/Berlin';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

it('names the days of the reader, also after a day of 23 hours', () => {
  const day = (at: string, now: string) => dayName(Date.parse(at), Date.parse(now));
  // 29 March has 23 hours there, 25 October has 25.
  const afterShort = '2026-03-30T00:30:00+02:00';
  expect(day('2026-03-30T00:10:00+02:00', afterShort)).toBe('today');
  expect(day('2026-03-29T12:00:00+02:00', afterShort)).toBe('yesterday');
  expect(day('2026-03-28T23:40:00+01:00', afterShort)).toBe('Saturday 28 March');
  const afterLong = '2026-10-25T23:50:00+01:00';
  expect(day('2026-10-25T00:10:00+02:00', afterLong)).toBe('today');
  expect(day('2026-10-24T12:00:00+02:00', afterLong)).toBe('yesterday');
  // In UTC these are the days before.
  expect(day('2025-07-04T01:00:00+02:00', afterLong)).toBe('4 Jul 2025');
  expect(relativeTime(Date.parse('2026-07-04T01:00:00+02:00'), Date.parse(afterLong))).toBe(
    '4 Jul 2026',
  );
});
