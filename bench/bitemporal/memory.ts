import { NOTHING_EXTRACTED } from '../../src/memory-graph/extraction/extraction.ts';
import type { ExtractedStatement } from '../../src/memory-graph/statements/statement.ts';
import {
  type KnownStatement,
  planStatements,
} from '../../src/memory-graph/statements/statement-plan.ts';
import type { Told, World } from './world.ts';

/** The owner of the memory. All sentences are the owner's. */
export const OWNER = 'Runa';

export const isoOf = (ms: number) => new Date(ms).toISOString();

/** The statement as a perfect model would give it. @param earlier all that was told before */
export function structured(
  { subject, attribute, value, former, text, kind, validAtMs, saidAtMs }: Told,
  earlier: readonly Told[],
): ExtractedStatement {
  const ended =
    former === null
      ? []
      : earlier.filter(
          (one) => one.subject === subject && one.attribute === attribute && one.value === former,
        );
  return {
    text,
    about: subject === null ? [] : [subject],
    attribute: value === null ? null : attribute,
    validAt: validAtMs === saidAtMs ? null : isoOf(validAtMs),
    invalidAt: null,
    ends: kind === 'retraction' || kind === 'correction' ? ended.map((one) => one.text) : [],
  };
}

/** Statements of what is told. @param earlier all that was told before */
export type Reading = (told: Told, earlier: readonly Told[]) => readonly ExtractedStatement[];

/** The statements after all that was told, in its order. */
export function remember(world: World, read: Reading): KnownStatement[] {
  const known = new Map<string, KnownStatement>();
  for (const [at, one] of world.told.entries()) {
    const given = read(one, world.told.slice(0, at));
    const plan = planStatements(given, [...known.values()], {
      extraction: NOTHING_EXTRACTED,
      ...{ saidBy: OWNER, isOwner: true, ownerName: OWNER, groupId: 'g' },
      ...{ saidAt: isoOf(one.saidAtMs), now: isoOf(one.saidAtMs), episodeUuid: `e${at}` },
      conversationId: `c${Math.floor(at / 10)}`,
      uuidOf: ({ text }) => `${at} ${text}`,
    });
    for (const [uuid, end] of plan.ended) {
      const before = known.get(uuid);
      if (before !== undefined) known.set(uuid, { ...before, ...end });
    }
    for (const created of plan.created) known.set(created.uuid, created);
  }
  return [...known.values()];
}

/** Whether a statement holds at both times, as the search has it for facts. */
export function holds(one: KnownStatement, validAt: string, knownAt: string): boolean {
  if (one.createdAt > knownAt || one.validAt > validAt) return false;
  return one.invalidAt === null || one.invalidAt > validAt || (one.expiredAt ?? '') > knownAt;
}
