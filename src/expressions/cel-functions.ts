import { type CelValue, fault, isList, isMap, type Meter, typeName } from './cel-value.ts';

/** Comprehensions. The evaluator runs their bodies itself, once per item. */
export const CEL_MACROS = ['all', 'exists', 'exists_one', 'map', 'filter'] as const;

type CelFunction = (meter: Meter, ...args: CelValue[]) => CelValue;

const INT_MAX = 2n ** 63n - 1n;
const INT_MIN = -(2n ** 63n);

/** Returns `value` if it fits CEL's int, which has 64 bits. @throws Error otherwise */
export function checkedInt(value: bigint): bigint {
  if (value > INT_MAX || value < INT_MIN) fault('The number is out of range');
  return value;
}

function charsOf(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** The index in characters of the one at this UTF-16 unit; -1 stays. */
const indexAt = (text: string, unit: number): bigint =>
  BigInt(unit < 0 ? unit : charsOf(text.slice(0, unit)));

/**
 * The UTF-16 unit at which this character begins. CEL counts characters, a pair of units as one.
 */
function unitAt(text: string, index: number): number {
  let unit = 0;
  for (let left = index; left > 0; left--) {
    if (unit >= text.length) return fault(`substring: ${index} is out of range`);
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return unit;
}

function size(meter: Meter, value: CelValue | undefined): CelValue {
  if (typeof value === 'string') {
    meter.spendText(value.length);
    return BigInt(charsOf(value));
  }
  if (isList(value)) return BigInt(value.length);
  if (isMap(value)) return BigInt(Object.keys(value).length);
  return fault(`size() of ${typeName(value)}`);
}

const requireText = (value: CelValue | undefined, name: string): string =>
  typeof value === 'string' ? value : fault(`${name} wants a string, not ${typeName(value)}`);

function requireIndex(value: CelValue | undefined, most: number, name: string): number {
  const at = typeof value === 'bigint' ? Number(value) : fault(`${name} wants an int`);
  return at >= 0 && at <= most ? at : fault(`${name}: ${at} is out of range`);
}

/** Functions by name. A value that CEL can't convert is a fault, never a guess. */
export const CEL_FUNCTIONS: Readonly<Record<string, CelFunction>> = {
  size,
  dyn: (_meter, value) => value ?? null,
  int(_meter, value) {
    if (typeof value === 'bigint') return value;
    if (typeof value === 'number' && Number.isFinite(value))
      return checkedInt(BigInt(Math.trunc(value)));
    if (typeof value === 'string' && /^[+-]?\d{1,19}$/.test(value))
      return checkedInt(BigInt(value));
    return fault(`int() of ${typeName(value)}`);
  },
  double(_meter, value) {
    if (typeof value === 'number') return value;
    if (typeof value === 'bigint') return Number(value);
    const parsed =
      typeof value === 'string' && /^[+-]?[\d.]+(e[+-]?\d+)?$/i.test(value)
        ? Number(value)
        : Number.NaN;
    return Number.isNaN(parsed) ? fault(`double() of ${typeName(value)}`) : parsed;
  },
  bool(_meter, value) {
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 'false') return value === 'true';
    return fault(`bool() of ${typeName(value)}`);
  },
  string(_meter, value) {
    if (typeof value === 'string') return value;
    if (typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean')
      return `${value}`;
    return fault(`string() of ${typeName(value)}`);
  },
};

/** A method over two texts. Its work grows with the length of both. */
function onText(name: string, work: (value: string, argument: string) => CelValue): CelFunction {
  return (meter, value, argument) => {
    const receiver = requireText(value, name);
    meter.spendText(receiver.length);
    return work(receiver, requireText(argument, name));
  };
}

function onOneText(name: string, work: (value: string) => string): CelFunction {
  return (meter, value) => {
    const receiver = requireText(value, name);
    meter.spendText(receiver.length);
    return work(receiver);
  };
}

/**
 * Methods by name; the receiver is the first argument. Indexes count characters, as size does.
 * `matches` is missing on purpose: native patterns can run for minutes.
 */
export const CEL_METHODS: Readonly<Record<string, CelFunction>> = {
  size,
  contains: onText('contains', (value, part) => value.includes(part)),
  startsWith: onText('startsWith', (value, part) => value.startsWith(part)),
  endsWith: onText('endsWith', (value, part) => value.endsWith(part)),
  lowerAscii: onOneText('lowerAscii', (value) =>
    value.replace(/[A-Z]+/g, (run) => run.toLowerCase()),
  ),
  upperAscii: onOneText('upperAscii', (value) =>
    value.replace(/[a-z]+/g, (run) => run.toUpperCase()),
  ),
  trim: onOneText('trim', (value) => value.trim()),
  indexOf: onText('indexOf', (value, part) => indexAt(value, value.indexOf(part))),
  lastIndexOf: onText('lastIndexOf', (value, part) => indexAt(value, value.lastIndexOf(part))),
  substring(meter, value, from, to) {
    const receiver = requireText(value, 'substring');
    meter.spendText(receiver.length);
    const start = unitAt(receiver, requireIndex(from, receiver.length, 'substring'));
    const end =
      to === undefined
        ? receiver.length
        : unitAt(receiver, requireIndex(to, receiver.length, 'substring'));
    return end >= start
      ? receiver.slice(start, end)
      : fault('substring: the end lies before the start');
  },
  split(meter, value, separator) {
    const receiver = requireText(value, 'split');
    // Each part becomes a value, so each character costs one unit of work at most.
    meter.spend(receiver.length);
    const between = requireText(separator, 'split');
    return meter.list(between === '' ? [...receiver] : receiver.split(between));
  },
  join(meter, value, separator) {
    if (!isList(value)) return fault(`join wants a list, not ${typeName(value)}`);
    const between = separator === undefined ? '' : requireText(separator, 'join');
    const parts = value.map((part) => requireText(part as CelValue, 'join'));
    // Count before joining: a thousand references to one long text make a very long text.
    let length = 0;
    for (const part of parts) length += part.length + between.length;
    meter.spendText(length);
    return parts.join(between);
  },
};
