import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { parseJson } from '../../../packages/client/src/exact-json.ts';
import { isRecord } from '../runs/context-schema.ts';
import type { Topic } from '../ui/docs-topics.ts';
import { Field, FieldGroup, notedBy } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import {
  FIELD_TYPES,
  type FieldList,
  type FieldType,
  fieldsOf,
  newField,
  type SchemaField,
  schemaOf,
} from './field-list.ts';

/** Rows that edit the fields of an object: name, type, whether it is required, and a note. */
export function FieldRows({
  label,
  note,
  docs,
  noun,
  list,
  hasRequired = true,
  onChange,
}: {
  readonly label: string;
  /** A sentence that says what the rows stand for. */
  readonly note: string;
  readonly docs: Topic;
  /** Name of one row, such as `input`. */
  readonly noun: string;
  /** Whether a field may be left out. */
  readonly hasRequired?: boolean;
  readonly list: FieldList;
  readonly onChange: (list: FieldList) => void;
}) {
  const { fields } = list;
  const set = (at: number, change: Partial<SchemaField>) =>
    onChange({
      ...list,
      fields: fields.map((field, index) => (index === at ? { ...field, ...change } : field)),
    });
  return (
    <FieldGroup label={label} note={note} docs={docs} className="rows">
      {fields.map((field, index) => {
        const name = field.name === '' ? `${noun} ${index + 1}` : field.name;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its place while its name is typed
          <div key={index} className="row-fields">
            <input
              className="input mono"
              aria-label={`Name of ${noun} ${index + 1}`}
              placeholder="name"
              value={field.name}
              onChange={({ target }) => set(index, { name: target.value.trim() })}
            />
            <select
              className="input"
              aria-label={`Type of ${name}`}
              value={field.type}
              onChange={({ target }) => set(index, { type: target.value as FieldType })}
            >
              {Object.entries(FIELD_TYPES).map(([type, word]) => (
                <option key={type} value={type}>
                  {word}
                </option>
              ))}
            </select>
            {hasRequired ? (
              <label className="row small gap-4">
                <input
                  type="checkbox"
                  checked={field.isRequired}
                  onChange={({ target }) => set(index, { isRequired: target.checked })}
                />
                Required
                <span className="visually-hidden">: {name}</span>
              </label>
            ) : (
              <span />
            )}
            <IconButton
              label={`Remove ${name}`}
              onClick={() => onChange({ ...list, fields: fields.filter((_, at) => at !== index) })}
            >
              <IconX size={16} className="icon" />
            </IconButton>
            <input
              className="input row-note"
              aria-label={`Description of ${name}`}
              placeholder="Description, for people and models"
              value={field.description}
              onChange={({ target }) => set(index, { description: target.value })}
            />
          </div>
        );
      })}
      <span>
        <button
          type="button"
          className="button tiny"
          onClick={() => onChange({ ...list, fields: [...fields, newField('')] })}
        >
          <IconPlus size={14} className="icon" />
          Add {/^[aeiou]/.test(noun) ? 'an' : 'a'} {noun}
        </button>
      </span>
    </FieldGroup>
  );
}

const KINDS = {
  any: 'Anything',
  text: 'Text',
  object: 'An object with fields',
  schema: 'As a JSON Schema says',
} as const;
type Kind = keyof typeof KINDS;

function kindOf(schema: Readonly<Record<string, unknown>>): Kind {
  const keys = Object.keys(schema);
  if (keys.length === 0) return 'any';
  if (keys.length === 1 && schema['type'] === 'string') return 'text';
  return fieldsOf(schema) === null ? 'schema' : 'object';
}

/** The schema of a Tool's output: by a choice, by its fields, or as JSON. */
export function OutputSchema({
  schema,
  onChange,
}: {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Null while the text is no JSON object. */
  readonly onChange: (schema: Record<string, unknown> | null) => void;
}) {
  const [kind, setKind] = useState(() => kindOf(schema));
  const [list, setList] = useState<FieldList>(() => fieldsOf(schema) ?? { fields: [], rest: {} });
  const [json, setJson] = useState(() => JSON.stringify(schema, null, 2));
  const choose = (next: Kind) => {
    setKind(next);
    if (next === 'any') onChange({});
    else if (next === 'text') onChange({ type: 'string' });
    else if (next === 'object') onChange(schemaOf(list));
    else onChange(objectIn(json));
  };
  return (
    <Field id="output-kind" label="It answers with" note={ANSWERS} docs="tool">
      <select
        id="output-kind"
        {...notedBy('output-kind', ANSWERS)}
        className="input"
        value={kind}
        onChange={({ target }) => choose(target.value as Kind)}
      >
        {Object.entries(KINDS).map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      {kind === 'object' ? (
        <FieldRows
          label="Fields of the answer"
          note="Fields that are not named here may come, too."
          docs="tool"
          noun="field"
          list={list}
          onChange={(next) => {
            setList(next);
            onChange(schemaOf(next));
          }}
        />
      ) : kind === 'schema' ? (
        <textarea
          className="input mono"
          rows={6}
          aria-label="JSON Schema of the answer"
          value={json}
          onChange={({ target }) => {
            setJson(target.value);
            onChange(objectIn(target.value));
          }}
        />
      ) : null}
    </Field>
  );
}

const ANSWERS =
  'An answer of another form fails the step. Named fields can be picked in later steps.';

function objectIn(json: string): Record<string, unknown> | null {
  try {
    const value = parseJson(json);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
