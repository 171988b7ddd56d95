import { decimalOf, isDecimalMultiple } from './decimal.ts';

/** Beyond this quotient every double is near a multiple, so nearness says nothing. */
const QUOTIENT_MAX = 2 ** 40;

/**
 * Whether a number is a multiple of another: by their decimal digits, exactly, or where the nearest
 * multiple is at most one rounding away. 19.99 is a multiple of 0.01 though 19.99 / 0.01 is not
 * whole; 0.30000000000000004, the sum of 0.1 and 0.2, is one of 0.1.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (isDecimalMultiple(decimalOf(value), decimalOf(divisor))) return true;
  const quotient = Math.round(value / divisor);
  if (!(Math.abs(quotient) < QUOTIENT_MAX)) return false;
  return Math.abs(value - quotient * divisor) <= Math.abs(value) * Number.EPSILON;
}
