import { ToolFault, type Usage } from '../../src/common/tool-fault.ts';

/** The longest time that work may take. */
export interface TimeLimit {
  readonly ms: number;
  /** Makes the error of work that was stopped. @param usage tokens and cost of the work so far */
  fault(usage: Usage | null): Error;
}

// A driver that ignores its abort signal is left behind after this time, so that the step ends.
const ABORT_GRACE_MS = 1_500;
/** A timer that is later than this was held up by other work, and so were the sockets. */
const LATE_MS = 5;
/** An answer that came while this process was busy is read within this time. */
const READ_MS = 50;

/**
 * Runs `work`, which has to end when its signal aborts: at the limit, or when `cancellation`
 * aborts. An answer that came before the limit counts, also where this process was too busy to
 * read it until then.
 * @throws the limit's fault; ToolFault CANCELLED
 */
export async function runWithin<T>(
  cancellation: AbortSignal,
  limit: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const abort = new AbortController();
  let fault: TimeLimit['fault'] | null = null;
  let timer: NodeJS.Timeout | undefined;
  let graceTimer: NodeJS.Timeout | undefined;
  const abandoned = Promise.withResolvers<never>();
  abandoned.promise.catch(() => {});

  const stop = (reason: TimeLimit['fault']) => {
    if (fault !== null) return;
    fault = reason;
    abort.abort();
    graceTimer = setTimeout(() => abandoned.reject(reason(null)), ABORT_GRACE_MS);
  };
  const dueMs = performance.now() + limit.ms;
  const atLimit = () => {
    // Node runs late timers before it reads the sockets.
    const isLate = performance.now() - dueMs > LATE_MS;
    if (isLate) timer = setTimeout(() => stop(limit.fault), READ_MS);
    else stop(limit.fault);
  };

  timer = setTimeout(atLimit, limit.ms);
  const onCancel = () => stop(cancelled);
  if (cancellation.aborted) onCancel();
  else cancellation.addEventListener('abort', onCancel, { once: true });
  try {
    return await Promise.race([work(abort.signal), abandoned.promise]);
  } catch (error) {
    if (fault !== null) throw stoppedBy(fault, error);
    throw error;
  } finally {
    clearTimeout(timer);
    clearTimeout(graceTimer);
    cancellation.removeEventListener('abort', onCancel);
  }
}

const stoppedBy = (fault: TimeLimit['fault'], error: unknown): Error =>
  fault(error instanceof ToolFault ? error.usage : null);

const cancelled = (usage: Usage | null): Error =>
  new ToolFault('CANCELLED', 'The run was cancelled.', { usage });
