// Attributes of which a person or a thing has one at a time, and the words that say them. Data for
// `statements.ts`: a sentence that only resembles these says no attribute.

/** A way to say an attribute. */
export interface AttributeRule {
  readonly tongue: string;
  /** The key; `$` stands for the group `noun`, as `NOUNS` names it. */
  readonly attribute: string;
  /** Groups: `of` (the thing that has it; absent: the speaker), `noun`. */
  readonly pattern: RegExp;
}

const NAME = String.raw`(?:\p{Lu}|["“„«])`;
const THING = String.raw`(?<of>[\p{L}\d][\p{L}\d_./-]*(?: [\p{L}\d_./-]+){0,3}?)`;
const rule = (tongue: string, attribute: string, source: string): AttributeRule => ({
  tongue,
  attribute,
  // Letters of any case, but a name begins large: NAME is kept out of it.
  pattern: new RegExp(source, 'u'),
});
const [I, MY] = ['(?:I|[Ww]e)', '(?:[Mm]y|[Oo]ur)'];
const NOW = '(?: (?:now|just|finally|still|recently|currently|both|all))*';
const LATELY = `(?:['’]ve| have|['’]m| am| are)?${NOW}`;
const SETTING =
  'interval|timeout|limit|retention|ttl|TTL|frequency|deadline|budget|version|region|port|' +
  'threshold|quota|schedule|owner|maintainer|lead|due date|launch date|release date|start date';

/** The nouns of people and of choices under one key, whatever the language. */
export const NOUNS: Readonly<Record<string, string>> = {
  gp: 'doctor',
  landlady: 'landlord',
  manager: 'boss',
  favorite: 'favourite',
  color: 'colour',
  zahnarzt: 'dentist',
  zahnärztin: 'dentist',
  arzt: 'doctor',
  ärztin: 'doctor',
  hausarzt: 'doctor',
  hausärztin: 'doctor',
  chef: 'boss',
  chefin: 'boss',
  vermieter: 'landlord',
  vermieterin: 'landlord',
  anwalt: 'lawyer',
  anwältin: 'lawyer',
  tierarzt: 'vet',
  tierärztin: 'vet',
  farbe: 'colour',
  buch: 'book',
  essen: 'food',
  maler: 'painter',
  malerin: 'painter',
  lied: 'song',
  serie: 'series',
  tier: 'animal',
  dentista: 'dentist',
  médico: 'doctor',
  médica: 'doctor',
  jefe: 'boss',
  jefa: 'boss',
  casero: 'landlord',
  casera: 'landlord',
  abogado: 'lawyer',
  abogada: 'lawyer',
  veterinario: 'vet',
  veterinaria: 'vet',
  libro: 'book',
  película: 'film',
  comida: 'food',
  pintor: 'painter',
  pintora: 'painter',
  canción: 'song',
  grupo: 'band',
};

const PEOPLE =
  'dentist|doctor|GP|boss|manager|landlord|landlady|therapist|hairdresser|lawyer|accountant|vet|' +
  'mentor|coach|trainer|physio|tutor';
const PARTNERS = 'wife|husband|partner|girlfriend|boyfriend|fiancée|fiancé|spouse';

const SUBJECT = `^(?<of>${NAME}\\S*(?: ${NAME}\\S*)?)(?: now)?`;
const ROLES_DE =
  'Zahnarzt|Zahnärztin|Hausarzt|Hausärztin|Arzt|Ärztin|Chefin|Chef|Vermieterin|Vermieter|Anwalt|' +
  'Anwältin|Tierarzt|Tierärztin';
const ROLES_ES = 'dentista|médic[oa]|jef[ea]|caser[oa]|abogad[oa]|veterinari[oa]';
const CODE = '(?<of>[\\p{L}\\d]+[_./-][\\p{L}\\d_./-]+)';
const FEW = "(?: [\\p{L}' ]{1,30})?";

export const ATTRIBUTES: readonly AttributeRule[] = [
  rule('en', 'home', `\\b${I}${LATELY} (?:live|living|have lived)${FEW} (?:in|at|near) `),
  rule('en', 'home', `\\b${I}${LATELY} (?:moved|relocated)${FEW} (?:in)?to ${NAME}`),
  rule('en', 'home', `${SUBJECT} (?:lives|has moved|moved)(?: back)? (?:in|to|near) ${NAME}`),
  rule(
    'en',
    'employer',
    `\\b${I}${LATELY} ` +
      '(?:work(?:ing)?|start(?:ed)?(?: work(?:ing)?| a new job)?|(?:got|have) a job)' +
      ` (?:at|for|with) (?:the )?${NAME}`,
  ),
  rule('en', 'employer', `${SUBJECT} works (?:at|for) (?:the )?${NAME}`),
  rule('en', 'employer', `\\b${MY} (?:new |current )?employer is `),
  rule(
    'en',
    'partner',
    `\\b${MY} (?:new )?(?:${PARTNERS})` +
      `(?:['’]s name is|(?: is|['’]s)? (?:called|named)| is|['’]s)? ${NAME}`,
  ),
  rule(
    'en',
    'partner',
    `\\b${I}${LATELY}(?: got)? (?:married|engaged|dating|seeing|going out with)(?: to)? ${NAME}`,
  ),
  rule(
    'en',
    '$',
    `\\b(?:${MY}|[Tt]he new) (?:new |current )?(?<noun>${PEOPLE})(?:['’]s name is| now)?` +
      `(?: is|['’]s|,)?(?: now)?(?: called| named)? ${NAME}`,
  ),
  rule(
    'en',
    'favourite $',
    `(?<!\\bof )\\b${MY} (?:new |all-time |absolute )?favou?rite ` +
      "(?<noun>(?!thing|part|one)\\p{Ll}+) (?:is|are|['’]s)\\b",
  ),
  rule('en', 'diet', `\\b${I}${LATELY} (?:a )?(?:vegan|vegetarian|pescatarian)\\b`),
  rule(
    'en',
    '$',
    `\\b${MY} (?:new )?(?<noun>birthday|phone number|address|email|rent|salary|blood type) ` +
      '(?:is|has changed to|changed to)\\b',
  ),
  rule('en', 'owner', `\\b${THING} (?:is (?:now )?(?:owned|maintained) by|(?:now )?belongs to)\\b`),
  rule('en', 'owner', `\\b(?:I|[Ww]e|${NAME}\\S*)(?: now)? (?:owns?|took over) ${CODE}`),
  rule(
    'en',
    '$',
    `\\b(?<noun>${SETTING}) (?:of|for) (?:the |our )?${THING}` +
      ' (?:is|to|at|was|has|will be|becomes|moved|stays)\\b',
  ),
  rule(
    'en',
    '$',
    `\\b${CODE}['’]s (?<noun>${SETTING}) (?:is|was set|has been set|moved|will be)\\b`,
  ),
  rule('de', 'home', '\\b(?:[Ii]ch|[Ww]ir) (?:wohnen?|leben?) .*\\b(?:in|bei|auf|am)\\b'),
  rule('de', 'home', '\\b(?:[Ww]ohne ich|[Ll]ebe ich|[Ww]ohnen wir|[Ll]eben wir)\\b.*\\bin\\b'),
  rule('de', 'home', `\\b(?:ich|[Ii]ch|wir|[Ww]ir)\\b.*\\bnach ${NAME}.*\\b(?:um)?gezogen\\b`),
  rule(
    'de',
    'employer',
    `\\b(?:[Ii]ch arbeite|arbeite ich)\\b.* (?:bei|für)(?: der| dem)? ${NAME}`,
  ),
  rule(
    'de',
    'partner',
    '\\b[Mm]eine? (?:Frau|Mann|Partner|Partnerin|Verlobter?|Ehemann|Ehefrau) ' +
      `(?:heißt|ist)(?: jetzt)? ${NAME}`,
  ),
  rule(
    'de',
    '$',
    `\\b[Mm]eine? (?:neuer? )?(?<noun>${ROLES_DE}) (?:heißt|ist)(?: jetzt| nun)? ${NAME}`,
  ),
  rule('de', 'favourite $', '\\b[Mm]eine? Lieblings(?<noun>\\p{Ll}+) (?:ist|sind|heißt)\\b'),
  rule('de', 'owner', `\\bgehört (?:jetzt |nun )?${CODE}`),
  rule('de', 'owner', `${CODE} gehört\\b`),
  rule('es', 'home', '\\b(?:[Vv]ivo|[Vv]ivimos)\\b.*\\ben\\b'),
  rule(
    'es',
    'home',
    `\\b(?:[Mm]e he mudado|[Nn]os hemos mudado|[Mm]e mudé|[Nn]os mudamos) a ${NAME}`,
  ),
  rule('es', 'employer', `\\b[Tt]rabajo${FEW} (?:en|para) (?:el |la )?${NAME}`),
  rule(
    'es',
    'partner',
    `\\b[Mm]i (?:mujer|esposa|marido|esposo|pareja|novio|novia)(?: es| se llama|,)? ${NAME}`,
  ),
  rule(
    'es',
    '$',
    `\\b[Mm]i (?:nuev[oa] )?(?<noun>${ROLES_ES})(?: nuev[oa])?(?: ahora)? ` +
      `(?:es|se llama)(?: ahora)? (?:el |la )?${NAME}`,
  ),
  rule('es', 'favourite $', '\\b[Mm]i (?<noun>\\p{Ll}+) (?:favorit[oa]|preferid[oa]) es\\b'),
];
