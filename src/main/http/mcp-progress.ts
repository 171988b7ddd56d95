import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../common/clock.ts';
import { lastChars } from '../../common/well-formed.ts';
import type { RunEvent } from '../../runs/events/run-event.ts';
import { CONSOLE_PATH } from './console-route.ts';

// Progress of a call of /mcp. A client may end its wait earlier where it hears nothing.

export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** The longest pause in ms between two notifications of a call. */
export const PROGRESS_MS = 5_000;
/** The end of a model's text that one notification has. */
const TEXT_CHARS_MAX = 500;

/**
 * Sends the progress of one call: its tools as they are called and answer, and in between the text
 * or the time so far. Without a progressToken of the client it sends nothing.
 */
export class CallProgress {
  readonly #extra: Extra;
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #timer: NodeJS.Timeout;
  #progress = 0;
  #text = '';
  #isWaiting = false;

  readonly #runId: string;

  /** @param onBeat called at each interval, also without a progressToken */
  constructor(
    extra: Extra,
    runId: string,
    {
      clock,
      everyMs,
      onBeat,
    }: { readonly clock: Clock; readonly everyMs: number; readonly onBeat: () => void },
  ) {
    this.#extra = extra;
    this.#runId = runId;
    this.#clock = clock;
    this.#startedMs = clock.nowMs();
    this.#timer = setInterval(() => {
      onBeat();
      this.#sendTime();
    }, everyMs);
    this.#timer.unref();
  }

  take(event: RunEvent): void {
    if (event.kind === 'text') this.#text = lastChars(this.#text + event.content, TEXT_CHARS_MAX);
    const message = messageOf(event, this.#runId);
    if (message === null) return;
    this.#isWaiting = event.kind === 'relay';
    this.#send(message);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sendTime(): void {
    const seconds = Math.round((this.#clock.nowMs() - this.#startedMs) / 1_000);
    const state = this.#isWaiting
      ? `Waits for a decision, after ${seconds} s. ${placeOfDecision(this.#runId)}`
      : `Runs, after ${seconds} s.`;
    this.#send(this.#text === '' ? state : this.#text);
    this.#text = '';
  }

  #send(message: string): void {
    const { progressToken } = this.#extra._meta ?? {};
    if (progressToken === undefined) return;
    this.#progress += 1;
    const params = { progressToken, progress: this.#progress, message };
    // A client that went away hears no more.
    this.#extra.sendNotification({ method: 'notifications/progress', params }).catch(() => {});
  }
}

/** Where a person decides a step that waits. */
const placeOfDecision = (runId: string): string =>
  `Decide it in the console at ${CONSOLE_PATH}runs/${runId}, or with: aiden approvals --run ` +
  `${runId}`;

/** A step that waits for a person: its call, the question if there is one, and the place. */
export function waitingText(
  { tool, question }: Extract<RunEvent, { kind: 'relay' }>,
  runId: string,
): string {
  const asks = question === undefined ? '' : ` ${question}`;
  return `${tool} waits for a decision.${asks} ${placeOfDecision(runId)}`;
}

function messageOf(event: RunEvent, runId: string): string | null {
  switch (event.kind) {
    case 'tool_call':
      return `Calls ${event.name}.`;
    case 'tool_result':
      return `${event.name} answered.`;
    case 'relay':
      return waitingText(event, runId);
    default:
      return null;
  }
}
