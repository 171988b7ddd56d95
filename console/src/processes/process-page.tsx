import { IconDeviceFloppy, IconPlayerPlay, IconSearchOff } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import {
  CallablesDocument,
  CheckProcessDocument,
  type CheckProcessQuery,
  ProcessPageDocument,
  type ProcessPageQuery,
  RestoreVersionDocument,
  SaveProcessDocument,
} from '../generated/documents.ts';
import { RunGraph } from '../runs/run-graph.tsx';
import { RunTable } from '../runs/run-table.tsx';
import { stepViews } from '../runs/step-view.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { plural } from '../ui/format.ts';
import { Json } from '../ui/json.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Fault, Loading, Problems } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { faultsOf, readText, type TextFault, textOf } from './definition-text.ts';
import { YamlEditor } from './yaml-editor.tsx';

const StartRun = lazy(async () => ({
  default: (await import('../runs/start-run.tsx')).StartRun,
}));

type Process = NonNullable<ProcessPageQuery['process']>;
type Plan = NonNullable<CheckProcessQuery['validateProcess']['plan']>;
type View = 'definition' | 'runs' | 'versions';

/** Pause in ms after the last key before the text is validated. */
const CHECK_MS = 350;

export function ProcessPage({ id }: { readonly id: string }) {
  const [{ data, error }, again] = useLiveQuery({ query: ProcessPageDocument, variables: { id } });
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
        ) : error === undefined ? (
          <Loading />
        ) : (
          <Fault error={error} onRetry={again} />
        )}
      </Page>
    );
  return <Loaded key={process.version} process={process} again={again} />;
}

function Loaded({ process, again }: { readonly process: Process; readonly again: () => void }) {
  const [search, setSearch] = useSearchParams();
  const [isStarting, setStarting] = useState(false);
  const asked = search.get('view');
  const view: View = asked === 'runs' || asked === 'versions' ? asked : 'definition';
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
        </>
      }
    >
      <Tabs<View>
        label="Parts of the Process"
        tabs={[
          { id: 'definition', label: 'Definition' },
          { id: 'runs', label: 'Runs', count: process.runs.totalCount },
          { id: 'versions', label: 'Versions', count: process.versions.totalCount },
        ]}
        chosen={view}
        onChoose={(next) =>
          setSearch(next === 'definition' ? {} : { view: next }, { replace: true })
        }
      />
      {view === 'definition' ? (
        <Definition process={process} again={again} />
      ) : (
        <div className="page-body">
          {view === 'versions' ? (
            <Versions process={process} again={again} />
          ) : process.runs.nodes.length === 0 ? (
            <Empty
              icon={<IconPlayerPlay size={28} className="icon" stroke={1.5} />}
              title="It has not run yet"
            >
              Start it and every step stays on record.
            </Empty>
          ) : (
            <RunTable runs={process.runs.nodes} />
          )}
        </div>
      )}
      {isStarting ? (
        <Suspense fallback={null}>
          <StartRun processId={process.id} onClose={() => setStarting(false)} />
        </Suspense>
      ) : null}
    </Page>
  );
}

/** Values of fields that a text leaves out. Without them the API would keep the old values. */
const UNNAMED = {
  description: null,
  contextSchema: null,
  tokenBudget: null,
  maxRecursionDepth: 10,
};

/** The graph beside the text. The graph shows the saved version; faults stand in the text. */
function Definition({ process, again }: { readonly process: Process; readonly again: () => void }) {
  const client = useClient();
  const first = useMemo(() => textOf(process), [process]);
  const [text, setText] = useState(first);
  const [faults, setFaults] = useState<readonly TextFault[]>([]);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [{ data: callables }] = useQuery({ query: CallablesDocument });
  const save = useChange(SaveProcessDocument);
  const views = useMemo(() => stepViews(process.steps, []), [process]);
  const isChanged = text !== first;

  useEffect(() => {
    if (callables === undefined) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const read = readText(text, callables);
      if (read.input === null) {
        setFaults(read.faults);
        setPlan(null);
        return;
      }
      const { data, error } = await client
        .query(CheckProcessDocument, { input: read.input }, { requestPolicy: 'network-only' })
        .toPromise();
      if (isOver) return;
      if (error !== undefined)
        setFaults([{ from: 0, to: 1, message: error.message.replace(/^\[\w+\] /, '') }]);
      else if (data !== undefined) {
        // Its own name is taken by the Process that is edited.
        const problems = data.validateProcess.userErrors.filter(({ code }) => code !== 'TAKEN');
        setFaults(faultsOf(read.document, problems));
        setPlan(data.validateProcess.plan ?? null);
      }
    }, CHECK_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, text, callables]);

  const store = async () => {
    if (callables === undefined) return;
    const { input } = readText(text, callables);
    if (input === null) return;
    const done = await save.send({
      input: { ...UNNAMED, ...input, id: process.id, expectedVersion: process.version },
    });
    if (done === null) return;
    notify(`Saved version ${done.updateProcess.process?.version}.`);
    again();
  };

  return (
    <div className="define">
      <section className="define-graph" aria-label="Graph of the steps">
        <RunGraph steps={process.steps} views={views} chosen={chosen} onChoose={setChosen} />
      </section>
      <div className="define-text">
        <div className="define-bar">
          {faults.length > 0 ? (
            <span className="status tone-bad">{plural(faults.length, 'fault')}</span>
          ) : plan === null ? (
            <span className="faint small">Checking …</span>
          ) : (
            <>
              <span className="status tone-ok">Valid</span>
              <span className="small dim num">
                {plural(plan.stages.length, 'stage')}, about {plural(plan.estimatedSteps, 'step')}
                {plan.maxDepth === 0 ? '' : `, ${plan.maxDepth} deep`}
              </span>
            </>
          )}
          <span className="grow" />
          {isChanged ? <span className="small dim">Not saved</span> : null}
          <button
            type="button"
            className="button"
            disabled={!isChanged || faults.length > 0 || save.isSending}
            onClick={() => void store()}
          >
            <IconDeviceFloppy size={15} className="icon" />
            {save.isSending ? 'Saving …' : 'Save'}
          </button>
        </div>
        <Problems problems={save.problems} />
        <YamlEditor text={first} onChange={setText} faults={faults} isReadOnly={false} />
        {faults.length === 0 ? null : (
          <ul className="define-faults" aria-label="Faults" role="status">
            {faults.map(({ from, message }) => (
              <li key={`${from} ${message}`} className="row small">
                <span className="faint num">line {text.slice(0, from).split('\n').length}</span>
                <span>{message}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function Versions({ process, again }: { readonly process: Process; readonly again: () => void }) {
  const restore = useChange(RestoreVersionDocument);
  const [open, setOpen] = useState<number | null>(null);
  return (
    <>
      <Problems problems={restore.problems} />
      <table className="table">
        <thead>
          <tr>
            <th>Version</th>
            <th>By</th>
            <th>When</th>
            <th>
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {process.versions.nodes.map(({ version, createdAt, createdBy }) => (
            <tr key={version}>
              <td className="strong">
                v{version}{' '}
                {version === process.version ? <span className="tag">current</span> : null}
              </td>
              <td className="dim">{createdBy?.name ?? '–'}</td>
              <td className="dim">
                <Time at={createdAt} />
              </td>
              <td className="right">
                <button
                  type="button"
                  className="button plain tiny"
                  aria-expanded={open === version}
                  onClick={() => setOpen(open === version ? null : version)}
                >
                  Show
                </button>
                {version === process.version ? null : (
                  <button
                    type="button"
                    className="button tiny"
                    disabled={restore.isSending}
                    onClick={async () => {
                      if ((await restore.send({ input: { id: process.id, version } })) === null)
                        return;
                      notify(`Version ${version} is current again, as a new version.`);
                      again();
                    }}
                  >
                    Restore
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {open === null ? null : (
        <div className="pad-20">
          <h2>Version {open}</h2>
          <Json
            value={process.versions.nodes.find(({ version }) => version === open)?.definition}
          />
        </div>
      )}
      <p className="pad-20 small dim">
        <Link href={`/runs?process=${process.id}`} className="link">
          All runs of this Process
        </Link>
      </p>
    </>
  );
}
