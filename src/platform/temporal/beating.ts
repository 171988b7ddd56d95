import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { DEFECT } from '../../common/tool-fault.ts';
import { SUSPICION_ALONE, SUSPICION_AMONG_OTHERS, SUSPICION_MAX } from './executions.ts';

const BEAT_MS = 1_000;
/**
 * A later try waits so long, for its heartbeat to be at Temporal before an activity that ends its
 * process at once does so.
 */
const FIRST_BEAT_MS = 200;
/** A try that beats so near to its timeout is slow. Its process lives. */
const TIMEOUT_LEEWAY_MS = 5_000;
/**
 * Work that goes on so long after its timeout is left behind, or it would keep its place for ever.
 */
const OVERDUE_MS = 1_000;

/** Activities of this process that beat. */
let beatingNow = 0;

/**
 * Does the work of the current activity and sends its heartbeats. Each carries the suspicion that
 * the activity ends its process, as the next try would see it: Temporal keeps the last one, which
 * outlives the process. A try that fails in order clears its activity.
 * @param work `trust`: from now on the loss of this try is counted elsewhere
 * @throws ApplicationFailure DEFECT, final: tries were lost with their processes, two where the
 * activity was alone at work, five among others (docs/decisions/0087)
 */
export async function whileBeating<R>(work: (trust: () => void) => Promise<R>): Promise<R> {
  const context = Context.current();
  const { attempt, startToCloseTimeoutMs } = context.info;
  const before = suspicionOf(context.info);
  if (endsItsProcess(context.info))
    throw ApplicationFailure.create({
      type: DEFECT,
      message: 'This activity ended the process of its Worker more than once.',
      nonRetryable: true,
    });
  const startedMs = performance.now();
  let isTrusted = false;
  const beat = () => {
    const isLate = performance.now() - startedMs > startToCloseTimeoutMs - TIMEOUT_LEEWAY_MS;
    const ifLost = beatingNow === 1 ? SUSPICION_ALONE : SUSPICION_AMONG_OTHERS;
    context.heartbeat(before + (isTrusted || isLate ? 0 : ifLost));
  };
  beatingNow += 1;
  const timer = setInterval(beat, BEAT_MS);
  const abandoned = Promise.withResolvers<never>();
  const overdue = setTimeout(
    () =>
      abandoned.reject(new Error('The activity went on beyond its timeout; it is left behind.')),
    startToCloseTimeoutMs + OVERDUE_MS,
  );
  try {
    // A first try beats only when it takes longer: most end sooner.
    if (attempt > 1) {
      beat();
      await sleep(FIRST_BEAT_MS);
    }
    const trust = () => {
      isTrusted = true;
    };
    return await Promise.race([work(trust), abandoned.promise]);
  } catch (error) {
    context.heartbeat(0);
    throw error;
  } finally {
    clearInterval(timer);
    clearTimeout(overdue);
    beatingNow -= 1;
  }
}

/** Whether whileBeating fails this activity for good. */
export function endsItsProcess(info: Context['info']): boolean {
  return suspicionOf(info) >= SUSPICION_MAX;
}

/**
 * A try that failed in order has left a 0, so a try that left nothing was lost before its first
 * beat.
 */
function suspicionOf({ attempt, heartbeatDetails }: Context['info']): number {
  if (typeof heartbeatDetails === 'number') return heartbeatDetails;
  return attempt > 1 ? SUSPICION_ALONE : 0;
}
