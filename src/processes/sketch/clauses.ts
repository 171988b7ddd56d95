import { plainOf } from './plain.ts';
import {
  ACTION_OF,
  AND,
  APPROVAL,
  BEFORE,
  CONDITION,
  FOR_EACH,
  RETRY,
  THEN,
} from './sketch-words.ts';

/** A part of a sentence that asks for one step. */
export interface Clause {
  /** What the step does, in the words of the sentence. */
  readonly words: string;
  /** The English words of its actions, such as `summarise`; empty: it has no known action. */
  readonly actions: readonly string[];
  /** The words of a wish to be asked first; null: none. */
  readonly approval: string | null;
  /** The words of a condition; null: none. */
  readonly condition: string | null;
  /** The words of a repetition for each of several things; null: none. */
  readonly forEach: string | null;
  /** Attempts in all; null: none are named. */
  readonly attempts: number | null;
}

/** Steps that a sentence is cut into at most; the rest of it is not read. */
const CLAUSES_MAX = 20;
/** An address, or a text in quotation marks: no joint of the sentence. */
const WHOLE = new RegExp(
  [
    /https?:\/\/[^\s"'<>“”„«»]+/,
    /"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»/,
    /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** Cuts a sentence into the steps that it asks for, each with its wishes. */
export function clausesOf(sentence: string): Clause[] {
  const parts = partsOf(sentence).slice(0, CLAUSES_MAX * 2);
  const clauses: Clause[] = [];
  let next: Wishes = NO_WISHES;
  for (const [index, part] of parts.entries()) {
    const { words, ...wishes } = wishesIn(part);
    if (words !== '') {
      clauses.push({ words, actions: actionsIn(words), ...joined(next, wishes) });
      next = NO_WISHES;
      continue;
    }
    const last = clauses.at(-1);
    const after = parts[index + 1];
    // "Post it if it rains" is about the step before, "If it rains, post it" about the one after.
    const isLater =
      (wishes.condition !== null || wishes.attempts !== null) &&
      !part.startsNew &&
      (!part.isJoined || after === undefined || after.startsNew);
    if (isLater && last !== undefined)
      clauses[clauses.length - 1] = { ...last, ...joined(last, wishes) };
    else next = joined(next, wishes);
  }
  const last = clauses.at(-1);
  // A wish that no step follows is about the last one.
  if (last !== undefined) clauses[clauses.length - 1] = { ...last, ...joined(last, next) };
  return clauses.slice(0, CLAUSES_MAX);
}

type Wishes = Omit<Clause, 'words' | 'actions'>;
const NO_WISHES: Wishes = { approval: null, condition: null, forEach: null, attempts: null };

const joined = (first: Wishes, second: Wishes): Wishes => ({
  approval: second.approval ?? first.approval,
  condition: second.condition ?? first.condition,
  forEach: second.forEach ?? first.forEach,
  attempts: second.attempts ?? first.attempts,
});

/** The English words for the actions that a text names. */
export function actionsIn(text: string): string[] {
  const words = plainOf(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.flatMap((word) => actionOf(word) ?? []))];
}

/** Spanish verbs carry their objects: `publicalo`, `enviamelo`. */
const actionOf = (word: string): string | undefined =>
  ACTION_OF.get(word) ?? ACTION_OF.get(word.replace(/(?:me|se|nos)?(?:l[oae]s?)$|me$/, ''));

/** German verbs stand at the end: "und als Nachricht gepostet", "und dem Team schicken". */
const LATE_VERB = /^(?:ge\p{L}+t|(?!open)\p{L}+en)$/u;

interface Part {
  readonly text: string;
  /** Whether a sentence begins with it. */
  readonly startsNew: boolean;
  /** Whether punctuation, or a word such as "then", stands before it. */
  readonly isJoined: boolean;
}

/** Cuts at punctuation, at words such as "then", and at "and" where an action follows. */
function partsOf(sentence: string): Part[] {
  const kept: string[] = [];
  // A stand-in of the same length keeps joints out of addresses and quotations.
  const masked = sentence.replace(WHOLE, (whole) => {
    const ending = /^https?:/.test(whole) ? (/[.,;:!?)]+$/.exec(whole)?.[0] ?? '') : '';
    kept.push(whole);
    return '\u0001'.repeat(whole.length - ending.length) + ending;
  });
  const plain = plainOf(masked);
  const cuts: { from: number; to: number; isEnd: boolean }[] = [];
  for (const match of plain.matchAll(/[.!?]+(?=\s|$)|[,;:\n]+|\s[-–—]\s/g))
    cuts.push({
      from: match.index,
      to: match.index + match[0].length,
      isEnd: /[.!?\n]/.test(match[0]),
    });
  for (const match of plain.matchAll(new RegExp(THEN, 'g')))
    cuts.push({ from: match.index, to: match.index + match[0].length, isEnd: false });
  const words = [...plain.matchAll(/[\p{L}\p{N}]+/gu)];
  for (const [index, word] of words.entries()) {
    if (!AND.test(word[0])) continue;
    const after = words.slice(index + 1, index + 8).map(([next]) => next);
    const rest = plain.slice(word.index + word[0].length).trimStart();
    const isStep =
      after.slice(0, 2).some((next) => actionOf(next) !== undefined) ||
      after.some((next) => LATE_VERB.test(next) && actionOf(next) !== undefined) ||
      [APPROVAL, FOR_EACH, CONDITION].some((wish) => wish.exec(rest)?.index === 0);
    if (isStep) cuts.push({ from: word.index, to: word.index + word[0].length, isEnd: false });
  }
  // A condition begins a part, and stays in it.
  for (const match of plain.matchAll(new RegExp(CONDITION, 'g')))
    if (!isApprovalAt(plain, match.index))
      cuts.push({ from: match.index, to: match.index, isEnd: false });
  const end = { from: sentence.length, to: sentence.length, isEnd: true };
  const parts: Part[] = [];
  let last = 0;
  let startsNew = true;
  let isJoined = false;
  for (const { from, to, isEnd } of [...cuts.sort((a, b) => a.from - b.from || a.to - b.to), end]) {
    const text = sentence.slice(last, Math.max(last, from)).trim();
    if (text !== '') {
      parts.push({ text, startsNew, isJoined });
      startsNew = false;
      isJoined = false;
    }
    if (isEnd) startsNew = true;
    if (to > from) isJoined = true;
    last = Math.max(last, to);
  }
  return parts.flatMap(withoutCondition);
}

function isApprovalAt(plain: string, at: number): boolean {
  const match = APPROVAL.exec(plain.slice(Math.max(0, at - 8), at + 60));
  return match !== null;
}

/** "If it rains send me a mail": the action behind a condition is a part of its own. */
function withoutCondition(part: Part): Part[] {
  const plain = plainOf(part.text);
  if (CONDITION.exec(plain)?.index !== 0 || APPROVAL.test(plain)) return [part];
  const words = [...plain.matchAll(/[\p{L}\p{N}]+/gu)].slice(3);
  const action = words.find(([word]) => actionOf(word) !== undefined);
  if (action === undefined) return [part];
  return [
    { ...part, text: part.text.slice(0, action.index).trim() },
    { text: part.text.slice(action.index).trim(), startsNew: false, isJoined: true },
  ];
}

/** Takes the wishes out of a part; the words that are left say what the step does. */
function wishesIn({ text }: Part): Wishes & { readonly words: string } {
  const plain = plainOf(text);
  const approval = APPROVAL.exec(plain);
  if (approval === null && CONDITION.exec(plain)?.index === 0)
    return { ...NO_WISHES, condition: text, words: '' };
  let rest = text;
  const take = (pattern: RegExp) => {
    const match = pattern.exec(plainOf(rest));
    if (match === null) return null;
    rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`.trim();
    return match;
  };
  take(APPROVAL);
  const retry = take(RETRY);
  const each = FOR_EACH.exec(plainOf(rest));
  const forEach = each === null ? null : eachIn(rest, each);
  if (forEach !== null) rest = rest.replace(forEach, ' ').trim();
  let before = BEFORE.exec(plainOf(rest));
  while (before !== null) {
    rest = rest.slice(before[0].length);
    before = BEFORE.exec(plainOf(rest));
  }
  const number = retry?.slice(1).find((group) => group !== undefined);
  const isLeft = /[\p{L}\p{N}]/u.test(rest) && !BEFORE.test(`${plainOf(rest)} `);
  return {
    approval:
      approval === null ? null : text.slice(approval.index, approval.index + approval[0].length),
    condition: null,
    forEach,
    attempts: number === undefined ? null : Math.max(1, Number(number)),
    words: isLeft ? rest.replace(/\s+/g, ' ').trim() : '',
  };
}

/** "for each new item": up to the action that follows, else up to the end. */
function eachIn(text: string, match: RegExpExecArray): string {
  const rest = text.slice(match.index + match[0].length);
  const words = [...plainOf(rest).matchAll(/[\p{L}\p{N}]+/gu)];
  // "for each mail, …": the thing itself may have the name of an action.
  const from = /(?:one|them|ellos|ellas)$/.test(match[0]) ? 0 : 1;
  const action = words.find(([word], index) => index >= from && actionOf(word) !== undefined);
  return text
    .slice(match.index, match.index + match[0].length + (action?.index ?? rest.length))
    .trim();
}
