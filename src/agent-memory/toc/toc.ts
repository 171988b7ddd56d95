import { z } from 'zod';
import { instantOf, MONTHS } from '../../common/clock.ts';
import { jsonText } from '../../common/stored.ts';
import { type OutboxEntry, systemEntry } from '../../outbox/entry.ts';
import type { BaseDeps } from '../../users/user.ts';

/** The levels of the table of contents, from the widest down (S2-TOC-03). */
export const TOC_LEVELS = ['year', 'month', 'week', 'day', 'segment'] as const;
export type TocLevel = (typeof TOC_LEVELS)[number];

/** The level above; null above years. */
export function parentLevel(level: TocLevel): TocLevel | null {
  return TOC_LEVELS[TOC_LEVELS.indexOf(level) - 1] ?? null;
}

/** A line of a summary, with the grips that prove it (S2-TOC-02). */
export const TocBullet = z.object({
  text: z.string(),
  gripIds: z.array(z.string()),
  /**
   * Share of the content words that the events of the grips contain, from 0 to 1. 0 also for lines
   * that were written before lines were checked.
   */
  support: z.number().default(0),
  /** Whether the line is word for word in one event. */
  quotation: z.boolean().default(false),
  /** Names of the speakers; empty if unknown. */
  speakers: z.array(z.string()).default([]),
});
export type TocBullet = Readonly<z.infer<typeof TocBullet>>;

/**
 * How a version got its lines. `provisional`: taken from its parts, because the period is not over
 * or its parts still change. `unsummarised`: quotations, because no summary could be made.
 */
export const TOC_STATES = ['summarised', 'provisional', 'unsummarised'] as const;
export type TocState = (typeof TOC_STATES)[number];

/** Lines as stored in a version: JSON text. */
export const BulletsText = jsonText(z.array(TocBullet));

/** One version of a node of the table of contents (S2-TOC-01). Immutable (S2-TOC-06). */
export const TocNode = z.object({
  nodeId: z.string(),
  level: z.enum(TOC_LEVELS),
  title: z.string(),
  /** Start and end are inclusive. */
  startTime: z.iso.datetime(),
  endTime: z.iso.datetime(),
  bullets: z.array(TocBullet),
  keywords: z.array(z.string()),
  /** In order of time. */
  childNodeIds: z.array(z.string()),
  state: z.enum(TOC_STATES),
  /** Why no summary could be made; null unless the version is unsummarised. */
  reason: z.string().nullable(),
  /** From 1. */
  version: z.number().int().min(1).max(0xffff_ffff),
  createdAt: z.iso.datetime(),
});
export type TocNode = Readonly<z.infer<typeof TocNode>>;

/** A period of time that has a node: its id, title and bounds. */
export interface TocPeriod {
  readonly nodeId: string;
  readonly level: TocLevel;
  readonly title: string;
  readonly startMs: number;
  /** The last millisecond, inclusive. */
  readonly endMs: number;
}
export type CalendarLevel = Exclude<TocLevel, 'segment'>;

/** Address of a node: node ids are unique within a store. */
export interface NodeRef {
  readonly store: string;
  readonly nodeId: string;
}

/** A node with its level and its beginning. */
export interface LevelRef extends NodeRef {
  readonly level: TocLevel;
  readonly startMs: number;
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const dayStart = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;
// 1970-01-01 was a Thursday, so day 4 (the first Monday) divides evenly.
const weekStart = (ms: number) => dayStart(ms) - ((Math.floor(ms / DAY_MS) + 3) % 7) * DAY_MS;
const thursdayOf = (ms: number) => new Date(weekStart(ms) + 3 * DAY_MS);
const two = (value: number) => String(value).padStart(2, '0');
const dateText = (ms: number) => instantOf(ms).slice(0, 10);
const monthDay = (at: Date) => `${(MONTHS[at.getUTCMonth()] ?? '').slice(0, 3)} ${at.getUTCDate()}`;

/** Monday of the week of the first Thursday at or after `ms`. */
function firstWeekFrom(ms: number): number {
  const start = weekStart(ms);
  return start + 3 * DAY_MS >= ms ? start : start + 7 * DAY_MS;
}

const PERIODS: Readonly<Record<CalendarLevel, (ms: number) => TocPeriod>> = {
  year(ms) {
    const year = thursdayOf(ms).getUTCFullYear();
    return {
      nodeId: `toc:year:${String(year).padStart(4, '0')}`,
      level: 'year',
      title: String(year),
      startMs: firstWeekFrom(Date.UTC(year, 0)),
      endMs: firstWeekFrom(Date.UTC(year + 1, 0)) - 1,
    };
  },
  month(ms) {
    const thursday = thursdayOf(ms);
    const [year, month] = [thursday.getUTCFullYear(), thursday.getUTCMonth()];
    return {
      nodeId: `toc:month:${thursday.toISOString().slice(0, 7)}`,
      level: 'month',
      title: `${MONTHS[month]} ${year}`,
      startMs: firstWeekFrom(Date.UTC(year, month)),
      endMs: firstWeekFrom(Date.UTC(year, month + 1)) - 1,
    };
  },
  week(ms) {
    const startMs = weekStart(ms);
    const year = thursdayOf(ms).getUTCFullYear();
    const number = (startMs - firstWeekFrom(Date.UTC(year, 0))) / (7 * DAY_MS) + 1;
    const [first, last] = [new Date(startMs), new Date(startMs + 6 * DAY_MS)];
    const isWithin = first.getUTCMonth() === last.getUTCMonth();
    return {
      nodeId: `toc:week:${String(year).padStart(4, '0')}-W${two(number)}`,
      level: 'week',
      title: `${monthDay(first)}-${isWithin ? last.getUTCDate() : monthDay(last)}`,
      startMs,
      endMs: startMs + 7 * DAY_MS - 1,
    };
  },
  day(ms) {
    const startMs = dayStart(ms);
    const at = new Date(startMs);
    const month = MONTHS[at.getUTCMonth()];
    return {
      nodeId: `toc:day:${dateText(startMs)}`,
      level: 'day',
      title: `${WEEKDAYS[at.getUTCDay()]}, ${month} ${at.getUTCDate()}, ${at.getUTCFullYear()}`,
      startMs,
      endMs: startMs + DAY_MS - 1,
    };
  },
};

/**
 * The year, month, week or day that contains `ms`, in UTC (S2-TOC-04, S2-TOC-05). Weeks are ISO
 * weeks and belong to the month of their Thursday. Months and years cover whole weeks, so every
 * period lies within its parent.
 */
export function periodOf(level: CalendarLevel, ms: number): TocPeriod {
  return PERIODS[level](ms);
}

/** Title of a segment: `09:00-09:45`. */
export function segmentTitle(startMs: number, endMs: number): string {
  return `${instantOf(startMs).slice(11, 16)}-${instantOf(endMs).slice(11, 16)}`;
}

/** `toc:segment:{day}:{suffix}` (S2-TOC-04). */
export function segmentNodeId(startMs: number, suffix: string): string {
  return `toc:segment:${dateText(startMs)}:${suffix}`;
}

const NODE_ID =
  /^toc:(?:(year):\d{4}|(month):\d{4}-(?:0[1-9]|1[0-2])|(week):\d{4}-W(?:0[1-9]|[1-4]\d|5[0-3])|(day):\d{4}-\d{2}-\d{2}|(segment):\d{4}-\d{2}-\d{2}:[A-Za-z0-9_-]{1,64})$/;

/** The level in the id of a node; null if the text is no such id. */
export function levelOf(nodeId: string): TocLevel | null {
  const names = NODE_ID.exec(nodeId)?.slice(1) ?? [];
  return (names.find((name) => name !== undefined) as TocLevel | undefined) ?? null;
}

/** Id of the parent of a node that begins at `startMs`; null above years. */
export function parentNodeId(level: TocLevel, startMs: number): string | null {
  const above = parentLevel(level);
  return above === null ? null : periodOf(above as CalendarLevel, startMs).nodeId;
}

/** Kind of the outbox entry that reports new work of a level. */
export const TOC_CHANGED = 'memory.toc';
export const TocChanged = z.object({ level: z.enum(TOC_LEVELS) });

/** Makes the entry that starts the job of a level at once. The work itself is on record. */
export function tocChanged(deps: BaseDeps, level: TocLevel): OutboxEntry {
  return systemEntry(deps, TOC_CHANGED, { level });
}
