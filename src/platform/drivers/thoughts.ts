import { wholeCharacters } from '../../common/well-formed.ts';
import {
  closingAt,
  FIRST,
  type MarkPair,
  type MarkPlace,
  markAt,
  marksOf,
  openAnswerEnd,
  openMark,
  withoutAnswerEnd,
} from './thought-marks.ts';

/** A longer thought within an answer is text. */
const INNER_CHARS_MAX = 65_536;
/**
 * Text that waits for the outer closing mark, after the inner one of a thought within a thought.
 */
const NESTED_CHARS_MAX = 8_192;

export interface ThoughtSinks {
  onText(delta: string): void;
  onReasoning(delta: string): void;
  /**
   * The text so far was a thought: its closing mark came, and the prompt of the model holds the
   * opening one. The same text follows as reasoning.
   */
  onRetract(): void;
}

export interface ThoughtFilter {
  push(delta: string): void;
  /** Emits the rest. An answer that ends within its first thought has no text. */
  end(): void;
}

/**
 * Parts the text of a streamed answer into text and thoughts. A thought begins at the start of the
 * answer, after another thought, or at the start of a line outside of code. No half of a surrogate
 * pair is emitted: it waits for its other half.
 */
export function openThoughtFilter(sinks: ThoughtSinks): ThoughtFilter {
  const parts = new AnswerParts(sinks);
  const whole = wholeCharacters((characters) => parts.take(characters));
  return {
    push(delta) {
      whole.push(delta);
      parts.look(false);
    },
    end() {
      whole.flush();
      parts.look(true);
    },
  };
}

class AnswerParts {
  readonly #sinks: ThoughtSinks;
  #state: 'start' | 'text' | 'thought' | 'nested thought' | 'inner thought' = 'start';
  /** Text that is not decided yet. */
  #pending = '';
  /** The marks of the present thought. */
  #pair: MarkPair | null = null;
  /** Opening marks of the present thought without their closing ones. */
  #depth = 0;
  /** Text of the answer so far, to see whether a mark stands in code. */
  #said = '';
  /** The last character of the present thought so far; empty: it has none but blanks. */
  #thought = '';
  /** An opening mark came, so that a closing one ends no thought that began in the prompt. */
  #hasOpened = false;
  /** White space after a thought belongs to neither. */
  #isAfterThought = false;

  constructor(sinks: ThoughtSinks) {
    this.#sinks = sinks;
  }

  take(characters: string): void {
    this.#pending += characters;
  }

  look(isEnd: boolean): void {
    while (this.#step(isEnd));
  }

  /** Handles the decided part of `#pending`. Returns whether another step may decide more. */
  #step(isEnd: boolean): boolean {
    if (this.#state === 'start') return this.#stepStart(isEnd);
    if (this.#state === 'text') return this.#stepText(isEnd);
    if (this.#pair === null) return false;
    if (this.#state === 'thought') return this.#stepThought(isEnd, this.#pair);
    if (this.#state === 'inner thought') return this.#stepInner(isEnd, this.#pair);
    return this.#stepNested(isEnd, this.#pair);
  }

  #stepStart(isEnd: boolean): boolean {
    const rest = this.#pending.trimStart();
    if (!isEnd && openMark(rest) === rest.length) return false;
    const mark = markAt(rest, 0);
    if (mark !== null) {
      this.#pending = rest.slice(mark.end);
      this.#hasOpened = true;
      this.#isAfterThought = true;
      if (mark.pair !== null) this.#open('thought', mark.pair);
      return true;
    }
    if (rest !== '') this.#state = 'text';
    else if (!this.#isAfterThought) this.#text(this.#pending);
    return rest !== '';
  }

  #open(state: 'thought' | 'inner thought', pair: MarkPair): void {
    this.#state = state;
    this.#pair = pair;
    this.#depth = 1;
    this.#thought = '';
  }

  #stepThought(isEnd: boolean, pair: MarkPair): boolean {
    const pending = this.#pending;
    for (const mark of marksOf(pair, pending)) {
      if (!mark.isClosing && this.#isQuoted(mark, this.#thought)) continue;
      if (mark.isClosing) {
        this.#reasoning(pending.slice(0, mark.at));
        this.#close(mark);
      } else {
        this.#depth += 1;
        // A mark at once after the first one is no part of the thought.
        const isFirst = this.#thought === '' && pending.slice(0, mark.at).trim() === '';
        if (!isFirst) this.#reasoning(pending.slice(0, mark.end));
        this.#pending = pending.slice(mark.end);
      }
      return true;
    }
    const at = pending.length - (isEnd ? 0 : openMark(pending));
    this.#reasoning(pending.slice(0, at));
    this.#pending = pending.slice(at);
    return false;
  }

  /** Ends the present thought, or that within it. */
  #close({ end }: MarkPlace): void {
    this.#pending = this.#pending.slice(end);
    this.#depth -= 1;
    this.#state = this.#depth === 0 ? 'start' : 'nested thought';
  }

  /**
   * Text after a thought within a thought. It belongs to the outer one if a closing mark follows;
   * else the outer opening mark was a word of the thought.
   */
  #stepNested(isEnd: boolean, pair: MarkPair): boolean {
    const pending = this.#pending;
    const isText = ({ at }: MarkPlace) => isWithinCode(pending.slice(0, at));
    const closing = balanced(marksOf(pair, pending), isText);
    if (closing !== null) {
      this.#reasoning(pending.slice(0, closing.at));
      this.#close(closing);
      return true;
    }
    if (!isEnd && pending.length < NESTED_CHARS_MAX) return false;
    this.#state = 'start';
    return true;
  }

  /** A thought within the answer. Without its closing mark it is text, so it waits for the mark. */
  #stepInner(isEnd: boolean, pair: MarkPair): boolean {
    const pending = this.#pending;
    const from = markAt(pending, 0)?.end ?? 0;
    const isText = (mark: MarkPlace) => !mark.isClosing && this.#isQuoted(mark, '');
    const mayGoOn = !isEnd && pending.length < INNER_CHARS_MAX;
    let closing = balanced(marksOf(pair, pending, from), isText);
    if (closing === null && mayGoOn) return false;
    closing ??= [...marksOf(pair, pending, from)].find(({ isClosing }) => isClosing) ?? null;
    this.#state = 'text';
    if (closing === null) {
      this.#text(pending.slice(0, from));
      this.#pending = pending.slice(from);
      return true;
    }
    this.#reasoning(pending.slice(from, closing.at));
    this.#pending = pending.slice(closing.end);
    this.#isAfterThought = true;
    return true;
  }

  #stepText(isEnd: boolean): boolean {
    if (this.#isAfterThought) this.#pending = this.#pending.trimStart();
    const pending = this.#pending;
    for (const { index: at } of pending.matchAll(FIRST)) {
      const mark = markAt(pending, at);
      if (mark !== null) this.#hasOpened = true;
      const isTaken = mark !== null && (mark.isThought || (this.#isAfterThought && at === 0));
      if (isTaken && this.#startsLine(at) && !this.#isInCode(at)) {
        this.#text(pending.slice(0, at));
        this.#pending = pending.slice(mark.pair === null ? mark.end : at);
        if (mark.pair === null) this.#isAfterThought = true;
        else this.#open('inner thought', mark.pair);
        return true;
      }
      const end = this.#hasOpened ? null : closingAt(pending, at);
      if (end === null || this.#isQuoted({ at }, this.#said) || this.#isInCode(at)) continue;
      this.#retract(at, end);
      return true;
    }
    const shown = isEnd ? withoutAnswerEnd(pending) : this.#decided();
    this.#text(shown);
    this.#pending = isEnd ? '' : pending.slice(shown.length);
    return false;
  }

  /** The text so far was a thought, of which the opening mark stands in the prompt. */
  #retract(at: number, end: number): void {
    this.#sinks.onRetract();
    this.#thought = '';
    this.#reasoning(this.#said + this.#pending.slice(0, at));
    this.#said = '';
    this.#pending = this.#pending.slice(end);
    this.#hasOpened = true;
    this.#isAfterThought = true;
    this.#state = 'start';
  }

  /** The pending text without its end that may belong to a mark. */
  #decided(): string {
    const pending = this.#pending;
    const text = pending.slice(0, pending.length - openMark(pending));
    return text.slice(0, text.length - openAnswerEnd(text));
  }

  #text(part: string): void {
    if (part === '') return;
    this.#isAfterThought = false;
    this.#said += part;
    this.#sinks.onText(part.toWellFormed());
  }

  /** Blanks before the first word of a thought are left out, so an empty thought is none. */
  #reasoning(part: string): void {
    const shown = this.#thought === '' ? part.trimStart() : part;
    if (shown === '') return;
    this.#thought = shown.slice(-1);
    this.#sinks.onReasoning(shown.toWellFormed());
  }

  #isQuoted({ at }: Pick<MarkPlace, 'at'>, before: string): boolean {
    return /["'`]$/.test(at === 0 ? before.slice(-1) : this.#pending.charAt(at - 1));
  }

  #startsLine(at: number): boolean {
    const before = this.#said + this.#pending.slice(0, at);
    return /(?:^|\n)[ \t]*$/.test(before.slice(-200));
  }

  #isInCode(at: number): boolean {
    return isWithinCode(this.#said + this.#pending.slice(0, at));
  }
}

/** The closing mark of a thought that was opened before these marks. */
function balanced(
  marks: Iterable<MarkPlace>,
  isText: (mark: MarkPlace) => boolean,
): MarkPlace | null {
  let depth = 1;
  for (const mark of marks) {
    if (isText(mark)) continue;
    depth += mark.isClosing ? -1 : 1;
    if (depth === 0) return mark;
  }
  return null;
}

/** The text of a whole answer without its thoughts. */
export function withoutThoughts(answer: string): string {
  let text = '';
  const filter = openThoughtFilter({
    onText(delta) {
      text += delta;
    },
    onReasoning() {},
    onRetract() {
      text = '';
    },
  });
  filter.push(answer);
  filter.end();
  return text;
}

/** Whether the end of `text` is in a fence, or in a line between back ticks. */
function isWithinCode(text: string): boolean {
  const fences = text.match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0;
  if (fences % 2 === 1) return true;
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return (line.match(/`/g)?.length ?? 0) % 2 === 1;
}
