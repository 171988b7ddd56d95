import { IconExternalLink } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import { type RunStateFragment, SubRunDocument } from '../generated/documents.ts';
import { Fault, Loading } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status.tsx';
import { Duration } from '../ui/time.tsx';
import { Output } from './output.tsx';
import { ErrorNotice } from './run-error.tsx';
import { isOpen } from './run-status.ts';
import type { StepRun } from './step-view.ts';

/** Steps drawn at once; more would keep the page busy. The page of the run lists all of them. */
const STEPS_SHOWN_MAX = 100;
/** Interval in ms at which the steps of a running sub-run are read. */
const LIVE_MS = 2_000;

/** A run below a step. Its steps are read when it opens, and again while it runs. */
export function SubRun({ run }: { readonly run: NonNullable<StepRun['childRun']> }) {
  const [isShown, setShown] = useState(false);
  return (
    <details className="sub-run" onToggle={({ currentTarget: { open } }) => setShown(open)}>
      <summary className="row">
        <StatusBadge status={run.status} />
        <span className="grow clip">{run.processName}</span>
        <span className="dim small">
          <Duration from={run.createdAt} to={run.completedAt} isLive={isOpen(run.status)} />
        </span>
      </summary>
      {isShown ? <SubRunSteps id={run.id} isLive={isOpen(run.status)} /> : null}
    </details>
  );
}

function SubRunSteps({ id, isLive }: { readonly id: string; readonly isLive: boolean }) {
  // Not a subscription: a browser opens six connections to a host, and many runs may be open here.
  const [{ data, error }, again] = useLiveQuery({
    query: SubRunDocument,
    variables: { id },
    everyMs: isLive ? LIVE_MS : 0,
  });
  const read = useRef(again);
  read.current = again;
  const wasLive = useRef(isLive);
  // The page's stream may say that the run ended before its last steps were read.
  useEffect(() => {
    if (wasLive.current && !isLive) read.current();
    wasLive.current = isLive;
  }, [isLive]);
  const run = data?.processRun;
  if (run == null)
    return error !== undefined ? (
      <Fault error={error} onRetry={again} />
    ) : data === undefined ? (
      <Loading rows={2} />
    ) : (
      <p className="dim small sub-run-body">
        The record of this run is gone: its retention is over.
      </p>
    );
  return <Steps run={run} />;
}

function Steps({ run: { id, status, steps, error } }: { readonly run: RunStateFragment }) {
  return (
    <div className="col gap-4 sub-run-body">
      {error == null || error.stepId != null ? null : <ErrorNotice error={error} />}
      {steps.length === 0 ? (
        <p className="dim small">
          {isOpen(status) ? 'No step has started yet.' : 'No step was started.'}
        </p>
      ) : (
        <ol className="list">
          {steps.slice(0, STEPS_SHOWN_MAX).map((step) => (
            <li key={step.id}>
              <SubStep step={step} />
            </li>
          ))}
        </ol>
      )}
      <Link href={`/runs/${id}`} className="link small row gap-4">
        {steps.length > STEPS_SHOWN_MAX
          ? `Open the run with all ${steps.length} steps`
          : 'Open the run'}
        <IconExternalLink size={14} className="icon" />
      </Link>
    </div>
  );
}

function SubStep({ step }: { readonly step: StepRun }) {
  const { stepId, index, status, startedAt, completedAt, error, output, childRun } = step;
  return (
    <details className="small">
      <summary className="row">
        <StatusBadge status={status} />
        <span className="mono clip grow">
          {stepId}
          {index == null ? '' : ` (item ${index})`}
        </span>
        <Duration from={startedAt} to={completedAt} isLive={isOpen(status)} />
      </summary>
      <div className="col gap-4 sub-run-body">
        {error == null ? null : <ErrorNotice error={error} />}
        {output == null ? (
          error == null && childRun == null ? (
            <p className="dim small">It has no output{isOpen(status) ? ' yet' : ''}.</p>
          ) : null
        ) : (
          <>
            <Output value={output} />
            {step.outputTruncated ? (
              <p className="faint small">Cut short at a limit of tokens.</p>
            ) : null}
          </>
        )}
        {childRun == null ? null : <SubRun run={childRun} />}
      </div>
    </details>
  );
}
