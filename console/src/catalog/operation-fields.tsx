import { IconPlus, IconX } from '@tabler/icons-react';
import type { BodyKind, HttpMethod } from '../generated/documents.ts';
import { Choice, TextInput } from '../ui/field.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { hasBodyOf, type OperationDraft, type Pair } from './operation-draft.ts';

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

/** How a body is written, as a person chooses it. */
const BODIES = {
  none: { label: 'No body', form: 'none', kind: null },
  json: { label: 'Fields, as JSON', form: 'fields', kind: null },
  form: { label: 'Fields, as a web form', form: 'fields', kind: 'FORM' },
  multipart: { label: 'Fields and files (multipart)', form: 'fields', kind: 'MULTIPART' },
  text: { label: 'A text', form: 'text', kind: null },
} as const satisfies Record<
  string,
  { label: string; form: 'none' | 'fields' | 'text'; kind: BodyKind | null }
>;
type Body = keyof typeof BODIES;

/** The form of an operation, by the kind of its Service. */
export function OperationFields({
  value,
  onChange,
}: {
  readonly value: OperationDraft;
  readonly onChange: (value: OperationDraft) => void;
}) {
  if (value.type === 'LLM_PROVIDER')
    return (
      <>
        <TextInput
          label="System prompt (may be left out)"
          note="How the model answers, each time. It stands before the prompt."
          rows={3}
          placeholder="You answer letters politely and briefly."
          value={value.systemPrompt}
          onSet={(systemPrompt) => onChange({ ...value, systemPrompt })}
        />
        <TextInput
          label="Prompt"
          rows={6}
          placeholder={'Answer this letter:\n\n{{letter}}'}
          value={value.promptTemplate}
          onSet={(promptTemplate) => onChange({ ...value, promptTemplate })}
        />
        <Hint />
      </>
    );
  if (value.type === 'MCP_SERVER')
    return (
      <TextInput
        label="Tool of the MCP server"
        note={`Its exact name. An import (Services, Import Tools) makes all of a server’s Tools
          with their inputs.`}
        isMono
        value={value.tool}
        onSet={(tool) => onChange({ ...value, tool })}
      />
    );
  if (value.type === 'NEO4J_GRAPH')
    return (
      <>
        <TextInput
          label="Cypher statement"
          note={
            <>
              <code>$name</code> is the input <code>name</code>.
            </>
          }
          isMono
          rows={5}
          placeholder="MATCH (p:Person {name: $name}) RETURN p.born AS born"
          value={value.cypher}
          onSet={(cypher) => onChange({ ...value, cypher })}
        />
        <label className="row small">
          <input
            type="checkbox"
            checked={value.isWriting}
            onChange={({ target }) => onChange({ ...value, isWriting: target.checked })}
          />
          It may write
        </label>
        <span className="small faint">Else the database refuses a statement that writes.</span>
      </>
    );
  const body = bodyOf(value);
  return (
    <>
      <div className="row top">
        <Choice<HttpMethod>
          label="Method"
          all={Object.fromEntries(METHODS.map((method) => [method, method]))}
          value={value.method}
          onSet={(method) => onChange({ ...value, method })}
        />
        <div className="grow">
          <TextInput
            label="Path, after the address of the Service"
            note="It begins with / and may be / alone."
            isMono
            placeholder="/items/{{id}}"
            value={value.path}
            onSet={(path) => onChange({ ...value, path })}
          />
        </div>
      </div>
      <Hint />
      <Pairs
        label="Query parameters"
        noun="parameter"
        pairs={value.query}
        onChange={(query) => onChange({ ...value, query })}
      />
      <Pairs
        label="Headers"
        noun="header"
        pairs={value.headers}
        onChange={(headers) => onChange({ ...value, headers })}
      />
      {hasBodyOf(value.method) ? (
        <>
          <Choice<Body>
            label="Body"
            all={Object.fromEntries(Object.entries(BODIES).map(([id, { label }]) => [id, label]))}
            value={body}
            onSet={(next) => {
              const { form, kind } = BODIES[next];
              onChange({ ...value, bodyForm: form, bodyKind: kind });
            }}
          />
          {value.bodyForm === 'fields' ? (
            <Pairs
              label="Fields of the body"
              noun="field"
              pairs={value.bodyFields}
              onChange={(bodyFields) => onChange({ ...value, bodyFields })}
            />
          ) : value.bodyForm === 'text' ? (
            <textarea
              className="input mono"
              rows={5}
              aria-label="Text of the body"
              value={value.bodyText}
              onChange={({ target }) => onChange({ ...value, bodyText: target.value })}
            />
          ) : null}
        </>
      ) : null}
    </>
  );
}

function bodyOf({
  bodyForm,
  bodyKind,
}: Extract<OperationDraft, { readonly type: 'REST_API' }>): Body {
  if (bodyForm !== 'fields') return bodyForm;
  return bodyKind === 'FORM' ? 'form' : bodyKind === 'MULTIPART' ? 'multipart' : 'json';
}

function Hint() {
  return (
    <span className="small faint">
      <code>{'{{name}}'}</code> stands for the input <code>name</code>; it appears under Inputs by
      itself.
    </span>
  );
}

function Pairs({
  label,
  noun,
  pairs,
  onChange,
}: {
  readonly label: string;
  readonly noun: string;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}) {
  const set = (at: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...change } : pair)));
  return (
    <fieldset className="rows" aria-label={label}>
      <legend className="label">{label}</legend>
      {pairs.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row keeps its place while its name is typed
        <div key={index} className="row-pair">
          <input
            className="input mono"
            aria-label={`Name of ${noun} ${index + 1}`}
            placeholder="name"
            value={name}
            onChange={({ target }) => set(index, { name: target.value })}
          />
          <input
            className="input mono"
            aria-label={`Value of ${name === '' ? `${noun} ${index + 1}` : name}`}
            placeholder="{{name}}"
            value={value}
            onChange={({ target }) => set(index, { value: target.value })}
          />
          <IconButton
            label={`Remove ${name === '' ? `${noun} ${index + 1}` : name}`}
            onClick={() => onChange(pairs.filter((_, at) => at !== index))}
          >
            <IconX size={16} className="icon" />
          </IconButton>
        </div>
      ))}
      <span>
        <button
          type="button"
          className="button tiny"
          onClick={() => onChange([...pairs, { name: '', value: '' }])}
        >
          <IconPlus size={14} className="icon" />
          Add a {noun}
        </button>
      </span>
    </fieldset>
  );
}
