/** Beyond this quotient every double is near a multiple, so nearness says nothing. */
const QUOTIENT_MAX = 2 ** 40;

/**
 * Whether a number is a multiple of another: by their decimal digits, exactly, or where the nearest
 * multiple is at most one rounding away. 19.99 is a multiple of 0.01 though 19.99 / 0.01 is not
 * whole; 0.30000000000000004, the sum of 0.1 and 0.2, is one of 0.1.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (isDecimalMultiple(value, divisor)) return true;
  const quotient = Math.round(value / divisor);
  if (!(Math.abs(quotient) < QUOTIENT_MAX)) return false;
  return Math.abs(value - quotient * divisor) <= Math.abs(value) * Number.EPSILON;
}

function isDecimalMultiple(value: number, divisor: number): boolean {
  const [left, right] = [decimalOf(value), decimalOf(divisor)];
  const exponent = Math.min(left.exponent, right.exponent);
  const whole = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return whole(left) % whole(right) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The number as its shortest decimal: 19.99 is 1999 · 10^-2. */
function decimalOf(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
