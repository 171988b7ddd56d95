import { IconTrash, IconX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { parseJson } from '../../../packages/client/src/exact-json.ts';
import type { CallablesQuery, DefinedStepFragment } from '../generated/documents.ts';
import { isRecord } from '../runs/context-schema.ts';
import { StepIcon } from '../runs/step-icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { connect, disconnect, removeStep, setField } from './definition-edit.ts';

const LONG = 48;

/** A step of the text as a form: its inputs by the schema of its target, and when it runs. */
export function StepForm({
  step,
  earlier,
  callables,
  onEdit,
  onClose,
}: {
  readonly step: DefinedStepFragment;
  /** Ids of the steps before it. */
  readonly earlier: readonly string[];
  readonly callables: CallablesQuery | undefined;
  readonly onEdit: (edit: (text: string) => string) => void;
  readonly onClose: () => void;
}) {
  const { id, target, inputs, execution } = step;
  const names = inputsOf(step, callables);
  const set = (path: readonly [string, ...string[]], value: unknown) =>
    onEdit(setField(id, path, value));
  return (
    <section className="step-form" aria-label={`Step ${id}`}>
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
      <div className="col gap-12 step-form-body">
        <TextField
          label="Description"
          value={step.description ?? ''}
          onSet={(text) => set(['description'], text === '' ? undefined : text)}
        />
        {names.map(({ name, type, isRequired, description }) => (
          <TextField
            key={name}
            label={`${name}${isRequired ? '' : ' (may be left out)'}`}
            note={description}
            value={shown(inputs[name])}
            onSet={(text) =>
              set(['inputs', name], text === '' ? undefined : jsonOrText(text, type))
            }
          />
        ))}
        <TextField
          label="Only if"
          note="A condition, such as size(step.names) > 0"
          value={execution.condition ?? ''}
          onSet={(text) => set(['execution', 'condition'], text === '' ? undefined : text)}
        />
        <TextField
          label="For each"
          note="A list, such as step.paragraphs"
          value={execution.forEach ?? ''}
          onSet={(text) => set(['execution', 'forEach'], text === '' ? undefined : text)}
        />
        <label className="row small">
          <input
            type="checkbox"
            checked={execution.mode === 'PARALLEL'}
            onChange={({ target: { checked } }) =>
              set(['execution', 'mode'], checked ? 'parallel' : undefined)
            }
          />
          At the same time as its parallel neighbours
        </label>
        <label className="row small">
          <input
            type="checkbox"
            checked={execution.interactionMode === 'MANUAL'}
            onChange={({ target: { checked } }) =>
              set(['execution', 'interactionMode'], checked ? 'manual' : undefined)
            }
          />
          Waits for an approval
        </label>
        {earlier.length === 0 ? null : (
          <fieldset className="col gap-4">
            <legend className="label">Waits for</legend>
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
          </fieldset>
        )}
      </div>
    </section>
  );
}

/** A text that is taken when the field is left, so that each edit is one change of the text. */
function TextField({
  label,
  note,
  value,
  onSet,
}: {
  readonly label: string;
  readonly note?: string | undefined;
  readonly value: string;
  readonly onSet: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const take = () => {
    if (text !== value) onSet(text);
  };
  const props = {
    className: 'input mono',
    'aria-label': label,
    value: text,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setText(target.value),
    onBlur: take,
  };
  const isLong = value.length > LONG || value.includes('\n');
  return (
    <div className="field">
      <span className="label">{label}</span>
      {isLong ? (
        <textarea rows={4} {...props} />
      ) : (
        <input
          {...props}
          onKeyDown={({ key }) => {
            if (key === 'Enter') take();
          }}
        />
      )}
      {note === undefined ? null : <span className="small faint">{note}</span>}
    </div>
  );
}

interface Input {
  readonly name: string;
  readonly type: unknown;
  readonly isRequired: boolean;
  readonly description?: string;
}

/** The inputs that the target declares, then those that only the text has. */
function inputsOf(step: DefinedStepFragment, callables: CallablesQuery | undefined): Input[] {
  const { target, inputs } = step;
  const declared = target.__typename === 'Tool' ? toolInputs(target.inputSchema) : [];
  const context =
    target.__typename === 'Process'
      ? (callables?.processes.nodes.find(({ id }) => id === target.id)?.initialContext ?? [])
      : [];
  const known: Input[] = [
    ...declared,
    ...context.map((name) => ({ name, type: undefined, isRequired: true })),
  ];
  const others = Object.keys(inputs).filter((name) => !known.some((one) => one.name === name));
  return [...known, ...others.map((name) => ({ name, type: undefined, isRequired: false }))];
}

function toolInputs(schema: Readonly<Record<string, unknown>>): Input[] {
  const { properties, required } = schema;
  if (!isRecord(properties)) return [];
  return Object.entries(properties).map(([name, property]) => {
    const { type, description } = isRecord(property) ? property : {};
    return {
      name,
      type,
      isRequired: Array.isArray(required) && required.includes(name),
      ...(typeof description === 'string' ? { description } : {}),
    };
  });
}

function shown(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
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
