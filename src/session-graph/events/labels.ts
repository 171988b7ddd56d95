/**
 * The labels of an Event: the base, its category and its own (S0-LABEL-01). Derived from the name alone, known or not; a name
 * without a colon is its own category, and then two labels are all there are.
 */
export function eventLabels(name: string): string[] {
  const colon = name.lastIndexOf(':');
  const category = `${pascal(colon === -1 ? name : name.slice(0, colon))}Event`;
  return [...new Set(['Event', category, `${pascal(name)}Event`])];
}

/** What `eventLabels` can give; only such a text is ever compared with labels. */
export const LABEL = /^[A-Za-z0-9]{1,140}$/;

function pascal(text: string): string {
  return text
    .split(/[:_.-]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
