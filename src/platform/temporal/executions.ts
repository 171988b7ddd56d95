import { Context } from '@temporalio/activity';
import {
  ApplicationFailure,
  DefaultFailureConverter,
  defaultPayloadConverter,
} from '@temporalio/common';
// The package is CommonJS without named exports.
import proto from '@temporalio/proto';
import { LRUCache } from 'lru-cache';
import { DEFECT } from '../../common/tool-fault.ts';

/** Activities that were at work when their worker ended, at most; the oldest is forgotten first. */
const SUSPECTS_MAX = 10_000;
/** An activity that ended its worker twice fails for good. */
export const SUSPICION_MAX = 1;
/** The suspicion of an activity that was alone at work when its worker ended. */
export const SUSPICION_ALONE = 0.5;
/**
 * The suspicion of each activity where several were at work: one of them is at fault. An activity
 * that is not at fault has to be at work in five ends to be taken for it.
 */
export const SUSPICION_AMONG_OTHERS = 0.2;

/**
 * The activities at work on the workers of one task queue. Where such a worker ends, they are
 * suspected of having ended it, and an activity that has done so twice is not executed again: it
 * fails by a defect, which its run records.
 */
export class Executions {
  /** By task token: the activity. It stays until Temporal has taken its result. */
  readonly #atWork = new Map<string, string>();
  readonly #suspicion = new LRUCache<string, number>({ max: SUSPECTS_MAX });

  /** The activities of a worker, each watched while it is at work. */
  watched(activities: object): object {
    return Object.fromEntries(
      Object.entries(activities).map(([name, activity]) => [
        name,
        typeof activity === 'function' ? this.#watch(name, activity.bind(activities)) : activity,
      ]),
    );
  }

  /** Temporal has taken the result. */
  settled(taskToken: string): void {
    this.#atWork.delete(taskToken);
  }

  /** @returns the activities that were at work */
  workerEnded(): string[] {
    const suspects = [...this.#atWork.values()];
    this.#atWork.clear();
    const added = suspects.length === 1 ? SUSPICION_ALONE : SUSPICION_AMONG_OTHERS;
    for (const key of suspects) this.#suspicion.set(key, this.suspicionOf(key) + added);
    return suspects;
  }

  suspicionOf(key: string): number {
    return this.#suspicion.get(key) ?? 0;
  }

  #watch<Args extends unknown[], R>(name: string, activity: (...args: Args) => Promise<R>) {
    return async (...args: Args): Promise<R> => {
      const { workflowExecution, activityId, base64TaskToken } = Context.current().info;
      const { workflowId = '', runId = '' } = workflowExecution ?? {};
      const key = `${name} ${workflowId}/${runId}/${activityId}`;
      if (this.suspicionOf(key) >= SUSPICION_MAX)
        throw ApplicationFailure.create({
          type: DEFECT,
          message: 'This activity ended its Temporal worker more than once.',
          nonRetryable: true,
        });
      this.#atWork.set(base64TaskToken, key);
      try {
        return await activity(...args);
      } catch (error) {
        throw sendable(error);
      }
    };
  }
}

const { Failure } = proto.temporal.api.failure.v1;
const converter = new DefaultFailureConverter();

/** The error itself; a defect where the SDK cannot convert it, which would end the worker. */
function sendable(error: unknown): unknown {
  try {
    Failure.encode(converter.errorToFailure(error, defaultPayloadConverter)).finish();
    return error;
  } catch (cause) {
    return ApplicationFailure.create({
      type: DEFECT,
      message: `The failure of this activity cannot be sent to Temporal: ${messageOf(cause)}`,
      nonRetryable: true,
    });
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.toWellFormed() : 'it is no error.';
