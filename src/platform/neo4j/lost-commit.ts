import { z } from 'zod';

const Entries = z.array(z.looseObject({ id: z.string() }));

/**
 * Remembers a commit whose answer was lost with the connection. The change may be stored, so a
 * plain repeat could make it twice, or violate a constraint by ids of the first try. An entry of
 * the transaction tells: entries are stored in the same commit.
 */
export class LostCommit<T> {
  #lost: { readonly value: T; readonly entryId: string } | null = null;
  #entryId: string | null = null;

  /** Call it before each try. */
  begin(): void {
    this.#entryId = null;
  }

  /** Notes the entries among the parameters of a statement. */
  note(params: Readonly<Record<string, unknown>>): void {
    if (this.#entryId !== null || params['entries'] === undefined) return;
    const entries = Entries.safeParse(params['entries']);
    this.#entryId = entries.data?.[0]?.id ?? null;
  }

  /** The connection was lost while the transaction with this result was committed. */
  lose(value: T): void {
    if (this.#entryId !== null) this.#lost = { value, entryId: this.#entryId };
  }

  /**
   * The result of the lost commit if it took place, else null.
   * @param exists whether an entry with this id is stored
   */
  async find(exists: (entryId: string) => Promise<boolean>): Promise<{ value: T } | null> {
    if (this.#lost === null) return null;
    return (await exists(this.#lost.entryId)) ? { value: this.#lost.value } : null;
  }
}
