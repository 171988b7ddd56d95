import { IconPlus, IconX } from '@tabler/icons-react';
import type { BodyKind, HttpMethod } from '../generated/documents.ts';
import { Check, Choice, FieldGroup, TextInput } from '../ui/field.tsx';
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
          docs="modelCall"
          rows={3}
          placeholder="You answer letters politely and briefly."
          value={value.systemPrompt}
          onSet={(systemPrompt) => onChange({ ...value, systemPrompt })}
        />
        <TextInput
          label="Prompt"
          note={VARIABLES}
          docs="modelCall"
          rows={6}
          placeholder={'Answer this letter:\n\n{{letter}}'}
          value={value.promptTemplate}
          onSet={(promptTemplate) => onChange({ ...value, promptTemplate })}
        />
      </>
    );
  if (value.type === 'MCP_SERVER')
    return (
      <TextInput
        label="Tool of the MCP server"
        note={`Its exact name. An import (Services, Import Tools) makes all of a server’s Tools
          with their inputs.`}
        docs="mcp"
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
          docs="service"
          isMono
          rows={5}
          placeholder="MATCH (p:Person {name: $name}) RETURN p.born AS born"
          value={value.cypher}
          onSet={(cypher) => onChange({ ...value, cypher })}
        />
        <Check
          label="It may write"
          note="Else the database refuses a statement that writes."
          docs="tool"
          isOn={value.isWriting}
          onSet={(isWriting) => onChange({ ...value, isWriting })}
        />
      </>
    );
  const body = bodyOf(value);
  return (
    <>
      <div className="row top">
        <Choice<HttpMethod>
          label="Method"
          note="GET reads; most others change data."
          docs="restCall"
          all={Object.fromEntries(METHODS.map((method) => [method, method]))}
          value={value.method}
          onSet={(method) => onChange({ ...value, method })}
        />
        <div className="grow">
          <TextInput
            label="Path, after the address of the Service"
            note={<>It begins with / and may be / alone. {VARIABLES}</>}
            docs="restCall"
            isMono
            placeholder="/items/{{id}}"
            value={value.path}
            onSet={(path) => onChange({ ...value, path })}
          />
        </div>
      </div>
      <Pairs
        label="Query parameters"
        note="They follow the path after a ?. One whose input is not given is left out."
        noun="parameter"
        pairs={value.query}
        onChange={(query) => onChange({ ...value, query })}
      />
      <Pairs
        label="Headers"
        note="One whose input is not given is left out. The header of a Secret is added by itself."
        noun="header"
        pairs={value.headers}
        onChange={(headers) => onChange({ ...value, headers })}
      />
      {hasBodyOf(value.method) ? (
        <>
          <Choice<Body>
            label="Body"
            note="What is sent along, and in which form."
            docs="restCall"
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
              note="A value that is one {{name}} keeps its type: numbers, lists, objects."
              noun="field"
              pairs={value.bodyFields}
              onChange={(bodyFields) => onChange({ ...value, bodyFields })}
            />
          ) : value.bodyForm === 'text' ? (
            <TextInput
              label="Text of the body"
              note={VARIABLES}
              docs="restCall"
              isMono
              rows={5}
              value={value.bodyText}
              onSet={(bodyText) => onChange({ ...value, bodyText })}
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

const VARIABLES = (
  <>
    <code>{'{{name}}'}</code> stands for the input <code>name</code>; it appears under Inputs by
    itself.
  </>
);

function Pairs({
  label,
  note,
  noun,
  pairs,
  onChange,
}: {
  readonly label: string;
  readonly note: string;
  readonly noun: string;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
}) {
  const set = (at: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...change } : pair)));
  return (
    <FieldGroup label={label} note={note} docs="restCall" className="rows">
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
    </FieldGroup>
  );
}
