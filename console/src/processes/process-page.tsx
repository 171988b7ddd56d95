import { IconPlayerPlay, IconSearchOff } from '@tabler/icons-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useLocation, useSearchParams } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import { useMayChange } from '../catalog/catalog-actions.tsx';
import {
  type CreateProcessInput,
  DeleteProcessDocument,
  LastEndedRunDocument,
  NewProcessDocument,
  OwnProcessDocument,
  ProcessPageDocument,
  type ProcessPageQuery,
  RunDocument,
  SaveProcessDocument,
  TryStepDocument,
} from '../generated/documents.ts';
import { RunTable } from '../runs/run-table.tsx';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { keepDraft } from '../ui/drafts.ts';
import { Page } from '../ui/page.tsx';
import { keepTrial, newDraftKey } from '../ui/process-draft.ts';
import { Empty, PartFault, Unread } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { Waiting } from '../ui/working.tsx';
import { type Callables, ownFirst, useCallables } from './callables.ts';
import { Definition, type Saving } from './definition.tsx';
import { setRoot } from './definition-edit.ts';
import { textOf } from './definition-text.ts';
import { OfAnother } from './of-another.tsx';
import { ProcessMenu } from './process-menu.tsx';
import { RunTimes } from './run-times.tsx';
import { Schedules } from './schedules.tsx';
import { Versions } from './versions.tsx';

const StartRun = lazy(async () => ({
  default: (await import('../runs/start-run.tsx')).StartRun,
}));

type Process = NonNullable<ProcessPageQuery['process']>;
/** End of the name of the Process that tries a text. */
const TRIAL = ' (draft)';
const NAME_MAX = 200;

const VIEWS = ['definition', 'runs', 'schedules', 'versions'] as const;
type View = (typeof VIEWS)[number];

/** Interval of readings while runs or schedules are shown. */
const LIVE_MS = 4_000;

/** Values of fields that a text leaves out. Without them the API would keep the old values. */
const UNNAMED = {
  description: null,
  contextSchema: null,
  tokenBudget: null,
  maxRecursionDepth: 5,
};

export function ProcessPage({ id }: { readonly id: string }) {
  const [search] = useSearchParams();
  // Runs and schedules go on by themselves; the text of the definition must not move.
  const isLive = ['runs', 'schedules'].includes(search.get('view') ?? '');
  const [{ data, error }, again] = useLiveQuery({
    query: ProcessPageDocument,
    variables: { id },
    everyMs: isLive ? LIVE_MS : 0,
  });
  const process = data?.process;
  if (process == null)
    return (
      <Page title="Process" crumbs={[{ label: 'Processes', to: '/processes' }]}>
        {data !== undefined || error?.graphQLErrors[0]?.extensions['code'] === 'BAD_USER_INPUT' ? (
          <Empty
            icon={<IconSearchOff size={28} className="icon" stroke={1.5} />}
            title="No such Process"
          >
            It was deleted, or is not shared with you.
          </Empty>
        ) : (
          <Unread error={error} onRetry={again} />
        )}
      </Page>
    );
  return <Loaded key={process.id} process={process} again={again} />;
}

function Loaded({ process, again }: { readonly process: Process; readonly again: () => void }) {
  const [search, setSearch] = useSearchParams();
  const [isStarting, setStarting] = useState(false);
  const asked = search.get('view');
  const view = VIEWS.find((one) => one === asked) ?? 'definition';
  const { callables: found, error: fault, again: readCallables } = useCallables();
  const callables = useMemo(() => found && ownFirst(found, process), [found, process]);
  const [, go] = useLocation();
  return (
    <Page
      title={process.name}
      crumbs={[{ label: 'Processes', to: '/processes' }]}
      meta={
        <span className="row small dim">
          <span>{`v${process.version}`}</span>
          {process.enabled ? null : <span className="tag">disabled</span>}
          {process.shared ? <span className="tag">shared</span> : null}
          <span className="faint hide-small">of {process.owner.name}</span>
        </span>
      }
      actions={
        <>
          <CopyMenu
            document={ProcessPageDocument}
            variables={{ id: process.id }}
            cli={`npx aiden run ${JSON.stringify(process.name)} --watch`}
          />
          <button
            type="button"
            className="button primary"
            disabled={!process.enabled}
            onClick={() => setStarting(true)}
          >
            <IconPlayerPlay size={15} className="icon" />
            Start
          </button>
          <ProcessMenu process={process} again={again} onDelete={() => go('/processes')} />
        </>
      }
    >
      <OfAnother process={process} again={again} />
      {callables !== undefined || fault === undefined ? null : (
        <PartFault part="What its steps may call" error={fault} onRetry={readCallables} />
      )}
      <Tabs<View>
        label="Parts of the Process"
        tabs={[
          { id: 'definition', label: 'Definition' },
          { id: 'runs', label: 'Runs', count: process.runs.totalCount },
          { id: 'schedules', label: 'Schedules', count: process.schedules.length },
          { id: 'versions', label: 'Versions', count: process.versions.totalCount },
        ]}
        chosen={view}
        onChoose={(next) =>
          setSearch(next === 'definition' ? {} : { view: next }, { replace: true })
        }
      />
      {view === 'definition' ? (
        <Edited process={process} callables={callables} again={again} />
      ) : (
        <div className="page-body">
          {view === 'versions' ? (
            <Versions process={process} callables={callables} again={again} />
          ) : view === 'schedules' ? (
            <Schedules process={process} again={again} />
          ) : process.runs.nodes.length === 0 ? (
            <Empty
              icon={<IconPlayerPlay size={28} className="icon" stroke={1.5} />}
              title="It has not run yet"
            >
              Start it and every step stays on record.
            </Empty>
          ) : (
            <>
              <RunTimes processId={process.id} />
              <RunTable runs={process.runs.nodes} />
            </>
          )}
        </div>
      )}
      {isStarting ? (
        <Suspense fallback={<Waiting />}>
          <StartRun processId={process.id} onClose={() => setStarting(false)} />
        </Suspense>
      ) : null}
    </Page>
  );
}

/** The editor of a stored Process: it saves versions, and tries a text that is not saved. */
function Edited({
  process,
  callables,
  again,
}: {
  readonly process: Process;
  readonly callables: Callables | undefined;
  readonly again: () => void;
}) {
  const client = useClient();
  const [search, setSearch] = useSearchParams();
  const runId = search.get('run');
  const [{ data: ran }] = useQuery({
    query: RunDocument,
    variables: { id: runId ?? '' },
    pause: runId === null,
  });
  const [, go] = useLocation();
  const mayChange = useMayChange();
  const [trialId, setTrialId] = useState<string | null>(null);
  const [isTrying, setTrying] = useState(false);
  const save = useChange(SaveProcessDocument);
  const create = useChange(NewProcessDocument);
  const remove = useChange(DeleteProcessDocument);
  const tryOne = useChange(TryStepDocument);
  const { id, version, steps } = process;
  const stored = useMemo(
    () => ({ draftKey: id, version, text: textOf(process), steps, tellsOfDraft: true }),
    [id, version, steps, process],
  );
  /** Keeps a text as a Process of its own beside this one, the same one for each try. */
  const keptApart = async (input: CreateProcessInput): Promise<string | null> => {
    const name = `${process.name.slice(0, NAME_MAX - TRIAL.length).toWellFormed()}${TRIAL}`;
    const { data } = await client
      .query(OwnProcessDocument, { name }, { requestPolicy: 'network-only' })
      .toPromise();
    const known = data?.processes.nodes[0]?.id;
    const fields = { ...input, name, shared: false, enabled: true };
    const done =
      known === undefined
        ? (await create.send({ input: fields }))?.createProcess.process
        : (await save.send({ input: { ...UNNAMED, ...fields, id: known } }))?.updateProcess.process;
    if (done == null) return null;
    keepTrial(done.id, id);
    setTrialId(done.id);
    return done.id;
  };
  const attempt = async (input: CreateProcessInput) => {
    if ((await keptApart(input)) !== null) setTrying(true);
  };
  /** Runs one step with the values of the run that is shown, else of the last one that ended. */
  const attemptStep = async (stepId: string, input: CreateProcessInput | null) => {
    const from = runId ?? (await lastEndedRun());
    if (from === null) {
      notify('A step is tried with the values of an ended run. Start a run first.', 'bad');
      return;
    }
    const processId = input === null ? id : await keptApart(input);
    if (processId === null) return;
    const done = await tryOne.send({ input: { runId: from, stepId, processId } });
    const tried = done?.tryStep.run?.id;
    if (tried !== undefined) go(`/runs/${tried}`);
  };
  const lastEndedRun = async () => {
    const { data } = await client
      .query(LastEndedRunDocument, { processId: id }, { requestPolicy: 'network-only' })
      .toPromise();
    return data?.processRuns.nodes[0]?.id ?? null;
  };
  const saving: Saving = {
    isSending: [save, create, tryOne].some(({ isSending }) => isSending),
    problems: [save, create, tryOne].flatMap(({ problems }) => problems),
    async save(input, base) {
      const done = await save.send({ input: { ...UNNAMED, ...input, id, expectedVersion: base } });
      return done?.updateProcess.process?.version ?? null;
    },
    onSaved() {
      // While a run of it is open it cannot be deleted; the next save does.
      if (trialId !== null) void remove.send({ input: { id: trialId } });
      setTrialId(null);
      again();
    },
    onRefused: again,
    onCopy: mayChange(process.owner.id)
      ? null
      : (text) => {
          const name = `${process.name} (copy)`;
          keepDraft(newDraftKey(name), { version: 0, text: setRoot('name', name)(text) });
          go(`/processes/new?${new URLSearchParams({ name, from: id })}`);
        },
  };
  return (
    <>
      <Definition
        stored={stored}
        callables={callables}
        saving={saving}
        run={runId === null ? null : (ran?.processRun ?? null)}
        startAt={search.get('step')}
        onTry={(input) => void attempt(input)}
        onTryStep={(stepId, input) => void attemptStep(stepId, input)}
        onHideRun={() => setSearch({}, { replace: true })}
      />
      {isTrying && trialId !== null ? (
        <Suspense fallback={<Waiting />}>
          <StartRun key={trialId} processId={trialId} onClose={() => setTrying(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
