import {
  IconArrowRight,
  IconBrain,
  IconCircleCheck,
  IconMessages,
  IconPencil,
  IconPlayerPlay,
  IconPlus,
  IconX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { SYSTEM_USER_ID } from '../../../packages/client/src/system-user.ts';
import { createStore, useStore } from '../api/store.ts';
import { useAtMostEvery, useChanges } from '../api/use-changes.ts';
import { useLiveQuery } from '../api/use-live-query.ts';
import {
  AnyConversationChangesDocument,
  AnyRunChangesDocument,
  HomeDocument,
  type HomeQuery,
  type RunRowFragment,
  StartRunDocument,
} from '../generated/documents.ts';
import { BackgroundTokens, HealthParts, Warning } from '../operations/health-parts.tsx';
import { RunProgress } from '../runs/run-progress.tsx';
import { isOpen } from '../runs/run-status.ts';
import { TOUR_CONTEXT } from '../runs/tour-context.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { plural } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Page } from '../ui/page.tsx';
import { Problems, Unread } from '../ui/states.tsx';
import { Dot, labelOf } from '../ui/status.tsx';
import { Duration, Time } from '../ui/time.tsx';
import { useChange } from '../ui/use-change.ts';

/** Least time between two readings that changes ask for. */
const CHANGED_MS = 700;

/** Runs in progress, everything that needs the user, and the next thing to start. */
export function Home() {
  const isSkipped = useStore(skipped);
  const soon = useAtMostEvery(CHANGED_MS, () => again());
  const followsRuns = useChanges({
    document: AnyRunChangesDocument,
    variables: {},
    changeOf: ({ runChanges }) => runChanges,
    onChange: soon,
  });
  const followsTalks = useChanges({
    document: AnyConversationChangesDocument,
    variables: {},
    changeOf: ({ conversationChanges }) => conversationChanges,
    onChange: soon,
  });
  const [{ data, error }, again] = useLiveQuery({
    query: HomeDocument,
    variables: {},
    // Health is found by probing at an interval, so it has no changes to follow.
    everyMs: followsRuns && followsTalks ? 15_000 : 4_000,
  });
  return (
    <Page
      title="Home"
      actions={
        <>
          {isSkipped ? (
            <button type="button" className="button plain" onClick={() => setSkipped(false)}>
              First steps
            </button>
          ) : null}
          <CopyMenu document={HomeDocument} variables={{}} cli="npx aiden doctor" />
          <Link href="/runs?start=choose" className="button primary">
            <IconPlus size={15} className="icon" />
            Start a run
          </Link>
        </>
      }
    >
      <div className="page-body pad">
        {data === undefined ? (
          <Unread rows={8} error={error} onRetry={again} />
        ) : (
          <div className="narrow col gap-16">
            {needsOf(data).count === 0 ? null : <Attention data={data} />}
            <FirstSteps data={data} />
            {needsOf(data).count === 0 ? (
              <div className="notice tone-ok">
                <IconCircleCheck size={16} className="icon" />
                <span>
                  Nothing needs you: no approval waits, no run failed, every part answers.
                </span>
              </div>
            ) : null}
            <div className="home-grid">
              <div className="col gap-16">
                {data.running.totalCount === 0 ? null : (
                  <Card title="Running now" to="/runs?status=open" count={data.running.totalCount}>
                    <RunList runs={data.running.nodes} empty="" />
                  </Card>
                )}
                <Card title="Recent runs" to="/runs">
                  <RunList
                    runs={data.recent.nodes.filter(({ status }) => !isOpen(status)).slice(0, 8)}
                    empty={
                      data.recent.totalCount === 0
                        ? data.running.totalCount > 0
                          ? 'Nothing has ended yet.'
                          : 'Nothing has run yet. Start the tour to see a Process at work.'
                        : 'No recent run has ended yet.'
                    }
                  />
                </Card>
              </div>
              <div className="col gap-16">
                <Parts data={data} />
                <Card title="Conversations" to="/conversations">
                  {data.conversations.nodes.length === 0 ? (
                    <p className="body dim small">
                      Talk to a Process and it keeps the whole tree of what was said.
                    </p>
                  ) : (
                    <ul className="list">
                      {data.conversations.nodes.map(({ id, title, updatedAt }) => (
                        <li key={id}>
                          <Link href={`/conversations/${id}`} className="item">
                            <IconMessages size={16} className="icon faint" />
                            <span className="grow clip">{title ?? 'Untitled'}</span>
                            <span className="faint small">
                              <Time at={updatedAt} />
                            </span>
                          </Link>
                        </li>
                      ))}
                    </ul>
                  )}
                </Card>
              </div>
            </div>
          </div>
        )}
      </div>
    </Page>
  );
}

function Card({
  title,
  to,
  count,
  children,
}: {
  readonly title: string;
  readonly to?: string;
  readonly count?: number;
  readonly children: ReactNode;
}) {
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {count === undefined || count === 0 ? null : <span className="count">{count}</span>}
        <span className="grow" />
        {to === undefined ? null : (
          <Link href={to} className="button plain tiny" aria-label={`All: ${title}`}>
            All
            <IconArrowRight size={14} className="icon" />
          </Link>
        )}
      </header>
      {children}
    </section>
  );
}

function RunList({
  runs,
  empty,
}: {
  readonly runs: readonly RunRowFragment[];
  /** The text where there are none. */
  readonly empty: string;
}) {
  if (runs.length === 0) return <p className="body dim small">{empty}</p>;
  return (
    <ul className="list">
      {runs.map((run) => (
        <li key={run.id}>
          <Link href={`/runs/${run.id}`} className="item">
            <Dot status={run.status} />
            <span className="visually-hidden">{labelOf(run.status)}</span>
            <span className="strong clip home-name">{run.processName}</span>
            <span className="grow clip dim small">
              <RunProgress run={run} />
            </span>
            <span className="dim small hide-small">
              <Duration
                from={run.startedAt ?? run.createdAt}
                to={run.completedAt}
                isLive={isOpen(run.status)}
              />
            </span>
            <span className="faint small home-when">
              <Time at={run.createdAt} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Failed runs need a look for a day. */
const RECENT_MS = 86_400_000;

/** The runs, parts and approvals that need the user, and their number. */
function needsOf({ approvals, failed: runs, health, services }: HomeQuery) {
  const failed = runs.nodes.filter(
    ({ createdAt }) => Date.now() - Date.parse(createdAt) < RECENT_MS,
  );
  const down = services.nodes.filter(({ status, enabled }) => enabled && status === 'DOWN');
  const count = approvals.totalCount + failed.length + health.warnings.length + down.length;
  return { failed, down, count };
}

/** Approvals, failed runs, and parts that are down, in this order. */
function Attention({ data }: { readonly data: HomeQuery }) {
  const { approvals, health } = data;
  const { failed, down, count } = needsOf(data);
  return (
    <Card title="Needs you" count={count}>
      <ul className="list">
        {approvals.nodes.map(
          ({ run, rootRun, stepId, index, tool, memoryRequest, requestedAt }) => (
            <li key={`${run.id} ${stepId} ${index}`}>
              <Link href={`/runs/${rootRun.id}?step=${stepId}`} className="item">
                <Dot status="WAITING" />
                <span className="grow clip">
                  <span className="strong">{rootRun.processName}</span> asks
                  {memoryRequest == null ? (
                    <>
                      {' '}
                      before the step <span className="mono">{stepId}</span>
                      {tool == null ? ' goes on' : ` calls ${tool.name}`}
                    </>
                  ) : (
                    `: ${memoryRequest.question}`
                  )}
                </span>
                <span className="button tiny">Decide</span>
                <span className="faint small home-when">
                  <Time at={requestedAt} />
                </span>
              </Link>
            </li>
          ),
        )}
        {failed.map((run) => (
          <li key={run.id}>
            <Link href={`/runs/${run.id}`} className="item">
              <Dot status={run.status} />
              <span className="strong clip home-name">{run.processName}</span>
              <span className="grow clip dim">
                <RunProgress run={run} />
              </span>
              <span className="faint small home-when">
                <Time at={run.createdAt} />
              </span>
            </Link>
          </li>
        ))}
        {down.map(({ id, name, errorMessage }) => (
          <li key={id}>
            <Link href="/catalog" className="item">
              <Dot status="DOWN" />
              <span className="strong">{name}</span>
              <span className="grow clip dim">{errorMessage ?? 'does not answer'}</span>
            </Link>
          </li>
        ))}
        {health.warnings.map((warning) => (
          <li key={`${warning.subject} ${warning.startedAt}`}>
            <Link href="/operations" className="item">
              <Warning warning={warning} />
            </Link>
          </li>
        ))}
      </ul>
      {data.failed.totalCount > failed.length ? (
        <p className="body small">
          <Link href="/runs?status=failed" className="link">
            All {plural(data.failed.totalCount, 'failed run')}
          </Link>
        </p>
      ) : null}
    </Card>
  );
}

function Parts({ data: { health, memorySettings } }: { readonly data: HomeQuery }) {
  return (
    <Card title="Installation" to="/operations">
      <div className="body col gap-12">
        <HealthParts health={health} />
        <BackgroundTokens work={memorySettings.backgroundWork} />
      </div>
    </Card>
  );
}

const SKIPPED = 'aiden.first-steps';
const skipped = createStore(localStorage.getItem(SKIPPED) === 'yes');

function setSkipped(isSkipped: boolean): void {
  localStorage.setItem(SKIPPED, isSkipped ? 'yes' : 'no');
  skipped.set(isSkipped);
}

/** The model that comes with the product; it quotes its input and writes nothing of its own. */
const BUNDLED_MODEL = /^local-extractive/;

function isShipped({ owner }: { readonly owner: { readonly id: string } }): boolean {
  return owner.id === SYSTEM_USER_ID;
}

/** One sentence on what this is, a button that shows it, and the first five minutes. */
function FirstSteps({ data }: { readonly data: HomeQuery }) {
  const [, go] = useLocation();
  const start = useChange(StartRunDocument);
  const isSkipped = useStore(skipped);
  const steps = stepsOf(data);
  if (isSkipped || steps.every(({ isDone }) => isDone)) return null;
  const tourId = data.tour.nodes.find(isShipped)?.id;
  const models = data.chat.nodes
    .filter(isShipped)
    .flatMap((process) => process.steps)
    .flatMap(({ target }) =>
      target.__typename === 'Tool' ? [String(target.connectionParams['model'] ?? '')] : [],
    );
  const watch = async (processId: string) => {
    const done = await start.send({ input: { processId, context: TOUR_CONTEXT } });
    const id = done?.startProcessRun.run?.id;
    if (id !== undefined) go(`/runs/${id}`);
  };
  return (
    <section className="first" aria-label="First steps">
      <div className="row top wrap gap-16">
        <div className="col gap-4 first-words">
          <h2 className="first-title">Aiden runs your agents where you can see them.</h2>
          <p className="dim">
            A Process calls models, APIs and databases in steps. You watch each step as it happens,
            decide where it asks you, and find everything again later.
          </p>
          {models.some((model) => BUNDLED_MODEL.test(model)) ? (
            <p className="small dim">
              Until a model is connected, answers are quotations of your own words.{' '}
              <code>npm start</code> in a terminal offers one, and <code>AIDEN_LLM_URL</code> names
              one of yours.
            </p>
          ) : null}
        </div>
        <div className="row">
          {tourId === undefined ? null : (
            <button
              type="button"
              className="button primary"
              aria-busy={start.isSending}
              disabled={start.isSending}
              onClick={() => void watch(tourId)}
            >
              <IconPlayerPlay size={15} className="icon" />
              {start.isSending ? 'Starting …' : 'Start the tour'}
            </button>
          )}
          <IconButton label="Skip the first steps" onClick={() => setSkipped(true)}>
            <IconX size={16} className="icon" />
          </IconButton>
        </div>
      </div>
      <Problems problems={start.problems} />
      <ol className="first-steps">
        {steps.map(({ icon: Icon, title, text, to, isDone }) => (
          <li key={title}>
            <Link href={to} className={`first-step${isDone ? ' done' : ''}`}>
              <span className="row">
                {isDone ? (
                  <IconCircleCheck size={18} className="icon tone-ok toned" />
                ) : (
                  <Icon size={18} className="icon" stroke={1.75} />
                )}
                <span className="strong">{title}</span>
                {isDone ? <span className="visually-hidden">(done)</span> : null}
              </span>
              <span className="dim small">{text}</span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The first five minutes, each step real. A step is done when its data is there. */
function stepsOf(data: HomeQuery) {
  const tours = data.recent.nodes.filter(({ processName }) => processName === 'tour');
  const tourId = data.tour.nodes.find(isShipped)?.id ?? 'choose';
  return [
    {
      icon: IconPencil,
      title: 'Run the tour with your words',
      text: 'The same Process with your text. Nothing is deployed.',
      to: `/runs?start=${tourId}`,
      isDone: tours.filter(({ status }) => status === 'COMPLETED').length > 1,
    },
    {
      icon: IconMessages,
      title: 'Ask the agent',
      text: 'A conversation keeps every version of every turn.',
      to: '/conversations',
      isDone: data.conversations.totalCount > 0,
    },
    {
      icon: IconBrain,
      title: 'See what it remembers',
      text: 'People, places and facts, each with the words it rests on.',
      to: '/memory',
      isDone: data.entities.totalCount > 0,
    },
    {
      icon: IconPlus,
      title: 'Make a Process of your own',
      text: 'From nothing or from a copy, by forms or as YAML.',
      to: '/processes/new',
      isDone: !data.own.nodes.every(isShipped),
    },
  ];
}
