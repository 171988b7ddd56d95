import type { Json } from '../common/json.ts';
import type { RunStatus } from '../runs/run/run.ts';
import type { Speaker } from './turn.ts';

export const CACHE_STATUSES = ['valid', 'stale', 'generating'] as const;
export type CacheStatus = (typeof CACHE_STATUSES)[number];

/** One version of what was said at a turn (S4-ALT-01). Its content is written once and never changes. */
export interface Alternative {
  readonly id: string;
  readonly turnId: string;
  readonly conversationId: string;
  /** From 1, in the order they were made. */
  readonly sequence: number;
  readonly isActive: boolean;
  /** '' while it generates; what streams meanwhile is `spokenText`. */
  readonly content: string;
  /** How its run ended, `completed` where there was none; null while it generates. */
  readonly outcome: RunStatus | null;
  readonly createdAt: string;
  readonly hasChildren: boolean;
  readonly cacheStatus: CacheStatus;
  readonly respondsToId: string | null;
  readonly executedById: string | null;
  readonly runId: string | null;
}

/**
 * Derived, never stored (S4-ALT-07): an agent's answer is stale where its parent shows another version than the one
 * it answers. What people and systems said is always valid.
 */
export function cacheStatusOf(alternative: {
  readonly speaker: Speaker;
  readonly outcome: RunStatus | null;
  readonly respondsTo: 'the active one' | 'another' | null;
}): CacheStatus {
  if (alternative.outcome === null) return 'generating';
  return alternative.speaker === 'agent' && alternative.respondsTo === 'another'
    ? 'stale'
    : 'valid';
}

/** What of the event log `spokenText` reads: entries of one run, in the order they were written. */
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

/** What a run has said so far: the text of each step's newest attempt, unless that attempt failed. */
export function spokenText(entries: readonly SpokenEntry[]): string {
  const said = new Map<string, { attempt: number; text: string }>();
  for (const { kind, payload } of entries) {
    const { stepId, index = null, attempt = 0, speaks, output } = payload;
    const key = `${stepId}/${index}`;
    if (kind === 'step.text' && payload.channel === 'text') {
      const known = said.get(key);
      const before = known?.attempt === attempt ? known.text : '';
      said.set(key, { attempt, text: before + (payload.text ?? '') });
    } else if (kind === 'step.progress' && said.has(key)) {
      // A repair round begins again.
      said.set(key, { attempt, text: '' });
    } else if (kind === 'step.ended' && speaks === true) {
      if (payload.status !== 'completed' && payload.status !== 'cancelled') said.delete(key);
      else if (payload.cached === true && typeof output?.value === 'string') {
        said.set(key, { attempt, text: output.value });
      }
    }
  }
  return [...said.values()].map(({ text }) => text).join('');
}
