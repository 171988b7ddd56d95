/** A problem with the label of its field in place of the name that the API has for it. */
export function problemOf(
  message: string,
  label: string,
  [name = '', index]: readonly string[],
): string {
  const field = `“${label}”`;
  if (message.startsWith(`${name} `)) return `${field}${message.slice(name.length)}`;
  return `${field}${index === undefined ? '' : `, line ${Number(index) + 1}`}: ${message}`;
}
