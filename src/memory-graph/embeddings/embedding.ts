import { z } from 'zod';
import { lastChars } from '../../common/well-formed.ts';

/** Slots keep the vectors of two models apart: property A or B, each with its own indexes. */
export const SLOTS = ['A', 'B'] as const;
export type VectorSlot = (typeof SLOTS)[number];

export function otherSlot(slot: VectorSlot): VectorSlot {
  return slot === 'A' ? 'B' : 'A';
}

/** The vectors of one model, in one slot. */
export const Space = z.object({
  slot: z.enum(SLOTS),
  model: z.string(),
  url: z.string(),
  dimension: z.int(),
});
export type Space = z.infer<typeof Space>;

/** The space that is searched and, while the model changes, the space that will replace it. */
export const EmbeddingState = z.object({
  current: Space,
  next: Space.nullable(),
  /** Slot of the former space, until all its vectors are removed. */
  left: z.enum(SLOTS).nullable(),
});
export type EmbeddingState = z.infer<typeof EmbeddingState>;

/** Kinds with vectors: entities (on the profile), facts (on the FactRef), pieces of Episodes. */
export const EMBEDDED_KINDS = ['entity', 'fact', 'text'] as const;
export type EmbeddedKind = (typeof EMBEDDED_KINDS)[number];

export function vectorIndex(kind: EmbeddedKind, slot: VectorSlot): string {
  return `${kind}_vector_${slot.toLowerCase()}`;
}

/** Whether both have the same model at the same URL. The API key may differ. */
export function isSameSpace(
  space: Pick<Space, 'model' | 'url'>,
  other: Pick<Space, 'model' | 'url'>,
): boolean {
  return space.model === other.model && space.url === other.url;
}

/** So much of the turn before counts for the meaning of a piece; more would drown it. */
const MEANT_CHARS = 400;

/** A piece after the end of what precedes it in its window; their meaning is one vector. */
export function withBefore(text: string, window: string): string {
  const at = window.indexOf(text);
  return at <= 0 ? text : lastChars(window.slice(0, at), MEANT_CHARS) + text;
}
