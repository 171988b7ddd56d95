// Points that end no sentence. packages/local-llm has the same file; a test holds both alike.

const BEFORE_A_NAME =
  'dr dra drs prof profa mr mrs ms mx messrs st ste sr sra srta dña hr hrn fr frl ing dipl rev ' +
  'hon capt cpt lt col sgt mme mlle mgr sig dott avv';
const WITHIN =
  'bzw ca vgl nr str tel evtl ggf inkl zzgl bspw allg ehem approx vs cf fig figs vol ext dept ' +
  'incl av avda pág págs núm aprox ej ud uds vd vds ee';
const TITLES = new Set(BEFORE_A_NAME.split(' '));
const SHORT_WORDS = new Set(WITHIN.split(' '));
const LAST_WORD = /(?:^|[\s("'„“‚«¿¡.])(\p{L}{1,6})\.$/u;
/** "12. March", "am 12. März", "im 2. Stock": the number is an ordinal. */
const ORDINAL = /(?:^|\s)(?:(\p{L}+)\s)?\d{1,2}\.$/u;
const BEFORE_ORDINAL =
  /^(?:am|im|der|die|das|den|dem|des|vom|zum|zur|beim|bis|ab|seit|the|el|la|o|na|den|het|le)$/iu;
const MONTH =
  /^(?:of|jan|feb|mar|mär|apr|ma[iy]|jun|jul|aug|sep|okt|oct|nov|dez|dec|ene|abr|ago|dic)/iu;

/** Whether a text that ends with a point goes on in the next part: "Dr.", "z. B.", "am 12." */
export function goesOn(part: string, next: string): boolean {
  const text = part.trimEnd();
  const word = LAST_WORD.exec(text)?.[1];
  if (word !== undefined) {
    const lower = word.toLowerCase();
    if (TITLES.has(lower)) return /^\p{Lu}/u.test(next);
    // "J. Smith", but "so did I. Then": one letter written large is an initial.
    if (/^\p{Lu}$/u.test(word) && word !== 'I') return /^\p{Lu}/u.test(next);
    // "z. B.", "p. ej."
    if (/^\p{Ll}$/u.test(word)) return /^\p{L}{1,2}\./u.test(next);
    return SHORT_WORDS.has(lower) && /^[\p{L}\d]/u.test(next);
  }
  const ordinal = ORDINAL.exec(text);
  if (ordinal === null) return false;
  return MONTH.test(next) || (/^\p{L}/u.test(next) && BEFORE_ORDINAL.test(ordinal[1] ?? ''));
}
