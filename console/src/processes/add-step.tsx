import { type FormEvent, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { Field, notedBy } from '../ui/field.tsx';
import type { Callables } from './callables.ts';
import { split, TargetChoice } from './target-choice.tsx';

/** Asks for the target and the id of a new step. */
export function AddStep({
  callables,
  taken,
  onAdd,
  onClose,
}: {
  readonly callables: Callables;
  readonly taken: readonly string[];
  readonly onAdd: (step: Record<string, unknown>) => void;
  readonly onClose: () => void;
}) {
  const [target, setTarget] = useState('');
  const [id, setId] = useState('');
  const [kind, name = ''] = split(target);
  const stepId = id === '' && name !== '' ? freeId(name, taken) : id;
  const isTaken = taken.includes(stepId);
  const isId = /^[A-Za-z_]\w*$/.test(stepId);
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (name === '' || isTaken || !isId) return;
    onAdd({
      stepId,
      calls: { [kind]: name },
      inputs: {},
      output: { variable: stepId },
    });
  };
  return (
    <Dialog title="Add a step" isOpen onClose={onClose}>
      <form className="col gap-12" onSubmit={add}>
        <TargetChoice
          note="What the step does: one of your Tools or Processes, or a shared one."
          callables={callables}
          value={target}
          onSet={setTarget}
        />
        <Field id="step-id" label="Id" note={ID} docs="step">
          <input
            id="step-id"
            {...notedBy('step-id', ID)}
            className="input mono"
            value={stepId}
            onChange={({ target: { value } }) => setId(value)}
          />
          {stepId !== '' && (isTaken || !isId) ? (
            <span className="small" role="alert">
              {isTaken ? 'Another step has this id.' : 'Letters, digits and _ only.'}
            </span>
          ) : null}
        </Field>
        <div className="row">
          <button
            type="submit"
            className="button primary"
            disabled={name === '' || isTaken || !isId}
          >
            Add
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const ID = 'Names it in the graph: letters, digits and _. Its output gets the same name.';

/** An id made from the name of the target. */
function freeId(name: string, taken: readonly string[]): string {
  const base = name.replace(/\W+/g, '_').replace(/^(?=\d)/, '_');
  if (!taken.includes(base)) return base;
  for (let number = 2; ; number++)
    if (!taken.includes(`${base}_${number}`)) return `${base}_${number}`;
}
