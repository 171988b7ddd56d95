import { IconFlask, IconRefresh, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { RunAttemptsQuery } from '../generated/documents.ts';
import { Field } from '../ui/field.tsx';
import { costOf, countOf, plural } from '../ui/format.ts';
import { UnderHeading } from '../ui/heading-level.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Json } from '../ui/json.tsx';
import { labelOf, StatusBadge } from '../ui/status.tsx';
import { Duration, Time } from '../ui/time.tsx';
import { AFTER_FAILURE, CALLS_OF } from '../ui/words.ts';
import { StepWords } from './agent-rounds.tsx';
import { ItemsAtOnce } from './items-at-once.tsx';
import { Output } from './output.tsx';
import { ErrorNotice } from './run-error.tsx';
import { isOpen } from './run-status.ts';
import { Section } from './section.tsx';
import { StepIcon } from './step-icon.tsx';
import { lostItems, type StepRun, type StepView } from './step-view.ts';
import { SubRun } from './sub-run.tsx';
import { attemptPrefix, attemptsOf } from './waits.ts';

type Attempt = NonNullable<RunAttemptsQuery['callGraph']>['nodes'][number];

/** All that is known of one step in a run. */
export function StepPanel({
  runId,
  view,
  itemsAtOnce,
  attempts,
  texts,
  onClose,
  onRetry,
  onTry,
}: {
  readonly runId: string;
  readonly view: StepView;
  /** Items at once, where that was changed in this run. */
  readonly itemsAtOnce: number | undefined;
  readonly attempts: readonly Attempt[];
  readonly texts: ReadonlyMap<string, string>;
  readonly onClose: () => void;
  /** Null: the run has not ended. */
  readonly onRetry: ((keepItems: boolean) => void) | null;
  /** Runs this step alone. */
  readonly onTry: () => void;
}) {
  const { id, defined, runs } = view;
  const [item, setItem] = useState(0);
  const chosen = runs[Math.min(item, runs.length - 1)];
  const target = defined?.target;
  const lost = lostItems(view);
  return (
    <>
      <header className="panel-head">
        <StepIcon step={defined} />
        <div className="col gap-0 grow">
          <h2 className="clip">{id}</h2>
          {target === undefined ? null : (
            <Link
              className="link small clip"
              href={
                target.__typename === 'Tool'
                  ? `/catalog/tools/${target.id}`
                  : `/processes/${target.id}`
              }
            >
              {target.name}
            </Link>
          )}
        </div>
        <IconButton label="Close the step" onClick={onClose}>
          <IconX size={16} className="icon" />
        </IconButton>
      </header>
      <UnderHeading>
        <div className="panel-body col gap-16">
          {defined?.description == null ? null : <p className="dim">{defined.description}</p>}
          {runs.length > 1 ? (
            <Field id="item" label={plural(runs.length, 'item')}>
              <select
                id="item"
                className="input"
                value={item}
                onChange={({ target: { value } }) => setItem(Number(value))}
              >
                {runs.map(({ index, status }, at) => (
                  <option key={index} value={at}>
                    Item {index}: {labelOf(status).toLowerCase()}
                  </option>
                ))}
              </select>
            </Field>
          ) : null}
          {chosen === undefined ? (
            <p className="dim">
              This step has not started.{' '}
              {defined === null ? '' : whyNot(defined.execution.condition)}
            </p>
          ) : (
            <Execution
              runId={runId}
              run={chosen}
              attempts={attempts}
              texts={texts}
              asksModel={
                target?.__typename === 'Tool' && target.operation.__typename === 'LlmCallOperation'
              }
            />
          )}
          {defined === null ? null : (
            <Section title="Defined">
              <dl className="facts">
                <dt>Writes</dt>
                <dd className="mono">{defined.output.variable}</dd>
                {defined.execution.condition == null ? null : (
                  <>
                    <dt>Only if</dt>
                    <dd className="mono">{defined.execution.condition}</dd>
                  </>
                )}
                {defined.execution.forEach == null ? null : (
                  <>
                    <dt>For each</dt>
                    <dd className="mono">{defined.execution.forEach}</dd>
                  </>
                )}
                <dt>If it fails</dt>
                <dd>{AFTER_FAILURE[defined.execution.onFailure]}</dd>
              </dl>
            </Section>
          )}
          {onRetry !== null || defined?.execution.forEach == null ? null : (
            <ItemsAtOnce
              runId={runId}
              stepId={id}
              inForce={itemsAtOnce ?? defined.execution.maxConcurrency}
            />
          )}
          {onRetry === null || chosen === undefined ? null : (
            <div className="col gap-8">
              <div className="row wrap">
                {lost === 0 ? null : (
                  <button type="button" className="button primary" onClick={() => onRetry(true)}>
                    <IconRefresh size={15} className="icon" />
                    Run the {plural(lost, 'failed item')} again
                  </button>
                )}
                <button type="button" className="button" onClick={() => onRetry(false)}>
                  <IconRefresh size={15} className="icon" />
                  Retry from here
                </button>
                <button type="button" className="button" onClick={onTry}>
                  <IconFlask size={15} className="icon" />
                  Run this step alone
                </button>
              </div>
              <p className="small dim">
                A new run begins at this step. The outputs of the steps before it are reused
                {lost === 0 ? '.' : '; those of its items too, unless you take the second button.'}
              </p>
            </div>
          )}
        </div>
      </UnderHeading>
    </>
  );
}

/** A step that waits or was skipped called nothing; one that was cancelled perhaps did. */
function wasCalled(status: StepRun['status'], attempts: number): boolean {
  if (status === 'WAITING' || status === 'PENDING' || status === 'SKIPPED') return false;
  return status !== 'CANCELLED' || attempts > 0;
}

function whyNot(condition: string | null | undefined): string {
  return condition == null
    ? 'It starts when the steps before it have ended.'
    : 'It starts when the steps before it have ended and its condition holds.';
}

function Execution({
  runId,
  run,
  attempts,
  texts,
  asksModel,
}: {
  readonly runId: string;
  readonly run: StepRun;
  readonly asksModel: boolean;
  readonly attempts: readonly Attempt[];
  readonly texts: ReadonlyMap<string, string>;
}) {
  const own = attemptsOf(attempts, runId, run);
  const streamed = texts.get(`${attemptPrefix(runId, run)}${run.attempt}`);
  const { usage, childRun } = run;
  return (
    <>
      <div className="row wrap">
        <StatusBadge status={run.status} />
        {run.cached ? <span className="tag">from the cache</span> : null}
        <span className="dim small">
          <Duration from={run.startedAt} to={run.completedAt} isLive={isOpen(run.status)} />
        </span>
        {usage == null || usage.inputTokens + usage.outputTokens === 0 ? null : (
          <span className="dim small num">
            {countOf(usage.inputTokens)} tokens in, {countOf(usage.outputTokens)} out
          </span>
        )}
        {usage?.costUsd == null ? null : (
          <span className="dim small num">{costOf(usage.costUsd)}</span>
        )}
        {run.worker == null ? null : (
          <span className="tag">Worker for {CALLS_OF[run.worker.type]}</span>
        )}
      </div>
      {run.error == null ? null : <ErrorNotice error={run.error} />}
      {childRun == null ? null : (
        <Section title="Sub-run">
          <SubRun key={childRun.id} run={childRun} />
        </Section>
      )}
      {streamed === undefined || run.status !== 'RUNNING' ? null : (
        <Section title="Words so far">
          <p className="prose streaming">{streamed}</p>
        </Section>
      )}
      {asksModel ? (
        <StepWords
          key={run.id}
          id={run.id}
          isLive={isOpen(run.status)}
          wasCalled={wasCalled(run.status, own.length)}
        />
      ) : null}
      {run.inputs == null ? null : (
        <Section title="Inputs">
          <Json value={run.inputs} />
        </Section>
      )}
      {run.output == null ? null : (
        <Section
          title="Output"
          note={run.outputTruncated ? 'Cut short at a limit of tokens.' : undefined}
        >
          <Output value={run.output} />
        </Section>
      )}
      {own.length === 0 ? null : (
        <Section title={plural(own.length, 'attempt')}>
          <ol className="list boxed">
            {own.map(({ requestId, status, startedAt, completedAt, createdAt, error }) => (
              <li key={requestId} className="attempt">
                <div className="row">
                  <StatusBadge status={status} />
                  <span className="grow faint small">
                    <Time at={startedAt ?? createdAt} />
                  </span>
                  <Duration from={startedAt} to={completedAt} isLive={status === 'RUNNING'} />
                </div>
                {error == null ? null : (
                  <p className="small dim prose">{String(error['message'] ?? error['code'])}</p>
                )}
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}
