import { SchemaForm } from '../runs/schema-form.tsx';
import { Field } from '../ui/field.tsx';

export interface Connection {
  readonly params: Record<string, unknown>;
  readonly secretId: string | null;
}

/** Connection parameters by the Service's schema, and the Secret that goes along. */
export function ConnectionFields({
  id,
  schema,
  secrets,
  value,
  onChange,
  onSubmit,
}: {
  readonly id: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly secrets: readonly { readonly id: string; readonly name: string }[];
  readonly value: Connection;
  readonly onChange: (value: Connection) => void;
  /** With the parameters that the schema's defaults complete. */
  readonly onSubmit: (params: Record<string, unknown>) => void;
}) {
  return (
    <>
      <SchemaForm
        id={id}
        schema={schema}
        value={value.params}
        onChange={(params) => onChange({ ...value, params })}
        onSubmit={onSubmit}
      />
      {secrets.length === 0 ? null : (
        <Field id={`${id}-secret`} label="Secret">
          <select
            id={`${id}-secret`}
            className="input"
            value={value.secretId ?? ''}
            onChange={({ target }) =>
              onChange({ ...value, secretId: target.value === '' ? null : target.value })
            }
          >
            <option value="">None</option>
            {secrets.map((secret) => (
              <option key={secret.id} value={secret.id}>
                {secret.name}
              </option>
            ))}
          </select>
        </Field>
      )}
    </>
  );
}
