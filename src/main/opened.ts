/** What was opened, closed in the other order; each once, and one that fails does not keep the others open. */
export class Opened {
  readonly #closers: { readonly what: string; close(): Promise<void> }[] = [];
  readonly #failed: (what: string, error: unknown) => void;

  constructor(failed: (what: string, error: unknown) => void) {
    this.#failed = failed;
  }

  add(what: string, close: () => Promise<void>): void {
    this.#closers.push({ what, close });
  }

  async close(): Promise<void> {
    for (let opened = this.#closers.pop(); opened !== undefined; opened = this.#closers.pop()) {
      try {
        await opened.close();
      } catch (error) {
        this.#failed(opened.what, error);
      }
    }
  }
}
