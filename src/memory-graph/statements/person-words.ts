// Kin and others whose doings a person tells: "my sister got divorced", "una amiga dejó Zara".

const KIN = `mum mom mother dad father parents brother sister siblings? son daughter child kids?
  uncle aunt cousin nephew niece grandma grandpa grandmother grandfather gran nan
  mate friend bestie colleague coworker boss neighbour neighbor flatmate roommate housemate
  classmate teammate manager doctor dentist dog cat girlfriend boyfriend wife husband partner
  mutter vater mama papa eltern bruder schwester geschwister sohn tochter kind onkel tante cousine?
  neffe nichte oma opa freund freundin kumpel kollege kollegin chef chefin nachbar nachbarin
  arzt hausarzt zahnarzt hund katze mitbewohner mitbewohnerin frau mann partnerin
  madre padre mamá papá padres hermano hermana hijo hija tío tía primo prima sobrino sobrina abuela
  abuelo médico médica dentista perro gato
  amigo amiga colega compañero compañera jefe jefa vecino vecina novio novia mujer marido
  pareja`;
const PERSON = new RegExp(
  '^(?:(?:and|but|so|und|aber|y|pero)[, ]+)?' +
    '(?<mark>my|our|meine?[rmns]?|unsere?|mis?|nuestr[oa]s?|an?|one of my|eine?|una?) ' +
    `(?<who>(?:\\p{Ll}+ )?(?:${KIN.trim().split(/\s+/).join('|')}))(?!\\p{L})`,
  'iu',
);

/** The person of whom a sentence begins to tell: `my sister`, `a mate`; null: none. */
export function personIn(text: string): string | null {
  const { mark = '', who } = PERSON.exec(text)?.groups ?? {};
  if (who === undefined) return null;
  return /^(?:an?|one|eine?|una?)/i.test(mark) ? `a ${who}` : `my ${who}`;
}
