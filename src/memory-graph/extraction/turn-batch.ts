import { z } from 'zod';
import { msSince } from '../../common/clock.ts';
import { textOrNull } from '../../common/stored.ts';
import { contentWords, indexWords } from '../../text/content-words.ts';
import { sentencesOf } from '../../text/sentences.ts';
import { isNamedIn, nameKey, sentenceKey } from '../entities/name-match.ts';
import type { ExtractedFact, Extraction } from './extraction.ts';

/** A turn whose Episode waits to be read. */
export const WaitingTurn = z.object({
  alternativeId: z.string(),
  /** The alternative that it answers; null at the root. */
  parentId: textOrNull,
  content: z.string(),
  /** RFC 3339. */
  saidAt: z.string(),
  /** Creation time of its Episode, RFC 3339. */
  startedAt: z.string(),
  /** Whether the turn that it answers will be read, too, but has no Episode yet. */
  lateBefore: z.boolean().optional(),
  /** Whether a turn that answers it will be read, too, but has no Episode yet. */
  lateAfter: z.boolean().optional(),
});
export type WaitingTurn = z.infer<typeof WaitingTurn>;

/** Turns that one run reads. */
export interface TurnBatch {
  /** Oldest first. */
  readonly turns: readonly WaitingTurn[];
  /** Nothing can be added to it: it is full, or a turn of another day follows. */
  readonly isClosed: boolean;
  /** A turn beside it has no Episode yet: those of an import are written at once, in any order. */
  readonly isLate: boolean;
}

const TURNS_MAX = 40;
/** About 2,000 tokens. A longer turn is a batch of its own. */
const CHARS_MAX = 8_000;
/** Turns of several days are read together while they are no longer than this: about 500 tokens. */
const DAYS_CHARS_MAX = 2_000;

/**
 * The waiting turns that are read together with `alternativeId`: turns of one branch and one day
 * (UTC), or of several days on which little was said (docs/decisions/0032).
 * @param waiting waiting turns before and after it on all branches
 */
export function batchOf(waiting: readonly WaitingTurn[], alternativeId: string): TurnBatch {
  const byId = new Map(waiting.map((turn) => [turn.alternativeId, turn]));
  const answered = new Set(waiting.map(({ parentId }) => parentId));
  // The branch of the newest last turn. Episodes of an import may be younger than later ones.
  const newest = waiting
    .filter((turn) => !answered.has(turn.alternativeId))
    .toSorted((left, right) => Date.parse(right.startedAt) - Date.parse(left.startedAt))
    .map((turn) => branchTo(byId, turn.alternativeId))
    .find((branch) => branch.some((turn) => turn.alternativeId === alternativeId));
  const batches = split(newest ?? []);
  const at = batches.findIndex((turns) =>
    turns.some((turn) => turn.alternativeId === alternativeId),
  );
  const turns = batches[at] ?? [];
  const isLast = at === batches.length - 1;
  const isLate =
    turns[0]?.lateBefore === true || (isLast && turns.at(-1)?.lateAfter === true && !isFull(turns));
  return { turns, isClosed: !isLate && (!isLast || isFull(turns)), isLate };
}

/** The waiting turns from the oldest to this one, without a gap. */
function branchTo(byId: ReadonlyMap<string, WaitingTurn>, alternativeId: string): WaitingTurn[] {
  const branch: WaitingTurn[] = [];
  for (let turn = byId.get(alternativeId); turn !== undefined; ) {
    branch.push(turn);
    turn = turn.parentId === null ? undefined : byId.get(turn.parentId);
  }
  return branch.reverse();
}

function split(branch: readonly WaitingTurn[]): WaitingTurn[][] {
  const batches: WaitingTurn[][] = [];
  for (const turn of branch) {
    const last = batches.at(-1);
    const fits =
      last !== undefined && last.length < TURNS_MAX && charsOf([...last, turn]) <= CHARS_MAX;
    const isDay = dayOf(last?.at(-1)) === dayOf(turn);
    // A day that is begun is not parted while it fits.
    const isNear = isDay || charsOf([...(last ?? []), turn]) <= DAYS_CHARS_MAX;
    if (fits && isNear) last.push(turn);
    else batches.push([turn]);
  }
  return batches;
}

const isFull = (turns: readonly WaitingTurn[]): boolean =>
  turns.length >= TURNS_MAX || charsOf(turns) >= CHARS_MAX;

const charsOf = (turns: readonly WaitingTurn[]): number =>
  turns.reduce((chars, { content }) => chars + content.length, 0);

/** The day (UTC) on which a turn was said; '' without one. */
export function dayOf(turn: Pick<WaitingTurn, 'saidAt'> | undefined): string {
  return turn === undefined ? '' : new Date(turn.saidAt).toISOString().slice(0, 10);
}

/** So many times the quiet a batch waits for turns beside it. */
const PATIENCE_QUIETS = 10;

/** Whether the batch still waits for turns beside it: their ingests may have been lost. */
export function isPatient({ turns }: Pick<TurnBatch, 'turns'>, nowMs: number, quietMs: number) {
  return quietForMs(turns, nowMs) < PATIENCE_QUIETS * quietMs;
}

const quietForMs = (turns: readonly WaitingTurn[], nowMs: number): number =>
  Math.min(...turns.map(({ startedAt }) => msSince(startedAt, nowMs)));

/**
 * Milliseconds until the batch may be read: 0 where it is closed, or quiet for `quietMs` with all
 * Episodes beside it written.
 */
export function waitMs(batch: TurnBatch, nowMs: number, quietMs: number): number {
  if (batch.isClosed || quietMs === 0) return 0;
  const restMs = Math.max(0, quietMs - quietForMs(batch.turns, nowMs));
  return batch.isLate && isPatient(batch, nowMs, quietMs) ? Math.max(restMs, quietMs / 4) : restMs;
}

export interface ReadTurn {
  readonly speakerName: string;
  readonly content: string;
}

const SHORTENED = /\s*(?:…|\.{3})$/;

/**
 * The extraction with the whole sentence of each statement that a model gave by its first words
 * and "…": it costs fewer tokens, and the words are the speaker's.
 */
export function withWholeTexts(extraction: Extraction, contents: readonly string[]): Extraction {
  if (!extraction.statements.some(({ text }) => SHORTENED.test(text))) return extraction;
  const left = contents.flatMap((content) => sentencesOf(content));
  const [repeated, ended] = [new Map(extraction.repeated), new Map(extraction.ended)];
  const statements = extraction.statements.map((one) => {
    if (!SHORTENED.test(one.text)) return one;
    const start = nameKey(one.text.replace(SHORTENED, ''));
    const at = left.findIndex((sentence) => nameKey(sentence).startsWith(start));
    // Two sentences may begin alike: each is taken once, in their order.
    const [whole] = at < 0 ? [restFrom(start, contents)] : left.splice(at, 1);
    if (whole === null || whole === undefined) return one;
    const text = firstSentence(whole);
    // A comparison with what is known names the statement as it was given.
    const given = sentenceKey(one.text);
    const same = extraction.repeated.get(given);
    const over = extraction.ended.get(given);
    if (same !== undefined) repeated.set(sentenceKey(text), same);
    if (over !== undefined) ended.set(sentenceKey(text), over);
    return { ...one, text };
  });
  return { ...extraction, statements, repeated, ended };
}

/** The words and all after them, where a sentence begins small: "in Rome. now I bake". */
function restFrom(start: string, contents: readonly string[]): string | null {
  for (const content of contents) {
    const text = content.replace(/\s+/g, ' ');
    const at = text.toLowerCase().indexOf(start);
    // Some letters have another length in lower case.
    if (at >= 0 && nameKey(text.slice(at)).startsWith(start)) return text.slice(at);
  }
  return null;
}

/** Without a sentence after it that begins small, which a model reads as one of its own. */
function firstSentence(text: string): string {
  const plain = text.replace(/\s+/g, ' ');
  const end = /(?<=\p{Ll}{3})[.!?](?= \p{Ll}{3})/u.exec(plain);
  return end === null ? plain : plain.slice(0, end.index + 1);
}

/**
 * The findings of each turn of a batch. A model reads the batch whole and names no turn, so a
 * fact belongs to the turn that has most of its words, the first of equals. An entity is mentioned
 * by each turn that names it, and by the turns of its facts.
 * @returns one extraction per turn, in their order
 */
export function findingsByTurn(
  extraction: Extraction,
  turns: readonly ReadTurn[],
): readonly Extraction[] {
  if (turns.length <= 1) return turns.map(() => extraction);
  const indexes = turns.map(({ speakerName, content }) => indexWords(`${speakerName}: ${content}`));
  const bestFor = (text: string): number => {
    const words = contentWords(text);
    const scores = indexes.map((index) => words.filter((word) => index.has(word)).length);
    return scores.indexOf(Math.max(...scores));
  };
  const factTurns = extraction.facts.map(({ fact }) => bestFor(fact));
  // A statement has the words of its turn, as far as the model kept them.
  const statementTurns = extraction.statements.map(({ text }) => {
    const whole = turns.findIndex(({ content }) => content.includes(text));
    return whole >= 0 ? whole : bestFor(text);
  });
  const factsOf = (turn: number): readonly ExtractedFact[] =>
    extraction.facts.filter((_, index) => factTurns[index] === turn);
  const entityTurns = extraction.entities.map(({ name, summary }) => {
    const key = nameKey(name);
    const ends = turns.map((_, turn) =>
      factsOf(turn).some(({ source, target }) => [source, target].map(nameKey).includes(key)),
    );
    const named = turns.flatMap(({ content }, turn) =>
      isNamedIn(content, name) || ends[turn] === true ? [turn] : [],
    );
    return named.length > 0 ? named : [bestFor(`${name} ${summary}`)];
  });
  return turns.map((_, turn) => ({
    ...extraction,
    entities: extraction.entities.flatMap((entity, index) => {
      const named = entityTurns[index] ?? [];
      if (!named.includes(turn)) return [];
      return [named[0] === turn ? entity : { ...entity, summary: '' }];
    }),
    facts: factsOf(turn),
    statements: extraction.statements.filter((_, index) => statementTurns[index] === turn),
    faults: turn === 0 ? extraction.faults : [],
  }));
}
