import { wordsIn } from './words.ts';

// Words for things and people of one's own that have the same sense, in English, German and
// Spanish. A word with two senses stands in two rows.

const ROWS: readonly (readonly string[])[] = `
  cat cats kitty kitten kittens katze katzen kater gata gato gatas gatos
  dog dogs puppy puppies hund hunde hündin perro perra perros perras
  horse horses pferd pferde caballo yegua
  rabbit rabbits kaninchen conejo coneja
  bird birds parrot vogel papagei pájaro loro
  pet pets haustier haustiere mascota mascotas
  brother brothers bruder brüder hermano hermanos
  sister sisters schwester schwestern hermana hermanas
  siblings geschwister hermanos
  mother mum mom mutter mama madre mamá
  father dad vater papa padre papá
  parents eltern padres
  son sons sohn söhne hijo
  daughter daughters tochter töchter hija
  children child kids kid kinder kind hijos hijo hija
  grandmother grandma oma großmutter abuela
  grandfather grandpa opa großvater abuelo
  uncle onkel tío
  aunt tante tía
  cousin cousine cousin primo prima
  nephew neffe sobrino
  niece nichte sobrina
  wife spouse frau ehefrau mujer esposa
  husband spouse mann ehemann marido esposo
  partner girlfriend boyfriend spouse wife husband partnerin freundin freund pareja novia novio
  girlfriend freundin novia
  boyfriend freund novio
  friend friends freund freundin freunde amigo amiga amigos
  neighbour neighbor neighbours neighbors nachbar nachbarin nachbarn vecino vecina vecinos
  boss manager chef chefin vorgesetzte jefe jefa
  colleague coworker colleagues kollege kollegin kollegen compañero compañera
  teacher lehrer lehrerin profesor profesora maestro maestra
  doctor gp physician arzt ärztin hausarzt hausärztin médico médica
  dentist zahnarzt zahnärztin dentista
  landlord landlady vermieter vermieterin casero casera
  car auto wagen coche carro
  bike bicycle fahrrad rad bici bicicleta
  motorbike motorcycle motorrad moto
  phone mobile handy telefon móvil teléfono
  house haus casa
  flat apartment wohnung piso apartamento
  garden garten jardín
  birthday geburtstag cumpleaños
  job arbeit beruf stelle trabajo empleo
  salary gehalt lohn sueldo salario
  rent miete alquiler
  bank konto banco cuenta
  school schule escuela colegio
`
  .trim()
  .split('\n')
  .map((row) => row.trim().split(' '));

const SENSES: ReadonlyMap<string, ReadonlySet<number>> = new Map(
  [
    ...Map.groupBy(
      ROWS.flatMap((row, at) => row.map((word) => ({ word, at }))),
      (one) => one.word,
    ),
  ].map(([word, all]) => [word, new Set(all.map(({ at }) => at))] as const),
);

/** Whether a word is one of those whose senses are known. */
export function isOwnThing(word: string): boolean {
  return SENSES.has(word);
}

/** Whether a text has this word, or one of the same sense: "cat" has that of "Katze". */
export function namesThing(text: string, word: string): boolean {
  const senses = SENSES.get(word) ?? new Set<number>();
  return wordsIn(text).some(
    (one) => one === word || [...(SENSES.get(one) ?? [])].some((sense) => senses.has(sense)),
  );
}
