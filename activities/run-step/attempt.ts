import { Context } from '@temporalio/activity';
import { CancelledFailure } from '@temporalio/common';
import type { Json } from '../../src/common/json.ts';
import { ToolFault, type Usage } from '../../src/common/tool-fault.ts';

export interface AttemptEnd {
  readonly output: Json;
  readonly usage: Usage;
  readonly truncated: boolean;
}

/** One attempt as Temporal sees it: alive as long as it beats, ended by cancel, by its own timeout, or by the worker's end. */
export interface Attempt {
  /** Runs `work`, which has to end when `signal` aborts. @throws ToolFault STEP_TIMEOUT after `timeoutMs`, CANCELLED on cancel. */
  within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  wasShutDown(): boolean;
  close(): void;
}

// The answer to a heartbeat brings the cancel, and a cancel has to reach the Tool within 2 s. Steps that end sooner never beat.
const BEAT_MS = 1_000;
// A driver that does not let go after an abort is left behind: the step may not hang on it.
const LET_GO_MS = 1_500;

export function watchAttempt(): Attempt {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), BEAT_MS);
  const { cancellationSignal } = context;
  const wasShutDown = () =>
    cancellationSignal.reason instanceof CancelledFailure &&
    cancellationSignal.reason.message === 'WORKER_SHUTDOWN';

  return {
    wasShutDown,
    close: () => clearInterval(beat),
    async within(timeoutMs, work) {
      const abort = new AbortController();
      let why: 'timeout' | 'cancel' | null = null;
      let leave: (fault: ToolFault) => void = () => {};
      const left = new Promise<never>((_resolve, reject) => {
        leave = reject;
      });
      left.catch(() => {});
      const faultOf = (usage: Usage | null) =>
        why === 'timeout'
          ? new ToolFault(
              'STEP_TIMEOUT',
              `The step took longer than its timeout of ${timeoutMs / 1_000} s and was stopped.`,
              {
                retryable: true,
                usage,
              },
            )
          : new ToolFault('CANCELLED', 'The run was cancelled.', { usage });
      const stop = (reason: 'timeout' | 'cancel') => {
        if (why !== null) return;
        why = reason;
        abort.abort();
        letGo = setTimeout(() => leave(faultOf(null)), LET_GO_MS);
      };
      let letGo: NodeJS.Timeout | undefined;
      const timer = setTimeout(() => stop('timeout'), timeoutMs);
      const onCancel = () => stop('cancel');
      if (cancellationSignal.aborted) onCancel();
      else cancellationSignal.addEventListener('abort', onCancel, { once: true });
      try {
        const result = await Promise.race([work(abort.signal), left]);
        return result;
      } catch (error) {
        if (why !== null) throw faultOf(error instanceof ToolFault ? error.usage : null);
        throw error;
      } finally {
        clearTimeout(timer);
        clearTimeout(letGo);
        cancellationSignal.removeEventListener('abort', onCancel);
      }
    },
  };
}
