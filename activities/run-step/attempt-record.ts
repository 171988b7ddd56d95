import { setTimeout as sleep } from 'node:timers/promises';
import { instant } from '../../src/common/clock.ts';
import type { OutboxEntry } from '../../src/outbox/entry.ts';
import type { AttemptEnd, StepWrite } from '../../src/runs/attempts/attempt.cypher.ts';
import type { Unaffordable, Written } from '../../src/runs/attempts/step-records.service.ts';
import { type EntryValue, runEntry } from '../../src/runs/events/run-entry.ts';
import type { RunContext } from '../deps.ts';
import { isInfrastructure, lostFailure } from '../failure.ts';
import { estimateCall } from './call-estimate.ts';
import { modelOf } from './model-of.ts';
import type { StepJob } from './step-job.ts';

/**
 * A call that may be repeated and ends sooner is recorded once, with its start and its end. The
 * start of a longer one is recorded while it is at work.
 */
const LATE_START_MS = 200;

/** The record of one attempt: its start, and its end. */
export class AttemptRecord {
  readonly attempt: number;
  readonly #deps: RunContext;
  readonly #job: StepJob;
  readonly #start: StepWrite;
  readonly #trust: () => void;
  #begun: Promise<Written | Unaffordable> | null = null;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param start the write of the start
   * @param trust called when the record counts the attempt, so that its loss is known
   */
  constructor(deps: RunContext, job: StepJob, start: StepWrite, trust: () => void) {
    this.attempt = start.attempt;
    this.#deps = deps;
    this.#job = job;
    this.#start = start;
    this.#trust = trust;
    // Another activity has recorded the start, and its worker was lost.
    if (start.start === null) this.#begun = Promise.resolve('done');
  }

  /** Records the start, once. `changed`: another attempt took the step over, or the run is over. */
  begin(): Promise<Written | Unaffordable> {
    clearTimeout(this.#timer);
    this.#begun ??= this.#write();
    return this.#begun;
  }

  /** Records the start when the attempt has not ended after LATE_START_MS. */
  beginLate(): void {
    // The end waits for the start, and fails as the start does.
    this.#timer = setTimeout(() => void this.begin().catch(() => {}), LATE_START_MS);
  }

  /**
   * Records the end, with the start where that is not recorded.
   * @throws INFRASTRUCTURE where another attempt has taken the step over; nothing is written
   */
  async end(end: AttemptEnd, output: EntryValue): Promise<void> {
    clearTimeout(this.#timer);
    const { steps, wake, clock } = this.#deps;
    const entry = this.#endedEntry(end, output);
    const now = instant(clock);
    const entries = [...(this.#begun === null ? this.#start.entries : []), entry];
    const write: StepWrite =
      this.#begun === null
        ? { ...this.#start, end, entries, now }
        : {
            ...this.#start,
            from: { ...this.#start.from, status: 'running', attempt: this.attempt },
            ...{ start: null, end, entries, now },
          };
    if (this.#begun !== null && (await this.#begun) !== 'done') throw lostFailure();
    const isReserved = isBudgetedCall(this.#job);
    const cost = this.#start.start === null ? 'reserved' : 'used';
    const written = await retryWrite(() =>
      isReserved ? steps.settle(write, cost) : steps.write(write),
    );
    wake();
    if (written !== 'done') throw lostFailure();
  }

  #endedEntry(end: AttemptEnd, output: EntryValue): OutboxEntry {
    const { call, tool, workerId, startedAt, speaks } = this.#job;
    const { run, stepId, index } = call;
    const willRetry = end.status === 'pending';
    return runEntry(this.#deps, run, 'step.ended', {
      stepId,
      index,
      attempt: this.attempt,
      output,
      willRetry,
      name: tool.name,
      type: tool.operation.type,
      targetId: tool.id,
      status: willRetry ? 'failed' : end.status,
      outputTruncated: end.outputTruncated,
      error: end.error,
      usage: end.usage,
      cached: end.cached,
      speaks,
      childRunId: null,
      call: {
        targetId: tool.id,
        serviceId: tool.serviceId,
        processId: run.processId,
        workerId,
        startedAt,
      },
      model: modelOf(tool),
    });
  }

  async #write(): Promise<Written | Unaffordable> {
    const { steps, wake } = this.#deps;
    const job = this.#job;
    const reserves = isBudgetedCall(job) && job.invalid === null;
    const written = await (reserves
      ? steps.reserve(this.#start, estimateCall(job))
      : steps.write(this.#start));
    if (written === 'done') {
      this.#trust();
      wake();
    }
    return written;
  }
}

/** Whether the call's cost is reserved from a budget and settled after it. */
const isBudgetedCall = ({ call, tool }: StepJob): boolean =>
  call.run.budgeted && tool.operation.type === 'llm_call';

// A lost write loses the Tool's answer, so this retries for 3 s more than the driver of Neo4j does.
const WRITE_TRIES = 4;
const WRITE_RETRY_MS = 1_000;

async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (!isInfrastructure(error) || tries === WRITE_TRIES) throw error;
      await sleep(WRITE_RETRY_MS);
    }
  }
}
