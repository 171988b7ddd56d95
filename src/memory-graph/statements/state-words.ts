import { entryOf } from '../../common/entry-of.ts';
import { keyOf } from './attribute-noun.ts';
import { DAYS } from './attribute-words.ts';

// Sentences whose words are the value themselves: "I'm single", "I'm retired", "wir wohnen in einer
// WG". One row for each attribute, with its forms in English, German and Spanish.

/** An attribute that words give, and where they begin. */
export interface StateSaid {
  readonly attribute: string;
  /** Where the words begin in the clause: the subject stands before. */
  readonly at: number;
  readonly value: string;
  /** Whether the clause says nothing after them: "Single again". */
  readonly isAlone: boolean;
}

const STATES: readonly (readonly [string, RegExp])[] = [
  [
    'partner',
    /(?<!\p{L})(?:single(?!-)|widowed|in a relationship|(?:seeing|dating) (?:someone|somebody)|(?:have|got|has) a (?:new )?(?:girlfriend|boyfriend|partner)|(?:(?:eine|einen|ne|nen) (?:neue[n]? )?(?:Freundin|Freund|Partnerin|Partner)(?=$|[.,;!]))|got (?:married|engaged)|(?:nos )?(?:hemos )?casa(?:do|mos)|(?:geheiratet|verlobt)(?=$|[.,;!])|solter[oa]|viud[oa]|(?:tengo|tiene) (?:novi[oa]|pareja)|(?:salgo|saliendo) con alguien)(?! (?:mum|mom|mother|dad|father|parent|bed|room|at|for|in)(?!\p{L}))(?!\p{L})/iu,
  ],
  [
    'employer',
    /(?<!\p{L})(?:an? (?!(?:\p{L}+ )?(?:member|regular|guest|student|pupil|patient|customer|volunteer|fan|expert)\b)(?:[\p{L}-]+ ){1,3}(?:at|for) (?:the )?(?:\p{L}+ )?(?:\p{Lu}\p{L}+|bank|hospital|school|council|company|startup)|retired(?! from)|unemployed|out of work|between jobs|self-employed|(?:start(?:ed)?|got|found|landed) (?:a|my|the) (?:new )?job(?! (?:done|offer|interview))|in Rente|Rentner(?:in)?|arbeitslos|(?:neuen|den|einen) Job (?:\p{L}+ ){0,3}(?:angefangen|bekommen|gefunden)|neue Stelle|selbstständig|jubilad[oa]|me (?:he jubilado|jubilé)|se jubiló|en (?:el )?paro|desempleado|desempleada|autónom[oa]|empecé a trabajar|encontr(?:é|ado) trabajo)(?!\p{L})/iu,
  ],
  [
    'household',
    /(?<!\p{L})(?:[Ll]iv(?:e|es|ing) (?:with (?:my|our|his|her|their|friends|someone|(?:\p{L}+ )?(?:flat|house|room)mates)|alone|on my own|by myself)|[Mm]oved in with|(?:[Ss]har|[Rr]ent)(?:e|es|ing|s)? (?:a|my|the) (?:flat|house|room|place|apartment)|(?:[Mm]y|[Oo]ur) own (?:flat|house|place|apartment)|[Ww]ohnen? (?:ich |wir )?(?:jetzt |noch |wieder )?(?:allein|bei (?:meine|unsere|de[rmn] )|mit (?!\p{Ll}+ Blick)|zusammen|in einer WG)|(?:(?:eine|ein|die|das) )?(?:eigene|gemeinsame)[ns]? (?:Wohnung|Haus|Bude)|[Vv]iv(?:o|e|imos|en) (?:con|sol[oa]s?|junt[oa]s)|[Cc]ompart(?:o|e|imos) (?:piso|casa|habitación)|(?:una |un )?(?:piso|casa) propi[oa]|mi propi[oa] (?:piso|casa))(?!\p{L})/u,
  ],
  [
    'diet',
    /(?<!\p{L})(?:eat(?:s|ing)? (?:\p{L}+ )?(?:meat|fish) (?:again|now(?! and))|back to eating (?:meat|fish)|ess?en? (?:ich |wir )?(?:jetzt )?wieder (?:Fleisch|Fisch)|(?:vuelto|volví) a comer (?:carne|pescado)|como (?:carne|pescado) (?:otra vez|de nuevo))(?!\p{L})/iu,
  ],
  [
    'school',
    /(?<!\p{L})(?:(?:goes|go|going|started|starts|is|am|was|are) (?:to|in|at)? ?(?:nursery|kindergarten|preschool|primary school|school|secondary school|high school|college|uni|university)|geht (?:\p{L}+ )?(?:in die|in den|aufs|auf die|zur) (?:Kita|Kindergarten|Schule|Grundschule|Gymnasium|Realschule)|va (?:a la|al) (?:guardería|escuela|colegio|instituto|universidad))(?=$|[.,;!]| (?:now|this|since|in|on|yesterday|today|last|jetzt|seit|ahora|desde)(?!\p{L}))/iu,
  ],
];

const AT_NAME = /(?<!\p{L})(?:in|at|near|en) (?<name>\p{Lu}\p{L}+)/gu;

/** The first state that a clause says. A town that it says besides tells more of a home. */
export function stateIn(clause: string): StateSaid | null {
  for (const [attribute, words] of STATES) {
    const found = words.exec(clause);
    if (found === null) continue;
    const rest = clause.slice(found.index + found[0].length);
    const names = [...clause.matchAll(AT_NAME)].map(({ groups }) => groups?.['name'] ?? '');
    const isPlace = names.some((name) => !DAYS.has(name.toLowerCase()) && name !== 'WG');
    if (attribute === 'household' && isPlace) continue;
    const isAlone = /^(?:\W|again|now|wieder|jetzt)*$/u.test(rest);
    return { attribute, at: found.index, value: found[0], isAlone };
  }
  return null;
}

const SOUGHT =
  /(?<!\p{L})(?:(?:look|search|hunt)(?:ing)? for (?:an? |another )?(?:new )?|suchen? (?:ich |wir )?(?:gerade |noch )?(?:eine?n? )?(?:neue[ns]? )?|busc(?:o|amos|ando) )(?:una? )?(?<noun>\p{L}+)(?: nuev[oa])?(?=$|[.,;!]| (?:in|near|at|right|now|since|seit|en|desde)(?!\p{L}))/iu;

const OF_NOUN: Readonly<Record<string, string>> = {
  ...of('employer', 'job work arbeit stelle trabajo empleo'),
  ...of('home', 'flat apartment house place room home wohnung haus zimmer piso casa'),
  ...of('partner', 'girlfriend boyfriend partner partnerin freundin freund novia novio pareja'),
};

function of(key: string, list: string): Record<string, string> {
  return Object.fromEntries(list.split(' ').map((noun) => [noun, key]));
}

/** "I'm looking for a job": the attribute that a search is after, whose value ends the search. */
export function soughtIn(text: string): string | null {
  const noun = SOUGHT.exec(text)?.groups?.['noun']?.toLowerCase();
  return noun === undefined ? null : (entryOf(OF_NOUN, noun) ?? keyOf(noun));
}
