import { z } from 'zod';
import { entryOf } from '../../common/entry-of.ts';
import { orNone, textOrNull } from '../../common/stored.ts';
/** A relation between two entities, with its period of validity (Graphiti's RELATES_TO). */
export const Fact = z.object({
  uuid: z.string(),
  /** The predicate, such as WORKS_AT. */
  name: z.string(),
  /** The whole sentence. */
  fact: z.string(),
  groupId: z.string(),
  sourceUuid: z.string(),
  targetUuid: z.string(),
  /** Uuids of the Episodes that state it; Graphiti's library may omit them. */
  episodes: orNone(z.array(z.string())),
  /** When it began to hold; null = not known. */
  validAt: textOrNull,
  /** When it ceased to hold; null = it still holds. */
  invalidAt: textOrNull,
  /** When the memory graph recorded that it had ended. */
  expiredAt: textOrNull,
  createdAt: z.string(),
  /** When it was said; null where another tool wrote it. */
  saidAt: textOrNull,
});
export type Fact = z.infer<typeof Fact>;

/** Relations of which a thing has one at a time: a newer fact ends the older, without a model. */
const SINGLE_VALUED = new Set(
  [
    'LIVES_IN RESIDES_IN LIVES_AT MOVED_TO LOCATED_IN IS_LOCATED_IN BASED_IN HEADQUARTERED_IN',
    'WORKS_AT WORKS_FOR EMPLOYED_BY WORKS_AS IS_EMPLOYED_BY REPORTS_TO MANAGED_BY',
    'MARRIED_TO IS_MARRIED_TO ENGAGED_TO DATING OWNED_BY CURRENT_STATUS HAS_STATUS STATUS',
    'HAS_WIFE HAS_HUSBAND HAS_SPOUSE HAS_PARTNER HAS_GIRLFRIEND HAS_BOYFRIEND',
    'HAS_FIANCÉ HAS_FIANCÉE',
    'CEO_IS HAS_CEO LED_BY HAS_PRESIDENT HAS_CAPITAL SCHEDULED_FOR SCHEDULED_ON DUE_ON',
  ].flatMap((line) => line.split(' ')),
);
/** Of a couple, either may be named first. */
const COUPLE = 'MARRIED_TO';
// Synonyms: a fact with MOVED_TO ends one with LIVES_IN.
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
  ...Object.fromEntries(
    [
      'IS_MARRIED_TO ENGAGED_TO DATING HAS_WIFE HAS_HUSBAND HAS_SPOUSE HAS_PARTNER HAS_GIRLFRIEND',
      'HAS_BOYFRIEND HAS_FIANCÉ HAS_FIANCÉE',
    ]
      .flatMap((line) => line.split(' '))
      .map((name) => [name, COUPLE]),
  ),
};

const relationOf = (name: string) => entryOf(SAME_RELATION, name) ?? name;

/** Whether both facts have the same source and single-valued relation, so one ends the other. */
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

type Stated = Pick<Fact, 'name' | 'sourceUuid' | 'targetUuid' | 'fact'>;

/** Whether both facts state the same relation between the same two entities. */
function isAlike(fact: Stated, other: Stated): boolean {
  const relation = relationOf(fact.name);
  if (relation !== relationOf(other.name)) return false;
  const isTurned = fact.sourceUuid === other.targetUuid && fact.targetUuid === other.sourceUuid;
  return (
    (fact.sourceUuid === other.sourceUuid && fact.targetUuid === other.targetUuid) ||
    (relation === COUPLE && isTurned)
  );
}

const WORD = /[\p{L}\p{N}]+/gu;

/** How a new fact changes a known one that still holds; null where both stand side by side. */
export type Change = 'repeats' | 'ends' | 'corrects';

/**
 * Compares a new fact with a known one of the same relation and entities. An ended one ends it. An
 * undated one that adds no word repeats it. Another date of a relation that holds once, or another
 * value ("Ada's budget is …"), corrects it.
 */
export function changeOf(
  fact: Stated & Pick<Fact, 'validAt' | 'invalidAt'>,
  known: Stated & Pick<Fact, 'validAt' | 'invalidAt' | 'saidAt'>,
): Change | null {
  if (known.invalidAt !== null || !isAlike(fact, known)) return null;
  if (fact.invalidAt !== null) return endOf(fact.invalidAt, known) === null ? null : 'ends';
  if (VALUED.test(fact.name) && fact.fact !== known.fact) return 'corrects';
  if (fact.validAt !== null) {
    const holdsOnce = SINGLE_VALUED.has(fact.name) || PLANNED.test(fact.name);
    return holdsOnce && known.validAt !== fact.validAt ? 'corrects' : null;
  }
  const words = new Set(known.fact.toLowerCase().match(WORD) ?? []);
  const isCovered = (fact.fact.toLowerCase().match(WORD) ?? []).every((word) => words.has(word));
  return isCovered ? 'repeats' : null;
}
/**
 * "Last month" is the month's first day, and the known fact may have been told within that month.
 */
const END_MARGIN_MS = 31 * 24 * 3_600_000;

/**
 * When a known fact ends that is said to have ended; null where it began long after. One whose
 * beginning was not said may have begun long before: it was over when it was told.
 */
export function endOf(invalidAt: string, known: Pick<Fact, 'validAt' | 'saidAt'>): string | null {
  const { validAt } = known;
  if (validAt === null || validAt <= invalidAt) return invalidAt;
  if (isUnsaid(known)) return validAt;
  return Date.parse(validAt) - Date.parse(invalidAt) <= END_MARGIN_MS ? validAt : null;
}

const PLANNED = /^(?:PLANS|INTENDS|SCHEDULED)_/;
const VALUED =
  /^HAS_(?:BIRTHDAY|ANNIVERSARY|DEADLINE|DUE_DATE|BUDGET|LAUNCH|LAUNCH_DATE|RELEASE_DATE|START_DATE|RENT|SALARY|LIMIT)$/;

/** The end of a corrected fact: it never held where its date was only planned. */
export function endOfCorrected(known: Times, saidAt: string, now: string): Ended {
  const invalidAt = known.validAt !== null && known.validAt > saidAt ? known.validAt : saidAt;
  return { uuid: known.uuid, invalidAt, expiredAt: known.expiredAt ?? now };
}

type Times = Pick<Fact, 'uuid' | 'validAt' | 'invalidAt' | 'expiredAt' | 'saidAt'>;

/** The synonyms of a single-valued relation, itself included; none for other relations. */
export function rivalNames(name: string): string[] {
  if (!SINGLE_VALUED.has(name)) return [];
  return [...SINGLE_VALUED].filter((other) => relationOf(other) === relationOf(name));
}

/** A changed end of a fact. */
export interface Ended {
  readonly uuid: string;
  readonly invalidAt: string | null;
  readonly expiredAt: string;
}

/** A changed end with the fact that caused it; null where an Episode tells the end itself. */
export interface Caused extends Ended {
  readonly byFact: string | null;
}

/** A change of `endContradicted` with its cause: the new fact, or a known one that is later. */
export function causedBy(
  change: Ended,
  fact: Pick<Fact, 'uuid'>,
  contradicted: readonly Pick<Fact, 'uuid' | 'validAt'>[],
): Caused {
  const cause =
    change.uuid === fact.uuid
      ? contradicted.find(({ validAt }) => validAt === change.invalidAt)
      : fact;
  return { ...change, byFact: cause?.uuid ?? null };
}

/**
 * Ends of a new fact and of the facts it contradicts (docs/decisions/0021). The older fact ends
 * where the newer begins. A new fact that is older than a known one is ended itself. Facts without
 * a date stay. Nothing is deleted.
 * @returns changes; the new fact's own comes first, where it changes
 */
export function endContradicted(fact: Times, contradicted: readonly Times[], now: string): Ended[] {
  const changes: Ended[] = [];
  let { invalidAt } = fact;
  const [next] = contradicted
    .flatMap((one) => (isBefore(fact, one) ? [latest(fact.validAt, one.validAt)] : []))
    .sort();
  if (next !== undefined && (invalidAt === null || next < invalidAt)) invalidAt = next;
  if (invalidAt !== null && fact.expiredAt === null)
    changes.push({ uuid: fact.uuid, invalidAt, expiredAt: now });
  for (const old of contradicted) {
    if (old.validAt === null || fact.validAt === null) continue;
    if (old.invalidAt !== null && old.invalidAt <= fact.validAt) continue;
    if (invalidAt !== null && invalidAt <= old.validAt) continue;
    if (isBefore(old, fact))
      changes.push({
        uuid: old.uuid,
        invalidAt: latest(old.validAt, fact.validAt),
        expiredAt: old.expiredAt ?? now,
      });
  }
  return changes;
}

/** "I live in Rostock" of today began at some time: "I moved last week" that follows is newer. */
const LATELY_MS = 14 * 24 * 3_600_000;

type Begun = Pick<Fact, 'validAt' | 'saidAt'>;

/** Whether a fact is only known to have held when it was said. */
export function isUnsaid({ validAt, saidAt }: Begun): boolean {
  return validAt !== null && validAt === saidAt;
}

/** Whether a fact was told after one without a beginning, of a time shortly before. */
export function isNewsOf(news: Begun, told: Begun): boolean {
  if (news.validAt === null || told.validAt === null || !isUnsaid(told)) return false;
  if (news.saidAt === null || told.saidAt === null || news.saidAt <= told.saidAt) return false;
  const ms = Date.parse(told.validAt) - Date.parse(news.validAt);
  return ms >= 0 && ms <= LATELY_MS;
}

/** Whether one fact began to hold before the other, which contradicts it. */
function isBefore(one: Begun, other: Begun): boolean {
  if (one.validAt === null || other.validAt === null) return false;
  if (isNewsOf(other, one)) return true;
  return !isNewsOf(one, other) && one.validAt < other.validAt;
}

const latest = (...times: (string | null)[]): string =>
  times
    .flatMap((time) => time ?? [])
    .toSorted()
    .at(-1) ?? '';
