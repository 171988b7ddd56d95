import { SchemaForm } from '../runs/schema-form.tsx';
import { Choice, namesOf } from '../ui/field.tsx';

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
        <Choice
          label="Secret"
          all={{ '': 'None', ...namesOf(secrets) }}
          value={value.secretId ?? ''}
          onSet={(chosen) => onChange({ ...value, secretId: chosen === '' ? null : chosen })}
        />
      )}
    </>
  );
}
