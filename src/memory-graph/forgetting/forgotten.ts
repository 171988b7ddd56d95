export const FORGETTABLE = ['fact', 'entity', 'statement'] as const;
export type Forgettable = (typeof FORGETTABLE)[number];

/** Numbers of the records that go with a fact, an entity or a statement (docs/decisions/0076). */
export interface Forgets {
  /** Facts: the fact itself, or all facts of the entity. */
  readonly facts: number;
  /** Statements that name the entity, or in whose turns the fact is stated. */
  readonly statements: number;
  /** Mentions of the entity by Episodes and Summaries; 0 for a fact. */
  readonly mentions: number;
  /** Texts that extraction or enrichments wrote and that rest on it, and the entity's own. */
  readonly summaries: number;
  /** Vectors, one per fact and one of the entity, where they are computed. */
  readonly vectors: number;
  /** Conversations in which the entity is active; 0 for a fact. */
  readonly conversations: number;
}

/** A fact, an entity or a statement that its owner deleted from memory. Its words are not kept. */
export interface Forgotten extends Forgets {
  readonly uuid: string;
  readonly kind: Forgettable;
  readonly forgottenAt: string;
}
