import { useId, useState } from 'react';
import { Field, notedBy } from '../ui/field.tsx';
import { fits, SEARCHED_FROM } from '../ui/name-search.ts';
import { SearchField } from '../ui/search-field.tsx';
import type { Callables } from './callables.ts';
import { CHOICE_PATHS } from './step-choices.ts';

/** Chooses the Tool or Process of a step. */
export function TargetChoice({
  label = 'Calls',
  note,
  callables,
  value,
  onSet,
}: {
  readonly label?: string;
  readonly note: string;
  readonly callables: Callables;
  /** `tool NAME` or `process NAME`; any other text: none is chosen. */
  readonly value: string;
  readonly onSet: (target: string) => void;
}) {
  const id = useId();
  const [text, setText] = useState('');
  const isShown = fits(text);
  const optionsOf = (kind: string, nodes: readonly { readonly id: string; name: string }[]) =>
    nodes
      .map((one) => ({ ...one, target: `${kind} ${one.name}` }))
      .filter(({ name, target }) => target === value || isShown(name));
  const groups = [
    { label: 'Tools', options: optionsOf('tool', callables.tools.nodes) },
    { label: 'Processes', options: optionsOf('process', callables.processes.nodes) },
  ];
  return (
    <Field id={id} label={label} note={note} docs="step">
      <TargetSearch callables={callables} text={text} onSet={setText} />
      <select
        id={id}
        {...notedBy(id, note)}
        className="input"
        data-path={CHOICE_PATHS.calls}
        value={value}
        onChange={({ target }) => onSet(target.value)}
      >
        <option value="">Choose a Tool or a Process</option>
        {groups.map(({ label: group, options }) =>
          options.length === 0 ? null : (
            <optgroup key={group} label={group}>
              {options.map(({ id: targetId, name, target }) => (
                <option key={targetId} value={target}>
                  {name}
                </option>
              ))}
            </optgroup>
          ),
        )}
      </select>
    </Field>
  );
}

/** Words that narrow a long list of targets; nothing where the list is short. */
export function TargetSearch({
  callables: { tools, processes },
  text,
  onSet,
}: {
  readonly callables: Callables;
  readonly text: string;
  readonly onSet: (text: string) => void;
}) {
  if (tools.nodes.length + processes.nodes.length < SEARCHED_FROM) return null;
  return (
    <SearchField
      label="Find by a part of the name"
      placeholder="Find by a part of the name"
      value={text}
      onSet={onSet}
    />
  );
}

/** The kind and the name of a chosen target. */
export function split(target: string): [string, string?] {
  const at = target.indexOf(' ');
  return at < 0 ? [target] : [target.slice(0, at), target.slice(at + 1)];
}
