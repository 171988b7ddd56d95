import { type FormEvent, useState } from 'react';
import type { ProblemFragment } from '../generated/documents.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { FormEnd } from './form-end.tsx';

/** Asks for the name and the description of an object. */
export function RenameDialog({
  title,
  name: before,
  description: told,
  action = 'Save',
  change,
  onSave,
  onClose,
}: {
  readonly title: string;
  readonly name: string;
  readonly description: string;
  /** Words of the button. */
  readonly action?: string;
  readonly change: { readonly isSending: boolean; readonly problems: readonly ProblemFragment[] };
  readonly onSave: (named: { readonly name: string; readonly description: string | null }) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(before);
  const [description, setDescription] = useState(told);
  const save = (event: FormEvent) => {
    event.preventDefault();
    onSave({ name, description: description === '' ? null : description });
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form className="col gap-12" onSubmit={save}>
        <Field id="rename-name" label="Name">
          <input
            id="rename-name"
            className="input"
            dir="auto"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field id="rename-description" label="Description (may be left out)">
          <textarea
            id="rename-description"
            className="input"
            dir="auto"
            rows={3}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </Field>
        <FormEnd change={change} isReady={name.trim() !== ''}>
          {action}
        </FormEnd>
      </form>
    </Dialog>
  );
}
