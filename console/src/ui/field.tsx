import { type ComponentProps, type ReactNode, useId } from 'react';
import type { Topic } from './docs-topics.ts';
import { HelpButton } from './help-button.tsx';

/** What a field takes, and where the docs explain it. */
interface Told {
  /** In a sentence, below the field. */
  readonly note?: ReactNode;
  /** The section of the docs; absent: the field belongs to no form of an author. */
  readonly docs?: Topic | undefined;
}

/** A control with its label. @param id of the control, which `noteId(id)` describes */
export function Field({
  id,
  label,
  note,
  docs,
  beside,
  children,
}: {
  readonly id: string;
  readonly label: ReactNode;
  /** Stands at the end of the line of the label. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
} & Told) {
  const labelId = `${id}-label`;
  return (
    <div className="field">
      <span className="row gap-4">
        <label className="label" id={labelId} htmlFor={id}>
          {label}
        </label>
        {docs === undefined ? null : <HelpButton topic={docs} labelledBy={labelId} />}
        {beside === undefined ? null : (
          <>
            <span className="grow" />
            {beside}
          </>
        )}
      </span>
      {children}
      <Note id={id}>{note}</Note>
    </div>
  );
}

const noteId = (id: string) => `${id}-note`;

/** Attributes of a control whose `Field` has a note. */
export function notedBy(id: string, note: ReactNode): { readonly 'aria-describedby'?: string } {
  return isNote(note) ? { 'aria-describedby': noteId(id) } : {};
}

function isNote(note: ReactNode): boolean {
  return note !== undefined && note !== '';
}

function Note({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  if (!isNote(children)) return null;
  return (
    <span id={noteId(id)} className="small faint">
      {children}
    </span>
  );
}

/** Several controls with one legend. */
export function FieldGroup({
  label,
  note,
  docs,
  className,
  children,
}: {
  readonly label: string;
  readonly className: string;
  readonly children: ReactNode;
} & Told) {
  const id = useId();
  return (
    // The legend holds the button of its help, too, which is no part of the name.
    <fieldset className={className} aria-label={label} {...notedBy(id, note)}>
      <Legend label={label} docs={docs} />
      <Note id={id}>{note}</Note>
      {children}
    </fieldset>
  );
}

function Legend({ label, docs }: { readonly label: string } & Pick<Told, 'docs'>) {
  const id = useId();
  return (
    <legend className="label">
      <span className="row gap-4">
        <span id={id}>{label}</span>
        {docs === undefined ? null : <HelpButton topic={docs} labelledBy={id} />}
      </span>
    </legend>
  );
}

/** A field that is on or off. */
export function Check({
  label,
  note,
  docs,
  isOn,
  onSet,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onSet: (isOn: boolean) => void;
} & Told) {
  const id = useId();
  return (
    <div className="col gap-0 check">
      <span className="row gap-4">
        <label className="row small" id={`${id}-label`}>
          <input
            type="checkbox"
            {...notedBy(id, note)}
            checked={isOn}
            onChange={({ target: { checked } }) => onSet(checked)}
          />
          {label}
        </label>
        {docs === undefined ? null : <HelpButton topic={docs} labelledBy={`${id}-label`} />}
      </span>
      <Note id={id}>{note}</Note>
    </div>
  );
}

type Attributes = 'placeholder' | 'type' | 'autoComplete' | 'inputMode' | 'maxLength';

/** A field for text. */
export function TextInput({
  label,
  note,
  docs,
  value,
  rows,
  isMono = false,
  options,
  onSet,
  ...attributes
}: {
  readonly label: ReactNode;
  readonly value: string;
  /** Lines that are shown; absent: it takes one line. */
  readonly rows?: number | undefined;
  readonly isMono?: boolean;
  /** Values to choose from; others may be typed. */
  readonly options?: readonly string[];
  readonly onSet: (text: string) => void;
} & Told &
  Pick<ComponentProps<'input'>, Attributes>) {
  const id = useId();
  const props = {
    ...attributes,
    ...notedBy(id, note),
    id,
    className: isMono ? 'input mono' : 'input',
    dir: 'auto',
    value,
    onChange: ({ target }: { readonly target: { readonly value: string } }) => onSet(target.value),
  };
  return (
    <Field id={id} label={label} note={note} docs={docs}>
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
    </Field>
  );
}

/** A field with one of several values. */
export function Choice<Id extends string>({
  label,
  note,
  docs,
  all,
  value,
  isDisabled = false,
  onSet,
}: {
  readonly label: ReactNode;
  /** The words of each value. */
  readonly all: Readonly<Partial<Record<Id, string>>>;
  readonly value: Id;
  readonly isDisabled?: boolean;
  readonly onSet: (value: Id) => void;
} & Told) {
  const id = useId();
  return (
    <Field id={id} label={label} note={note} docs={docs}>
      <select
        id={id}
        {...notedBy(id, note)}
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
    </Field>
  );
}

/** The names of objects by their ids, for `Choice`. */
export function namesOf(
  objects: readonly { readonly id: string; readonly name: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(objects.map(({ id, name }) => [id, name]));
}
