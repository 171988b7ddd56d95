import { IconFlask, IconTrash, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { parseJson } from '../../../packages/client/src/exact-json.ts';
import type { DefinedStepFragment } from '../generated/documents.ts';
import { isRecord } from '../runs/context-schema.ts';
import { ErrorNotice } from '../runs/run-error.tsx';
import { Section } from '../runs/section.tsx';
import { StepIcon } from '../runs/step-icon.tsx';
import type { StepRun } from '../runs/step-view.ts';
import { Check, Choice, Field, FieldGroup, notedBy } from '../ui/field.tsx';
import { UnderHeading } from '../ui/heading-level.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Json } from '../ui/json.tsx';
import { fits } from '../ui/name-search.ts';
import { StatusBadge } from '../ui/status.tsx';
import { AFTER_FAILURE } from '../ui/words.ts';
import type { Callables } from './callables.ts';
import { connect, disconnect, removeStep, setField } from './definition-edit.ts';
import { CHOICE_PATHS, inputsOf } from './step-choices.ts';
import { split, TargetChoice, TargetSearch } from './target-choice.tsx';
import { TextField } from './text-field.tsx';
import { takes, type Variable } from './variables.ts';

type Path = readonly [string, ...string[]];

/** A step of the text as a form: its inputs by the schema of its target, and when it runs. */
export function StepForm({
  step,
  earlier,
  variables,
  callables,
  ran,
  focus = null,
  onEdit,
  onTry,
  onClose,
}: {
  readonly step: DefinedStepFragment;
  /** Ids of the steps before it. */
  readonly earlier: readonly string[];
  /** Values that it may use. */
  readonly variables: readonly Variable[];
  readonly callables: Callables | undefined;
  /** Its execution in the run that is shown beside; null: it did not start, or there is no run. */
  readonly ran: StepRun | null;
  /** Path of the field to come to; another object comes to it again. Null: none. */
  readonly focus?: { readonly path: string } | null;
  readonly onEdit: (edit: (text: string) => string) => void;
  /** Runs this step alone; null: the text has faults; undefined: no run can give it values. */
  readonly onTry: (() => void) | null | undefined;
  readonly onClose: () => void;
}) {
  const { id, target, inputs, execution, output } = step;
  const form = useRef<HTMLElement>(null);
  useEffect(() => {
    if (focus === null) return;
    const field = form.current?.querySelector<HTMLElement>(
      `[data-path="${CSS.escape(focus.path)}"]`,
    );
    const group = field?.closest('details');
    if (group != null) group.open = true;
    field?.scrollIntoView({ block: 'center' });
    field?.focus({ preventScroll: true });
  }, [focus]);
  const names = inputsOf(step, callables);
  const set = (path: Path, value: unknown) => onEdit(setField(id, path, value));
  const setText = (path: Path) => (text: string) => set(path, text === '' ? undefined : text);
  const setNumber = (path: Path) => (text: string) => {
    const value = Number(text);
    set(path, text.trim() === '' ? undefined : Number.isNaN(value) ? text : value);
  };
  const asksModel =
    target.__typename === 'Tool' && target.operation.__typename === 'LlmCallOperation';
  return (
    <section className="step-form" aria-label={`Step ${id}`} ref={form}>
      <header className="row">
        <StepIcon step={step} />
        <span className="col gap-0 grow">
          <h2 className="clip">{id}</h2>
          <span className="small dim clip">{target.name}</span>
        </span>
        <IconButton
          label={`Remove ${id}`}
          onClick={() => {
            onEdit(removeStep(id));
            onClose();
          }}
        >
          <IconTrash size={16} className="icon" />
        </IconButton>
        <IconButton label="Close the step" onClick={onClose}>
          <IconX size={16} className="icon" />
        </IconButton>
      </header>
      <UnderHeading>
        <div className="col gap-12 step-form-body">
          {ran === null ? null : <Ran run={ran} />}
          {onTry === undefined ? null : (
            <div className="row wrap">
              <button
                type="button"
                className="button"
                disabled={onTry === null}
                title="Runs this step alone, as it is here, with the values of an ended run"
                onClick={() => onTry?.()}
              >
                <IconFlask size={15} className="icon" />
                Try this step
              </button>
            </div>
          )}
          {callables === undefined ? null : (
            <TargetChoice
              label="Tool or Process"
              note="What the step calls: one of yours, or one that is shared with you."
              callables={callables}
              value={isKnown(step, callables) ? targetOf(step) : ''}
              onSet={(chosen) => {
                const [kind, name] = split(chosen);
                if (name !== undefined) set(['calls'], { [kind]: name });
              }}
            />
          )}
          <TextField
            label="Description"
            note="For people; it stands in the graph and in the record of a run."
            docs="step"
            value={step.description ?? ''}
            onSet={setText(['description'])}
          />
          {names.map(({ name, schema, isRequired }) => (
            <TextField
              key={name}
              path={CHOICE_PATHS.input(name)}
              label={`${name}${isRequired ? '' : ' (may be left out)'}`}
              note={takes(schema)}
              docs="inputs"
              options={optionsOf(schema)}
              choices={variables}
              value={shown(inputs[name])}
              onSet={(text) =>
                set(['inputs', name], text === '' ? undefined : jsonOrText(text, typeIn(schema)))
              }
            />
          ))}
          <TextField
            label="Writes its output to"
            note="A name for later steps: letters, digits and _."
            docs="step"
            value={output.variable}
            onSet={setText(['output', 'variable'])}
          />
          {asksModel ? (
            <Group title="Tools of the model" isSet={step.tools.length > 0}>
              <Offered step={step} callables={callables} onSet={(tools) => set(['tools'], tools)} />
            </Group>
          ) : null}
          <Group title="When it runs" isSet>
            <TextField
              label="Only if"
              path={CHOICE_PATHS.condition}
              note="A condition (CEL), such as size(step.names) > 0. Else the step is skipped."
              docs="conditions"
              choices={variables}
              format={asIs}
              value={execution.condition ?? ''}
              onSet={setText(['execution', 'condition'])}
            />
            <TextField
              label="For each"
              path={CHOICE_PATHS.forEach}
              note="A list, such as step.paragraphs. The step runs once for each item."
              docs="lists"
              choices={variables.filter(({ group }) => group !== 'This item')}
              format={asIs}
              value={execution.forEach ?? ''}
              onSet={setText(['execution', 'forEach'])}
            />
            {execution.forEach == null ? null : (
              <>
                <TextField
                  label="Items at the same time"
                  note="A whole number; 10 if left out."
                  docs="lists"
                  value={shownNumber(execution.maxConcurrency)}
                  onSet={setNumber(['execution', 'maxConcurrency'])}
                />
                <TextField
                  label="Items that may fail"
                  note="A whole number. The step fails with the next one."
                  docs="lists"
                  value={shownNumber(execution.failedItemsMax)}
                  onSet={setNumber(['execution', 'failedItemsMax'])}
                />
              </>
            )}
            <Check
              label="At the same time as its parallel neighbours"
              note="Steps beside each other that have this start together."
              docs="order"
              isOn={execution.mode === 'PARALLEL'}
              onSet={(isOn) => set(['execution', 'mode'], isOn ? 'parallel' : undefined)}
            />
            {earlier.length === 0 ? null : (
              <FieldGroup
                label="Waits for"
                note="It runs when these have ended."
                docs="order"
                className="col gap-4"
              >
                {earlier.map((other) => (
                  <label key={other} className="row small">
                    <input
                      type="checkbox"
                      checked={step.dependsOn.includes(other)}
                      onChange={({ target: { checked } }) =>
                        onEdit(checked ? connect(other, id) : disconnect(other, id))
                      }
                    />
                    <span className="mono">{other}</span>
                  </label>
                ))}
              </FieldGroup>
            )}
          </Group>
          <Check
            label="Waits for an approval"
            note="A person sees the call with its inputs, and approves, changes or rejects it."
            docs="approval"
            isOn={execution.interactionMode === 'MANUAL'}
            onSet={(isOn) => set(['execution', 'interactionMode'], isOn ? 'manual' : undefined)}
          />
          <Group
            title="When it fails"
            isSet={
              execution.retry != null ||
              execution.timeout != null ||
              execution.onFailure !== 'FAIL' ||
              !output.required
            }
          >
            <TextField
              label="Attempts in all"
              note="From 1 to 100. If left out: 3, or 1 where a call may change data."
              docs="failures"
              value={shownNumber(execution.retry?.maximumAttempts)}
              onSet={setNumber(['execution', 'retry', 'maximumAttempts'])}
            />
            {execution.retry == null ? null : (
              <>
                <TextField
                  label="Seconds before the second attempt"
                  note="1 if left out."
                  docs="failures"
                  value={shownNumber(execution.retry.initialInterval)}
                  onSet={setNumber(['execution', 'retry', 'initialInterval'])}
                />
                <TextField
                  label="Each wait is longer by"
                  note="A factor; 2 if left out."
                  docs="failures"
                  value={shownNumber(execution.retry.backoffCoefficient)}
                  onSet={setNumber(['execution', 'retry', 'backoffCoefficient'])}
                />
              </>
            )}
            <TextField
              label="Timeout of an attempt, in seconds"
              note="At most one day (86400). 60 if left out."
              docs="failures"
              value={shownNumber(execution.timeout)}
              onSet={setNumber(['execution', 'timeout'])}
            />
            <Choice
              label="Then"
              note="What follows when the last attempt has failed."
              docs="failures"
              all={AFTER_FAILURE}
              value={execution.onFailure}
              onSet={(policy) =>
                set(
                  ['execution', 'onFailure'],
                  policy === 'FAIL' ? undefined : policy.toLowerCase(),
                )
              }
            />
            {execution.onFailure === 'FALLBACK' ? (
              <TextField
                label="That value"
                note="A text, or JSON."
                docs="failures"
                value={shown(execution.fallback ?? undefined)}
                onSet={(text) =>
                  set(['execution', 'fallback'], text === '' ? undefined : jsonOrText(text, null))
                }
              />
            ) : null}
            <Check
              label="The run needs its output"
              note="Else the run goes on without it where the step fails."
              docs="step"
              isOn={output.required}
              onSet={(isOn) => set(['output', 'required'], isOn ? undefined : false)}
            />
          </Group>
          {target.__typename === 'Tool' && !target.mutating ? (
            <TextField
              label="Keep its answers for, in seconds"
              note="An equal call within this time is answered from the cache. Not if left out."
              docs="failures"
              value={shownNumber(execution.cacheSeconds)}
              onSet={setNumber(['execution', 'cacheSeconds'])}
            />
          ) : null}
        </div>
      </UnderHeading>
    </section>
  );
}

const asIs = (path: string) => path;

/** The values that the step had in a run. */
function Ran({ run }: { readonly run: StepRun }) {
  return (
    <Section title="In the run">
      <div className="col gap-4">
        <span>
          <StatusBadge status={run.status} />
        </span>
        {run.error == null ? null : <ErrorNotice error={run.error} />}
        {run.inputs == null ? null : (
          <details open>
            <summary className="small dim">Inputs</summary>
            <Json value={run.inputs} />
          </details>
        )}
        {run.output == null ? null : (
          <details open>
            <summary className="small dim">Output</summary>
            <Json value={run.output} />
          </details>
        )}
      </div>
    </Section>
  );
}

/** Fields that few steps need; open at first where one of them is set. */
function Group({
  title,
  isSet,
  children,
}: {
  readonly title: string;
  readonly isSet: boolean;
  readonly children: ReactNode;
}) {
  const [isOpen] = useState(isSet);
  return (
    <details className="step-group" open={isOpen}>
      <summary className="label">{title}</summary>
      <div className="col gap-12">{children}</div>
    </details>
  );
}

/** The Tools and Processes that the model of the step may call. */
function Offered({
  step,
  callables,
  onSet,
}: {
  readonly step: DefinedStepFragment;
  readonly callables: Callables | undefined;
  readonly onSet: (tools: readonly Record<string, string>[] | undefined) => void;
}) {
  const chosen = step.tools.map(({ target }) => ({
    kind: target.__typename === 'Tool' ? 'tool' : 'process',
    name: target.name,
  }));
  const store = (next: readonly { readonly kind: string; readonly name: string }[]) =>
    onSet(next.length === 0 ? undefined : next.map(({ kind, name }) => ({ [kind]: name })));
  const id = useId();
  const [text, setText] = useState('');
  const isShown = fits(text);
  const isFree = ({ kind, name }: { readonly kind: string; readonly name: string }) =>
    !chosen.some((one) => one.kind === kind && one.name === name);
  const free = [
    ...(callables?.tools.nodes ?? []).map(({ name }) => ({ kind: 'tool', name })),
    ...(callables?.processes.nodes ?? []).map(({ name }) => ({ kind: 'process', name })),
  ].filter((one) => isFree(one) && isShown(one.name));
  return (
    <Field id={id} label="Offer a tool" note={OFFERED} docs="modelTools">
      {chosen.map((one) => (
        <span key={`${one.kind} ${one.name}`} className="row small">
          <span className="grow clip">{one.name}</span>
          <IconButton
            label={`Offer ${one.name} no more`}
            className="tiny"
            onClick={() => store(chosen.filter((other) => other !== one))}
          >
            <IconX size={14} className="icon" />
          </IconButton>
        </span>
      ))}
      {callables === undefined ? null : (
        <TargetSearch callables={callables} text={text} onSet={setText} />
      )}
      <select
        id={id}
        className="input"
        {...notedBy(id, OFFERED)}
        value=""
        onChange={({ target: { value } }) => {
          const one = free[Number(value)];
          if (value !== '' && one !== undefined) store([...chosen, one]);
        }}
      >
        <option value="">Offer a Tool or a Process</option>
        {free.map(({ kind, name }, index) => (
          <option key={`${kind} ${name}`} value={index}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
}

const OFFERED =
  'The model decides whether to call them. A call that may change data asks you first.';

function targetOf({ target }: DefinedStepFragment): string {
  return `${target.__typename === 'Tool' ? 'tool' : 'process'} ${target.name}`;
}

function isKnown({ target }: DefinedStepFragment, { tools, processes }: Callables): boolean {
  return [...tools.nodes, ...processes.nodes].some(({ id }) => id === target.id);
}

/** The values that a schema names; true and false for one of both. */
function optionsOf(schema: unknown): string[] | undefined {
  if (!isRecord(schema)) return undefined;
  const { enum: options, type } = schema;
  if (Array.isArray(options)) return options.map(shown);
  return type === 'boolean' ? ['true', 'false'] : undefined;
}

function typeIn(schema: unknown): unknown {
  return isRecord(schema) ? schema['type'] : undefined;
}

function shown(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shownNumber(value: number | null | undefined): string {
  return value == null ? '' : String(value);
}

/** A value of the schema's type where the text is one; else the text, such as {step.name}. */
function jsonOrText(text: string, type: unknown): unknown {
  if (type === 'string') return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
