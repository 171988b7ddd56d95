import { type FormEvent, useState } from 'react';
import {
  type CatalogQuery,
  CreateSecretDocument,
  type SecretType,
  UpdateSecretDocument,
} from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Problems } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
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
  const [name, setName] = useState(secret?.name ?? '');
  const [type, setType] = useState<SecretType>('API_KEY');
  const [value, setValue] = useState('');
  const [origins, setOrigins] = useState(secret?.allowedOrigins.join('\n') ?? '');
  const create = useChange(CreateSecretDocument);
  const update = useChange(UpdateSecretDocument);
  const isSending = create.isSending || update.isSending;
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
    setValue('');
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
        <Field id="secret-name" label="Name">
          <input
            id="secret-name"
            className="input"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        {secret === null ? (
          <Field id="secret-type" label="Kind">
            <select
              id="secret-type"
              className="input"
              value={type}
              onChange={({ target }) => setType(target.value as SecretType)}
            >
              {Object.entries(SECRET_TYPES).map(([id, label]) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
        ) : null}
        <Field id="secret-value" label={secret === null ? 'Value' : 'New value'}>
          {type === 'CERTIFICATE' && secret === null ? (
            <textarea
              id="secret-value"
              className="input mono"
              rows={4}
              value={value}
              onChange={({ target }) => setValue(target.value)}
            />
          ) : (
            <input
              id="secret-value"
              type="password"
              autoComplete="new-password"
              className="input mono"
              value={value}
              onChange={({ target }) => setValue(target.value)}
            />
          )}
          <span className="small faint">
            {secret === null ? 'At least 8 characters.' : 'Left empty, the value stays as it is.'}
          </span>
        </Field>
        <Field id="secret-origins" label="May go to (may be left out)">
          <textarea
            id="secret-origins"
            className="input mono"
            rows={2}
            placeholder="https://api.example.com"
            value={origins}
            onChange={({ target }) => setOrigins(target.value)}
          />
          <span className="small faint">
            Origins, one a line; the value is sent nowhere else. Without one, the first use adds its
            own.
          </span>
        </Field>
        <Problems problems={[...create.problems, ...update.problems]} />
        <div className="row">
          <button
            type="submit"
            className="button primary"
            aria-busy={isSending}
            disabled={name.trim() === '' || (secret === null && value === '') || isSending}
          >
            {secret === null ? 'Store the Secret' : 'Save'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
