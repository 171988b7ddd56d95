import { type FormEvent, useState } from 'react';
import type { ProblemFragment } from '../generated/documents.ts';
import { Dialog } from './dialog.tsx';
import { TextInput } from './field.tsx';
import { FormEnd } from './form-end.tsx';

/** Asks for the name and the description of a Service. */
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
        <TextInput
          label="Name"
          note="At most 200 characters, unique among your Services."
          docs="service"
          value={name}
          onSet={setName}
        />
        <TextInput
          label="Description (may be left out)"
          note="For people; it stands in the list of Services."
          docs="service"
          rows={3}
          value={description}
          onSet={setDescription}
        />
        <FormEnd change={change} isReady={name.trim() !== ''}>
          {action}
        </FormEnd>
      </form>
    </Dialog>
  );
}
