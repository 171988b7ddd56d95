/**
 * A template of a path marks each value that it shows, to tell it from the author's text. An
 * author's path has no control characters, and those of a value are encoded.
 */
const SHOWN = '\u0001';
const TEXT = '\u0002';
const BLOCK = '\u0003';
const BLOCK_END = '\u0004';
const END = '\u0005';
/** Before the text of a value that is no value: the null that `{{json id}}` shows. */
const NOTHING = '\u0006';

/** A shown value, already encoded, with the variables that it is made of. */
export function markShown(variables: string, text: string, isNothing: boolean): string {
  return `${SHOWN}${encodeURIComponent(variables)}${TEXT}${isNothing ? NOTHING : ''}${text}${END}`;
}

/** The marks around a block, with the variables that it asks about. */
export function markBlock(variables: string): readonly [start: string, end: string] {
  return [`${BLOCK}${encodeURIComponent(variables)}${END}`, BLOCK_END];
}

const MARKED = new RegExp(`${SHOWN}([^${TEXT}]*)${TEXT}${NOTHING}?([^${END}]*)${END}`, 'g');
const BLOCK_START = new RegExp(`${BLOCK}([^${END}]*)${END}`, 'g');
const EMPTY_PART = new RegExp(
  `^(?:${SHOWN}[^${TEXT}]*${TEXT}(?:%5B%5D|%7B%7D|${NOTHING}[^${END}]*)?${END}|${BLOCK}[^${END}]*${END}|${BLOCK_END})+$`,
);
const WHOLE_TEMPLATE = new RegExp(`${SHOWN}|${BLOCK}[^${END}]*${END}.*${BLOCK_END}`);

/** A path whose values lead to another resource than the author's. */
export class PathFault extends Error {
  override readonly name = 'PathFault';
}

/**
 * A rendered path without its marks.
 * @throws PathFault where a part between two slashes is made of values only and these are empty,
 * and where a value makes it "." or ".."
 */
export function checkedPath(marked: string): string {
  const [way = ''] = marked.split(/[?#]/, 1);
  for (const part of way.split('/')) {
    if (EMPTY_PART.test(part) && WHOLE_TEMPLATE.test(part)) {
      const names = variablesOf(part).join(', ') || 'each of its parts';
      throw new PathFault(
        `The path needs a value for ${names}. It is absent or empty, and the call would reach ` +
          'another resource.',
      );
    }
    if (isDotted(unmarked(part))) throw new PathFault(dottedWords(variablesOf(part)));
  }
  return unmarked(marked);
}

/** @param variables those of the part; none where it is the author's own text */
export function dottedWords(variables: readonly string[]): string {
  const from = variables.length === 0 ? '' : ` It comes from ${variables.join(', ')}.`;
  return `A path may not have "." or ".." as a part.${from}`;
}

/**
 * Whether a part of a path is "." or "..", or holds one behind an encoded slash. Servers decode
 * more than once, and the URL parser reads %2e as a dot.
 */
export function isDotted(part: string): boolean {
  return part
    .replace(/%(?:25)+/gi, '%')
    .split(/[/\\]|%2f|%5c/i)
    .some((one) => /^(\.|%2e){1,2}$/i.test(one));
}

const unmarked = (text: string): string =>
  text
    .replace(MARKED, (_all, _names, shown: string) => shown)
    .replace(BLOCK_START, '')
    .replaceAll(BLOCK_END, '');

function variablesOf(part: string): readonly string[] {
  const marks = [...part.matchAll(BLOCK_START), ...part.matchAll(MARKED)];
  const names = marks.flatMap(([, names = '']) => decodeURIComponent(names).split(','));
  return [...new Set(names)].filter((name) => name !== '');
}
