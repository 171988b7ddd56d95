/** Most characters that a field takes in one paste. A browser draws more only after seconds. */
export const PASTED_CHARS_MAX = 2_000_000;

/** Why a text of this length is not pasted; null: it is. */
export function pasteFault(length: number): string | null {
  if (length <= PASTED_CHARS_MAX) return null;
  const [has, max] = [length, PASTED_CHARS_MAX].map((chars) => Math.round(chars / 1e5) / 10);
  return (
    `The copied text has ${has} million characters, and a field takes ${max} million in one ` +
    'paste. Nothing was pasted.'
  );
}
