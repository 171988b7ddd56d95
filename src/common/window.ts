import type { Instant } from './clock.ts';
import { type Problem, problem } from './refusal.ts';

/** A time range: `from` inclusive, `to` exclusive. */
export interface Window {
  readonly from: Instant;
  readonly to: Instant;
}

/** Length of a window in milliseconds; 0 or less where `checkWindow` refuses it. */
export function windowMs({ from, to }: Window): number {
  return Date.parse(to) - Date.parse(from);
}

/** The problem of a window that ends before it begins. */
export function checkWindow(window: Window): Problem[] {
  return windowMs(window) <= 0
    ? [problem('INVALID', ['to'], 'The window ends before it begins.')]
    : [];
}
