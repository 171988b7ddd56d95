// The package is CommonJS without named exports.
import proto from '@temporalio/proto';
import { Worker as TemporalWorker } from '@temporalio/worker';
import { DEFECT } from '../../common/tool-fault.ts';

const { ActivityTaskCompletion, workflow_completion } = proto.coresdk;
const { WorkflowActivationCompletion } = workflow_completion;

export interface GuardEvents {
  /** Temporal has taken the result of this activity. */
  settled(taskToken: string): void;
  /** Temporal refused a result; a failure was sent instead. */
  refused(error: unknown, what: 'activity' | 'workflow'): void;
}

/**
 * A Temporal worker that one result cannot end. The core of the SDK refuses a result that it cannot
 * read, for example a text with half of a surrogate pair. The SDK then ends the worker, with all
 * other work on it. Here the activity or the workflow fails for good instead.
 */
export class GuardedWorker extends TemporalWorker {
  guard(events: GuardEvents): void {
    const native = this.nativeWorker;
    const completeActivity = native.completeActivityTask.bind(native);
    const completeWorkflow = native.completeWorkflowActivation.bind(native);
    const finalize = native.finalizeShutdown.bind(native);
    // The SDK calls these by name. They are fields of the object, not methods of its class.
    Object.assign(native, {
      async completeActivityTask(bytes: Buffer): Promise<void> {
        const taskToken = firstField(bytes);
        try {
          await completeActivity(bytes);
        } catch (error) {
          events.refused(error, 'activity');
          await completeActivity(failedActivity(taskToken));
        }
        events.settled(taskToken.toString('base64'));
      },
      async completeWorkflowActivation(bytes: Buffer): Promise<void> {
        try {
          await completeWorkflow(bytes);
        } catch (error) {
          events.refused(error, 'workflow');
          await completeWorkflow(failedWorkflow(firstField(bytes).toString()));
        }
      },
      async finalizeShutdown(): Promise<void> {
        // After an error the core still polls, and refuses another worker of this queue.
        try {
          native.initiateShutdown();
        } catch {
          // It was shut down already.
        }
        // Fails while work is on its way. It would hide the error that ended the worker.
        await finalize().catch(() => {});
      },
    });
  }
}

const FAILURE = {
  message: 'The result could not be sent to Temporal.',
  source: 'TypeScriptSDK',
  applicationFailureInfo: { type: DEFECT, nonRetryable: true },
};

function failedActivity(taskToken: Buffer): Buffer {
  const result = { failed: { failure: FAILURE } };
  return bufferOf(ActivityTaskCompletion.encodeDelimited({ taskToken, result }).finish());
}

/** The record of its run ends later, as that of any run whose workflow is gone. */
function failedWorkflow(runId: string): Buffer {
  const commands = [{ failWorkflowExecution: { failure: FAILURE } }];
  const completion = { runId, successful: { commands } };
  return bufferOf(WorkflowActivationCompletion.encodeDelimited(completion).finish());
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Field 1 of a length-delimited message, the id of its task. Read here: the rest is unreadable. */
function firstField(bytes: Buffer): Buffer {
  let at = 0;
  function varint(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }
  varint();
  const FIELD_1_BYTES = 0x0a;
  if (varint() !== FIELD_1_BYTES) return Buffer.alloc(0);
  const length = varint();
  return bytes.subarray(at, at + length);
}
