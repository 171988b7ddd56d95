import { firstChars } from '../../common/well-formed.ts';
import { contentWords } from '../../text/content-words.ts';
import { withoutMarks } from '../../text/marks.ts';
import { areVerbForms } from '../../text/verb-forms.ts';

// Two sentences of which one says the contrary of the other: one of them is denied, or they say a
// thing to be on and off. One table of each kind for English, German and Spanish.

const NEGATED =
  /(?<!\p{L})(?:not|never|cannot|nicht|nie|keine?[nrms]?|no|nunca|gave up|quit|stopped|aufgehört|aufgegeben|dejé|dejado)(?!\p{L})|n['’]t\b/giu;
/** "I eat meat again", "ich esse wieder Fleisch", "he vuelto a comer carne". */
const RESUMED =
  /\b(?:again|(?:gone|went|going|am|['’]m) back (?:to|on)|started|back on)\b|(?<!\p{L})(?:wieder|erneut|(?:he |hemos )?(?:vuelto|volví|volvimos) a|de nuevo|otra vez)(?!\p{L})/giu;
/** Words around a sentence that change nothing of it. */
const AROUND =
  /(?<!\p{L})(?:(?:it )?turns out|turned out|after all|actually|doch|am ende|al final|now|jetzt|ahora|these days|any ?more|no longer|mehr|ya|mucho|viel|a lot|since \p{L}+|gone|going|went|voy|vamos|gehe|fahren?|geht|mit dem|de)(?!\p{L})/giu;

const ON =
  /(?<!\p{L})(?:on|enabled|activated|an|ein|angeschaltet|eingeschaltet|aktiviert|activ(?:ad[oa]s?|é|amos)|encendid[oa]s?|encendí|puest[oa]s?)(?!\p{L})/iu;
const OFF =
  /(?<!\p{L})(?:off|disabled|deactivated|aus|ausgeschaltet|abgeschaltet|ausgestellt|deaktiviert|desactiv(?:ad[oa]s?|é|amos)|apagad[oa]s?|apagué)(?!\p{L})/iu;
/** "Off to Rome", "on Tuesday", "aus Rom" say no state of a switch. */
const SWITCHED =
  /\b(?:is|are|was|were|['’]s|turn(?:ed)?|switch(?:ed)?|put|set|have|has)\b(?: [\p{L}\d'’-]+){0,5}? (?:on|off|enabled|disabled|activated|deactivated)(?=$|[.,;!]| (?:in|for|by|again|now)\b)|\b(?:enabled|disabled) (?=the|my|our|all)|(?<!\p{L})(?:ist|sind|steht)(?: [\p{L}\d-]+){0,3} (?:an|aus)(?=$|[.,;!])|(?:an|ein|aus|ab)ge(?:schaltet|stellt|macht)|(?:de)?aktiviert|(?<!\p{L})(?:des)?activ(?:ad[oa]s?|é|amos)(?!\p{L})|encend(?:id[oa]s?|í)(?!\p{L})|apag(?:ad[oa]s?|ué)(?!\p{L})/iu;

/** "I didn't go to the gym" denies one time, and no habit. */
const ONCE =
  /\b(?:did|was|were|could|had|have|has)(?:n['’]t| not)\b|(?<!\p{L})(?:war|waren|hatten?|konnten?|ging|hab|habe|haben)(?!\p{L})|(?<!\p{L})no (?:he|hemos|pude|fui|fuimos|\p{L}+[éí])(?!\p{L})|(?<!\p{L})(?:today|tonight|yesterday|this week|heute|gestern|hoy|ayer)(?!\p{L})/iu;

/** Whether the later sentence says the contrary of the earlier one, in the same words. */
export function isContrary(earlier: string, later: string): boolean {
  return isDenied(earlier, later) || isSwitched(earlier, later);
}

/**
 * "I'm allergic to nuts" and "I'm not allergic to nuts": one is denied, and no word of content is
 * in one alone. What one takes up again may leave out words: "I don't eat meat on weekdays".
 */
function isDenied(earlier: string, later: string): boolean {
  if (ONCE.test(later)) return false;
  const before = matches(NEGATED, earlier);
  if (before === matches(NEGATED, later)) return false;
  if (!mayHaveAll(earlier, later)) return false;
  const [had, has] = [stemsOf(earlier), stemsOf(later)];
  const isIn = (stem: string) => [...had].some((one) => one === stem || areVerbForms(one, stem));
  if (has.size === 0 || ![...has].every(isIn)) return false;
  return had.size === has.size || (before && matches(RESUMED, later));
}

const BEGINNING_CHARS = 3;

/**
 * Whether a text may have the words of another, by the beginning of its longest: a turn of many
 * statements is compared with a thousand, and stems cost more.
 */
function mayHaveAll(text: string, words: string): boolean {
  const lower = withoutMarks(text.toLowerCase());
  const plain = withoutMarks(words.toLowerCase()).match(/\p{L}{3,}/gu) ?? [];
  const longest = plain.reduce((most, word) => (word.length > most.length ? word : most), '');
  return AROUND_LONG.test(longest) || lower.includes(firstChars(longest, BEGINNING_CHARS));
}

/** Long words that need not be in both. */
const AROUND_LONG = new RegExp(`^(?:${AROUND.source}|${NEGATED.source}|${RESUMED.source})`, 'iu');

/** Whether both say a state of a switch: only the same switch is another one's value. */
export function areSwitches(earlier: string, later: string): boolean {
  return SWITCHED.test(earlier) && SWITCHED.test(later);
}

function isSwitched(earlier: string, later: string): boolean {
  if (!areSwitches(earlier, later)) return false;
  if (stateOf(earlier) === stateOf(later)) return false;
  const [had, has] = [switchedIn(earlier), switchedIn(later)];
  return has.size > 0 && [...has].every((stem) => had.has(stem));
}

const stateOf = (text: string) => (OFF.test(text) ? 'off' : 'on');

const VERB = /^(?:turned?|switch(?:ed)?|put|set|hab\w*|machen?|esta|estan|gestellt)$/u;

function switchedIn(text: string): ReadonlySet<string> {
  const rest = text.replace(new RegExp(`${ON.source}|${OFF.source}`, 'giu'), ' ');
  return new Set(wordsOf(rest).flatMap(({ key, stem }) => (VERB.test(key) ? [] : [stem])));
}

/** The regular expressions have a flag of repetition, which remembers a place. */
const matches = (words: RegExp, text: string) => text.search(words) >= 0;

const wordsOf = (text: string) => contentWords(text.replaceAll(AROUND, ' '));

function stemsOf(text: string): ReadonlySet<string> {
  const plain = text.replaceAll(NEGATED, ' ').replaceAll(RESUMED, ' ');
  return new Set(wordsOf(plain).map(({ stem }) => stem));
}
