/** Vectors of two models never meet: each has its own property, A or B, with indexes of its own. */
export const SLOTS = ['A', 'B'] as const;
export type VectorSlot = (typeof SLOTS)[number];

export function otherSlot(slot: VectorSlot): VectorSlot {
  return slot === 'A' ? 'B' : 'A';
}

/** A space of vectors. */
export interface Space {
  readonly slot: VectorSlot;
  readonly model: string;
  readonly url: string;
  readonly dimension: number;
}

/** What is searched now and, while the model changes, what is being made to take its place. */
export interface EmbeddingState {
  readonly current: Space;
  readonly next: Space | null;
  /** The space that was left, until nothing of it is stored any more. */
  readonly left: VectorSlot | null;
}

/** What has vectors: entities (in their profile), facts (in their FactRef), pieces of Episodes. */
export const EMBEDDED_KINDS = ['entity', 'fact', 'text'] as const;
export type EmbeddedKind = (typeof EMBEDDED_KINDS)[number];

/** The vector index of a kind in a slot. */
export function vectorIndex(kind: EmbeddedKind, slot: VectorSlot): string {
  return `${kind}_vector_${slot.toLowerCase()}`;
}

/** Whether these are one space: the same model at the same place. A key may change. */
export function isSameSpace(
  space: Pick<Space, 'model' | 'url'>,
  other: Pick<Space, 'model' | 'url'>,
): boolean {
  return space.model === other.model && space.url === other.url;
}
