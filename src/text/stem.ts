import { IRREGULAR } from './word-lists.ts';

const STEMS = new Map(
  IRREGULAR.flatMap(([base = '', ...forms]) =>
    forms.map((form) => [regularStem(form), regularStem(base)] as const),
  ),
);
const IRREGULAR_FORMS = Map.groupBy(IRREGULAR.flat(), stemOf);

/**
 * The form that inflected forms of an English word share: `run` of ran, runs and running. Of words
 * of other languages it is the word, mostly.
 * @param word in lower case
 */
export function stemOf(word: string): string {
  const stem = regularStem(word);
  return STEMS.get(stem) ?? stem;
}

function regularStem(word: string): string {
  if (/\d/.test(word)) return word;
  let stem = word;
  if (stem.length > 4) stem = stem.replace(/(?:ies|ied)$/, 'y');
  if (stem.length > 3) stem = stem.replace(/(?:(?<=[sxz]|ch|sh)es|(?<![suíi])s)$/, '');
  if (stem.length > 5) stem = stem.replace(/(?:ingly|edly|ing)$/, '');
  if (stem.length > 4) stem = stem.replace(/(?:ed|ly)$/, '');
  return stem
    .replace(/([bdfgkmnprtvz])\1$/, '$1')
    .replace(/(?<=..)e$/, '')
    .replace(/(?<=..)y$/, 'i');
}

/** The letters that words of a stem begin with. */
export function initialsOf(stem: string): string[] {
  return [stem, ...(IRREGULAR_FORMS.get(stem) ?? [])].map((form) => form.charAt(0));
}

const ENDINGS = ['', 'e', 's', 'es', 'ed', 'ing', 'y', 'ys', 'ies', 'ied', 'ying', 'ily'];
const DOUBLES = /[^aeiou][aeiou]([bdgkmnprt])$/;

/** Other forms of a word whose endings do not show its stem: `ran` for running. */
export function irregularFormsOf(word: string): string[] {
  const regular = regularStem(word);
  const forms = IRREGULAR_FORMS.get(stemOf(word)) ?? [];
  return forms.filter((form) => regularStem(form) !== regular);
}

/** A word and others of its stem; some of them are no words. */
export function formsOf(word: string): string[] {
  if (!/^\p{Script=Latin}{3,}$/u.test(word)) return [word];
  const stem = stemOf(word);
  const bases = [stem, regularStem(word)].map((base) => base.replace(/i$/, ''));
  const regular = [...bases, stem.replace(DOUBLES, '$&$1')].flatMap((base) =>
    ENDINGS.map((ending) => `${base}${ending}`),
  );
  const forms = [word, ...(IRREGULAR_FORMS.get(stem) ?? []), ...regular];
  return [...new Set(forms)].filter((form) => stemOf(form) === stem);
}
