import type { Problem } from './refusal.ts';

const PROBLEMS_MAX = 20;

/**
 * One line for each problem of arguments, with the path of the argument and the code, so that a
 * model can mend them: `from: must be integer. (SCHEMA_VIOLATION)`.
 * @param root the first parts of the paths, which the reader does not know
 */
export function problemWords(problems: readonly Problem[], root: readonly string[] = []): string {
  const lines = problems.slice(0, PROBLEMS_MAX).map(({ code, message, path }) => {
    const isBelow = root.every((part, index) => path[index] === part);
    const place = (isBelow ? path.slice(root.length) : path).join('.');
    return `${sentence(place, message)} (${code})`;
  });
  const more = problems.length - PROBLEMS_MAX;
  return [...lines, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n');
}

function sentence(place: string, message: string): string {
  const name = place.slice(place.lastIndexOf('.') + 1);
  if (place === '') return message;
  // "name is required." names it already.
  if (message.startsWith(`${name} `)) return `${place}${message.slice(name.length)}`;
  return `${place}: ${message.replace(/^This /, '')}`;
}
