/** `digits · 10^exponent`. */
export interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/**
 * A number as its shortest decimal (19.99 is 1999 · 10^-2), or the digits of a text, all of them.
 */
export function decimalOf(value: number | string): Decimal {
  const numeral = typeof value === 'number' ? value.toExponential() : value;
  const [mantissa = '0', exponent = '0'] = numeral.split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Negative where `left` is less than `right`, 0 where they are equal. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const [a, b] = aligned(left, right);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function isDecimalMultiple(value: Decimal, divisor: Decimal): boolean {
  const [a, b] = aligned(value, divisor);
  return a % b === 0n;
}

function aligned(left: Decimal, right: Decimal): [bigint, bigint] {
  const exponent = Math.min(left.exponent, right.exponent);
  const whole = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return [whole(left), whole(right)];
}
