import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { type Choice, Picker } from '../ui/picker.tsx';

const LONG = 48;

/** A text that is taken when the field is left, so that each edit is one change of the text. */
export function TextField({
  label,
  note,
  value,
  placeholder,
  options,
  choices,
  isLong = value.length > LONG || value.includes('\n'),
  format = (path) => `{${path}}`,
  onSet,
}: {
  readonly label: string;
  readonly note?: ReactNode;
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
    <div className="field">
      <span className="row">
        <label className="label grow" htmlFor={id}>
          {label}
        </label>
        {choices === undefined ? null : (
          <Picker label={`Pick a variable for ${label}`} choices={choices} onPick={pick} />
        )}
      </span>
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
      {note === undefined || note === '' ? null : <span className="small faint">{note}</span>}
    </div>
  );
}
