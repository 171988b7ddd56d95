/**
 * The entry of a record under a word that comes from outside; undefined where there is none. An
 * index access would find `constructor` and `toString` in every record.
 */
export function entryOf<T>(record: Readonly<Record<string, T>>, word: string): T | undefined {
  return Object.hasOwn(record, word) ? record[word] : undefined;
}
