import { type ComponentProps, type ReactNode, useId } from 'react';

/** A control with its label. @param id of the control */
export function Field({
  id,
  label,
  children,
}: {
  readonly id: string;
  readonly label: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {children}
    </div>
  );
}

type Attributes = 'placeholder' | 'type' | 'autoComplete' | 'inputMode' | 'maxLength';

/** A field for text. */
export function TextInput({
  label,
  note,
  value,
  rows,
  isMono = false,
  options,
  onSet,
  ...attributes
}: {
  readonly label: ReactNode;
  /** What it takes, below it. */
  readonly note?: ReactNode;
  readonly value: string;
  /** Lines that are shown; absent: it takes one line. */
  readonly rows?: number | undefined;
  readonly isMono?: boolean;
  /** Values to choose from; others may be typed. */
  readonly options?: readonly string[];
  readonly onSet: (text: string) => void;
} & Pick<ComponentProps<'input'>, Attributes>) {
  const id = useId();
  const props = {
    ...attributes,
    id,
    className: isMono ? 'input mono' : 'input',
    dir: 'auto',
    value,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onSet(target.value),
  };
  return (
    <Field id={id} label={label}>
      {rows !== undefined ? (
        <textarea rows={rows} {...props} />
      ) : (
        <input {...props} {...(options === undefined ? {} : { list: `${id}-options` })} />
      )}
      {options === undefined ? null : (
        <datalist id={`${id}-options`}>
          {options.map((option) => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
      {note === undefined ? null : <span className="small faint">{note}</span>}
    </Field>
  );
}

/** A field with one of several values. */
export function Choice<Id extends string>({
  label,
  note,
  all,
  value,
  isDisabled = false,
  onSet,
}: {
  readonly label: ReactNode;
  /** What it decides, below it. */
  readonly note?: ReactNode;
  /** The words of each value. */
  readonly all: Readonly<Partial<Record<Id, string>>>;
  readonly value: Id;
  readonly isDisabled?: boolean;
  readonly onSet: (value: Id) => void;
}) {
  const id = useId();
  return (
    <Field id={id} label={label}>
      <select
        id={id}
        className="input"
        value={value}
        disabled={isDisabled}
        onChange={({ target }) => onSet(target.value as Id)}
      >
        {Object.entries<string | undefined>(all).map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
      {note === undefined ? null : <span className="small faint">{note}</span>}
    </Field>
  );
}

/** The names of objects by their ids, for `Choice`. */
export function namesOf(
  objects: readonly { readonly id: string; readonly name: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(objects.map(({ id, name }) => [id, name]));
}
