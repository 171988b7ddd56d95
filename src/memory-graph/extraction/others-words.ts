import { withoutOthers } from '../statements/own-words.ts';
import type { Extraction } from './extraction.ts';

/**
 * An extraction without that which only others say in the turn: sentences within a quotation, and
 * facts of the speaker whose other end is named nowhere else. Of other people, a quotation may well
 * tell a fact.
 */
export function ownFindings(
  extraction: Extraction,
  { content, speaker }: { readonly content: string; readonly speaker: string },
): Extraction {
  const own = withoutOthers(content);
  if (own === content) return extraction;
  // Both have the same length.
  const isOwn = (text: string) => {
    let at = content.indexOf(text);
    if (at < 0) return true;
    for (; at >= 0; at = content.indexOf(text, at + 1))
      if (/\p{L}/u.test(own.slice(at, at + text.length))) return true;
    return false;
  };
  const [ownNames, names] = [own.toLowerCase(), content.toLowerCase()];
  const isNamed = (name: string) =>
    ownNames.includes(name.toLowerCase()) || !names.includes(name.toLowerCase());
  return {
    ...extraction,
    statements: extraction.statements.filter(({ text }) => isOwn(text)),
    facts: extraction.facts.filter(
      ({ source, target }) =>
        (source !== speaker || isNamed(target)) && (target !== speaker || isNamed(source)),
    ),
  };
}
