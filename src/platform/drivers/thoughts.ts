import { wholeCharacters } from '../../common/well-formed.ts';

/**
 * Marks with which models write their thoughts into their answer, where their server does not part
 * the two: the usual tags, Mistral's, Kimi's, and the channels of gpt-oss.
 */
const MARKS: readonly { readonly open: string; readonly close: string }[] = [
  ...['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'seed:think'].map((name) => ({
    open: `<${name}>`,
    close: `</${name}>`,
  })),
  { open: '[think]', close: '[/think]' },
  { open: '◁think▷', close: '◁/think▷' },
  { open: '<|begin_of_thought|>', close: '<|end_of_thought|>' },
  { open: '<|channel|>analysis<|message|>', close: '<|end|>' },
  { open: '<|channel|>commentary<|message|>', close: '<|end|>' },
];
/** Marks around the answer itself. They are left out. */
const BEFORE_ANSWER = [
  '<|start|>assistant',
  '<|channel|>final<|message|>',
  '<|begin_of_solution|>',
];
const AFTER_ANSWER = /\s*(?:<\|return\|>|<\|end\|>|<\|end_of_solution\|>)\s*$/;
const AFTER_CHARS_MAX = 24;
/** First characters of all marks. */
const FIRST = /[<[◁]/;
/** A longer thought within an answer is text. */
const INNER_CHARS_MAX = 65_536;

const OPENS = MARKS.map(({ open }) => open);
const CLOSES = [...new Set(MARKS.map(({ close }) => close))];

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
  let state: 'start' | 'text' | 'thought' | 'inner thought' = 'start';
  let pending = '';
  let close = '';
  /** Text of the answer so far, to see whether a mark stands in code. */
  let said = '';
  let hadThought = false;
  let isThinking = false;

  const text = (part: string) => {
    if (part === '') return;
    said += part;
    sinks.onText(part.toWellFormed());
  };
  /** Blanks before the first word of a thought are left out, so an empty thought is none. */
  const reasoning = (part: string) => {
    const shown = isThinking ? part : part.trimStart();
    if (shown === '') return;
    isThinking = true;
    sinks.onReasoning(shown.toWellFormed());
  };

  /** Handles what is decided of `pending`. Returns whether a further look may decide more. */
  function step(isEnd: boolean): boolean {
    if (state === 'start') return stepStart(isEnd);
    if (state === 'thought') return stepThought(isEnd);
    if (state === 'inner thought') return stepInner(isEnd);
    return stepText(isEnd);
  }

  function stepStart(isEnd: boolean): boolean {
    const rest = pending.trimStart();
    const low = rest.toLowerCase();
    const before = BEFORE_ANSWER.find((mark) => low.startsWith(mark));
    if (before !== undefined) {
      pending = rest.slice(before.length);
      hadThought = true;
      return true;
    }
    const mark = MARKS.find(({ open }) => low.startsWith(open));
    if (mark !== undefined) {
      close = mark.close;
      pending = rest.slice(mark.open.length);
      hadThought = true;
      isThinking = false;
      state = 'thought';
      return true;
    }
    const mayBeMark = [...OPENS, ...BEFORE_ANSWER].some((one) => one.startsWith(low));
    if (!isEnd && mayBeMark) return false;
    if (rest === '') {
      if (isEnd && !hadThought) text(pending);
      return false;
    }
    // White space after a thought belongs to neither.
    if (hadThought) pending = rest;
    state = 'text';
    return true;
  }

  function stepThought(isEnd: boolean): boolean {
    const at = pending.toLowerCase().indexOf(close);
    if (at >= 0) {
      reasoning(pending.slice(0, at));
      pending = pending.slice(at + close.length);
      state = 'start';
      return true;
    }
    const keep = isEnd ? 0 : openEndOf(pending, [close]);
    reasoning(pending.slice(0, pending.length - keep));
    pending = pending.slice(pending.length - keep);
    return false;
  }

  /** A thought within the answer. Without its closing mark it is text, so it waits for the mark. */
  function stepInner(isEnd: boolean): boolean {
    const open = MARKS.find((mark) => mark.close === close)?.open ?? '';
    const at = pending.toLowerCase().indexOf(close, open.length);
    if (at < 0) {
      if (!isEnd && pending.length < INNER_CHARS_MAX) return false;
      text(pending.slice(0, open.length));
      pending = pending.slice(open.length);
      state = 'text';
      return true;
    }
    isThinking = false;
    reasoning(pending.slice(open.length, at));
    pending = pending.slice(at + close.length).trimStart();
    state = 'text';
    return true;
  }

  function stepText(isEnd: boolean): boolean {
    const low = pending.toLowerCase();
    for (let at = low.search(FIRST); at >= 0 && at < low.length; at++) {
      if (!FIRST.test(low[at] ?? '')) continue;
      const mark = MARKS.find(({ open }) => low.startsWith(open, at));
      if (mark !== undefined && startsLine(at) && !isInCode(pending.slice(0, at))) {
        text(pending.slice(0, at));
        pending = pending.slice(at);
        close = mark.close;
        state = 'inner thought';
        return true;
      }
      const closing = hadThought ? undefined : CLOSES.find((one) => low.startsWith(one, at));
      if (closing === undefined || closing === '<|end|>') continue;
      if (/["'`]/.test((said + pending).charAt(said.length + at - 1))) continue;
      if (isInCode(pending.slice(0, at))) continue;
      sinks.onRetract();
      isThinking = false;
      reasoning(said + pending.slice(0, at));
      said = '';
      pending = pending.slice(at + closing.length);
      hadThought = true;
      state = 'start';
      return true;
    }
    if (isEnd) {
      text(pending.replace(AFTER_ANSWER, ''));
      pending = '';
      return false;
    }
    return emitBefore(pending.length - openEndOf(pending, [...OPENS, ...CLOSES]));
  }

  /** Emits the text before `at`, but not what may belong to a mark after the answer. */
  function emitBefore(at: number): false {
    const tail = pending.slice(0, at).search(/\s*<\|[^\s]{0,20}$/);
    const end = tail >= 0 && at - tail <= AFTER_CHARS_MAX ? tail : at;
    text(pending.slice(0, end));
    pending = pending.slice(end);
    return false;
  }

  function startsLine(at: number): boolean {
    const before = said + pending.slice(0, at);
    return /(?:^|\n)[ \t]*$/.test(before.slice(-200));
  }

  function isInCode(before: string): boolean {
    return isWithinCode(said + before);
  }

  const whole = wholeCharacters((characters) => {
    pending += characters;
  });
  const look = (isEnd: boolean) => {
    while (step(isEnd));
  };
  return {
    push(delta) {
      whole.push(delta);
      look(false);
    },
    end() {
      whole.flush();
      look(true);
      pending = '';
    },
  };
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

/** Length of the end of `text` that may be the beginning of one of the marks. */
function openEndOf(text: string, marks: readonly string[]): number {
  const low = text.toLowerCase();
  const longest = Math.min(low.length, Math.max(...marks.map((mark) => mark.length)) - 1);
  for (let length = longest; length > 0; length--) {
    const end = low.slice(-length);
    if (marks.some((mark) => mark.startsWith(end))) return length;
  }
  return 0;
}

/** Whether the end of `text` is in a fence, or in a line between back ticks. */
function isWithinCode(text: string): boolean {
  const fences = text.match(/^[ \t]*(?:```|~~~)/gm)?.length ?? 0;
  if (fences % 2 === 1) return true;
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return (line.match(/`/g)?.length ?? 0) % 2 === 1;
}
