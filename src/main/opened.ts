/**
 * Opened resources, closed in reverse order. Each is closed once; a failure does not keep the others
 * open.
 */
export class Opened {
  readonly #closers: { readonly name: string; close(): Promise<void> }[] = [];
  readonly #onFailure: (name: string, error: unknown) => void;

  constructor(onFailure: (name: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(name: string, close: () => Promise<void>): void {
    this.#closers.push({ name, close });
  }

  async close(): Promise<void> {
    for (let opened = this.#closers.pop(); opened !== undefined; opened = this.#closers.pop()) {
      try {
        await opened.close();
      } catch (error) {
        this.#onFailure(opened.name, error);
      }
    }
  }
}
