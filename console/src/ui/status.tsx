import type {
  CallStatus,
  HealthStatus,
  RunStatus,
  StepStatus,
  WorkerStatus,
} from '../generated/documents.ts';

type Status = RunStatus | StepStatus | HealthStatus | WorkerStatus | CallStatus;
export type Tone = 'ok' | 'bad' | 'busy' | 'wait' | 'hold' | 'idle';

/** The colour and the word of each state, one table for all screens. */
const STATUSES: Readonly<Record<Status, { readonly tone: Tone; readonly label: string }>> = {
  PENDING: { tone: 'idle', label: 'Queued' },
  RUNNING: { tone: 'busy', label: 'Running' },
  WAITING: { tone: 'wait', label: 'Needs approval' },
  PAUSED: { tone: 'hold', label: 'Paused' },
  COMPLETED: { tone: 'ok', label: 'Completed' },
  FAILED: { tone: 'bad', label: 'Failed' },
  TIMED_OUT: { tone: 'bad', label: 'Timed out' },
  CANCELLED: { tone: 'idle', label: 'Cancelled' },
  ABORTED: { tone: 'idle', label: 'Aborted' },
  SKIPPED: { tone: 'idle', label: 'Skipped' },
  HEALTHY: { tone: 'ok', label: 'Healthy' },
  DEGRADED: { tone: 'wait', label: 'Degraded' },
  DOWN: { tone: 'bad', label: 'Down' },
  IDLE: { tone: 'idle', label: 'Idle' },
  BUSY: { tone: 'busy', label: 'Busy' },
  OFFLINE: { tone: 'bad', label: 'Offline' },
};

export function toneOf(status: Status): Tone {
  return STATUSES[status].tone;
}

export function labelOf(status: Status): string {
  return STATUSES[status].label;
}

export function Dot({ status }: { readonly status: Status }) {
  const isLive = status === 'RUNNING' || status === 'BUSY';
  return <span className={`dot tone-${toneOf(status)}${isLive ? ' live' : ''}`} aria-hidden />;
}

/** The health of a Tool or Service; a new one is down for the API until it is checked. */
export function HealthBadge({
  of: { status, enabled, lastHealthCheckAt },
}: {
  readonly of: {
    readonly status: HealthStatus;
    readonly enabled: boolean;
    readonly lastHealthCheckAt?: string | null;
  };
}) {
  return enabled && lastHealthCheckAt == null && status !== 'HEALTHY' ? (
    <span className="status tone-idle">Not checked yet</span>
  ) : (
    <StatusBadge status={status} />
  );
}

export function StatusBadge({ status }: { readonly status: Status }) {
  return (
    <span className={`status tone-${toneOf(status)}`}>
      <Dot status={status} />
      {labelOf(status)}
    </span>
  );
}
