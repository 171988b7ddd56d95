import { z } from 'zod';

/** Connects an excerpt with the events it was taken from (S2-GRIP-01). */
export const Grip = z.object({
  gripId: z.string(),
  excerpt: z.string().min(1),
  eventIdStart: z.string(),
  eventIdEnd: z.string(),
  /** The timestamp of the first event. */
  timestamp: z.iso.datetime(),
  /** The job that made the grip: segment_summarizer, day_rollup, … (S2-GRIP-03). */
  source: z.string(),
  tocNodeId: z.string().nullable(),
});
export type Grip = Readonly<z.infer<typeof Grip>>;

const GRIP_ID = /^grip:\d{1,15}:[A-Za-z0-9_-]{1,64}$/;

/** `grip:{timestamp_ms}:{random}` (S2-GRIP-02). */
export function gripId(timestampMs: number, random: string): string {
  return `grip:${timestampMs}:${random}`;
}

export function isGripId(text: string): boolean {
  return GRIP_ID.test(text);
}

const singleSpaced = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Whether one of the texts contains the excerpt; runs of spaces count as one (S2-GRIP-04). */
export function holdsExcerpt(excerpt: string, texts: readonly string[]): boolean {
  const wanted = singleSpaced(excerpt);
  return wanted !== '' && texts.some((text) => singleSpaced(text).includes(wanted));
}

/** Events shown before and after an excerpt: by default, and at most (S2-GRIP-05). */
export const GRIP_CONTEXT_DEFAULT = 3;
export const GRIP_CONTEXT_MAX = 100;
/** Maximum number of events read from the range of an excerpt. */
export const GRIP_EVENTS_MAX = 500;
