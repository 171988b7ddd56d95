import { RENDER_BUILT_CHARS_MAX, RENDER_OUTPUT_BYTES_MAX } from '../../common/limits.ts';

/** The rendering's output, or the text its helpers build, is too large. */
export class RenderTooLarge extends Error {
  override readonly name = 'RenderTooLarge';
}

/**
 * Counts the text of a rendering before it is allocated. An allocation above a thread's heap limit
 * ends the whole process, so every helper checks the size first.
 */
export class RenderMeter {
  /** Characters of the output so far. */
  #shown = 0;
  /** Characters built by helpers so far; most may be in memory at once. */
  #built = 0;

  restart(): void {
    this.#shown = 0;
    this.#built = 0;
  }

  get shown(): number {
    return this.#shown;
  }

  /**
   * Adds to the output. A character has at least one byte, so the limit in bytes is exceeded too.
   */
  show(chars: number): void {
    this.#shown += chars;
    if (this.#shown > RENDER_OUTPUT_BYTES_MAX) throw outputTooLarge();
  }

  /** Number of characters that helpers may still build. */
  get left(): number {
    return RENDER_BUILT_CHARS_MAX - this.#built;
  }

  /** Adds text that a helper is about to build. */
  build(chars: number): void {
    if (chars > this.left)
      throw new RenderTooLarge(
        `The helpers of this template would build more than ${RENDER_BUILT_CHARS_MAX / 1024} ` +
          'KiB of text.',
      );
    this.#built += chars;
  }
}

/** A thread runs one rendering at a time, so all share one meter. */
export const METER = new RenderMeter();

export function outputTooLarge(): RenderTooLarge {
  return new RenderTooLarge(`The result is larger than ${RENDER_OUTPUT_BYTES_MAX / 1024} KiB.`);
}
