import { SchemaForm } from '../runs/schema-form.tsx';
import { Choice, namesOf } from '../ui/field.tsx';
import { HelpButton } from '../ui/help-button.tsx';

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
      <div className="col gap-12 told">
        <span className="row gap-4 small faint">
          <span id={`${id}-note`}>What the Service asks of each of its Tools.</span>
          <HelpButton topic="service" labelledBy={`${id}-note`} />
        </span>
        <SchemaForm
          id={id}
          schema={schema}
          value={value.params}
          onChange={(params) => onChange({ ...value, params })}
          onSubmit={onSubmit}
        />
      </div>
      {secrets.length === 0 ? null : (
        <Choice
          label="Secret"
          note="It is sent with each call, and only there decrypted."
          docs="secretPlace"
          all={{ '': 'None', ...namesOf(secrets) }}
          value={value.secretId ?? ''}
          onSet={(chosen) => onChange({ ...value, secretId: chosen === '' ? null : chosen })}
        />
      )}
    </>
  );
}
