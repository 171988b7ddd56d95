import {
  IconArrowBackUp,
  IconExternalLink,
  IconMessages,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconSearchOff,
} from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from 'react';
import { useQuery, useSubscription } from 'urql';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import { usePageVisible } from '../api/use-page-visible.ts';
import {
  CancelRunDocument,
  PauseRunDocument,
  ResumeRunDocument,
  RetryRunDocument,
  RunApprovalsDocument,
  RunAttemptsDocument,
  RunChangesDocument,
  RunDefinitionDocument,
  RunDocument,
  type RunQuery,
  TryStepDocument,
} from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { costOf, countOf, plural } from '../ui/format.ts';
import { Json } from '../ui/json.tsx';
import { Page } from '../ui/page.tsx';
import { triedProcess } from '../ui/process-draft.ts';
import { Empty, Loading, Problems, Unread } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Duration, Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { Waiting } from '../ui/working.tsx';
import { ApprovalCard } from './approval-card.tsx';
import { CallList } from './call-list.tsx';
import { EventList } from './event-list.tsx';
import { Output } from './output.tsx';
import { ErrorNotice } from './run-error.tsx';
import { RunGraph } from './run-graph.tsx';
import { isOpen } from './run-status.ts';
import { Section } from './section.tsx';
import { StepPanel } from './step-panel.tsx';
import { lostItems, type StepView, stepViews } from './step-view.ts';
import { Timeline } from './timeline.tsx';
import { useRunEvents } from './use-run-events.ts';

const StartRun = lazy(async () => ({ default: (await import('./start-run.tsx')).StartRun }));

type Run = NonNullable<RunQuery['processRun']>;

export function RunPage({ id }: { readonly id: string }) {
  const [{ data, error }, again] = useLiveQuery({ query: RunDocument, variables: { id } });
  const run = data?.processRun;
  if (run == null) {
    return (
      <Page title="Run" crumbs={[{ label: 'Runs', to: '/runs' }]}>
        {data !== undefined || isBadId(error) ? (
          <Empty
            icon={<IconSearchOff size={28} className="icon" stroke={1.5} />}
            title="No such run"
            actions={
              <Link href="/runs" className="button">
                All runs
              </Link>
            }
          >
            Nothing has the id <code>{id}</code>, it belongs to another user, or its retention is
            over.
          </Empty>
        ) : (
          <Unread rows={10} error={error} onRetry={again} />
        )}
      </Page>
    );
  }
  return <LoadedRun run={run} />;
}

function isBadId(
  error: { readonly graphQLErrors: readonly { extensions: Record<string, unknown> }[] } | undefined,
) {
  return error?.graphQLErrors[0]?.extensions['code'] === 'BAD_USER_INPUT';
}

const NO_ATTEMPTS: [] = [];
/** The calls of a run that ended longer ago are recorded, or are not kept any more. */
const FRESH_MS = 60_000;
const msSince = (at: string | null) => Date.now() - Date.parse(at ?? '');
const VIEWS = ['timeline', 'calls', 'events'] as const;
type View = (typeof VIEWS)[number];

function LoadedRun({ run }: { readonly run: Run }) {
  const [search, setSearch] = useSearchParams();
  const isVisible = usePageVisible();
  const isLive = isOpen(run.status);
  useSubscription({
    query: RunChangesDocument,
    variables: { id: run.id },
    pause: !isLive || !isVisible,
  });
  const [{ data: definition }] = useQuery({
    query: RunDefinitionDocument,
    variables: { id: run.process?.id ?? '', version: run.processVersion },
    pause: run.process == null,
  });
  const waits = run.steps.filter(({ status }) => status === 'WAITING').length;
  const [{ data: approvals }, askApprovals] = useLiveQuery({
    query: RunApprovalsDocument,
    variables: { runId: run.id },
    everyMs: isLive ? 2_000 : 0,
    pause: !isLive && waits === 0,
  });
  const chosen = search.get('step');
  const asked = search.get('view');
  const view = VIEWS.find((one) => one === asked) ?? 'timeline';
  const [isFresh] = useState(() => isLive || msSince(run.completedAt) < FRESH_MS);
  const [isRecorded, setRecorded] = useState(false);
  const [{ data: calls }] = useLiveQuery({
    query: RunAttemptsDocument,
    variables: { requestId: run.id },
    // The calls of a run are recorded a little after its end.
    everyMs: isLive || (isFresh && !isRecorded) ? 2_000 : 0,
    // The timeline shows the pauses between attempts.
    pause: chosen === null && view !== 'calls' && !run.steps.some(({ attempt }) => attempt > 1),
  });
  const own = calls?.callGraph?.nodes.find(({ requestId }) => requestId === run.id);
  if (!isLive && !isRecorded && own?.completedAt != null) setRecorded(true);
  const { events, texts, isReconnecting, fault } = useRunEvents(
    run.id,
    !isLive && view !== 'events',
  );
  const steps = definition?.process?.steps;
  const views = useMemo(() => stepViews(steps ?? [], run.steps), [steps, run.steps]);
  const chosenView = views.find((one) => one.id === chosen) ?? null;
  const failedView = views.find(({ id: stepId }) => stepId === run.error?.stepId);
  const actions = useRunActions(run, failedView === undefined ? 0 : lostItems(failedView));

  const setLater = useRef(setSearch);
  setLater.current = setSearch;
  // The same function at each drawing, so that the graph and the timeline are drawn for new data
  // only.
  const set = useCallback(
    (name: string, value: string | null) =>
      setLater.current(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === null) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [],
  );
  const choose = useCallback((stepId: string | null) => set('step', stepId), [set]);
  const waiting = isLive ? (approvals?.approvals.nodes ?? []) : [];

  return (
    <Page
      title={run.processName}
      crumbs={[
        { label: 'Runs', to: '/runs' },
        ...(run.parentRun == null
          ? []
          : [{ label: run.parentRun.processName, to: `/runs/${run.parentRun.id}` }]),
      ]}
      meta={
        <div className="row wrap gap-12 small dim">
          <StatusBadge status={run.status} />
          <Link
            href={run.process == null ? '/processes' : `/processes/${run.process.id}`}
            className="link"
          >
            v{run.processVersion}
          </Link>
          <Duration
            from={run.startedAt ?? run.createdAt}
            to={run.completedAt}
            isLive={isOpen(run.status)}
          />
          <span className="hide-small num">
            {countOf(run.usage.inputTokens + run.usage.outputTokens)} tokens
            {run.usage.costUsd == null ? '' : `, ${costOf(run.usage.costUsd)}`}
          </span>
        </div>
      }
      actions={
        <>
          {actions.buttons}
          <CopyMenu
            document={RunDocument}
            variables={{ id: run.id }}
            cli={`npx aiden query '{ processRun(id: "${run.id}") { status output } }'`}
          />
        </>
      }
    >
      <div className="run">
        <div className="run-main">
          <section className="run-graph" aria-label="Graph of the steps">
            {steps === undefined ? (
              run.process == null ? (
                <p className="dim small timeline-empty">
                  The Process was deleted. Its steps are listed below as they ran.
                </p>
              ) : (
                <Loading rows={3} />
              )
            ) : (
              <RunGraph steps={steps} views={views} chosen={chosen} onChoose={choose} />
            )}
          </section>
          <Tabs<View>
            label="Record of the run"
            tabs={[
              { id: 'timeline', label: 'Timeline', count: run.steps.length },
              { id: 'calls', label: 'Calls' },
              {
                id: 'events',
                label: 'Events',
                ...(events.length > 0 ? { count: events.length } : {}),
              },
            ]}
            chosen={view}
            onChoose={(next) => set('view', next === 'timeline' ? null : next)}
            end={
              isReconnecting ? <span className="small faint tabs-end">Reconnecting …</span> : null
            }
          />
          <div className="run-record">
            {view === 'timeline' ? (
              <Timeline
                views={views}
                run={run}
                attempts={calls?.callGraph?.nodes ?? NO_ATTEMPTS}
                chosen={chosen}
                onChoose={choose}
              />
            ) : view === 'calls' ? (
              <CallList graph={calls?.callGraph} />
            ) : (
              <EventList events={events} fault={fault} />
            )}
          </div>
        </div>
        <aside className="panel" aria-label={chosenView === null ? 'The run' : `Step ${chosen}`}>
          {waiting.length === 0 ? null : (
            <div className="panel-body col gap-12">
              {waiting.map((approval) => (
                <ApprovalCard
                  key={`${approval.run.id} ${approval.stepId} ${approval.index}`}
                  approval={approval}
                  onResolved={askApprovals}
                />
              ))}
            </div>
          )}
          {chosenView === null ? (
            <RunSummary run={run} views={views} onStep={choose} problems={actions.problems} />
          ) : (
            <StepPanel
              key={chosenView.id}
              runId={run.id}
              view={chosenView}
              itemsAtOnce={
                run.stepConcurrency.find(({ stepId }) => stepId === chosenView.id)?.maxConcurrency
              }
              attempts={calls?.callGraph?.nodes ?? NO_ATTEMPTS}
              texts={texts}
              onClose={() => choose(null)}
              onRetry={
                isOpen(run.status)
                  ? null
                  : (keepItems) => void actions.retry(chosenView.id, keepItems)
              }
              onTry={() => void actions.tryStep(chosenView.id)}
            />
          )}
        </aside>
      </div>
      {actions.dialog}
    </Page>
  );
}

/** @param lost the items of the failed step that a retry calls again; 0: all of the step */
function useRunActions(run: Run, lost: number) {
  const [, go] = useLocation();
  const [isStarting, setStarting] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const cancel = useChange(CancelRunDocument);
  const stop = async () => {
    await cancel.send({ input: { id: run.id, reason: 'Cancelled in the console' } });
    setAsking(false);
  };
  const pause = useChange(PauseRunDocument);
  const resume = useChange(ResumeRunDocument);
  const retrying = useChange(RetryRunDocument);
  const retry = async (fromStepId: string | null, keepItems: boolean) => {
    const done = await retrying.send({ input: { runId: run.id, fromStepId, keepItems } });
    const id = done?.retryProcessRun.run?.id;
    if (id === undefined) return;
    notify(fromStepId === null ? 'Started it again.' : `Started again from ${fromStepId}.`);
    go(`/runs/${id}`);
  };
  const trying = useChange(TryStepDocument);
  const tryStep = async (stepId: string) => {
    const done = await trying.send({ input: { runId: run.id, stepId } });
    const id = done?.tryStep.run?.id;
    if (id === undefined) return;
    notify(`Started ${stepId} alone, with the values of the run before.`);
    go(`/runs/${id}`);
  };
  const hasFailed = run.status !== 'COMPLETED' && !isOpen(run.status);
  const buttons = isOpen(run.status) ? (
    <>
      {run.status === 'PAUSED' ? (
        <button
          type="button"
          className="button"
          aria-busy={resume.isSending}
          disabled={resume.isSending}
          onClick={() => void resume.send({ input: { id: run.id } })}
        >
          <IconPlayerPlay size={15} className="icon" />
          Resume
        </button>
      ) : (
        <button
          type="button"
          className="button"
          aria-busy={pause.isSending}
          disabled={pause.isSending}
          onClick={() => void pause.send({ input: { id: run.id } })}
        >
          <IconPlayerPause size={15} className="icon" />
          Pause
        </button>
      )}
      <button
        type="button"
        className="button danger"
        aria-busy={cancel.isSending}
        disabled={cancel.isSending}
        onClick={() => setAsking(true)}
      >
        <IconPlayerStop size={15} className="icon" />
        Cancel
      </button>
      <Dialog
        title="Cancel this run?"
        note="Its steps are stopped and it can't go on. Retry starts it again as another run."
        isOpen={isAsking}
        onClose={() => setAsking(false)}
      >
        <div className="row">
          <button
            type="button"
            className="button danger"
            aria-busy={cancel.isSending}
            disabled={cancel.isSending}
            onClick={() => void stop()}
          >
            Cancel the run
          </button>
          <button type="button" className="button plain" onClick={() => setAsking(false)}>
            Let it go on
          </button>
        </div>
      </Dialog>
    </>
  ) : (
    <>
      {hasFailed ? (
        <button
          type="button"
          className="button primary"
          aria-busy={retrying.isSending}
          disabled={retrying.isSending}
          onClick={() => void retry(run.error?.stepId ?? null, lost > 0)}
        >
          <IconRefresh size={15} className="icon" />
          {lost > 0
            ? `Run the ${plural(lost, 'failed item')} again`
            : run.error?.stepId == null
              ? 'Retry'
              : `Retry from ${run.error.stepId}`}
        </button>
      ) : null}
      {run.process == null ? null : (
        <button type="button" className="button" onClick={() => setStarting(true)}>
          <IconArrowBackUp size={15} className="icon" />
          Run again
        </button>
      )}
    </>
  );
  return {
    retry,
    tryStep,
    buttons,
    problems: [cancel, pause, resume, retrying, trying].flatMap(({ problems }) => problems),
    dialog:
      isStarting && run.process != null ? (
        <Suspense fallback={<Waiting />}>
          <StartRun
            processId={run.process.id}
            context={run.context}
            onClose={() => setStarting(false)}
          />
        </Suspense>
      ) : null,
  };
}

/** The editor of the Process with the values of a run beside its steps. */
function editorOf(processId: string, { id, error }: Run): string {
  const search = new URLSearchParams({ run: id });
  if (error?.stepId != null) search.set('step', error.stepId);
  return `/processes/${triedProcess(processId)}?${search}`;
}

function RunSummary({
  run,
  views,
  onStep,
  problems,
}: {
  readonly run: Run;
  readonly views: readonly StepView[];
  readonly onStep: (stepId: string) => void;
  readonly problems: Parameters<typeof Problems>[0]['problems'];
}) {
  return (
    <div className="panel-body col gap-16">
      <Problems problems={problems} />
      {run.error == null ? null : (
        <ErrorNotice
          error={run.error}
          onStep={onStep}
          links={
            run.process == null ? null : (
              <Link className="button tiny" href={editorOf(run.process.id, run)}>
                Open in the editor
              </Link>
            )
          }
        />
      )}
      {isOpen(run.status)
        ? null
        : views
            .filter((view) => view.id !== run.error?.stepId && lostItems(view) > 0)
            .map((view) => (
              <div key={view.id} className="notice tone-wait">
                <span className="grow">
                  {countOf(lostItems(view))} of {plural(view.runs.length, 'item')} of {view.id}{' '}
                  failed.
                </span>
                <button type="button" className="button tiny" onClick={() => onStep(view.id)}>
                  Show step {view.id}
                </button>
              </div>
            ))}
      {run.output == null ? null : (
        <Section title="Output">
          <div className="output">
            <Output value={run.output} raw={<p className="prose">{run.output}</p>} />
          </div>
        </Section>
      )}
      <Section title="Context">
        {Object.keys(run.context).length === 0 ? (
          <p className="dim small">It was started with nothing.</p>
        ) : (
          <Json value={run.context} />
        )}
      </Section>
      <Section title="Run">
        <dl className="facts">
          <dt>Started by</dt>
          <dd>
            {run.owner.name}
            {run.origin === 'SYSTEM' ? ' (background work)' : ''}
          </dd>
          <dt>Started</dt>
          <dd>
            <Time at={run.startedAt ?? run.createdAt} />
          </dd>
          <dt>Calls</dt>
          <dd className="num">
            {run.usage.llmCalls} to models, {run.usage.toolCalls} to other Tools
          </dd>
          <dt>Tokens</dt>
          <dd className="num">
            {countOf(run.usage.inputTokens)} in, {countOf(run.usage.outputTokens)} out
          </dd>
          {run.budget?.tokens == null ? null : (
            <>
              <dt>Budget</dt>
              <dd className="num">
                {countOf(run.budget.tokensUsed)} of {countOf(run.budget.tokens)} tokens
              </dd>
            </>
          )}
          {run.retryOf == null ? null : (
            <>
              <dt>Retry of</dt>
              <dd>
                <Link href={`/runs/${run.retryOf.id}`} className="link">
                  the earlier run
                </Link>
                ,{' '}
                <Link
                  href={`/runs/compare?left=${run.retryOf.id}&right=${run.id}`}
                  className="link"
                >
                  compare
                </Link>
              </dd>
            </>
          )}
          {run.conversation == null ? null : (
            <>
              <dt>Answers in</dt>
              <dd>
                <Link href={`/conversations/${run.conversation.id}`} className="link row gap-4">
                  <IconMessages size={14} className="icon" />
                  {run.conversation.title ?? 'a conversation'}
                </Link>
              </dd>
            </>
          )}
          <dt>Id</dt>
          <dd className="mono">{run.id}</dd>
          {run.workflowId === run.id ? null : (
            <>
              <dt>Workflow</dt>
              <dd className="mono">{run.workflowId}</dd>
            </>
          )}
          {run.temporalUrl == null ? null : (
            <>
              <dt>History</dt>
              <dd>
                <a
                  className="link row gap-4"
                  href={run.temporalUrl}
                  target="_blank"
                  rel="noreferrer"
                >
                  Open in Temporal
                  <IconExternalLink size={14} className="icon" />
                </a>
              </dd>
            </>
          )}
        </dl>
      </Section>
    </div>
  );
}
