// Words by which sentences say what one has one of at a time. Data for `attribute.ts`: verbs with
// the place of their object, never whole sentences.

export const TONGUES = ['en', 'de', 'es'] as const;
export type Tongue = (typeof TONGUES)[number];

/** A verb whose object, or subject, is the one value of an attribute. */
export interface StateVerb {
  readonly attribute: string;
  /** Forms that say what is, or that it has just become so: no past that may be over. */
  readonly forms: ReadonlySet<string>;
  /** Words before the object; empty: it follows the verb. */
  readonly before: ReadonlySet<string>;
  /** Nouns that the verb needs: "got a job at", "found a flat in". */
  readonly nouns: ReadonlySet<string>;
  /** `name`: the value is a name. `thing`: the object has the attribute, and the subject is it. */
  readonly object: 'name' | 'any' | 'thing';
}

const words = (list: string): ReadonlySet<string> =>
  new Set(list.split(/\s+/).filter((word) => word !== ''));
const verb = (
  attribute: string,
  object: StateVerb['object'],
  forms: string,
  before = '',
  nouns = '',
): StateVerb => ({
  ...{ attribute, object, forms: words(forms) },
  ...{ before: words(before), nouns: words(nouns) },
});

const GROUP = `team squad group crew project department unit company office branch club committee
  programme program shop store service guild chapter bakery restaurant school`;
const GROUP_DE = `team gruppe projekt abteilung firma verein filiale laden schule referat bereich`;
const GROUP_ES = `equipo grupo proyecto departamento empresa oficina club tienda escuela área
  comité`;
const HOUSING = 'flat apartment house place room home studio wohnung zimmer haus piso casa';
const JOB = 'job position role stelle job puesto trabajo';

export const STATE_VERBS: Readonly<Record<Tongue, readonly StateVerb[]>> = {
  en: [
    verb('home', 'name', 'live lives living reside resides based lived', 'in at near on'),
    verb('home', 'name', 'moved relocated move moving relocate relocating', 'to into'),
    verb('home', 'name', 'settled', 'in'),
    verb('home', 'name', 'found rent rented rents got', 'in', HOUSING),
    verb('employer', 'name', 'work works working', 'for at'),
    verb('employer', 'name', 'employed hired', 'by at'),
    verb('employer', 'name', 'start starts started starting got took landed', 'at with', JOB),
    verb('employer', 'name', 'start starts started starting', 'at'),
    verb('employer', 'name', 'joined join joining'),
    verb('employer', 'name', 'quit resigned retired fired laid', 'at from by off'),
    verb('employer', 'thing', 'hired employs'),
    verb('owner', 'any', 'owned maintained', 'by'),
    verb('owner', 'any', 'belongs belong', 'to'),
    verb('owner', 'thing', 'owns own maintains maintain'),
    verb('lead', 'any', 'led run headed managed chaired', 'by'),
    verb('lead', 'thing', 'leads lead runs run heads head manages manage chairs', '', GROUP),
    verb('lead', 'thing', 'took taken takes', 'over', GROUP),
    verb('owner', 'thing', 'took taken takes', 'over'),
    verb('partner', 'name', 'married engaged', 'to'),
    verb('partner', 'name', 'dating married seeing'),
    verb('school', 'name', 'study studies studying enrolled', 'at'),
    verb('boss', 'name', 'report reports', 'to'),
    verb('diet', 'any', 'vegan vegetarian pescatarian'),
    verb('place', 'any', 'hosted deployed stored', 'on in at with'),
    verb('place', 'any', 'runs running', 'on'),
  ],
  de: [
    verb('home', 'any', 'wohne wohnt wohnen', 'in im bei auf am'),
    verb('home', 'name', 'lebe lebt leben', 'in im bei auf'),
    verb('home', 'name', 'gezogen umgezogen ziehe zieht', 'nach'),
    verb('home', 'name', 'gefunden gemietet', 'in', HOUSING),
    verb('employer', 'name', 'arbeite arbeitet arbeiten angestellt', 'bei beim für'),
    verb('employer', 'name', 'angefangen gewechselt fange', 'bei zu zur zum'),
    verb('employer', 'name', 'gekündigt', 'bei'),
    verb('employer', 'thing', 'eingestellt'),
    verb('owner', 'any', 'gehört gehören'),
    verb('owner', 'thing', 'besitzt besitze betreut betreue'),
    verb('lead', 'thing', 'leitet leite führt führe', '', GROUP_DE),
    verb('lead', 'thing', 'übernommen übernimmt', '', GROUP_DE),
    verb('owner', 'thing', 'übernommen übernimmt'),
    verb('partner', 'name', 'verheiratet verlobt', 'mit'),
    verb('school', 'name', 'studiere studiert', 'an'),
    verb('diet', 'any', 'vegan vegetarier vegetarierin veganer veganerin'),
  ],
  es: [
    verb('home', 'name', 'vivo vive vivimos viven resido reside', 'en'),
    verb('home', 'name', 'mudado mudé mudó mudamos mudaron mudaré mudaremos mudarme', 'a'),
    verb('home', 'name', 'instalado instalé instaló instalamos', 'en'),
    verb('home', 'name', 'alquilo alquilé encontré', 'en', HOUSING),
    verb('employer', 'name', 'trabajo trabaja trabajamos', 'en para'),
    verb('employer', 'name', 'empezado empecé empezó empezaré fichado fichó', 'en por', ''),
    verb('employer', 'name', 'renuncié renunciado dimití dimitido', 'en de'),
    verb('employer', 'name', 'renuncié renunciado', 'a'),
    verb('employer', 'name', 'dejé dejado', 'en de', JOB),
    verb('employer', 'name', 'dejé dejado'),
    verb('employer', 'thing', 'contrató contratado'),
    verb('owner', 'any', 'pertenece pertenecen', 'a al'),
    verb('lead', 'thing', 'dirige dirijo lidera lidero', '', GROUP_ES),
    verb('lead', 'any', 'dirigido dirigida liderado liderada', 'por'),
    verb('owner', 'thing', 'mantiene mantengo'),
    verb('partner', 'name', 'casado casada salgo', 'con'),
    verb('school', 'name', 'estudio estudia', 'en'),
    verb('diet', 'any', 'vegano vegana vegetariano vegetariana'),
  ],
};

/** Verbs that say an amount of which there is one: "weighs 78 kg". */
export const MEASURES: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words('weigh weighs cost costs take takes last lasts earn earns pay pays'),
  de: words('wiege wiegt kostet kosten dauert dauern verdiene verdient zahle zahlt'),
  es: words('peso pesa cuesta cuestan dura duran gano gana pago paga'),
};

/** Verbs that say the value of what stands before them: "the interval is". */
export const COPULAS: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words('is are became becomes'),
  de: words('ist sind heißt heißen lautet beträgt'),
  es: words('es son llama está'),
};
/** Participles and verbs by which a value becomes another: "was moved to Friday". */
export const CHANGES: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words(`set moved changed raised lowered increased decreased reduced postponed pushed went rose
    dropped fell rescheduled bumped cut shifted slipped delayed`),
  de: words(`gesetzt verschoben verlegt geändert erhöht gesenkt stieg sank gestiegen gesunken
    liegt`),
  es: words(`cambió cambiado movió movido pospuso pospuesto subió subido bajó bajado pasó pasado
    cambiamos cambié movimos subimos bajamos pasamos pasé`),
};
export const CHANGED_TO: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words('to at'),
  de: words('auf bei'),
  es: words('a al'),
};

/** Verbs by which one gives oneself another one: "I switched my bank to …". */
export const EXCHANGED: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words('changed switched'),
  de: words('gewechselt'),
  es: words('cambié cambiado cambiamos'),
};
export const EXCHANGED_TO: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words('to'),
  de: words('zu zum zur'),
  es: words('a al por'),
};

/** Words that may stand between a subject and its verb, or before a value. */
export const ADVERBS: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words(`now just finally still recently currently already officially both all only also
    actually again back here there today yesterday since then`),
  de: words(`jetzt nun inzwischen mittlerweile gerade noch immer schon endlich seit kurzem nur
    aktuell wieder heute gestern`),
  es: words('ahora ya todavía aún hoy actualmente por fin finalmente recién ayer'),
};
export const AUXILIARIES: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words(`am is are 'm 're 've 's 'll will have has been be got was were get getting being going
    out`),
  de: words('bin ist sind habe hat haben wurde wird worden'),
  es: words('me se nos he ha hemos han estoy está estamos soy es acabo acaba de fue'),
};
export const OWNERS: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words('i we'),
  de: words('ich wir'),
  es: words('yo nosotros nosotras'),
};
/** Whom these mean stands in another sentence, so they are no names: "She lives in Lund." */
export const PRONOUNS: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words('he she it they this that these those who someone somebody everyone everybody'),
  de: words('er sie es ihr das dies wer man jemand niemand'),
  es: words('él ella ellos ellas esto eso alguien nadie quien'),
};
/** "My" and "the", by which a thing is one that is known. */
export const MINE: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words('my our'),
  de: words(`mein meine meinen meinem meiner meines unser unsere unseren unserem unserer`),
  es: words('mi mis nuestro nuestra nuestros nuestras'),
};
export const THE: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words('the'),
  de: words('der die das den dem des'),
  es: words('el la los las'),
};
export const OF: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words('of for'),
  de: words('von für vom'),
  es: words('de del para'),
};
/** Words that end a noun phrase. */
export const LINKS: Readonly<Record<Tongue, ReadonlySet<string>>> = {
  en: words(`and or but with from in at on by to as since until until for of after before who that
    which whose where when if than like about into over near`),
  de: words(`und oder aber mit aus in im an am auf bei zu zum zur nach seit bis ab als wie der von
    für vor um wer welche`),
  es: words(`y e o u pero con desde en a al por para como hasta que quien donde cuando si sin sobre
    entre`),
};
export const SUPPOSING: ReadonlySet<string> = words(`if when before after once while until although
  though whether unless als wenn bevor nachdem falls bis obwohl ob cuando si antes después hasta
  aunque`);
export const NEGATIONS: ReadonlySet<string> = words(`not never don't doesn't didn't isn't aren't no
  nicht nie kein keine keinen no nunca jamás n't`);

/** Forms that plan: only with a day do they take the place of what holds. */
export const PLANS: ReadonlySet<string> =
  words(`will ll move moving relocate relocating join joining
  ziehe fange mudaré mudaremos mudarme empezaré`);

/** Verbs that end, and give nothing where they end nothing: "dejé las llaves en casa". */
export const LEAVES: ReadonlySet<string> = words(`dejé dejó dejado renuncié renunció renunciado
  dimití dimitió dimitido`);

/** Nouns of which one has several, or that say nothing: "my sister", "the problem". */
export const COMMON: ReadonlySet<string> = words(`
  brother sister son daughter child kid baby friend bestie cousin uncle aunt nephew niece cat dog
  pet puppy kitten horse colleague coworker neighbour neighbor roommate flatmate classmate teammate
  student client customer guest problem issue question thing point idea goal dream hope advice view
  opinion guess answer reason result fact truth rest part day week month year time weekend life
  family mum mom mother father dad grandma grandpa grandmother grandfather mama papa hobby plan
  way best one name feeling heart mind favourite story half lot kind type
  bruder schwester sohn tochter kind freund freundin cousine onkel tante katze hund kollege
  kollegin nachbar nachbarin problem frage sache punkt idee ziel traum antwort grund tag woche monat
  jahr zeit leben familie mutter vater oma opa hobby plan
  hermano hermana hijo hija niño niña amigo amiga primo prima tío tía gato perro compañero compañera
  vecino vecina problema pregunta cosa idea meta sueño respuesta razón día semana mes año vida
  familia madre padre abuela abuelo mamá papá plan verdad`);
/** Adjectives that keep a noun what it is. */
export const FRESH: ReadonlySet<string> =
  words(`new current actual own dear beloved lovely neue neuer
  neues neuen aktuelle aktueller jetzige jetziger nuevo nueva actual`);
/** Adjectives that make it another one. */
export const OTHER: ReadonlySet<string> = words(`old former ex previous first second other next last
  older younger oldest youngest alte alter früherer frühere ehemalige ehemaliger erste zweite andere
  nächste letzte ältere jüngere antiguo antigua ex anterior primer primera segundo segunda otro otra
  próximo último mayor menor`);
export const PARTNERS: ReadonlySet<string> =
  words(`wife husband partner girlfriend boyfriend fiancée
  fiancé spouse frau mann partnerin verlobte verlobter ehemann ehefrau mujer esposa marido esposo
  pareja novio novia`);
/** The nouns of people and of choices under one key, whatever the language. */
export const NOUNS: Readonly<Record<string, string>> = {
  ...alike('doctor', 'gp arzt ärztin hausarzt hausärztin médico médica'),
  ...alike('dentist', 'zahnarzt zahnärztin dentista'),
  ...alike('landlord', 'landlady vermieter vermieterin casero casera'),
  ...alike('boss', 'manager chef chefin jefe jefa'),
  ...alike('lawyer', 'anwalt anwältin abogado abogada'),
  ...alike('vet', 'tierarzt tierärztin veterinario veterinaria'),
  ...alike('accountant', 'steuerberater steuerberaterin gestor gestora'),
  ...alike('physio', 'physiotherapist physiotherapeut physiotherapeutin fisioterapeuta'),
  ...alike('name', 'nombre'),
  ...alike('rent', 'miete alquiler'),
  ...alike('favourite', 'favorite'),
  ...alike('colour', 'color farbe'),
  ...alike('book', 'buch libro'),
  ...alike('food', 'essen comida'),
  ...alike('painter', 'maler malerin pintor pintora'),
  ...alike('song', 'lied canción'),
  ...alike('series', 'serie'),
  ...alike('animal', 'tier'),
  ...alike('film', 'película'),
  ...alike('band', 'grupo'),
};

function alike(key: string, list: string): Record<string, string> {
  return Object.fromEntries([...words(list)].map((word) => [word, key]));
}

/** Days and months, which are no names of a value and no subjects. */
export const DAYS: ReadonlySet<string> = words(`
  monday tuesday wednesday thursday friday saturday sunday january february march april may june
  july august september october november december montag dienstag mittwoch donnerstag freitag
  samstag sonntag januar februar märz mai juni juli oktober dezember lunes martes miércoles jueves
  viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre
  noviembre diciembre noon midnight mittag today tomorrow`);

/** It stands beside the older. */
export const SAYS_MORE =
  /\b(?:also|too|as well|another|besides|additionally|second|part[- ]time)\b|\b(?:auch|außerdem|zusätzlich|noch eine?\w*|nebenbei)\b|(?<!\p{L})(?:también|además|otr[oa])(?!\p{L})/iu;
/** Nationalities and the like, which are no names of persons. */
export const NO_PERSON =
  /^(?:\p{L}{2,}(?:ish|ese)|German|French|Dutch|Greek|Swiss|Czech|Italian|Indian|Russian|Brazilian|Canadian|Australian|Austrian|American|Mexican|Korean|African|European|Asian|Jewish|Muslim|Catholic|Christian|Ukrainian|Iranian|Norwegian|Aries|Leo|Virgo|Libra|Deutsche[r]?|Ärztin|Arzt|Lehrer(?:in)?)$/u;
