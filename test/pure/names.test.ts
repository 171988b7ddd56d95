import { describe, expect, it } from 'vitest';
import { checkName, nameForms, nameKey } from '../../src/catalog/text-checks.ts';

const codes = (name: string) => checkName(name).map(({ code }) => code);

describe('A name', () => {
  it.each([
    'Digest',
    'Café',
    'Cafe\u0301',
    'Größe 2',
    '要約',
    'می\u200cخواهم',
    'क्\u200dष',
    '👩\u200d💻 coder',
    '✈\uFE0F',
    '-',
    'a b',
  ])('may be %j', (name) => {
    expect(codes(name)).toEqual([]);
  });

  it.each([
    ['', 'REQUIRED'],
    [' ', 'REQUIRED'],
    ['Digest ', 'INVALID'],
    ['\u00a0Digest', 'INVALID'],
    ['\u200b', 'INVALID'],
    ['Dig\u200best', 'INVALID'],
    ['Dig\u200dest', 'INVALID'],
    ['\u200d', 'INVALID'],
    ['a\u202etxt', 'INVALID'],
    ['a\u2066b', 'INVALID'],
    ['\ufeffa', 'REQUIRED or INVALID'],
    ['a\u00adb', 'INVALID'],
    ['\u3164', 'INVALID'],
    ['\u2800', 'INVALID'],
    ['\u0301', 'INVALID'],
    ['a\u2028b', 'INVALID'],
    ['a\nb', 'INVALID'],
    ['a\u0085b', 'INVALID'],
    ['a\u{e0041}', 'INVALID'],
    ['a\ud83d', 'INVALID'],
    ['x'.repeat(201), 'INVALID'],
  ])('may not be %j', (name, code) => {
    expect(codes(name)).toHaveLength(1);
    expect(code).toContain(codes(name)[0]);
  });

  it('is the same in either Unicode form and with blanks at an end', () => {
    expect(nameKey('Cafe\u0301 ')).toBe(nameKey('Café'));
    expect(nameKey('Digest')).not.toBe(nameKey('digest'));
    expect(nameForms('Café')).toEqual(['Café', 'Cafe\u0301']);
  });
});
