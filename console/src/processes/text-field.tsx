import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Topic } from '../ui/docs-topics.ts';
import { Field, notedBy } from '../ui/field.tsx';
import { type Choice, Picker } from '../ui/picker.tsx';

const LONG = 48;

/** A text that is taken when the field is left, so that each edit is one change of the text. */
export function TextField({
  label,
  path,
  note,
  docs,
  value,
  placeholder,
  options,
  choices,
  isLong = value.length > LONG || value.includes('\n'),
  format = (path) => `{${path}}`,
  onSet,
}: {
  readonly label: string;
  /** Path of the value in the step, by which its field is found. */
  readonly path?: string;
  /** What it takes. */
  readonly note: ReactNode;
  /** The section of the docs about it. */
  readonly docs: Topic;
  readonly value: string;
  readonly placeholder?: string;
  /** Values to choose from; others may be typed. */
  readonly options?: readonly string[] | undefined;
  /** Variables to pick; absent: the field takes none. */
  readonly choices?: readonly Choice[];
  readonly isLong?: boolean;
  /** Writes a picked variable. */
  readonly format?: (path: string) => string;
  readonly onSet: (text: string) => void;
}) {
  const id = useId();
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => setText(value), [value]);
  const take = () => {
    if (text !== value) onSet(text);
  };
  const pick = (path: string) => {
    const [from, to] = [field.current?.selectionStart, field.current?.selectionEnd];
    const at = from ?? text.length;
    const next = text.slice(0, at) + format(path) + text.slice(to ?? at);
    setText(next);
    onSet(next);
  };
  const props = {
    id,
    ref: field,
    'data-path': path,
    ...notedBy(id, note),
    // Words alone are read better in the usual type.
    className: choices === undefined && options === undefined ? 'input' : 'input mono',
    dir: 'auto',
    placeholder,
    value: text,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setText(target.value),
    onBlur: take,
  };
  return (
    <Field
      id={id}
      label={label}
      note={note}
      docs={docs}
      beside={
        choices === undefined ? undefined : (
          <Picker label={`Pick a variable for ${label}`} choices={choices} onPick={pick} />
        )
      }
    >
      {isLong ? (
        <textarea rows={4} {...props} />
      ) : (
        <input
          {...props}
          {...(options === undefined ? {} : { list: `${id}-options` })}
          onKeyDown={({ key }) => {
            if (key === 'Enter') take();
          }}
        />
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
