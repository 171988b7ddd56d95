import { isNewsOf } from '../entities/fact.ts';
import { nameKey, sentenceKey } from '../entities/name-match.ts';
import { correctionIn, endedBy } from './correction.ts';
import {
  type ExtractedStatement,
  OWNER_SUBJECT,
  type ReadStatements,
  type Statement,
} from './statement.ts';

/** A statement that memory holds, with the conversations in which it was said. */
export interface KnownStatement extends Statement {
  readonly conversations: readonly string[];
}

export interface StatementPlan {
  readonly created: readonly KnownStatement[];
  /** Uuids of known statements that were said again. */
  readonly repeated: ReadonlySet<string>;
  /** Known statements with their new end. */
  readonly ended: ReadonlyMap<string, { readonly invalidAt: string; readonly expiredAt: string }>;
}

interface Setting {
  readonly extraction: Pick<ReadStatements, 'repeated' | 'ended'>;
  readonly saidBy: string;
  /** Whether the owner of the memory speaks. */
  readonly isOwner: boolean;
  readonly ownerName: string;
  readonly saidAt: string;
  readonly now: string;
  readonly groupId: string;
  readonly episodeUuid: string;
  readonly conversationId: string;
  uuidOf(statement: ExtractedStatement): string;
}

/**
 * Compares extracted statements with known ones, in the order of the text. One of the same subject
 * and attribute ends the earlier said, also where it is read first; a correction ends what it
 * fits (`endedBy`).
 */
export function planStatements(
  given: readonly ExtractedStatement[],
  known: readonly KnownStatement[],
  setting: Setting,
): StatementPlan {
  const all = new Map(known.map((one) => [one.uuid, one]));
  const created: string[] = [];
  const repeated = new Set<string>();
  const ended = new Map<string, { invalidAt: string; expiredAt: string }>();
  const end = (one: KnownStatement, at: string): void => {
    const invalidAt = at > one.validAt ? at : one.validAt;
    if (one.invalidAt !== null && one.invalidAt <= invalidAt) return;
    all.set(one.uuid, { ...one, invalidAt, expiredAt: setting.now });
    if (!created.includes(one.uuid)) ended.set(one.uuid, { invalidAt, expiredAt: setting.now });
  };
  for (const one of given) {
    const fresh = freshStatement(one, setting);
    const current = [...all.values()].filter(({ invalidAt }) => isOpen(invalidAt, fresh.validAt));
    const same = current.find(
      (other) =>
        other.uuid === setting.extraction.repeated.get(sentenceKey(one.text)) ||
        (other.saidBy === fresh.saidBy &&
          other.subject === fresh.subject &&
          sentenceKey(other.text) === sentenceKey(fresh.text)),
    );
    if (same !== undefined) {
      if (!created.includes(same.uuid)) repeated.add(same.uuid);
      continue;
    }
    const named = new Set(setting.extraction.ended.get(sentenceKey(one.text)) ?? []);
    const words = new Set(one.ends.map(sentenceKey));
    const over = [
      ...endedBy(fresh, bySaying(current)),
      ...current.filter(({ uuid, text }) => named.has(uuid) || words.has(sentenceKey(text))),
    ];
    for (const other of over) end(other, fresh.validAt);
    all.set(fresh.uuid, fresh);
    created.push(fresh.uuid);
    for (const other of rivalsOf(fresh, current)) {
      // News of an earlier time, told or read late, had ended when the later began.
      const isEarlier = other.validAt > fresh.validAt && one.validAt !== null;
      const isLate = isEarlier && !isNewsOf(fresh, other);
      if (isLate || other.saidAt > fresh.saidAt) end(fresh, other.validAt);
      else end(other, fresh.validAt);
    }
  }
  return { created: created.flatMap((uuid) => all.get(uuid) ?? []), repeated, ended };
}

const isOpen = (invalidAt: string | null, at: string) => invalidAt === null || invalidAt > at;

function bySaying(statements: readonly KnownStatement[]): KnownStatement[] {
  return statements.toSorted((one, other) => (one.saidAt < other.saidAt ? -1 : 1));
}

function rivalsOf(fresh: KnownStatement, known: readonly KnownStatement[]): KnownStatement[] {
  if (fresh.attribute === null) return [];
  return known.filter(
    ({ subject, attribute }) => subject === fresh.subject && attribute === fresh.attribute,
  );
}

function freshStatement(one: ExtractedStatement, setting: Setting): KnownStatement {
  const { saidBy, isOwner, ownerName, saidAt, now, groupId, episodeUuid } = setting;
  const [first] = one.about;
  const isOfOwner = first === undefined ? isOwner : nameKey(first) === nameKey(ownerName);
  return {
    uuid: setting.uuidOf(one),
    text: one.text,
    groupId,
    saidBy,
    subject: isOfOwner ? OWNER_SUBJECT : nameKey(first ?? saidBy),
    // "I don't work at Acme any more" gives no employer.
    attribute: isEnd(one.text) ? null : one.attribute,
    saidAt,
    validAt:
      one.validAt ?? (one.invalidAt !== null && one.invalidAt < saidAt ? one.invalidAt : saidAt),
    invalidAt: one.invalidAt,
    createdAt: now,
    expiredAt: one.invalidAt === null ? null : now,
    episodes: [episodeUuid],
    conversations: [setting.conversationId],
  };
}

function isEnd(text: string): boolean {
  const kind = correctionIn(text);
  return kind !== null && kind !== 'meant';
}
