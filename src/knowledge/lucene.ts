// Lucene's own signs, and the letters of AND, OR, NOT, which Graphiti escapes one by one (spec/graphiti-golden.json).
const SIGNS = /[+\-&|!(){}[\]^"~*?:\\/ORNTAD]/g;

/** A text with everything escaped that Lucene would read as an operator. */
export function luceneEscape(text: string): string {
  return text.replace(SIGNS, '\\$&');
}

/** Lucene takes so many clauses and no more; what comes after adds little. */
const WORDS_MAX = 100;

/** Any text as words to look for, one of which has to be there; a word that matches nothing where there is none. */
export function luceneText(text: string): string {
  const words = [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_']+/gu) ?? [])];
  return words.length === 0
    ? 'nothingtolookfor'
    : words
        .slice(0, WORDS_MAX)
        .map((word) => luceneEscape(word))
        .join(' ');
}
