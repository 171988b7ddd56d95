import { IconBraces, IconForms } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { parseJson } from '../../../packages/client/src/exact-json.ts';
import { RunDefinitionDocument, StartRunDocument } from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { fits, SEARCHED_FROM } from '../ui/name-search.ts';
import { SearchField } from '../ui/search-field.tsx';
import { Loading, Problems } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { formSchema, isRecord } from './context-schema.ts';
import { isInternal } from './internal.ts';
import { useProcessChoices } from './process-choices.ts';
import { SchemaForm } from './schema-form.tsx';
import { TOUR_CONTEXT } from './tour-context.ts';

/** A run from a form of the Process's context, or from JSON. */
export function StartRun({
  processId,
  context,
  onClose,
}: {
  readonly processId: string | null;
  /** Of an earlier run, to start with its values. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly onClose: () => void;
}) {
  const [, go] = useLocation();
  const [chosen, setChosen] = useState(processId);
  const [value, setValue] = useState<Record<string, unknown> | null>(
    context === undefined ? null : { ...context },
  );
  const [json, setJson] = useState<string | null>(null);
  const start = useChange(StartRunDocument);
  const choices = useProcessChoices();
  const [{ data, fetching }] = useQuery({
    query: RunDefinitionDocument,
    variables: { id: chosen ?? '' },
    pause: chosen === null,
  });
  const [part, setPart] = useState('');
  const isFound = fits(part);
  const startable = choices.filter((one) => one.id === chosen || !isInternal(one));
  const processes = startable.filter(({ id, name }) => id === chosen || isFound(name));
  const process = chosen === null ? null : (data?.process ?? null);
  const schema = useMemo(() => (process === null ? null : formSchema(process)), [process]);
  const shown = value ?? (process?.name === 'tour' ? TOUR_CONTEXT : {});
  const parsed = json === null ? shown : parse(json);

  const send = async (given: Record<string, unknown>) => {
    if (process === null || start.isSending) return;
    const done = await start.send({ input: { processId: process.id, context: given } });
    const id = done?.startProcessRun.run?.id;
    if (id === undefined) return;
    notify(`Started ${process.name}.`);
    onClose();
    go(`/runs/${id}`);
  };

  return (
    <Dialog
      title={process === null ? 'Start a run' : `Start ${process.name}`}
      isOpen
      onClose={onClose}
    >
      <section
        className="col gap-12"
        aria-label="Start form"
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isRecord(parsed))
            void send(parsed);
        }}
      >
        {startable.length < SEARCHED_FROM ? null : (
          <SearchField
            label="Find by a part of the name"
            placeholder="Find by a part of the name"
            value={part}
            onSet={setPart}
          />
        )}
        <Field id="start-process" label="Process">
          <select
            id="start-process"
            className="input"
            style={{ width: '100%' }}
            value={chosen ?? ''}
            onChange={({ target }) => {
              setChosen(target.value === '' ? null : target.value);
              setValue(null);
              setJson(null);
              start.clear();
            }}
          >
            <option value="">Choose a Process</option>
            {processes.map(({ id, name, enabled }) => (
              <option key={id} value={id} disabled={!enabled}>
                {name}
                {enabled ? '' : ' (disabled)'}
              </option>
            ))}
          </select>
        </Field>
        {fetching && process === null ? <Loading rows={3} /> : null}
        {process === null || schema === null ? null : (
          <>
            {process.initialContext.length === 0 ? (
              <p className="dim small">This Process needs nothing to begin.</p>
            ) : json === null ? (
              <SchemaForm
                id="context"
                schema={schema}
                value={shown}
                onChange={setValue}
                onSubmit={(given) => void send(given)}
              />
            ) : (
              <Field id="context-json" label="Context, as JSON">
                <textarea
                  id="context-json"
                  className="input mono"
                  rows={12}
                  value={json}
                  onChange={({ target }) => setJson(target.value)}
                />
                {isRecord(parsed) ? null : (
                  <p className="small" role="alert">
                    This is not a JSON object yet.
                  </p>
                )}
              </Field>
            )}
            <Problems problems={start.problems} />
            <div className="row">
              <button
                type={json === null && process.initialContext.length > 0 ? 'submit' : 'button'}
                {...(json === null && process.initialContext.length > 0
                  ? { form: 'context' }
                  : { onClick: () => isRecord(parsed) && void send(parsed) })}
                className="button primary"
                aria-busy={start.isSending}
                disabled={start.isSending || !isRecord(parsed)}
              >
                {start.isSending ? 'Starting …' : 'Start'}
              </button>
              <span className="grow" />
              <button
                type="button"
                className="button plain"
                onClick={() => {
                  if (json === null) setJson(JSON.stringify(shown, null, 2));
                  else {
                    if (isRecord(parsed)) setValue(parsed);
                    setJson(null);
                  }
                }}
              >
                {json === null ? (
                  <IconBraces size={15} className="icon" />
                ) : (
                  <IconForms size={15} className="icon" />
                )}
                {json === null ? 'As JSON' : 'As a form'}
              </button>
            </div>
          </>
        )}
      </section>
    </Dialog>
  );
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
