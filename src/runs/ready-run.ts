import type { ProcessRun } from './run.ts';
import type { RunSnapshot } from './snapshot.ts';

/** What of a run is settled when it is asked for, and never changes. */
export type RunOrigin = Pick<
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
  | 'timeoutSeconds'
  | 'queuePrefix'
  | 'traceparent'
>;

/** What has to be known of a pending run to start its workflow. */
export interface ReadyRun {
  readonly run: RunOrigin & Pick<ProcessRun, 'context'> & { readonly isBudgeted: boolean };
  readonly snapshot: RunSnapshot;
}
