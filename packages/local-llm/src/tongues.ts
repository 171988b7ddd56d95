import { entryOf } from './entry-of.ts';
import { FUNCTION_WORDS } from './words.ts';

// Words by which a language is told apart: pronouns, articles, prepositions, auxiliaries.

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** What a language is told by. */
interface Word {
  readonly text: string;
  readonly lower: string;
  readonly known: boolean;
}

const WORDS: Readonly<Record<string, ReadonlySet<string>>> = {
  de: set(`
    ich du er sie es wir ihr mich mir dich dir uns euch ihn ihm ihnen mein meine meinem meinen
    meiner dein deine sein seine unser unsere unserem unseren der die das den dem ein eine einen
    einem einer eines kein keine keinen und oder aber auch nicht nur noch schon doch nein ist
    sind bin bist waren habe haben hatte hatten wird werden wurde wurden kann können muss müssen
    soll wollen für mit von vom zu zum zur bei beim nach aus auf im um über unter vor seit bis
    durch gegen ohne wenn weil dass wie wo wer wann warum heute morgen gestern jetzt immer nie
    sehr mehr hier dort dann guten danke bitte ja jawohl gut schön ganz etwas alles nichts am an
    in so was war will hat man des also die bei`),
  es: set(`
    yo tú él ella nosotros nosotras ellos ellas te se nos lo la los las le les mi mis tu tus su
    sus nuestro nuestra el un una unos unas y o pero sí ya que qué cómo cuando cuándo donde
    dónde quién por para con sin de del al en desde hasta entre sobre es son soy eres somos está
    están estoy estamos era fue hemos han hay tengo tiene tenemos muy más menos también ahora
    hoy ayer mañana aquí allí este esta esto ese esa eso gracias hola buenos buenas días noches
    tardes cada todo a no me he has ha mucho mucha`),
  fr: set(`
    je tu il elle nous vous ils elles te se mon ma mes ton ta tes ses notre nos votre le la les
    un une des du de et ou mais ne pas plus que qui quoi où quand comment dans sur avec sans
    pour par chez est sont suis es êtes ai as avons ont était été j'ai très aussi maintenant
    aujourd'hui hier demain ce cette ces au aux bonjour merci oui non c'est l'ai n'est d'une en
    me on a y`),
  it: set(`
    io tu lui lei noi voi loro mi ti si ci vi mio mia miei tuo sua nostro il lo la gli le un uno
    una e ed ma non che chi cosa come quando dove per con senza di del della dei al alla nel
    nella da dal sul è sono sei siamo ho hai abbiamo hanno era stato molto più anche adesso oggi
    ieri domani questo questa ciao grazie a i o in`),
  pt: set(`
    eu tu ele ela nós você vocês eles elas te se meu minha meus minhas seu sua nosso o os as um
    uma e ou mas não que quem como quando onde por para com sem de da dos das em na nos nas ao é
    são sou está estou estamos era foi tenho tem temos muito mais também agora hoje ontem amanhã
    este esta isso obrigado obrigada olá a do no`),
  nl: set(`
    ik jij je hij zij ze wij jullie mij mijn jouw zijn haar ons onze het een en of maar niet
    geen ook nog ben bent waren heb hebt heeft hebben wordt worden kan moet wil voor met van
    naar bij uit op om over sinds tot dat dit wie waar wanneer heel meer nu vandaag gisteren
    morgen de die was in is we me al aan`),
  pl: set(`
    ja ty ona my wy oni mnie mi mój moja moje się nie tak ale lub że co kto jak kiedy gdzie w we
    z ze na od po dla przez u jest są jestem był była było mam ma mamy bardzo już jeszcze też
    teraz dziś wczoraj jutro to ten ta i o do`),
};

/** Letters that one of these languages writes alone. */
const LETTERS: Readonly<Record<string, RegExp>> = {
  de: /ß/,
  es: /[ñ¿¡]/,
  pt: /[ãõ]/,
  pl: /[ąćęłńśźż]/,
};

/** Words of English that are no evidence, because other languages write them, too. */
const EVERYWHERE = new Set(Object.values(WORDS).flatMap((words) => [...words]));
const SHARED = new Set([...EVERYWHERE].filter((word) => FUNCTION_WORDS.has(word)));

/**
 * A two-letter code of the language of a sentence; `other` for one that is none of them, null
 * where its words do not tell, such as a single name.
 */
export function tongueOf(tokens: readonly Word[]): string | null {
  const text = tokens.map((token) => token.text).join('');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters > 0 && (text.match(/\p{Script=Latin}/gu)?.length ?? 0) < letters / 2) return 'other';
  // A word written large within a sentence may be a part of a name: El Paso, Den Haag.
  const words = tokens
    .filter(({ text: word }, at) => /\p{L}/u.test(word) && (at === 0 || !/^\p{Lu}/u.test(word)))
    .map(({ lower }) => lower.replaceAll('’', "'"));
  const [tongue, most] = Object.entries(WORDS)
    .map(([code, own]) => {
      const sure = words.filter((word) => own.has(word) && !SHARED.has(word)).length;
      return [code, sure + (entryOf(LETTERS, code)?.test(text) === true ? 1 : 0)] as const;
    })
    .reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0] as const);
  const english = words.filter((word) => FUNCTION_WORDS.has(word) && !SHARED.has(word)).length;
  const small = tokens.filter(({ text: word }) => /^\p{Ll}{2,}$/u.test(word));
  const known = small.filter((token) => token.known).length;
  // "Maria met Tom": a single word may be one of English, too.
  const isChance = most === 1 && known > 0.7 * small.length;
  if (most > english && !isChance) return tongue;
  if (english > 0) return 'en';
  if (small.length >= 3 && known / small.length < 0.5) return 'other';
  return small.length >= 2 && known === small.length ? 'en' : null;
}

/** Whether a word carries no meaning of its own in this language. */
export function isFunctionWord(tongue: string, lower: string): boolean {
  return entryOf(WORDS, tongue)?.has(lower) === true;
}
