import { firstChars } from '../../common/well-formed.ts';

const READ_CHARS_MAX = 20_000;

/** The words of a body that is no JSON, in one line: the title of a page, else its text. */
export function pageWords(body: string): string {
  const text = firstChars(body, READ_CHARS_MAX);
  const isPage = /^\s*<(?:[!?]|[a-z])/i.test(text) && text.includes('</');
  const [, title] = (isPage && /<title[^<>]*>([^<]*)</i.exec(text)) || [];
  // A tag ends at the next `<`: without that, a text of `<` alone takes quadratic time.
  const untagged = isPage ? text.replace(/<[^<>]*>/g, ' ') : text;
  return (title?.trim() || untagged.trim() || text).replace(/\s+/g, ' ').trim();
}
