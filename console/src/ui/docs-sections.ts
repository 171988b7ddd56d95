/** A heading of a page. */
export interface Heading {
  /** 1 for the title of the page. */
  readonly level: number;
  readonly title: string;
  /** The part of an address after `#`. */
  readonly slug: string;
  /** Its line, from 0. */
  readonly line: number;
}

const HEADING = /^(#{1,6}) (.+)$/;
const FENCE = /^ {0,3}(?:`{3}|~{3})/;

/** The headings of a page; a line of a block of code is none. */
export function headingsOf(page: string): Heading[] {
  let isCode = false;
  return page.split('\n').flatMap((text, line) => {
    if (FENCE.test(text)) isCode = !isCode;
    const [, marks = '', title = ''] = (isCode ? null : HEADING.exec(text)) ?? [];
    return marks === '' ? [] : [{ level: marks.length, title, slug: slugOf(title), line }];
  });
}

/** The text below a heading, up to the next one of its level; null where the page has none. */
export function sectionOf(page: string, title: string): string | null {
  const headings = headingsOf(page);
  const at = headings.findIndex((one) => one.title === title);
  const heading = headings[at];
  if (heading === undefined) return null;
  const next = headings.slice(at + 1).find(({ level }) => level <= heading.level);
  return page
    .split('\n')
    .slice(heading.line + 1, next?.line)
    .join('\n')
    .trim();
}

/** The anchor of a heading, as the pages link to it. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
