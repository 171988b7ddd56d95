import {
  changeOf,
  type Ended,
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
  readonly ended: ReadonlyMap<string, Ended>;
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
    ended: new Map<string, Ended>(),
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
      if (!plan.ended.has(lost.uuid)) plan.ended.set(lost.uuid, endOfCorrected(lost, at, now));
    }
    all.push(dated);
    plan.created.push(dated);
    const known = contradicted.map((one) => lastWord(one, dated, saidAt));
    for (const change of endContradicted(dated, known, now)) plan.ended.set(change.uuid, change);
  }
  return plan;
}

/** Whether a fact was said after the text that is read, which may be an old one. */
function isLaterWord({ saidAt }: Fact, readAt: string): boolean {
  return saidAt !== null && saidAt > readAt;
}

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
function beginOf({ invalidAt }: ExtractedFact, { saidAt }: Setting): string | null {
  return invalidAt === null ? saidAt : null;
}

/** Whether the fact only repeats or ends known ones; then it is no fact of its own. */
function statesKnown(
  fresh: Fact,
  all: readonly Fact[],
  plan: { readonly created: Fact[]; repeated: Set<string>; ended: Map<string, Ended> },
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
      });
  }
  return told.length > 0;
}

/** Whether it had ended before it was said to hold again: "I am back at Siemens". */
function isOver(known: Fact, fresh: Fact, saidAt: string): boolean {
  return known.invalidAt !== null && fresh.invalidAt === null && known.invalidAt < saidAt;
}

function isBetween(fact: Fact, { sourceUuid: one, targetUuid: other }: Fact): boolean {
  return (
    (fact.sourceUuid === one && fact.targetUuid === other) ||
    (fact.sourceUuid === other && fact.targetUuid === one)
  );
}

/** What facts change of each other, once they are known to be of the same entities. */
export interface Settling {
  /** Facts that state the same; the later said goes into the earlier. */
  readonly equal: readonly { readonly keptUuid: string; readonly lostUuid: string }[];
  readonly ended: readonly (Ended & { readonly episodeUuid: string })[];
}

/** Compares facts with each other as if each had been read when it was said. */
export function settleFacts(facts: readonly Fact[], now: string): Settling {
  const equal: { keptUuid: string; lostUuid: string }[] = [];
  const ended = new Map<string, Settling['ended'][number]>();
  const said = ({ saidAt, validAt, createdAt }: Fact) => saidAt ?? validAt ?? createdAt;
  const inOrder = facts.toSorted((a, b) => (said(a) < said(b) ? -1 : said(a) > said(b) ? 1 : 0));
  let seen: Fact[] = [];
  for (const fact of inOrder) {
    const end = (change: Ended) => {
      ended.set(change.uuid, { ...change, episodeUuid: fact.episodes[0] ?? '' });
      seen = seen.map((one) => (one.uuid === change.uuid ? { ...one, ...change } : one));
    };
    // A date that nothing but the time of saying gave is none.
    const told = { ...fact, validAt: fact.validAt === fact.saidAt ? null : fact.validAt };
    const changes = seen.map((known) => ({ known, change: changeOf(told, known) }));
    const same = changes.find(({ change }) => change === 'repeats')?.known;
    if (same !== undefined) {
      equal.push({ keptUuid: same.uuid, lostUuid: fact.uuid });
      seen = seen.map((one) => (one === same ? { ...one, saidAt: said(fact) } : one));
      continue;
    }
    for (const { known, change } of changes) {
      if (change === 'ends' && fact.invalidAt !== null)
        end({ uuid: known.uuid, invalidAt: endOf(fact.invalidAt, known), expiredAt: now });
      if (change === 'corrects') end(endOfCorrected(known, said(fact), now));
    }
    const rivals = seen.filter((known) => isRival(fact, known));
    seen.push(fact);
    for (const change of endContradicted(fact, rivals, now))
      if (isChange(change, seen)) end(change);
  }
  return { equal, ended: [...ended.values()] };
}

function isChange({ uuid, invalidAt }: Ended, facts: readonly Fact[]): boolean {
  return facts.some((one) => one.uuid === uuid && one.invalidAt !== invalidAt);
}
