const ROOT_CHARS_MIN = 3;
/** Ends of regular verbs of Spanish and German, with the word that they leave as it is. */
const ENDING =
  /^(?:|o|as?|amos|an|ar|é|ó|ando|ad[oa]s?|e[nrst]?|te?|er|ir|es|emos|imos|iendo|id[oa]s?|í)$/u;

/**
 * Whether two words may be forms of one regular verb of Spanish or German: `fumo` and `fumar`. Of
 * English verbs the stem tells.
 * @param one in lower case
 */
export function areVerbForms(one: string, other: string): boolean {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared++;
  return shared >= ROOT_CHARS_MIN && [one, other].every((word) => ENDING.test(word.slice(shared)));
}
