import { type FormEvent, useMemo, useRef, useState } from 'react';
import { useQuery } from 'urql';
import { Link, useLocation, useSearchParams } from 'wouter';
import { stringify } from 'yaml';
import {
  DraftRunDocument,
  NewProcessDocument,
  ProcessesDocument,
  ProcessPageDocument,
} from '../generated/documents.ts';
import { isInternal } from '../runs/internal.ts';
import { FieldGroup, TextInput } from '../ui/field.tsx';
import { guardLeaving } from '../ui/leaving.ts';
import { Page } from '../ui/page.tsx';
import { namesOfNewDrafts, newDraftKey } from '../ui/process-draft.ts';
import { Fault, Loading, Unread } from '../ui/states.tsx';
import { useChange } from '../ui/use-change.ts';
import { useMedia } from '../ui/use-media.ts';
import { firstOf, ownFirst, useCallables } from './callables.ts';
import { Definition, type Saving } from './definition.tsx';
import { textOf } from './definition-text.ts';
import { Describe } from './describe.tsx';
import { DraftNotes } from './draft-notes.tsx';
import { readDraftOutput } from './sentence-draft.ts';

const CRUMBS = [{ label: 'Processes', to: '/processes' }];

/** A Process that is not stored yet: first its name and its beginning, then the editor. */
export function NewProcess() {
  const [search] = useSearchParams();
  const name = search.get('name');
  const from = search.get('from');
  return name === null ? (
    <Beginning key={from} from={from} />
  ) : (
    <Editor key={`${name} ${from}`} name={name} from={from} draftRunId={search.get('draft')} />
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
          <Unread error={error} onRetry={again} />
        ) : (
          <div className="form-page col gap-20">
            <p className="dim">
              A Process calls Tools in steps, each with the values of those before it. Nothing is
              stored until you save.
            </p>
            <Describe
              onNearest={(nearest) => {
                const near = processes.find((one) => one.name === nearest);
                if (near !== undefined) go(`/processes/new?from=${near.id}`);
              }}
            />
            <form className="col gap-16" onSubmit={begin}>
              <h2>Or begin with a name</h2>
              <TextInput
                label="Name"
                note="At most 200 characters, unique among your Processes. It can be changed later."
                docs="process"
                placeholder="Weather report"
                value={name}
                onSet={setName}
              />
              <FieldGroup
                label="Begin with"
                note="A copy has the steps of the chosen one, which stays as it is."
                docs="process"
                className="rows"
              >
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
              </FieldGroup>
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
          </div>
        )}
      </div>
    </Page>
  );
}

function Editor({
  name,
  from,
  draftRunId,
}: {
  readonly name: string;
  readonly from: string | null;
  /** The run that drafted it from a sentence; null: none did. */
  readonly draftRunId: string | null;
}) {
  const [, go] = useLocation();
  const { callables: found, error: fault, again } = useCallables();
  const [{ data, error }] = useQuery({
    query: ProcessPageDocument,
    variables: { id: from ?? '' },
    pause: from === null,
  });
  const begun = from === null ? null : data?.process;
  const [{ data: drafted, error: draftError }] = useQuery({
    query: DraftRunDocument,
    variables: { id: draftRunId ?? '' },
    pause: draftRunId === null,
  });
  const draft = useMemo(() => readDraftOutput(drafted?.processRun?.output), [drafted]);
  /** The first step with a choice that is left to the author. */
  const firstOpen = useMemo(() => {
    const id = draft?.open.find(({ stepId }) => stepId !== null)?.stepId;
    return id == null ? null : { id };
  }, [draft]);
  // A form would lie over the notes there.
  const isNarrow = useMedia('(max-width: 760px)');
  const [asked, setAsked] = useState<{ readonly id: string } | null>(null);
  const create = useChange(NewProcessDocument);
  const made = useRef<string | null>(null);
  const callables = useMemo(() => {
    if (found === undefined) return found;
    if (begun != null) return ownFirst(found, begun);
    return draft === null ? found : firstOf(found, draft.targetIds);
  }, [found, begun, draft]);
  const stored = useMemo(
    () => ({
      draftKey: newDraftKey(name),
      version: null,
      text:
        begun == null
          ? stringify({ name, initialContext: [], steps: [], outputTemplate: '' })
          : textOf({ ...begun, name }),
      steps: null,
      tellsOfDraft: draftRunId === null,
    }),
    [name, begun, draftRunId],
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
    onSaved() {
      const to = `/processes/${made.current}`;
      const cron = draft?.cron ?? null;
      const next = cron === null ? '' : `?${new URLSearchParams({ view: 'schedules', cron })}`;
      go(`${to}${next}`, { replace: true });
    },
  };
  const failed = error ?? draftError;
  const isReading = draftRunId !== null && drafted === undefined;
  return (
    <Page title={name} crumbs={CRUMBS} meta={<span className="tag">not saved yet</span>}>
      {failed !== undefined ? (
        <Fault error={failed} />
      ) : callables === undefined && fault !== undefined ? (
        <Fault error={fault} onRetry={again} />
      ) : begun === undefined || callables === undefined || isReading ? (
        <Loading />
      ) : (
        <>
          {draft === null ? null : (
            <DraftNotes
              draft={draft}
              onStep={(id) => setAsked({ id })}
              onNearest={(nearest) => {
                const near = callables.processes.nodes.find((one) => one.name === nearest);
                if (near !== undefined)
                  guardLeaving(() => go(`/processes/new?from=${near.id}`), '/');
              }}
            />
          )}
          <Definition
            stored={stored}
            callables={callables}
            saving={saving}
            isDraft={draft !== null}
            {...(draftRunId === null ? {} : { asked: asked ?? (isNarrow ? null : firstOpen) })}
          />
        </>
      )}
    </Page>
  );
}
