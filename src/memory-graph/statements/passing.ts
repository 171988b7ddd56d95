import { ROLES } from './attribute-noun.ts';
import {
  isMostlyIn,
  mayBeOfSame,
  namesIn,
  ownWords,
  partWith,
  type Said,
  WAS,
} from './correction.ts';
import { ownWordsOf } from './own-words.ts';

// Statements that pass because of what happens: one dies, leaves a role or a town, a thing is
// done, one who was away is back. Each row has the words of the event in English, German and
// Spanish, and the statements that pass with it.

interface Passing {
  readonly event: RegExp;
  passes(said: Event, one: Said): boolean;
}

/** The clause that tells the event, without the words of it. */
interface Event extends Said {
  readonly clause: string;
}

const LIVING =
  /(?<!\p{L})(?:dog|cat|puppy|kitten|rabbit|hamster|horse|budgie|parrot|tortoise|guinea pig|goldfish|hund|katze|kater|kaninchen|pferd|wellensittich|meerschweinchen|perr[oa]|gat[oa]|conejo|caballo)s?(?!\p{L})/iu;

const THING = /^\P{L}*(?:my|our|the|meine?|unsere?|der|die|das|mi|el|la) /iu;

/** What goes on for a time: a book, a course, a treatment. */
const IN_PROGRESS =
  /\b(?:am|are|is|['’](?:m|re|s)) (?:\p{L}+ )?\p{L}+ing\b|\b(?:takes?|on) (?:\p{L}+ )?(?:antibiotics|tablets|pills|medication|course)\b|\b(?:uni|university|college|school|degree|course)\b|(?<!\p{L})(?:lese|lernt?e?|schreib(?:e|t)|nehme|nimmt|mache|macht|studier(?:e|t|en)|geht)(?!\p{L})|\p{L}+ndo(?!\p{L})|(?<!\p{L})(?:estudi[oa]|leo|tomo|hago|lee|toma|hace)(?!\p{L})/iu;
const AWAY =
  /\b(?:in (?:the )?(?:hospital|garage|repair|shop)|for repairs?|away|on holiday|on leave|abroad|ill|sick|im Krankenhaus|in der Werkstatt|im Urlaub|krank|verreist)\b|(?<!\p{L})(?:en el (?:hospital|taller)|de (?:viaje|vacaciones|baja)|enferm[oa])(?!\p{L})/iu;

const PASSINGS: readonly Passing[] = [
  {
    event:
      /(?<!\p{L})(?:died|passed away|had to put(?= (?:\p{L}+ ){1,3}(?:down|to sleep))|(?<=had (?:\p{L}+ ){1,3})put (?:down|to sleep)|(?:ist|sind) (?:\p{L}+ ){0,3}gestorben|eingeschläfert|einschläfern|murió|ha muerto|falleció)(?!\p{L})/iu,
    passes: (said, one) =>
      // "My phone died" is no death.
      (LIVING.test(said.clause) || (!THING.test(said.clause) && hasNames(said, one))) &&
      isNamedBy(said, one),
  },
  {
    // "We left Leeds at six" is a journey.
    event:
      /\b(?:[Ff]inally|for good).* (?:left|moved out of|moved away from) (?=\p{Lu})|\b(?:left|leaving) \p{Lu}\p{L}+ (?:for good|behind)|\bmoved (?:out of|away from) (?=\p{Lu})|\baus \p{Lu}\p{L}+ weggezogen|(?<!\p{L})[Pp]or fin (?:\p{L}+ )?(?:fuimos|fui|ido|dejamos|dejado|dejé) (?:de )?(?=\p{Lu})/u,
    passes: (said, one) => one.attribute === 'home' && hasNames(said, one),
  },
  {
    event:
      /\b(?:handed in my notice|gave (?:in )?my notice|got the sack|got sacked)\b|(?<!\p{L})me (?:han )?(?:despidieron|despedido|echaron)(?!\p{L})|\bmir wurde gekündigt\b/iu,
    passes: (said, one) =>
      one.attribute === 'employer' && one.subject === said.subject && hasNames(said, one, 0),
  },
  {
    event:
      /(?<!\b(?:I|[Ww]e)(?:['’]?m| am|['’]ve| have|['’]re| are)?(?: now| just| finally)? )\b(?:retired|moved away|moved on|stopped practising)\b|\bleft(?=[.,;!]|$| (?:so|and|us|the (?:practice|company|firm|surgery|school))\b)|(?<!\b(?:[Ii]ch|[Ww]ir) (?:\p{L}+ ){0,3})\b(?:in Rente|im Ruhestand|weggezogen)\b|(?<!\p{L})se (?:jubiló|ha jubilado|fue)(?=[.,;!]|$)/u,
    passes: (said, one) =>
      one.attribute !== null &&
      ROLES.has(one.attribute) &&
      one.saidBy === said.saidBy &&
      hasNames(said, one),
  },
  {
    event:
      /(?<!\p{L})(?:finished(?! (?:work|early|late|at)\b)|completed|graduated|passed|done (?:with|reading)|fertig(?! mit der Arbeit)|abgeschlossen|durchgelesen|bestanden|(?:he |ha )?(?:terminado|acabado)(?! de trabajar)|(?:terminé|acabé|terminó|acabó)(?! de trabajar)|aprobé|aprobó|me gradué|se graduó)(?!\p{L})/iu,
    passes: (said, one) => IN_PROGRESS.test(one.text) && isNamedBy(said, one),
  },
  {
    event:
      /\b(?:is|am|are|['’][ms]|came|got|have|has)(?= (?:\p{L}+ ){0,3}back(?: home)?(?:[.,;!]|$| from\b))|\bout of (?:the )?(?:hospital|garage)\b|\bwieder (?:zu Hause|daheim|da|gesund)\b|\bentlassen\b|(?<!\p{L})(?:ha vuelto|volvió|está de vuelta|salió del hospital)(?!\p{L})/iu,
    passes: (said, one) => AWAY.test(one.text) && isNamedBy(said, one),
  },
];

/** The statements that hold, were said before, and pass with what a new one tells. */
export function passedBy<Known extends Said>(said: Said, known: readonly Known[]): Known[] {
  const text = ownWordsOf(said.text);
  const events = PASSINGS.flatMap(({ event, passes }) => {
    if (!event.test(text)) return [];
    const clause = partWith(text, (part) => event.test(part))
      .replace(event, ' ')
      .replace(/ (?:down|to sleep|back(?: home)?)\b/, ' ');
    return [{ passes, told: { ...said, clause } }];
  });
  return known.filter(
    (one) =>
      one.uuid !== said.uuid &&
      !(one.saidAt > said.saidAt) &&
      (one.invalidAt === null || one.invalidAt > said.saidAt) &&
      events.some(({ passes, told }) => passes(told, one)),
  );
}

function isNamedBy(said: Event, one: Said): boolean {
  const words = ownWords(said.clause, said.saidBy);
  const isOf = words.length > 0 && mayBeOfSame(said, one) && !WAS.test(one.text);
  return isOf && isMostlyIn(words, one.text);
}

/** Whether an earlier text has all names of the event. */
function hasNames(said: Event, one: Said, least = 1): boolean {
  const names = namesIn({ ...said, text: said.clause });
  const had = new Set(namesIn(one));
  return names.length >= least && names.every((stem) => had.has(stem));
}
