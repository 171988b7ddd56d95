import { entryOf } from './entry-of.ts';
import type { Token } from './language.ts';
import { type EntityKind, lexiconKind } from './name-kinds.ts';

// The kind of a name that the words around it show in other languages than English: the word right
// before it, a noun of a person, and verbs of which persons, places or employers are an end.

interface Around {
  /** Words right before a name. They decide where nothing else is known of it. */
  readonly place: RegExp;
  readonly organization: RegExp;
  readonly company: RegExp;
  /** Titles and kin: only persons have them. */
  readonly title: RegExp;
  /** Words that make a name a place though it is a first name, too: "ich wohne in Jena". */
  readonly stay: RegExp;
  /** Verbs that make the place after them an employer or a school. */
  readonly work: RegExp;
  /** Verbs whose subject is a person. */
  readonly acts: RegExp;
  /** "Is called", between a noun and its name. */
  readonly called: RegExp;
}
const NONE = /(?!)/;
const AROUND: Readonly<Record<string, Around>> = {
  de: {
    place: /^(?:in|nach|aus)$/,
    organization: /^(?:bei|beim)$/,
    company: /^(?:mit|für|von)$/,
    title: /^(?:frau|herrn?|dr|doktor|tante|onkel|namens)$/,
    stay: /^(?:in$|aus$|wohn|leb|zieh|zog|gezogen|umgezogen|f[aä]hr|gefahren|flieg|komm|gebor|reis)/,
    work: NONE,
    acts: /^(?:heißt|wohnt|arbeitet|studiert|meint|sagt|lernt|spielt|heiratet|zieht|singt|kocht)$/,
    called: /^(?:heißt|heißen|ist)$/,
  },
  es: {
    place: /^(?:en|desde|hasta)$/,
    organization: NONE,
    company: /^con$/,
    title: /^(?:don|doña|doctora?|señora?|tía|tío)$/,
    stay: /^(?:viv|resid|mud|naci|estoy|está|viaj|vuelvo|vuelo)/,
    work: /^(?:trabaj|curr|empe[cz]|empiez|fich|práctic|estudi|contrat|emple)/,
    acts: /^(?:vive|trabaja|estudia|dice|quiere|cocina|toca|canta|juega|tiene|nació|lleva)$/,
    called: /^(?:llama|llaman|es|era)$/,
  },
  nl: {
    place: /^(?:in|naar|uit)$/,
    organization: /^bij$/,
    company: /^met$/,
    title: /^(?:dokter|meneer|mevrouw|oom|tante)$/,
    stay: /^(?:in$|uit$|woon|wone|verhui|gebor|reis|vlieg|kom(?:t|en)?$)/,
    work: NONE,
    acts: /^(?:heet|woont|werkt|studeert|zegt|leert|speelt|trouwt)$/,
    called: /^(?:heet|heten|is)$/,
  },
  fr: {
    place: /^(?:à|vers|depuis)$/,
    organization: /^chez$/,
    company: /^avec$/,
    title: /^(?:monsieur|madame|docteur|tante|oncle)$/,
    stay: /^(?:(?:j')?habit|vi[st]$|viv|déménag|née?$|arriv|voyag)/,
    work: /^(?:travaill|étudi)/,
    acts: /^(?:habite|travaille|étudie|dit|joue|chante|apprend)$/,
    called: /^(?:appelle|appellent|est)$/,
  },
  it: {
    place: /^(?:a|in|da)$/,
    organization: NONE,
    company: /^con$/,
    title: /^(?:signora?|dottor|dottoressa|zia|zio)$/,
    stay: /^(?:viv|abit|trasfer|nat[oa]$|arriv|viagg)/,
    work: /^(?:lavor|studi)/,
    acts: /^(?:vive|lavora|studia|dice|suona|canta)$/,
    called: /^(?:chiama|chiamano|è)$/,
  },
};
/** Going somewhere: "se ha ido a Berlín", "soy de Lima". */
const TO_PLACE =
  /^(?:(?:ido|fue|fui|voy|va|vamos|viaj\p{L}+|mud\p{L}+|volver\p{L}*|volvió|vuelvo|vuelo) a|(?:es|soy|somos|son|viene|vengo) de|(?:née?|allée?|parti\p{L}*) (?:à|pour))$/iu;
/** "Mi hermana Lucía", "mein Mann heißt Torben". */
const PERSON_NOUNS: ReadonlySet<string> = new Set(
  (
    'mann frau freund freundin bruder schwester tochter sohn mutter vater kollege kollegin chef ' +
    'chefin nachbar nachbarin hund katze vermieter vermieterin geselle gesellin lehrer lehrerin ' +
    'hermano hermana hijo hija madre padre primo prima amigo amiga novio novia marido mujer jefe ' +
    'jefa casero casera vecino vecina perro gato perra gata compañero compañera profesor ' +
    'profesora ' +
    'vriend vriendin broer zus zoon dochter moeder vader collega baas hond kat huisarts ' +
    'buurman buurvrouw frère sœur fils fille mère père ami amie mari femme fratello sorella ' +
    'figlio figlia'
  ).split(' '),
);

/** The kind that the words around a name show in its language; null where they show none. */
export function kindAbroad(
  { tokens, tongue }: { readonly tokens: readonly Token[]; readonly tongue: string },
  start: number,
  end: number,
): EntityKind | null {
  const around = entryOf(AROUND, tongue);
  if (around === undefined) return null;
  const words = tokens
    .slice(0, start)
    .filter(({ text }) => /[\p{L}\d]/u.test(text))
    .map(({ lower }) => lower.replace(/\.$/, ''));
  const [third = '', second = '', before = ''] = [words.at(-3), words.at(-2), words.at(-1)];
  const noun = around.called.test(before)
    ? /^(?:se|si|s)$/.test(second)
      ? third
      : second
    : before;
  if (PERSON_NOUNS.has(noun)) return 'person';
  if (around.title.test(before)) return 'person';
  const isFirst = start === 0 || !/[\p{L}\d]/u.test(tokens[start - 1]?.text ?? '');
  const shown = shownBy(around, { before, second, isFirst, after: tokens[end]?.lower ?? '' });
  if (shown === null) return null;
  const name = tokens.slice(start, end).map(({ text }) => text);
  // "Ho dato il libro a Marco", "un contrato con Telefónica": what is known of the name wins.
  const known = lexiconKind(name.join(' '));
  const near = [...words.slice(-4), ...tokens.slice(end).map(({ lower }) => lower)];
  if (shown === 'place' && known === 'person')
    return near.some((word) => around.stay.test(word)) ? 'place' : 'person';
  if (known !== 'other') return known;
  const isOfWork = words.slice(-4).some((word) => around.work.test(word));
  return shown === 'place' && isOfWork ? 'organization' : shown;
}

/** The kind that the word before a name or the verb after it asks for. */
function shownBy(
  around: Around,
  at: {
    readonly before: string;
    readonly second: string;
    readonly isFirst: boolean;
    readonly after: string;
  },
): EntityKind | null {
  if (at.isFirst && around.acts.test(at.after)) return 'person';
  if (around.company.test(at.before)) return 'person';
  if (around.organization.test(at.before)) return 'organization';
  return around.place.test(at.before) || TO_PLACE.test(`${at.second} ${at.before}`)
    ? 'place'
    : null;
}

/** Whether a word before a name is a noun of a person in a language that is read here. */
export function isPersonNoun(lower: string): boolean {
  return PERSON_NOUNS.has(lower);
}
/** Whether a word after a name at the start of a sentence says what a person does. */
export function isPersonsVerb(lower: string, tongue: string): boolean {
  return entryOf(AROUND, tongue)?.acts.test(lower) === true;
}
