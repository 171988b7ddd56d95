import type { Json } from '../common/json.ts';
import type { RunStatus } from '../runs/run/run.ts';
import type { ContentPart } from './content-part.ts';

export const CACHE_STATUSES = ['valid', 'stale', 'generating'] as const;
export type CacheStatus = (typeof CACHE_STATUSES)[number];

/** One version of a turn's text (S4-ALT-01). Its content is written once and never changes. */
export interface Alternative {
  readonly id: string;
  readonly turnId: string;
  readonly conversationId: string;
  /** Counts from 1 within the turn, in the order of creation. */
  readonly sequence: number;
  readonly isActive: boolean;
  /** Empty while its run generates it; `spokenText` gives the text streamed until then. */
  readonly content: string;
  /** Its texts, images and files; null for a text alone, which `content` holds. */
  readonly parts: readonly ContentPart[] | null;
  /** Status in which its run ended; `completed` without a run; null while the run is open. */
  readonly outcome: RunStatus | null;
  readonly createdAt: string;
  /** Creation time, or the time at which an imported turn was said. */
  readonly saidAt: string;
  readonly hasChildren: boolean;
  readonly cacheStatus: CacheStatus;
  readonly respondsToId: string | null;
  readonly executedById: string | null;
  readonly runId: string | null;
}

/**
 * Derived, never stored (S4-ALT-07). An alternative is stale if one that it answers, at any
 * distance above it, is not active (docs/decisions/0119).
 */
export function cacheStatusOf(alternative: {
  readonly outcome: RunStatus | null;
  readonly isStale: boolean;
}): CacheStatus {
  if (alternative.outcome === null) return 'generating';
  return alternative.isStale ? 'stale' : 'valid';
}

/** An entry of one run, as `spokenText` reads it from the event log. */
export interface SpokenEntry {
  readonly kind: string;
  readonly payload: {
    readonly stepId?: string;
    readonly index?: number | null;
    readonly attempt?: number;
    readonly text?: string;
    readonly channel?: string;
    readonly content?: Json;
    readonly status?: string;
    readonly speaks?: boolean;
    readonly cached?: boolean;
    readonly output?: { readonly value?: Json };
  };
}
export const SPOKEN_KINDS = ['step.text', 'step.progress', 'step.ended'] as const;

/**
 * The text that a run has streamed until now: that of each step's newest attempt, unless that
 * attempt failed.
 * @param entries of one run, in the order they were written
 */
export function spokenText(entries: readonly SpokenEntry[]): string {
  const textOfStep = new Map<string, { attempt: number; text: string }>();
  for (const { kind, payload } of entries) {
    const { stepId, index = null, attempt = 0, speaks, output } = payload;
    const key = `${stepId}/${index}`;
    if (kind === 'step.text' && payload.channel === 'text') {
      const known = textOfStep.get(key);
      const before = known?.attempt === attempt ? known.text : '';
      textOfStep.set(key, { attempt, text: before + (payload.text ?? '') });
    } else if (kind === 'step.progress' && textOfStep.has(key)) {
      // A repair round writes the whole text again.
      textOfStep.set(key, { attempt, text: '' });
    } else if (kind === 'step.ended' && speaks === true) {
      if (payload.status !== 'completed' && payload.status !== 'cancelled') textOfStep.delete(key);
      else if (payload.cached === true && typeof output?.value === 'string') {
        textOfStep.set(key, { attempt, text: output.value });
      }
    }
  }
  return [...textOfStep.values()].map(({ text }) => text).join('');
}
