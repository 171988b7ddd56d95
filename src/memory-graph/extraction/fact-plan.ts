import {
  type Caused,
  causedBy,
  changeOf,
  endContradicted,
  endOf,
  endOfCorrected,
  type Fact,
  isRival,
} from '../entities/fact.ts';
import { nameKey, sentenceKey } from '../entities/name-match.ts';
import type { ExtractedFact, Extraction } from './extraction.ts';

/** What an Episode's facts change in the memory graph. */
export interface FactPlan {
  readonly created: readonly Fact[];
  /** Uuids of known facts that it states again. */
  readonly repeated: ReadonlySet<string>;
  /** By the uuid of the fact that ends. */
  readonly ended: ReadonlyMap<string, Caused>;
}

interface Setting {
  readonly extraction: Pick<Extraction, 'repeated' | 'ended'>;
  readonly saidAt: string;
  readonly now: string;
  readonly groupId: string;
  readonly episodeUuid: string;
  uuidOf(fact: ExtractedFact): string;
}

/**
 * Compares extracted facts with known ones, in the order of the text, so a later sentence can end
 * an earlier one.
 * @param facts with uuids of entities as source and target
 */
export function planFacts(
  facts: readonly ExtractedFact[],
  related: readonly Fact[],
  setting: Setting,
): FactPlan {
  const plan = {
    created: [] as Fact[],
    repeated: new Set<string>(),
    ended: new Map<string, Caused>(),
  };
  const all = [...related];
  const { saidAt, now } = setting;
  for (const one of facts) {
    const fresh = freshFact(one, setting);
    if (statesKnown(fresh, all, plan, setting)) continue;
    const ends = setting.extraction.ended.get(sentenceKey(one.fact)) ?? [];
    const contradicted = all.filter(
      (known) => isRival(fresh, known) || (ends.includes(known.uuid) && known.invalidAt === null),
    );
    // Only a date that was said begins at another moment than the Episode.
    const dated = { ...fresh, validAt: fresh.validAt ?? beginOf(one, setting) };
    for (const known of all) {
      if (changeOf(fresh, known) !== 'corrects') continue;
      const [lost, at] = isLaterWord(known, saidAt)
        ? [dated, known.saidAt ?? saidAt]
        : [known, saidAt];
      const byFact = lost === known ? dated.uuid : known.uuid;
      if (!plan.ended.has(lost.uuid))
        plan.ended.set(lost.uuid, { ...endOfCorrected(lost, at, now), byFact });
    }
    all.push(dated);
    plan.created.push(dated);
    const known = contradicted.map((one) => lastWord(one, dated, saidAt));
    for (const change of endContradicted(dated, known, now))
      plan.ended.set(change.uuid, causedBy(change, dated, known));
  }
  return plan;
}

/** Whether a fact was said after the text that is read, which may be an old one. */
const isLaterWord = ({ saidAt }: Fact, readAt: string): boolean =>
  saidAt !== null && saidAt > readAt;

/**
 * A known fact as it contradicts a new one. What was said again after the new one still held then,
 * so the new one had ended.
 */
function lastWord(known: Fact, fresh: Fact, readAt: string): Fact {
  const isOlder =
    known.validAt !== null && fresh.validAt !== null && known.validAt <= fresh.validAt;
  return isOlder && isLaterWord(known, readAt) && known.invalidAt === null
    ? { ...known, validAt: known.saidAt }
    : known;
}

function freshFact(one: ExtractedFact, setting: Setting): Fact {
  const { groupId, episodeUuid, saidAt, now, uuidOf } = setting;
  const { source, target, relation, fact, validAt, invalidAt } = one;
  return {
    uuid: uuidOf(one),
    name: relation,
    fact,
    groupId,
    sourceUuid: source,
    targetUuid: target,
    episodes: [episodeUuid],
    validAt,
    invalidAt,
    expiredAt: null,
    createdAt: now,
    saidAt,
  };
}

/** What is said to be so now holds since it was said. */
const beginOf = ({ invalidAt }: ExtractedFact, { saidAt }: Setting): string | null =>
  invalidAt === null ? saidAt : null;

/** Whether the fact only repeats or ends known ones; then it is no fact of its own. */
function statesKnown(
  fresh: Fact,
  all: readonly Fact[],
  plan: { readonly created: Fact[]; repeated: Set<string>; ended: Map<string, Caused> },
  { extraction, now, saidAt }: Setting,
): boolean {
  const key = nameKey(fresh.fact);
  const same = all.find(
    (known) =>
      (isBetween(known, fresh) &&
        nameKey(known.fact) === key &&
        !isOver(known, fresh, saidAt) &&
        !(fresh.invalidAt !== null && isLaterWord(known, saidAt))) ||
      known.uuid === extraction.repeated.get(sentenceKey(fresh.fact)),
  );
  const told = all.flatMap((known) => {
    const change = known === same && fresh.invalidAt === null ? 'repeats' : changeOf(fresh, known);
    // Old news of an end that is read late: the fact was said to hold after it.
    if (change === 'ends' && isLaterWord(known, saidAt)) return [];
    return change === 'repeats' || change === 'ends' ? [{ known, change }] : [];
  });
  if (same !== undefined && told.length === 0) told.push({ known: same, change: 'repeats' });
  for (const { known, change } of told) {
    if (!plan.created.includes(known)) plan.repeated.add(known.uuid);
    if (change === 'ends' && fresh.invalidAt !== null)
      plan.ended.set(known.uuid, {
        uuid: known.uuid,
        invalidAt: endOf(fresh.invalidAt, known) ?? fresh.invalidAt,
        expiredAt: known.expiredAt ?? now,
        byFact: null,
      });
  }
  return told.length > 0;
}

/** Whether it had ended before it was said to hold again: "I am back at Siemens". */
const isOver = (known: Fact, fresh: Fact, saidAt: string): boolean =>
  known.invalidAt !== null && fresh.invalidAt === null && known.invalidAt < saidAt;

const isBetween = (fact: Fact, { sourceUuid: one, targetUuid: other }: Fact): boolean =>
  (fact.sourceUuid === one && fact.targetUuid === other) ||
  (fact.sourceUuid === other && fact.targetUuid === one);
