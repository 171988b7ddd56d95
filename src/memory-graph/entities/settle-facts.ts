import {
  type Caused,
  causedBy,
  changeOf,
  type Ended,
  endContradicted,
  endOf,
  endOfCorrected,
  type Fact,
  isRival,
} from './fact.ts';

/** What facts change of each other, once they are known to be of the same entities. */
export interface Settling {
  /** Facts that state the same; the later said goes into the earlier. */
  readonly equal: readonly { readonly keptUuid: string; readonly lostUuid: string }[];
  readonly ended: readonly (Caused & { readonly episodeUuid: string })[];
}

/** Compares facts with each other as if each had been read when it was said. */
export function settleFacts(facts: readonly Fact[], now: string): Settling {
  const equal: { keptUuid: string; lostUuid: string }[] = [];
  const ended = new Map<string, Settling['ended'][number]>();
  const said = ({ saidAt, validAt, createdAt }: Fact) => saidAt ?? validAt ?? createdAt;
  const inOrder = facts.toSorted((a, b) => (said(a) < said(b) ? -1 : said(a) > said(b) ? 1 : 0));
  let seen: Fact[] = [];
  for (const fact of inOrder) {
    const end = (change: Caused) => {
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
        end({
          ...{ uuid: known.uuid, invalidAt: endOf(fact.invalidAt, known) },
          ...{ expiredAt: now, byFact: fact.uuid },
        });
      if (change === 'corrects')
        end({ ...endOfCorrected(known, said(fact), now), byFact: fact.uuid });
    }
    const rivals = seen.filter((known) => isRival(fact, known));
    seen.push(fact);
    for (const change of endContradicted(fact, rivals, now))
      if (isChange(change, seen)) end(causedBy(change, fact, rivals));
  }
  return { equal, ended: [...ended.values()] };
}

const isChange = ({ uuid, invalidAt }: Ended, facts: readonly Fact[]): boolean =>
  facts.some((one) => one.uuid === uuid && one.invalidAt !== invalidAt);
