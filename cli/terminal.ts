import process from 'node:process';
import { styleText } from 'node:util';
import { withEllipsis } from '../src/common/ellipsis.ts';

type Style = Parameters<typeof styleText>[0];

/** Adds colours if the terminal supports them (not in pipes, not with NO_COLOR). */
export function paint(style: Style, text: string): string {
  return process.stdout.isTTY && process.env['NO_COLOR'] === undefined
    ? styleText(style, text)
    : text;
}

/** Formats a duration: `0.4 s`, `12.0 s`, `3 min 5 s`. */
export function seconds(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** One line of at most `width` characters, without line breaks. */
export function oneLine(text: string, width = 96): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length <= width ? flat : withEllipsis(flat, width - 1);
}

// Ctrl-C signals the command and its parent, and the parent forwards it: one press arrives twice.
const SAME_PRESS_MS = 150;

/** Calls `handle` once per Ctrl-C. Returns a function that stops it. */
export function onInterrupt(handle: () => void): () => void {
  let heardMs = Number.NEGATIVE_INFINITY;
  const listener = () => {
    const nowMs = performance.now();
    if (nowMs - heardMs < SAME_PRESS_MS) return;
    heardMs = nowMs;
    handle();
  };
  process.on('SIGINT', listener);
  return () => process.off('SIGINT', listener);
}
