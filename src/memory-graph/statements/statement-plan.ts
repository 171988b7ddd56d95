import { isNewsOf } from '../entities/fact.ts';
import { nameKey, sentenceKey } from '../entities/name-match.ts';
import { attributeIn, clausesOf, isOfConversation, isPlan } from './attribute.ts';
import { correctionIn, deniedBy, endedBy } from './correction.ts';
import { ownWordsOf } from './own-words.ts';
import type { Pair } from './replacement.ts';
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

/** The Episode that ended a statement which is read after it, and the times that it had. */
export interface LateEnd {
  readonly episodeUuid: string;
  readonly invalidAt: string | null;
  readonly expiredAt: string | null;
}

export interface StatementPlan {
  readonly created: readonly KnownStatement[];
  /** Uuids of known statements that were said again. */
  readonly repeated: ReadonlySet<string>;
  /** Known statements with their new end. */
  readonly ended: ReadonlyMap<string, { readonly invalidAt: string; readonly expiredAt: string }>;
  /** Created statements that had ended before they were read, with the Episode that ended them. */
  readonly late: ReadonlyMap<string, LateEnd>;
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
  /** Whether a later statement of a speaker takes the place of an earlier one, by their meaning. */
  replaces?(pair: Pair): boolean;
}

/** The attribute that a statement gives or ends: the model's, else as its words have it. */
export function attributeOf({ text, attribute, validAt }: ExtractedStatement): string | null {
  if (ownWordsOf(text) === '' || (validAt === null && isPlan(text))) return null;
  return attribute ?? attributeIn(text, isEnd(text))?.attribute ?? null;
}

/** "I quit at Axis, I joined Borealis": what an end gives besides, of the same subject. */
function givenBeside(end: string): string | null {
  const clauses = clausesOf(ownWordsOf(end));
  const over = attributeIn(end, true);
  const given = clauses
    .filter((clause) => !isEnd(clause))
    .flatMap((clause) => attributeIn(clause) ?? []);
  return given.find(({ of }) => of === (over?.of ?? null))?.attribute ?? null;
}

/**
 * Compares extracted statements with known ones, in the order of the text. One of the same subject
 * and attribute ends the earlier said, also where it is read first, and so does an end; a
 * correction ends what it fits (`endedBy`) and takes its place.
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
  const late = new Map<string, LateEnd>();
  const end = (one: KnownStatement, at: string, by: KnownStatement): void => {
    const invalidAt = at > one.validAt ? at : one.validAt;
    if (one.invalidAt !== null && one.invalidAt <= invalidAt) return;
    all.set(one.uuid, { ...one, invalidAt, expiredAt: setting.now });
    if (!created.includes(one.uuid)) ended.set(one.uuid, { invalidAt, expiredAt: setting.now });
    else {
      const { invalidAt: before, expiredAt } = late.get(one.uuid) ?? one;
      const episodeUuid = by.episodes.at(-1) ?? setting.episodeUuid;
      late.set(one.uuid, { episodeUuid, invalidAt: before, expiredAt });
    }
  };
  for (const one of given) {
    const told = freshStatement(one, setting);
    const current = [...all.values()].filter(({ invalidAt }) => isOpen(invalidAt, told.validAt));
    const corrected = correctedFrom(told, current);
    const fresh = inPlaceOf(told, corrected);
    const same = current.find(
      (other) =>
        other.uuid === setting.extraction.repeated.get(sentenceKey(one.text)) ||
        (other.saidBy === fresh.saidBy &&
          other.subject === fresh.subject &&
          sentenceKey(other.text) === sentenceKey(fresh.text)),
    );
    const named = new Set(setting.extraction.ended.get(sentenceKey(one.text)) ?? []);
    const words = new Set(one.ends.map(sentenceKey));
    const over = [
      ...(corrected === null ? endedBy(fresh, bySaying(current)) : [corrected]),
      ...endedAttribute(one, fresh, current),
      ...current.filter(({ uuid, text }) => named.has(uuid) || words.has(sentenceKey(text))),
    ];
    for (const other of over) end(other, fresh.validAt, fresh);
    // An end that is said in the same words again ends what began meanwhile.
    if (same !== undefined) {
      if (!created.includes(same.uuid)) repeated.add(same.uuid);
      continue;
    }
    all.set(fresh.uuid, fresh);
    created.push(fresh.uuid);
    for (const other of rivalsOf(fresh, current, setting)) {
      // News of an earlier time, told or read late, had ended when the later began.
      const isEarlier = other.validAt > fresh.validAt && one.validAt !== null;
      const isLate = isEarlier && !isNewsOf(fresh, other);
      // The first of several later ones ends it.
      const now = all.get(fresh.uuid) ?? fresh;
      if (isLate || other.saidAt > fresh.saidAt) end(now, other.validAt, other);
      else end(other, fresh.validAt, fresh);
    }
    for (const later of all.values())
      if (endsLate(later, fresh)) end(all.get(fresh.uuid) ?? fresh, later.validAt, later);
  }
  return { created: created.flatMap((uuid) => all.get(uuid) ?? []), repeated, ended, late };
}

const isOpen = (invalidAt: string | null, at: string) => invalidAt === null || invalidAt > at;

const bySaying = (statements: readonly KnownStatement[]): KnownStatement[] =>
  statements.toSorted((one, other) => (one.saidAt < other.saidAt ? -1 : 1));

/** Those of which only one holds: of the same subject and attribute, or by their meaning. */
const rivalsOf = (
  fresh: KnownStatement,
  known: readonly KnownStatement[],
  setting: Setting,
): KnownStatement[] =>
  known.filter((other) => {
    const { attribute } = fresh;
    if (attribute !== null && other.attribute === attribute && isOfSame(fresh, other)) return true;
    const [earlier, later] = other.saidAt > fresh.saidAt ? [fresh, other] : [other, fresh];
    return (
      other.saidBy === fresh.saidBy &&
      [earlier, later].every(isOfLife) &&
      setting.replaces?.({ earlier: earlier.text, later: later.text }) === true
    );
  });

/** Whether it says a thing as it is: no words of others, no fiction, and no plan without a day. */
const isOfLife = ({ text, validAt, saidAt }: KnownStatement): boolean =>
  ownWordsOf(text) !== '' && (validAt !== saidAt || !isPlan(text));

function isOfSame(fresh: KnownStatement, other: KnownStatement): boolean {
  if (fresh.subject !== other.subject) return false;
  return (
    !isOfConversation(fresh.subject) ||
    other.conversations.some((id) => fresh.conversations.includes(id))
  );
}

/** The statement whose value this one puts right: "Sorry, I meant Faro." */
function correctedFrom(
  fresh: KnownStatement,
  known: readonly KnownStatement[],
): KnownStatement | null {
  if (correctionIn(fresh.text) !== 'meant') return null;
  const [found] = endedBy(fresh, bySaying(known));
  return found ?? null;
}

/** A value that is put right holds from where the wrong one began, of the same subject. */
function inPlaceOf(fresh: KnownStatement, wrong: KnownStatement | null): KnownStatement {
  if (wrong === null || fresh.validAt !== fresh.saidAt) return fresh;
  if (fresh.attribute !== null && fresh.attribute !== wrong.attribute) return fresh;
  const { attribute, validAt, subject } = wrong;
  return { ...fresh, attribute, validAt, subject };
}

/**
 * Whether an end that was said later, and read before, ends this one. A slip corrects such a one
 * only where it names what it takes back.
 */
function endsLate(later: KnownStatement, fresh: KnownStatement): boolean {
  if (!(later.saidAt > fresh.saidAt)) return false;
  if (correctionIn(later.text) === 'meant') return deniedBy(later, [fresh]).length > 0;
  if (!isEnd(later.text)) return false;
  return [...endedBy(later, [fresh]), ...endedAttribute(later, later, [fresh])].length > 0;
}

/** "I quit at Axis" ends what said the same attribute of the same subject, with the same names. */
function endedAttribute(
  one: { readonly text: string },
  fresh: KnownStatement,
  known: readonly KnownStatement[],
): KnownStatement[] {
  if (!isEnd(one.text)) return [];
  const said = attributeIn(one.text, true);
  if (said === null) return [];
  const value = nameKey(said.value);
  return known.filter(
    (other) =>
      other.attribute === said.attribute &&
      isOfSame(fresh, other) &&
      other.saidAt <= fresh.saidAt &&
      nameKey(other.text).includes(value),
  );
}

function freshStatement(one: ExtractedStatement, setting: Setting): KnownStatement {
  const { saidBy, saidAt, now, groupId, episodeUuid } = setting;
  const [first] = one.about;
  const said = one.attribute === null ? attributeIn(one.text, isEnd(one.text)) : null;
  return {
    uuid: setting.uuidOf(one),
    text: one.text,
    groupId,
    saidBy,
    subject: subjectKey(said?.of ?? first ?? null, setting),
    // "I don't work at Acme any more" gives no employer.
    attribute: isEnd(one.text) ? givenBeside(one.text) : attributeOf(one),
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

/** Whom it is about: `my brother` is another one in another mouth. @param of null: the speaker */
function subjectKey(of: string | null, { saidBy, isOwner, ownerName }: Setting): string {
  const key = nameKey(of ?? saidBy);
  const isOfOwner = of === null ? isOwner : key === nameKey(ownerName);
  if (isOfOwner) return OWNER_SUBJECT;
  return isOwner ? key : key.replace(/^my (?=.)/, `${nameKey(saidBy)}'s `);
}

function isEnd(text: string): boolean {
  const kind = correctionIn(text);
  return kind !== null && kind !== 'meant';
}
