/** The most that a whole number of the API may be. */
const WHOLE_MAX = 2_147_483_647;

type Read = { readonly value: number | readonly string[] | null } | { readonly fault: string };

/**
 * The text of a field as the value of its setting: lines where it holds several, else a number. An
 * empty number is null, which restores the default.
 */
export function readSetting(
  text: string,
  kind: { readonly isList: boolean; readonly isWhole: boolean },
): Read {
  if (kind.isList) return { value: text.split('\n').filter((line) => line.trim() !== '') };
  if (text.trim() === '') return { value: null };
  const number = Number(text.trim());
  if (!Number.isFinite(number)) return { fault: 'has to be a number.' };
  if (!kind.isWhole) return { value: number };
  if (!Number.isInteger(number)) return { fault: 'has to be a whole number.' };
  return Math.abs(number) > WHOLE_MAX ? { fault: 'is too large.' } : { value: number };
}
