/**
 * The labels of an Event: base, category and name (S0-LABEL-01), derived from the name alone. A name
 * without a colon is its own category, which makes two labels.
 */
export function eventLabels(name: string): string[] {
  const colon = name.lastIndexOf(':');
  const category = `${pascal(colon === -1 ? name : name.slice(0, colon))}Event`;
  return [...new Set(['Event', category, `${pascal(name)}Event`])];
}

/** A text that `eventLabels` can return; a filter by any other text is refused. */
export const LABEL = /^[A-Za-z0-9]{1,140}$/;

function pascal(text: string): string {
  return text
    .split(/[:_.-]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
