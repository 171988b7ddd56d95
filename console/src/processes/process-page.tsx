import { IconDeviceFloppy, IconPlayerPlay, IconPlus, IconSearchOff } from '@tabler/icons-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useSearchParams } from 'wouter';
import { parseDocument } from 'yaml';
import { useLiveQuery } from '../api/use-live-query.ts';
import {
  CallablesDocument,
  type CallablesQuery,
  CheckProcessDocument,
  type CheckProcessQuery,
  ProcessPageDocument,
  type ProcessPageQuery,
  SaveProcessDocument,
} from '../generated/documents.ts';
import { RunGraph } from '../runs/run-graph.tsx';
import { RunTable } from '../runs/run-table.tsx';
import { moveTo, type StepPlace } from '../runs/step-place.ts';
import { stepViews } from '../runs/step-view.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { plural } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Fault, Loading, Problems } from '../ui/states.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { Waiting } from '../ui/working.tsx';
import { AddStep } from './add-step.tsx';
import { addStep, connect, moveStep, stepIdsOf } from './definition-edit.ts';
import { stepsOf } from './definition-steps.ts';
import { faultsOf, readText, type TextFault, textOf } from './definition-text.ts';
import { fixOf } from './did-you-mean.ts';
import { keepDraft, readDraft } from './draft.ts';
import { OfAnother } from './of-another.tsx';
import { Schedules } from './schedules.tsx';
import { StepForm } from './step-form.tsx';
import { Versions } from './versions.tsx';
import { WorstCase } from './worst-case.tsx';
import { type EditorHandle, YamlEditor } from './yaml-editor.tsx';

const StartRun = lazy(async () => ({
  default: (await import('../runs/start-run.tsx')).StartRun,
}));

type Process = NonNullable<ProcessPageQuery['process']>;
type Plan = NonNullable<CheckProcessQuery['validateProcess']['plan']>;
const VIEWS = ['definition', 'runs', 'schedules', 'versions'] as const;
type View = (typeof VIEWS)[number];

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
  const view = VIEWS.find((one) => one === asked) ?? 'definition';
  const [{ data: found }] = useQuery({ query: CallablesDocument });
  const callables = useMemo(() => found && ownFirst(found, process), [found, process]);
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
      <OfAnother process={process} again={again} />
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
        <Definition process={process} callables={callables} again={again} />
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
            <RunTable runs={process.runs.nodes} />
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

/** Values of fields that a text leaves out. Without them the API would keep the old values. */
const UNNAMED = {
  description: null,
  contextSchema: null,
  tokenBudget: null,
  maxRecursionDepth: 10,
};

/**
 * Names with the targets of this Process first: the text names Tools, and another user may share
 * one of the same name.
 */
function ownFirst(found: CallablesQuery, { steps }: Process): CallablesQuery {
  const own = new Set(
    steps.flatMap(({ target, tools }) => [target.id, ...tools.map((tool) => tool.target.id)]),
  );
  const sorted = <T extends { readonly id: string }>(nodes: readonly T[]) =>
    nodes.toSorted((left, right) => Number(own.has(right.id)) - Number(own.has(left.id)));
  return {
    tools: { nodes: sorted(found.tools.nodes) },
    processes: { nodes: sorted(found.processes.nodes) },
  };
}

/** The graph beside the text, both of the same edited definition. */
function Definition({
  process,
  callables,
  again,
}: {
  readonly process: Process;
  readonly callables: CallablesQuery | undefined;
  readonly again: () => void;
}) {
  const client = useClient();
  const first = useMemo(() => textOf(process), [process]);
  const [text, setText] = useState(first);
  const [steps, setSteps] = useState(process.steps);
  const [faults, setFaults] = useState<readonly TextFault[]>([]);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [isAdding, setAdding] = useState(false);
  const save = useChange(SaveProcessDocument);
  const views = useMemo(() => stepViews(steps, []), [steps]);
  const known = useMemo(
    () => ({
      tools: callables?.tools.nodes.map(({ name }) => name) ?? [],
      processes: callables?.processes.nodes.map(({ name }) => name) ?? [],
    }),
    [callables],
  );
  /** The text that is being saved, or was; the stored one may be written in another way. */
  const [saved, setSaved] = useState<string | null>(null);
  const isChanged = text !== first && text !== saved;
  const editor = useRef<EditorHandle>(null);
  /** The version that the changes were begun on: saving them over a later one is a conflict. */
  const base = useRef(process.version);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is taken up once, when it opens
  useEffect(() => {
    const draft = readDraft(process.id);
    if (draft === null || draft.text === first) return;
    base.current = draft.version;
    editor.current?.change(() => draft.text);
    notify(
      draft.version === process.version
        ? 'Your unsaved changes are back. Undo all drops them.'
        : `Your unsaved changes of version ${draft.version} are back. Undo all drops them.`,
    );
  }, []);
  const shown = useRef(first);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the stored text, not the edited one
  useEffect(() => {
    const before = shown.current;
    shown.current = first;
    // A version of another window is shown where nothing was edited.
    if (before !== first && text === before) editor.current?.change(() => first);
  }, [first]);
  useEffect(() => {
    if (text === first) base.current = process.version;
    keepDraft(process.id, isChanged ? { version: base.current, text } : null);
  }, [process, first, text, isChanged]);

  useEffect(() => {
    if (callables === undefined) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const read = readText(text, callables);
      if (read.document.errors.length === 0 && text !== first)
        setSteps(stepsOf(read.document, callables));
      if (text === first) setSteps(process.steps);
      if (read.input === null) {
        setFaults(withFixes(text, read.faults));
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
        setFaults(withFixes(text, faultsOf(read.document, problems)));
        setPlan(data.validateProcess.plan ?? null);
      }
    }, CHECK_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, text, first, callables, process]);

  const store = async () => {
    if (callables === undefined) return;
    const { input } = readText(text, callables);
    if (input === null) return;
    setSaved(text);
    const done = await save.send({
      input: { ...UNNAMED, ...input, id: process.id, expectedVersion: base.current },
    });
    if (done === null) {
      setSaved(null);
      return;
    }
    base.current = done.updateProcess.process?.version ?? base.current;
    notify(`Saved version ${done.updateProcess.process?.version}.`);
    again();
  };
  // A change by the graph shows at once; typed text when the typing pauses.
  const show = useCallback(
    (next: string | undefined) => {
      if (next === undefined || callables === undefined) return;
      const document = parseDocument(next);
      if (document.errors.length === 0) setSteps(stepsOf(document, callables));
    },
    [callables],
  );
  const edit = useCallback(
    (change: (before: string) => string) => show(editor.current?.change(change)),
    [show],
  );
  const undo = useCallback(() => show(editor.current?.undo()), [show]);
  const draw = useCallback(
    (from: string, to: string) =>
      edit((before) => {
        const ids = stepIdsOf(before);
        if (ids.indexOf(from) < ids.indexOf(to)) return connect(from, to)(before);
        notify(`${to} stands before ${from} in the text; move it behind first.`, 'bad');
        return before;
      }),
    [edit],
  );
  const [said, say] = useState('');
  const place = useCallback(
    (stepId: string, to: StepPlace) =>
      edit((before) => {
        const document = parseDocument(before);
        if (callables === undefined || document.errors.length > 0) return before;
        const move = moveTo(stepsOf(document, callables), stepId, to);
        if (move === null) {
          notify(`${stepId} can't go there: two groups of parallel steps would become one.`, 'bad');
          return before;
        }
        const beside = move.beside.length === 0 ? '' : `, beside ${move.beside.join(', ')}`;
        say(`${stepId} is step ${move.index + 1} now${beside}.`);
        return moveStep(move)(before);
      }),
    [edit, callables],
  );
  const chosenAt = steps.findIndex(({ id }) => id === chosen);
  const chosenStep = steps[chosenAt];

  const canSave = isChanged && faults.length === 0 && !save.isSending;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl S is for all that is in it.
    <div
      className="define"
      onKeyDown={(event) => {
        if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        if (canSave) void store();
      }}
    >
      <section
        className="define-graph"
        aria-label="Graph of the steps"
        onKeyDown={(event) => {
          const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
          // A field takes its own text back.
          const { target } = event;
          if (!isUndo || (target instanceof Element && target.closest('input, textarea') !== null))
            return;
          event.preventDefault();
          undo();
        }}
      >
        <div className="define-tools">
          <button
            type="button"
            className="button"
            disabled={callables === undefined}
            onClick={() => setAdding(true)}
          >
            <IconPlus size={15} className="icon" />
            Add a step
          </button>
          <span className="small faint hide-small">
            Drag a step, or press Alt and an arrow key, to move it. Draw a line between steps to let
            one wait.
          </span>
        </div>
        <p className="visually-hidden" role="status">
          {said}
        </p>
        <RunGraph
          steps={steps}
          views={views}
          chosen={chosen}
          onChoose={setChosen}
          onConnect={draw}
          onMove={place}
        />
        {chosenStep === undefined ? null : (
          <StepForm
            key={chosenStep.id}
            step={chosenStep}
            earlier={steps.slice(0, chosenAt).map(({ id }) => id)}
            callables={callables}
            onEdit={edit}
            onClose={() => setChosen(null)}
          />
        )}
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
          {isChanged ? (
            <>
              <button type="button" className="button plain" onClick={undo}>
                Undo
              </button>
              <button type="button" className="button plain" onClick={() => edit(() => first)}>
                Undo all
              </button>
            </>
          ) : null}
          <button
            type="button"
            className="button"
            aria-busy={save.isSending}
            disabled={!canSave}
            title="Ctrl S"
            onClick={() => void store()}
          >
            <IconDeviceFloppy size={15} className="icon" />
            {save.isSending ? 'Saving …' : 'Save'}
          </button>
        </div>
        {plan === null || faults.length > 0 ? null : <WorstCase bounds={plan.worstCase} />}
        <Problems problems={save.problems} />
        <YamlEditor handle={editor} text={first} onChange={setText} faults={faults} known={known} />
        {faults.length === 0 ? null : (
          <ul className="define-faults" aria-label="Faults" role="status">
            {faults.map(({ from, message, fix }) => (
              <li key={`${from} ${message}`} className="row small">
                <span className="faint num">line {text.slice(0, from).split('\n').length}</span>
                <span className="grow">{message}</span>
                {fix === undefined ? null : (
                  <button
                    type="button"
                    className="button tiny"
                    onClick={() =>
                      edit(
                        (before) => before.slice(0, fix.from) + fix.insert + before.slice(fix.to),
                      )
                    }
                  >
                    Write {fix.insert}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      {isAdding && callables !== undefined ? (
        <AddStep
          callables={callables}
          taken={stepIdsOf(text)}
          onClose={() => setAdding(false)}
          onAdd={(step) => {
            edit(addStep(step));
            setAdding(false);
            setChosen(String(step['stepId']));
          }}
        />
      ) : null}
    </div>
  );
}

function withFixes(text: string, faults: readonly TextFault[]): TextFault[] {
  return faults
    .toSorted((left, right) => left.from - right.from)
    .map((fault) => {
      const fix = fixOf(text, fault);
      return fix === null ? fault : { ...fault, fix };
    });
}
