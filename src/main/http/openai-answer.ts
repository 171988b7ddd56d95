import { withEllipsis } from '../../common/ellipsis.ts';
import type { RunEvent } from '../../runs/events/run-event.ts';
import { waitingText } from './mcp-progress.ts';

export type AnswerPiece =
  | { readonly kind: 'content'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string };

/**
 * Turns the events of a run into the text of an answer. A text that a later event voids can't be
 * taken back from a stream, so a blank line follows it.
 */
export class AnswerStream {
  readonly #runId: string;
  readonly #showTools: boolean;
  /** The text since the last one that was voided. */
  #told = '';
  #isBroken = false;

  constructor(runId: string, { showTools }: { readonly showTools: boolean }) {
    this.#runId = runId;
    this.#showTools = showTools;
  }

  pieces(event: RunEvent): AnswerPiece[] {
    switch (event.kind) {
      case 'text':
        return event.runId === this.#runId ? this.#tell(event.content) : [];
      case 'tool_progress':
        if (event.runId === this.#runId && isReset(event.content)) this.#void();
        return [];
      case 'tool_call':
        return this.#note(`${event.name} ${brief(event.input)}\n`);
      case 'tool_result':
        return this.#note(`${event.name} answered: ${brief(event.output)}\n`);
      case 'relay': {
        const asked = waitingText(event, this.#runId);
        this.#void();
        return [...this.#tell(`(${asked})`), ...this.#void()];
      }
      default:
        return [];
    }
  }

  /** The rest of the run's output beside the streamed text. A template may add to it. */
  rest(output: string): AnswerPiece[] {
    if (output === this.#told) return [];
    if (output.startsWith(this.#told)) return this.#tell(output.slice(this.#told.length));
    this.#void();
    return this.#tell(output);
  }

  #tell(text: string): AnswerPiece[] {
    if (text === '') return [];
    const gap = this.#isBroken ? '\n\n' : '';
    this.#isBroken = false;
    this.#told += text;
    return [{ kind: 'content', text: `${gap}${text}` }];
  }

  #void(): AnswerPiece[] {
    if (this.#told !== '') this.#isBroken = true;
    this.#told = '';
    return [];
  }

  #note(text: string): AnswerPiece[] {
    return this.#showTools ? [{ kind: 'reasoning', text }] : [];
  }
}

const isReset = (content: unknown): boolean =>
  typeof content === 'object' && content !== null && 'reset' in content;

const BRIEF_CHARS_MAX = 500;

function brief(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return withEllipsis(text, BRIEF_CHARS_MAX);
}
