import { type FormEvent, useMemo, useRef, useState } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation, useSearchParams } from 'wouter';
import { stringify } from 'yaml';
import {
  CallablesDocument,
  NewProcessDocument,
  ProcessesDocument,
  ProcessPageDocument,
} from '../generated/documents.ts';
import { isInternal } from '../runs/internal.ts';
import { TextInput } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { namesOfNewDrafts, newDraftKey } from '../ui/process-draft.ts';
import { Fault, Loading } from '../ui/states.tsx';
import { useChange } from '../ui/use-change.ts';
import { ownFirst } from './callables.ts';
import { Definition, type Saving } from './definition.tsx';
import { textOf } from './definition-text.ts';

const CRUMBS = [{ label: 'Processes', to: '/processes' }];

/** A Process that is not stored yet: first its name and its beginning, then the editor. */
export function NewProcess() {
  const [search] = useSearchParams();
  const name = search.get('name');
  const from = search.get('from');
  return name === null ? (
    <Beginning from={from} />
  ) : (
    <Editor key={`${name} ${from}`} name={name} from={from} />
  );
}

/** Asks for the name, and for the Process to begin from. */
function Beginning({ from }: { readonly from: string | null }) {
  const [, go] = useLocation();
  const [{ data, error }, again] = useQuery({ query: ProcessesDocument, variables: {} });
  const [typed, setName] = useState<string | null>(null);
  const [chosen, setChosen] = useState(from ?? '');
  const processes = (data?.processes.nodes ?? []).filter(
    (one) => one.id === from || !isInternal(one),
  );
  const begun = processes.find(({ id }) => id === chosen);
  const copied = from !== null && begun !== undefined ? `${begun.name} (copy)` : '';
  const name = typed ?? copied;
  const drafts = namesOfNewDrafts();
  const begin = (event: FormEvent) => {
    event.preventDefault();
    const next = new URLSearchParams({ name: name.trim() });
    if (chosen !== '') next.set('from', chosen);
    go(`/processes/new?${next}`);
  };
  return (
    <Page title="New Process" crumbs={CRUMBS}>
      <div className="page-body pad">
        {data === undefined ? (
          error === undefined ? (
            <Loading />
          ) : (
            <Fault error={error} onRetry={again} />
          )
        ) : (
          <form className="form-page col gap-16" onSubmit={begin}>
            <p className="dim">
              A Process calls Tools in steps, each with the values of those before it. Nothing is
              stored until you save.
            </p>
            <TextInput label="Name" placeholder="Weather report" value={name} onSet={setName} />
            <fieldset className="rows">
              <legend className="label">Begin with</legend>
              {[
                { id: '', name: 'An empty Process', description: 'Its steps are yours to add.' },
                ...processes,
              ].map((one) => (
                <label key={one.id} className="choice row">
                  <input
                    type="radio"
                    name="begin"
                    checked={chosen === one.id}
                    onChange={() => setChosen(one.id)}
                  />
                  <span className="col gap-0 grow">
                    <span className="strong clip">{one.name}</span>
                    <span className="small dim clip-2">{one.description}</span>
                  </span>
                </label>
              ))}
            </fieldset>
            <div className="row">
              <button type="submit" className="button primary" disabled={name.trim() === ''}>
                Go on
              </button>
            </div>
            {drafts.length === 0 ? null : (
              <section className="col gap-4" aria-label="Not saved yet">
                <h2>Not saved yet</h2>
                {drafts.map((draft) => (
                  <Link
                    key={draft}
                    className="link clip"
                    href={`/processes/new?name=${encodeURIComponent(draft)}`}
                  >
                    {draft}
                  </Link>
                ))}
              </section>
            )}
          </form>
        )}
      </div>
    </Page>
  );
}

function Editor({ name, from }: { readonly name: string; readonly from: string | null }) {
  const [, go] = useLocation();
  const [{ data: found, error: fault }] = useQuery({ query: CallablesDocument });
  const [{ data, error }] = useQuery({
    query: ProcessPageDocument,
    variables: { id: from ?? '' },
    pause: from === null,
  });
  const begun = from === null ? null : data?.process;
  const create = useChange(NewProcessDocument);
  const made = useRef<string | null>(null);
  const callables = useMemo(
    () => (found === undefined || begun == null ? found : ownFirst(found, begun)),
    [found, begun],
  );
  const stored = useMemo(
    () => ({
      draftKey: newDraftKey(name),
      version: null,
      text:
        begun == null
          ? stringify({ name, initialContext: [], steps: [], outputTemplate: '' })
          : textOf({ ...begun, name }),
      steps: null,
    }),
    [name, begun],
  );
  const saving: Saving = {
    isSending: create.isSending,
    problems: create.problems,
    async save(input) {
      const done = await create.send({ input });
      made.current = done?.createProcess.process?.id ?? null;
      return done?.createProcess.process?.version ?? null;
    },
    onRefused() {},
    onCopy: null,
    onSaved: () => go(`/processes/${made.current}`, { replace: true }),
  };
  const failed = error ?? fault;
  return (
    <Page title={name} crumbs={CRUMBS} meta={<span className="tag">not saved yet</span>}>
      {failed !== undefined ? (
        <Fault error={failed} />
      ) : begun === undefined || callables === undefined ? (
        <Loading />
      ) : (
        <Definition stored={stored} callables={callables} saving={saving} />
      )}
    </Page>
  );
}
