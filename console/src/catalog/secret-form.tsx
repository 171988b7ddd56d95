import { type FormEvent, useState } from 'react';
import {
  type CatalogQuery,
  CreateSecretDocument,
  UpdateSecretDocument,
} from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choice, TextInput } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { KeptNotice } from '../ui/kept-notice.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { useKept } from '../ui/use-kept.ts';
import { SECRET_TYPES } from './secret-types.ts';

type Secret = CatalogQuery['secrets']['nodes'][number];

/** A new Secret, or the name, value and origins of one. The value is typed and never shown. */
export function SecretForm({
  secret,
  onClose,
  onDone,
}: {
  /** Null: a new one. */
  readonly secret: Secret | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const kept = useKept(`secret ${secret?.id ?? 'new'}`, () => ({
    name: secret?.name ?? '',
    type: secret?.type ?? 'API_KEY',
    origins: secret?.allowedOrigins.join('\n') ?? '',
  }));
  // The browser keeps no value.
  const [value, setValue] = useState('');
  const { name, type, origins } = kept.value;
  const set = (change: Partial<typeof kept.value>) => kept.set({ ...kept.value, ...change });
  const create = useChange(CreateSecretDocument);
  const update = useChange(UpdateSecretDocument);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const allowedOrigins = origins.split(/\s+/).filter((origin) => origin !== '');
    const done =
      secret === null
        ? await create.send({ input: { name, type, value, allowedOrigins } })
        : await update.send({
            input: { id: secret.id, name, allowedOrigins, ...(value === '' ? {} : { value }) },
          });
    if (done === null) return;
    kept.drop();
    notify(secret === null ? `Stored the Secret ${name}.` : `Changed the Secret ${name}.`);
    onDone();
    onClose();
  };
  return (
    <Dialog
      title={secret === null ? 'New Secret' : `Change ${secret.name}`}
      note="The value is encrypted on arrival. No screen and no answer of the API shows it again."
      isOpen
      onClose={onClose}
    >
      <form className="col gap-12" autoComplete="off" onSubmit={(event) => void send(event)}>
        <KeptNotice kept={kept} />
        <TextInput
          label="Name"
          note="At most 200 characters. Tools and bundles find it by this name."
          docs="secret"
          value={name}
          onSet={(text) => set({ name: text })}
        />
        {secret === null ? (
          <Choice
            label="Kind"
            note="What the value is. A certificate is pasted with its key; the kind stays."
            docs="secret"
            all={SECRET_TYPES}
            value={type}
            onSet={(next) => set({ type: next })}
          />
        ) : null}
        <TextInput
          label={secret === null ? 'Value' : 'New value'}
          note={
            secret === null ? 'At least 8 characters.' : 'Left empty, the value stays as it is.'
          }
          docs="secret"
          isMono
          {...(type === 'CERTIFICATE' && secret === null
            ? { rows: 4 }
            : { type: 'password', autoComplete: 'new-password' })}
          value={value}
          onSet={setValue}
        />
        <TextInput
          label="May go to (may be left out)"
          note={`Origins, one a line; the value is sent nowhere else. Without one, the first use
            adds its own.`}
          docs="secret"
          isMono
          rows={2}
          placeholder="https://api.example.com"
          value={origins}
          onSet={(text) => set({ origins: text })}
        />
        <FormEnd
          change={{
            isSending: create.isSending || update.isSending,
            problems: [...create.problems, ...update.problems],
          }}
          isReady={name.trim() !== '' && (secret !== null || value !== '')}
        >
          {secret === null ? 'Store the Secret' : 'Save'}
        </FormEnd>
      </form>
    </Dialog>
  );
}
