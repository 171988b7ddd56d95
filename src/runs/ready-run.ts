import type { ProcessRun } from './run.ts';
import type { RunSnapshot } from './snapshot.ts';

/** What has to be known of a pending run to start its workflow. */
export interface ReadyRun {
  readonly run: Pick<
    ProcessRun,
    | 'id'
    | 'ownerId'
    | 'workspace'
    | 'processId'
    | 'processName'
    | 'processVersion'
    | 'snapshotHash'
    | 'rootRunId'
    | 'runPath'
    | 'depth'
    | 'conversationId'
    | 'context'
    | 'timeoutSeconds'
    | 'queuePrefix'
    | 'traceparent'
  > & { readonly isBudgeted: boolean };
  readonly snapshot: RunSnapshot;
}
