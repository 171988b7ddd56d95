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

/** Of these a thing has one at a time, so a newer one ends the older without any model saying so. */
const SINGLE_VALUED = new Set(
  [
    'LIVES_IN RESIDES_IN LIVES_AT MOVED_TO LOCATED_IN IS_LOCATED_IN BASED_IN HEADQUARTERED_IN',
    'WORKS_AT WORKS_FOR EMPLOYED_BY WORKS_AS IS_EMPLOYED_BY REPORTS_TO MANAGED_BY',
    'MARRIED_TO IS_MARRIED_TO ENGAGED_TO DATING OWNED_BY CURRENT_STATUS HAS_STATUS STATUS',
    'CEO_IS HAS_CEO LED_BY HAS_PRESIDENT HAS_CAPITAL SCHEDULED_FOR SCHEDULED_ON DUE_ON',
  ].flatMap((line) => line.split(' ')),
);
// Words for one relation, so that moving ends living.
const SAME_RELATION: Readonly<Record<string, string>> = {
  RESIDES_IN: 'LIVES_IN',
  LIVES_AT: 'LIVES_IN',
  MOVED_TO: 'LIVES_IN',
  IS_LOCATED_IN: 'LOCATED_IN',
  BASED_IN: 'LOCATED_IN',
  HEADQUARTERED_IN: 'LOCATED_IN',
  WORKS_FOR: 'WORKS_AT',
  EMPLOYED_BY: 'WORKS_AT',
  IS_EMPLOYED_BY: 'WORKS_AT',
  IS_MARRIED_TO: 'MARRIED_TO',
};

const relationOf = (name: string) => SAME_RELATION[name] ?? name;

/** Whether one of these facts can only hold while the other does not: the same thing, the same single-valued relation. */
export function isRival(
  fact: Pick<Fact, 'name' | 'sourceUuid' | 'targetUuid'>,
  other: Pick<Fact, 'name' | 'sourceUuid' | 'targetUuid'>,
): boolean {
  return (
    fact.sourceUuid === other.sourceUuid &&
    fact.targetUuid !== other.targetUuid &&
    SINGLE_VALUED.has(fact.name) &&
    relationOf(fact.name) === relationOf(other.name)
  );
}

type Times = Pick<Fact, 'uuid' | 'validAt' | 'invalidAt' | 'expiredAt'>;

/** The relations that rival this one, itself included; none where a thing may have many. */
export function rivalNames(name: string): string[] {
  if (!SINGLE_VALUED.has(name)) return [];
  return [...SINGLE_VALUED].filter((other) => relationOf(other) === relationOf(name));
}

/** When facts hold from now on, where that changes. */
export interface Ended {
  readonly uuid: string;
  readonly invalidAt: string | null;
  readonly expiredAt: string;
}

/**
 * What a new fact does to those it contradicts, and they to it (design/memory-graph.md, 1.7): the older ends where the newer
 * begins, late news of something that has ended comes in as ended, and what has no date is left alone. Nothing is deleted.
 * @returns the new fact's own times first, where they change
 */
export function endContradicted(fact: Times, contradicted: readonly Times[], now: string): Ended[] {
  const changes: Ended[] = [];
  let { invalidAt } = fact;
  const later = contradicted
    .flatMap(({ validAt }) => (validAt === null ? [] : [validAt]))
    .filter((validAt) => fact.validAt !== null && validAt > fact.validAt)
    .sort();
  const [next] = later;
  if (next !== undefined && (invalidAt === null || next < invalidAt)) invalidAt = next;
  if (invalidAt !== null && fact.expiredAt === null)
    changes.push({ uuid: fact.uuid, invalidAt, expiredAt: now });
  for (const old of contradicted) {
    if (old.validAt === null || fact.validAt === null) continue;
    if (old.invalidAt !== null && old.invalidAt <= fact.validAt) continue;
    if (invalidAt !== null && invalidAt <= old.validAt) continue;
    if (old.validAt < fact.validAt)
      changes.push({
        uuid: old.uuid,
        invalidAt: fact.validAt,
        expiredAt: old.expiredAt ?? now,
      });
  }
  return changes;
}
