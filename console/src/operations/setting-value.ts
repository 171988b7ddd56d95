/** The most that a whole number of the API may be. */
const WHOLE_MAX = 2_147_483_647;

type Read<Value> = { readonly value: Value } | { readonly fault: string };

/**
 * The text of a field as the value of its setting: lines where it holds several, else a number. An
 * empty number is null, which restores the default.
 */
export function readSetting(
  text: string,
  kind: { readonly isList: boolean; readonly isWhole: boolean },
): Read<number | readonly string[] | null> {
  if (kind.isList) return { value: text.split('\n').filter((line) => line.trim() !== '') };
  return readNumber(text, kind.isWhole);
}

/** The text of a field as a number; null where it is empty. */
export function readNumber(text: string, isWhole: boolean): Read<number | null> {
  if (text.trim() === '') return { value: null };
  const number = Number(text.trim());
  if (!Number.isFinite(number)) return { fault: 'has to be a number.' };
  if (!isWhole) return { value: number };
  if (!Number.isInteger(number)) return { fault: 'has to be a whole number.' };
  return Math.abs(number) > WHOLE_MAX ? { fault: 'is too large.' } : { value: number };
}
