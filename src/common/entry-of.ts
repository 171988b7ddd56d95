/**
 * The entry of a record under a name that comes from outside; undefined where there is none. An
 * index access would find `constructor` and `toString` in every record.
 */
export function entryOf<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
