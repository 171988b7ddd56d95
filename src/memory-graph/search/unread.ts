import { isQuestion } from '../../text/questions.ts';
import { sentencesOf } from '../../text/sentences.ts';
import { withoutOthers } from '../statements/own-words.ts';
import type { ExtractedStatement } from '../statements/statement.ts';
import { type KnownStatement, planStatements } from '../statements/statement-plan.ts';
import type { Asked, AskedStatement } from './asked.ts';
import type { LaterTurn } from './ended.ts';

/** A turn of the owner of a memory that is not read into it yet. */
export interface UnreadTurn extends LaterTurn {
  readonly conversationId: string;
}

/** The statements and ends that the reading of unread turns will bring. */
export interface Unread {
  /** By the uuid of a known statement: the turn that ends it. */
  readonly ended: ReadonlyMap<string, LaterTurn>;
  /** By the uuid of an unread turn's Episode: its statements, with the turns that end them. */
  readonly told: ReadonlyMap<string, readonly UnreadStatement[]>;
}

export interface UnreadStatement extends Pick<KnownStatement, 'text' | 'attribute' | 'subject'> {
  readonly turn: LaterTurn;
  readonly endedBy: LaterTurn | null;
}

export const NOTHING_UNREAD: Unread = { ended: new Map(), told: new Map() };

/** The sentences of a turn that may be statements, without those of others and questions. */
export function sentencesTold({ text }: Pick<UnreadTurn, 'text'>): ExtractedStatement[] {
  return sentencesOf(withoutOthers(text))
    .filter((one) => !isQuestion(one))
    .map((one) => ({
      ...{ text: one, about: [], attribute: null, validAt: null, invalidAt: null, ends: [] },
    }));
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

/**
 * Reads turns ahead of their extraction, by words alone: which statements they end, of the known
 * ones and of each other.
 * @param turns in the order of their times
 */
export function readAhead(
  turns: readonly UnreadTurn[],
  known: readonly KnownStatement[],
  ownerName: string,
): Unread {
  const all = new Map(known.map((one) => [one.uuid, one]));
  const ended = new Map<string, LaterTurn>();
  const told: { readonly turn: LaterTurn; readonly created: readonly KnownStatement[] }[] = [];
  for (const turn of turns) {
    const { created, ended: over } = planStatements(sentencesTold(turn), [...all.values()], {
      extraction: { repeated: NONE, ended: NONE },
      ...{ saidBy: ownerName, isOwner: true, ownerName, saidAt: turn.saidAt, now: turn.saidAt },
      ...{ groupId: '', episodeUuid: turn.uuid, conversationId: turn.conversationId },
      uuidOf: ({ text }) => `${turn.uuid} ${text}`,
    });
    for (const [uuid, end] of over) {
      const one = all.get(uuid);
      if (one !== undefined) all.set(uuid, { ...one, ...end });
      ended.set(uuid, turn);
    }
    for (const one of created) all.set(one.uuid, one);
    told.push({ turn, created });
  }
  return {
    ended,
    told: new Map(
      told.map(({ turn, created }) => [
        turn.uuid,
        created.map(({ uuid, text, attribute, subject }) => ({
          ...{ text, attribute, subject, turn, endedBy: ended.get(uuid) ?? null },
        })),
      ]),
    ),
  };
}

/**
 * The statements that give what is asked for, with those of unread turns, the latest said first:
 * those that hold, or those of a former value.
 * @param said those that are read
 */
export function statedFor(
  said: readonly AskedStatement[],
  { ended, told }: Unread,
  { attribute, subject, former }: Asked,
): AskedStatement[] {
  const ahead = [...told.values()]
    .flat()
    .filter((one) => one.attribute === attribute && one.subject === subject)
    .map(({ text: uuid, turn: { uuid: episode, ...turn }, endedBy }) => {
      return { uuid, episode, ...turn, isOver: endedBy !== null };
    });
  const all = [
    ...ahead,
    ...said.map((one) => ({ ...one, isOver: one.isOver || ended.has(one.uuid) })),
  ].sort((left, right) => Date.parse(right.saidAt) - Date.parse(left.saidAt));
  if (former === null) return all.filter(({ isOver }) => !isOver);
  return formerOf(all, former.before).slice(0, FORMER_MAX);
}

const FORMER_MAX = 3;

/** Those said before the first that names a value; without one, those that have ended. */
function formerOf(all: readonly AskedStatement[], before: string | null): AskedStatement[] {
  const named = before === null ? -1 : all.findLastIndex(({ text }) => text.includes(before));
  const earlier = named < 0 ? [] : all.slice(named + 1);
  return earlier.length > 0 ? earlier : all.filter(({ isOver }) => isOver);
}
