import { IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import { type FieldList, fieldsOf, newField, schemaOf } from '../catalog/field-list.ts';
import { FieldRows } from '../catalog/schema-fields.tsx';
import type { Schema } from '../runs/context-schema.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { setRoot } from './definition-edit.ts';
import { TextField } from './text-field.tsx';
import type { Variable } from './variables.ts';

/** The fields of a Process besides its steps, as its text has them. */
export interface ProcessFields {
  readonly name: string;
  readonly description: string;
  readonly initialContext: readonly string[];
  readonly contextSchema: Schema | null;
  readonly outputTemplate: string;
  readonly tokenBudget: number | null;
}

/** A Process as a form: its name, what a run is given, and its output. */
export function ProcessForm({
  fields,
  variables,
  onEdit,
  onClose,
}: {
  readonly fields: ProcessFields;
  /** Values that the output may use. */
  readonly variables: readonly Variable[];
  readonly onEdit: (edit: (text: string) => string) => void;
  readonly onClose: () => void;
}) {
  const { name, description, initialContext, contextSchema, outputTemplate } = fields;
  const set = (key: string, value: unknown) => onEdit(setRoot(key, value));
  const given = useMemo(
    () => listOf(initialContext, contextSchema),
    [initialContext, contextSchema],
  );
  /** With rows that have no name yet; the text has none of them. */
  const [list, setList] = useState(given);
  useEffect(() => setList((typed) => (sameFields(typed, given) ? typed : given)), [given]);
  const store = (next: FieldList) => {
    setList(next);
    const named = next.fields.filter((field) => field.name !== '');
    const isTyped = named.some(
      ({ type, description: told, rest }) =>
        type !== 'any' || told !== '' || Object.keys(rest).length > 0,
    );
    const { required: _, ...schema } = schemaOf(next);
    onEdit((before) => {
      const withSchema = setRoot('contextSchema', isTyped ? schema : undefined)(before);
      return setRoot(
        'initialContext',
        named.map((field) => field.name),
      )(withSchema);
    });
  };
  return (
    <section className="step-form" aria-label="Settings of the Process">
      <header className="row">
        <h2 className="grow">Settings of the Process</h2>
        <IconButton label="Close the settings" onClick={onClose}>
          <IconX size={16} className="icon" />
        </IconButton>
      </header>
      <div className="col gap-12 step-form-body">
        <TextField
          label="Name"
          note="At most 200 characters. Lists, steps and commands find it by this name."
          docs="process"
          value={name}
          onSet={(text) => set('name', text)}
        />
        <TextField
          label="Description (may be left out)"
          note="For people, and for models that may call this Process."
          docs="process"
          value={description}
          onSet={(text) => set('description', text === '' ? undefined : text)}
        />
        <FieldRows
          label="A run is given"
          note="Names of the values that each start gives: letters, digits and _."
          docs="process"
          noun="variable"
          hasRequired={false}
          list={list}
          onChange={store}
        />
        <TextField
          label="Output"
          note="The result of a run, a template: {{summary}} is the output of a step."
          docs="templates"
          isLong
          choices={variables}
          format={asTemplate}
          value={outputTemplate}
          onSet={(text) => set('outputTemplate', text)}
        />
        <TextField
          label="Most tokens of the output (may be left out)"
          note="A whole number. A longer output is cut."
          docs="process"
          value={fields.tokenBudget === null ? '' : String(fields.tokenBudget)}
          onSet={(text) => {
            const tokens = Number(text);
            set('tokenBudget', text.trim() === '' || Number.isNaN(tokens) ? undefined : tokens);
          }}
        />
      </div>
    </section>
  );
}

/** The variables of the context with their types. */
function listOf(initialContext: readonly string[], contextSchema: Schema | null): FieldList {
  const typed = fieldsOf(contextSchema ?? {}) ?? { fields: [], rest: {} };
  return {
    ...typed,
    fields: initialContext.map(
      (name) =>
        typed.fields.find((field) => field.name === name) ?? {
          ...newField(name),
          type: 'any',
        },
    ),
  };
}

function sameFields(left: FieldList, right: FieldList): boolean {
  return JSON.stringify(schemaOf(left)) === JSON.stringify(schemaOf(right));
}

/** Templates read variables by name: `step.summary` is `{{summary}}` there. */
function asTemplate(path: string): string {
  const name = path.replace(/^(?:step|context)\./, '');
  return `{{${name.replace(/\[("[^"]*")\]/g, (_, key: string) => `.[${JSON.parse(key)}]`)}}}`;
}
