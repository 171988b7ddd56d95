/** What holds between two entities, for as long as it holds (Graphiti's RELATES_TO). */
export interface Fact {
  readonly uuid: string;
  /** The predicate, such as WORKS_AT. */
  readonly name: string;
  /** The whole sentence. */
  readonly fact: string;
  readonly groupId: string;
  readonly sourceUuid: string;
  readonly targetUuid: string;
  /** The Episodes that say so. */
  readonly episodes: readonly string[];
  /** When it began and ceased to be true; null = not known, and still so. */
  readonly validAt: string | null;
  readonly invalidAt: string | null;
  /** When we learned that it no longer is. */
  readonly expiredAt: string | null;
  readonly createdAt: string;
}
