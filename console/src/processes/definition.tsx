import {
  IconAdjustments,
  IconCopy,
  IconDeviceFloppy,
  IconFlask,
  IconPlus,
  IconX,
} from '@tabler/icons-react';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useClient } from 'urql';
import { parseDocument } from 'yaml';
import {
  CheckProcessDocument,
  type CheckProcessQuery,
  type CreateProcessInput,
  type DefinedStepFragment,
  type ProblemFragment,
  type RunQuery,
} from '../generated/documents.ts';
import { isRecord } from '../runs/context-schema.ts';
import { RunGraph } from '../runs/run-graph.tsx';
import { moveTo, type StepPlace } from '../runs/step-place.ts';
import { stepViews } from '../runs/step-view.ts';
import { Diff } from '../ui/diff.tsx';
import { dropDraft, holdDraft } from '../ui/drafts.ts';
import { plural } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { LeaveDialog } from '../ui/leave-dialog.tsx';
import { unsaved } from '../ui/leaving.ts';
import { readProcessDraft } from '../ui/process-draft.ts';
import { Problems } from '../ui/states.tsx';
import { labelOf } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { AddStep } from './add-step.tsx';
import type { Callables } from './callables.ts';
import { addStep, connect, moveStep, stepIdsOf } from './definition-edit.ts';
import { stepsOf } from './definition-steps.ts';
import { faultsOf, readText, type TextFault } from './definition-text.ts';
import { fixOf } from './did-you-mean.ts';
import { type ProcessFields, ProcessForm } from './process-form.tsx';
import { type OpenChoice, openChoices } from './step-choices.ts';
import { StepForm } from './step-form.tsx';
import { variablesAt } from './variables.ts';
import { WorstCase } from './worst-case.tsx';
import { type EditorHandle, YamlEditor } from './yaml-editor.tsx';

type Plan = NonNullable<CheckProcessQuery['validateProcess']['plan']>;
type Run = NonNullable<RunQuery['processRun']>;

/** Pause in ms after the last key before the text is validated. */
const CHECK_MS = 350;
/** Chosen in place of a step. */
const SETTINGS = ':settings';

/** A definition as it is stored, or as a new one begins. */
export interface Stored {
  /** Key of its draft in this browser. */
  readonly draftKey: string;
  /** Null: it is not stored yet. */
  readonly version: number | null;
  readonly text: string;
  /** Its steps with their targets; null: read from the text. */
  readonly steps: readonly DefinedStepFragment[] | null;
  /** Whether a notice says that its draft is taken up; the page may say so itself. */
  readonly tellsOfDraft: boolean;
}

export interface Saving {
  readonly isSending: boolean;
  readonly problems: readonly ProblemFragment[];
  /** Stores a definition over the version it was begun on; gives its version, null if refused. */
  save(input: CreateProcessInput, base: number): Promise<number | null>;
  /** Called when the text that is shown is stored. */
  onSaved(version: number): void;
  /** Called when it was refused; another person may have saved a version. */
  onRefused(): void;
  /** Takes a text of a Process of another user to a copy of one's own; null: it is one's own. */
  readonly onCopy: ((text: string) => void) | null;
}

/** The graph beside the text, both of the same edited definition. */
export function Definition({
  stored,
  callables,
  saving,
  run = null,
  startAt = null,
  asked,
  isDraft = false,
  onTry,
  onTryStep,
  onHideRun,
}: {
  readonly stored: Stored;
  readonly callables: Callables | undefined;
  readonly saving: Saving;
  /** A run whose values are shown beside the steps. */
  readonly run?: Run | null;
  /** The step that is open at first. */
  readonly startAt?: string | null;
  /** A step that is opened from outside; another object opens it again. Null: none is. */
  readonly asked?: { readonly id: string } | null;
  /** Whether a sentence made it, so that it may leave choices to its author. */
  readonly isDraft?: boolean;
  /** Runs the text that is not saved; absent: it cannot be. */
  readonly onTry?: (input: CreateProcessInput) => void;
  /** Runs one step with the values of an ended run; `input` is null where nothing was changed. */
  readonly onTryStep?: (stepId: string, input: CreateProcessInput | null) => void;
  readonly onHideRun?: () => void;
}) {
  const client = useClient();
  const { draftKey, version, text: first } = stored;
  const isNew = version === null;
  const [text, setText] = useState(first);
  const [steps, setSteps] = useState(stored.steps ?? []);
  const [faults, setFaults] = useState<readonly TextFault[]>([]);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [chosen, setChosen] = useState<string | null>(
    asked === undefined ? (isNew ? SETTINGS : startAt) : (asked?.id ?? null),
  );
  const [isAdding, setAdding] = useState(false);
  /** The field that the person asked to come to. */
  const [focus, setFocus] = useState<OpenChoice | null>(null);
  const choose = useCallback((id: string | null, field: OpenChoice | null = null) => {
    setChosen(id);
    setFocus(field);
  }, []);
  useEffect(() => {
    if (asked != null) choose(asked.id);
  }, [asked, choose]);
  const choices = useMemo(
    () => (isDraft ? openChoices(steps, callables) : []),
    [isDraft, steps, callables],
  );
  const [firstChoice] = choices;
  const [showsDiff, setShowsDiff] = useState(false);
  const [fields, setFields] = useState<ProcessFields>(() => fieldsOf(parseDocument(first).toJS()));
  const views = useMemo(() => stepViews(steps, run?.steps ?? []), [steps, run]);
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
  const [found] = useState(() => readProcessDraft(draftKey));
  const [draft] = useState(found?.text === first ? null : found);
  /** The draft that this tab last kept; another tab may have kept its own since. */
  const kept = useRef(found);
  const isRestoring = useRef(draft !== null);
  /** The version that the changes were begun on: saving them over a later one is a conflict. */
  const [base, setBase] = useState(draft?.version ?? version ?? 0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft is taken up once, when it opens
  useEffect(() => {
    if (draft === null) return;
    editor.current?.change(() => draft.text);
    if (!stored.tellsOfDraft) return;
    notify(
      isNew || draft.version === version
        ? 'Your unsaved changes are back. Undo all drops them.'
        : `Your unsaved changes of version ${draft.version} are back. Undo all drops them.`,
    );
  }, []);
  const shown = useRef(first);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the stored text, not the edited one
  useEffect(() => {
    const before = shown.current;
    shown.current = first;
    // A later version is shown where nothing is unsaved.
    if (before !== first && (text === before || (text === saved && !saving.isSending)))
      editor.current?.change(() => first);
  }, [first]);
  useEffect(() => {
    if (text !== first) isRestoring.current = false;
    // The draft is not in the editor yet.
    if (isRestoring.current) return;
    if (text === first && version !== null) setBase(version);
    if (!isChanged) {
      if (kept.current !== null) dropDraft(draftKey, kept.current);
      kept.current = null;
      return;
    }
    kept.current = { version: base, text };
    return holdDraft(draftKey, kept.current);
  }, [draftKey, version, base, first, text, isChanged]);

  useEffect(() => {
    if (callables === undefined) return;
    let isOver = false;
    const timer = setTimeout(async () => {
      const read = readText(text, callables);
      if (text === first && stored.steps !== null) setSteps(stored.steps);
      else if (read.document.errors.length === 0) setSteps(stepsOf(read.document, callables));
      if (read.document.errors.length === 0) setFields(fieldsOf(read.document.toJS()));
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
        const problems = data.validateProcess.userErrors.filter(
          ({ code }) => isNew || code !== 'TAKEN',
        );
        setFaults(withFixes(text, faultsOf(read.document, problems)));
        setPlan(data.validateProcess.plan ?? null);
      }
    }, CHECK_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, text, first, callables, stored, isNew]);

  const forget = () => {
    dropDraft(draftKey, { version: base, text });
    unsaved.set(false);
  };
  const inputOf = () => (callables === undefined ? null : readText(text, callables).input);
  const store = async (after?: () => void, over = base) => {
    const input = inputOf();
    if (input === null) return;
    setSaved(text);
    const next = await saving.save(input, over);
    if (next === null) {
      setSaved(null);
      saving.onRefused();
      return;
    }
    setBase(next);
    forget();
    notify(`Saved version ${next}.`);
    if (after === undefined) saving.onSaved(next);
    else after();
  };
  // A change by the graph shows at once; typed text when the typing pauses.
  const show = useCallback(
    (next: string | undefined) => {
      if (next === undefined || callables === undefined) return;
      const document = parseDocument(next);
      if (document.errors.length > 0) return;
      setSteps(stepsOf(document, callables));
      setFields(fieldsOf(document.toJS()));
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

  /** Another person saved after these changes were begun. */
  const isBehind = version !== null && isChanged && base < version && !saving.isSending;
  const canSave = (isChanged || isNew) && faults.length === 0 && !saving.isSending;
  const saveByKey = useRef(() => {});
  saveByKey.current = () => {
    if (canSave && saving.onCopy === null) void store();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl S is for all that is in it.
    <div
      className="define"
      onKeyDown={(event) => {
        if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || isOver(event)) return;
        event.preventDefault();
        // A field is taken when it is left, and the text is then another.
        const { activeElement: field } = document;
        if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
          flushSync(() => field.blur());
          field.focus();
        }
        saveByKey.current();
      }}
    >
      <section
        className="define-graph"
        aria-label="Graph of the steps"
        onKeyDown={(event) => {
          const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
          // A field takes its own text back.
          const { target } = event;
          if (!isUndo || isOver(event)) return;
          if (target instanceof Element && target.closest('input, textarea') !== null) return;
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
          <button type="button" className="button" onClick={() => choose(SETTINGS)}>
            <IconAdjustments size={15} className="icon" />
            Settings
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
          onChoose={choose}
          onConnect={draw}
          onMove={place}
        />
        {chosen === SETTINGS ? (
          <ProcessForm
            fields={fields}
            variables={variablesAt({ ...fields, steps }, null)}
            onEdit={edit}
            onClose={() => choose(null)}
          />
        ) : chosenStep === undefined ? null : (
          <StepForm
            key={chosenStep.id}
            step={chosenStep}
            earlier={steps.slice(0, chosenAt).map(({ id }) => id)}
            variables={variablesAt({ ...fields, steps }, chosenStep.id)}
            focus={focus}
            ran={views.find(({ id }) => id === chosenStep.id)?.runs[0] ?? null}
            callables={callables}
            onEdit={edit}
            onTry={
              onTryStep === undefined
                ? undefined
                : faults.length > 0 || plan === null
                  ? null
                  : () => onTryStep(chosenStep.id, isChanged ? inputOf() : null)
            }
            onClose={() => choose(null)}
          />
        )}
      </section>
      <div className="define-text">
        {run === null ? null : (
          <div className="define-run small">
            <span className="grow">
              With the values of the run of <Time at={run.createdAt} />, version{' '}
              {run.processVersion}: {labelOf(run.status).toLowerCase()}.
            </span>
            <IconButton label="Hide the run" className="tiny" onClick={() => onHideRun?.()}>
              <IconX size={14} className="icon" />
            </IconButton>
          </div>
        )}
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
                {plan.maxDepth === 0 ? '' : `, ${plural(plan.maxDepth, 'level')} of sub-processes`}
              </span>
            </>
          )}
          <span className="grow" />
          {isChanged ? (
            <>
              <span className="small toned tone-wait">Not saved</span>
              <button type="button" className="button plain" onClick={undo}>
                Undo
              </button>
              <button type="button" className="button plain" onClick={() => edit(() => first)}>
                Undo all
              </button>
            </>
          ) : null}
          {onTry === undefined || !isChanged ? null : (
            <button
              type="button"
              className="button"
              disabled={faults.length > 0 || plan === null}
              title="Runs this text as a Process of its own, without saving it"
              onClick={() => {
                const input = inputOf();
                if (input !== null) onTry(input);
              }}
            >
              <IconFlask size={15} className="icon" />
              Try it
            </button>
          )}
          {firstChoice === undefined ? null : (
            <button
              type="button"
              className="button plain toned tone-wait"
              title="Comes to the first of them"
              onClick={() => choose(firstChoice.stepId, { ...firstChoice })}
            >
              {plural(choices.length, 'choice')} left
            </button>
          )}
          {saving.onCopy === null ? (
            <button
              type="button"
              className="button"
              aria-busy={saving.isSending}
              disabled={!canSave}
              title="Ctrl S"
              onClick={() => void store()}
            >
              <IconDeviceFloppy size={15} className="icon" />
              {saving.isSending ? 'Saving …' : 'Save'}
            </button>
          ) : (
            <button
              type="button"
              className="button"
              disabled={!isChanged}
              title="Only its owner can change it"
              onClick={() => {
                forget();
                saving.onCopy?.(text);
              }}
            >
              <IconCopy size={15} className="icon" />
              Copy as my own
            </button>
          )}
        </div>
        {isBehind ? (
          <section className="define-behind col small" aria-label="A later version">
            <div className="row wrap">
              <span className="grow">
                Version {version} was saved meanwhile; your changes began on version {base}.
              </span>
              <button
                type="button"
                className="button tiny"
                aria-expanded={showsDiff}
                onClick={() => setShowsDiff(!showsDiff)}
              >
                Differences
              </button>
              <button
                type="button"
                className="button tiny"
                disabled={!canSave}
                onClick={() => void store(undefined, version)}
              >
                Save mine over it
              </button>
              <button type="button" className="button tiny" onClick={() => edit(() => first)}>
                Take theirs
              </button>
            </div>
            {showsDiff ? (
              <Diff before={first} after={text} label={`Version ${version} and your text`} />
            ) : null}
          </section>
        ) : null}
        {plan === null || faults.length > 0 ? null : <WorstCase bounds={plan.worstCase} />}
        <Problems problems={saving.problems} />
        <YamlEditor handle={editor} text={first} onChange={setText} faults={faults} known={known} />
        {faults.length === 0 ? null : (
          <div className="define-faults" role="status">
            <ul aria-label="Faults">
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
          </div>
        )}
      </div>
      <LeaveDialog
        isUnsaved={isChanged}
        note="This browser can keep them as a draft, which is there when you come back."
      >
        {(go) => (
          <>
            <button
              type="button"
              className="button primary"
              aria-busy={saving.isSending}
              disabled={!canSave}
              onClick={() => void store(go)}
            >
              Save and leave
            </button>
            <button type="button" className="button" onClick={go}>
              Keep the draft
            </button>
            <button
              type="button"
              className="button danger"
              onClick={() => {
                forget();
                go();
              }}
            >
              Drop the changes
            </button>
          </>
        )}
      </LeaveDialog>
      {isAdding && callables !== undefined ? (
        <AddStep
          callables={callables}
          taken={stepIdsOf(text)}
          onClose={() => setAdding(false)}
          onAdd={(step) => {
            edit(addStep(step));
            setAdding(false);
            choose(String(step['stepId']));
          }}
        />
      ) : null}
    </div>
  );
}

/** Whether a key is of a dialog over an element, whose keys React hands to it too. */
function isOver({ currentTarget, target }: KeyboardEvent): boolean {
  return target instanceof Node && !currentTarget.contains(target);
}

function withFixes(text: string, faults: readonly TextFault[]): TextFault[] {
  return faults
    .toSorted((left, right) => left.from - right.from)
    .map((fault) => {
      const fix = fixOf(text, fault);
      return fix === null ? fault : { ...fault, fix };
    });
}

/** The fields of a text besides its steps. */
function fieldsOf(value: unknown): ProcessFields {
  const text = (name: string) => {
    const one = isRecord(value) ? value[name] : undefined;
    return typeof one === 'string' ? one : '';
  };
  const fields = isRecord(value) ? value : {};
  const { initialContext, contextSchema, tokenBudget } = fields;
  return {
    name: text('name'),
    description: text('description'),
    initialContext: Array.isArray(initialContext) ? initialContext.map(String) : [],
    contextSchema: isRecord(contextSchema) ? contextSchema : null,
    outputTemplate: text('outputTemplate'),
    tokenBudget: typeof tokenBudget === 'number' ? tokenBudget : null,
  };
}
