import { z } from 'zod';

const Entries = z.array(z.looseObject({ id: z.string() }));

/**
 * Remembers a commit whose answer was lost with the connection. The change may be stored, so a
 * plain repeat could make it twice, or violate a constraint by ids of the first try. An entry of
 * the transaction tells: entries are stored in the same commit.
 */
export class LostCommit<T> {
  #lost: { readonly value: T; readonly entryIds: readonly string[] } | null = null;
  #entryIds: string[] = [];

  /** Call it before each try. */
  begin(): void {
    this.#entryIds = [];
  }

  /**
   * Notes the entries among the parameters of a statement. A statement may decide not to write some
   * of them, so all are kept.
   */
  note(params: Readonly<Record<string, unknown>>): void {
    if (params['entries'] === undefined) return;
    for (const { id } of Entries.safeParse(params['entries']).data ?? []) this.#entryIds.push(id);
  }

  /** The connection was lost while the transaction with this result was committed. */
  lose(value: T): void {
    if (this.#entryIds.length > 0) this.#lost = { value, entryIds: this.#entryIds };
  }

  /**
   * The result of the lost commit if it took place, else null.
   * @param exists whether an entry with one of these ids is stored
   */
  async find(
    exists: (entryIds: readonly string[]) => Promise<boolean>,
  ): Promise<{ value: T } | null> {
    if (this.#lost === null) return null;
    return (await exists(this.#lost.entryIds)) ? { value: this.#lost.value } : null;
  }
}
