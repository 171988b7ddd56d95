import { useId } from 'react';
import type { CallablesQuery } from '../generated/documents.ts';
import { Field } from '../ui/field.tsx';

/** Chooses the Tool or Process of a step. */
export function TargetChoice({
  label = 'Calls',
  callables,
  value,
  onSet,
}: {
  readonly label?: string;
  readonly callables: CallablesQuery;
  /** `tool NAME` or `process NAME`; any other text: none is chosen. */
  readonly value: string;
  readonly onSet: (target: string) => void;
}) {
  const id = useId();
  return (
    <Field id={id} label={label}>
      <select
        id={id}
        className="input"
        value={value}
        onChange={({ target }) => onSet(target.value)}
      >
        <option value="">Choose a Tool or a Process</option>
        <optgroup label="Tools">
          {callables.tools.nodes.map((tool) => (
            <option key={tool.id} value={`tool ${tool.name}`}>
              {tool.name}
            </option>
          ))}
        </optgroup>
        <optgroup label="Processes">
          {callables.processes.nodes.map((process) => (
            <option key={process.id} value={`process ${process.name}`}>
              {process.name}
            </option>
          ))}
        </optgroup>
      </select>
    </Field>
  );
}

/** The kind and the name of a chosen target. */
export function split(target: string): [string, string?] {
  const at = target.indexOf(' ');
  return at < 0 ? [target] : [target.slice(0, at), target.slice(at + 1)];
}
