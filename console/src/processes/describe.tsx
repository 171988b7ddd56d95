import { IconSparkles } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import {
  CancelRunDocument,
  DraftProcessDocument,
  DraftRunDocument,
  type DraftRunQuery,
} from '../generated/documents.ts';
import { errorWords } from '../runs/error-words.ts';
import { isOpen } from '../runs/run-status.ts';
import { keepDraft } from '../ui/drafts.ts';
import { TextInput } from '../ui/field.tsx';
import { namesOfNewDrafts, newDraftKey } from '../ui/process-draft.ts';
import { Problems } from '../ui/states.tsx';
import { useChange } from '../ui/use-change.ts';
import { useKept } from '../ui/use-kept.ts';
import { setRoot } from './definition-edit.ts';
import { DraftNotes } from './draft-notes.tsx';
import { freeDraftName, readDraftOutput } from './sentence-draft.ts';

const EXAMPLE =
  'Every morning fetch https://example.org/feed.json, summarise it and ask me before posting it';
const SENTENCE_MAX = 2_000;
const EVERY_MS = 1_000;

/** Words for the progress of the run, by the step that is at work. */
const WORK: Readonly<Record<string, string>> = {
  sketch: 'Looking for Tools that fit your words …',
  write: 'The model writes a draft …',
  check: 'Checking the draft …',
  mend: 'The model mends the draft …',
  draft: 'Checking the draft …',
};

/** Begins a Process from a sentence: the draft opens in the editor, and nothing is saved. */
export function Describe({ onNearest }: { readonly onNearest: (name: string) => void }) {
  const [, go] = useLocation();
  const kept = useKept('sentence', () => ({ text: '' }));
  const sentence = kept.value.text;
  const draft = useChange(DraftProcessDocument);
  const cancel = useChange(CancelRunDocument);
  const [runId, setRunId] = useState<string | null>(null);
  /** The run that was read to its end. */
  const [endedId, setEndedId] = useState<string | null>(null);
  const isDone = useRef(false);
  const [{ data, error }] = useLiveQuery({
    query: DraftRunDocument,
    variables: { id: runId ?? '' },
    everyMs: runId === endedId ? 0 : EVERY_MS,
    pause: runId === null,
  });
  const run = data?.processRun?.id === runId ? data?.processRun : undefined;
  const isAtWork = runId !== null && (run == null || isOpen(run.status));
  if (!isAtWork && endedId !== runId) setEndedId(runId);
  const found = run?.status === 'COMPLETED' ? readDraftOutput(run.output) : null;
  const begun = found?.begun ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft opens once, when it is there
  useEffect(() => {
    if (begun === null || runId === null || isDone.current) return;
    isDone.current = true;
    const name = freeDraftName(begun.name, namesOfNewDrafts());
    const text = name === begun.name ? begun.text : setRoot('name', name)(begun.text);
    keepDraft(newDraftKey(name), { version: 0, text });
    kept.drop();
    go(`/processes/new?${new URLSearchParams({ name, draft: runId })}`);
  }, [begun, runId]);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (sentence.trim() === '' || isAtWork) return;
    const done = await draft.send({ input: { sentence } });
    isDone.current = false;
    setRunId(done?.draftProcess.run?.id ?? null);
  };
  return (
    <form className="col gap-12" onSubmit={send}>
      <TextInput
        label="Describe it in a sentence"
        rows={4}
        placeholder={EXAMPLE}
        note="You see the draft and change it before anything is saved or run."
        docs="sentence"
        value={sentence}
        onSet={(text) => kept.set({ text })}
      />
      {sentence.length > SENTENCE_MAX ? (
        <p className="small toned tone-bad" role="alert">
          {sentence.length - SENTENCE_MAX} characters too long. Say what the Process does; the texts
          that it works on are given to its runs.
        </p>
      ) : null}
      <div className="row wrap">
        <button
          type="submit"
          className="button primary"
          aria-busy={draft.isSending || isAtWork}
          disabled={sentence.trim() === '' || sentence.length > SENTENCE_MAX || isAtWork}
        >
          <IconSparkles size={15} className="icon" />
          Make a draft
        </button>
        {isAtWork ? (
          <>
            <span className="small dim" role="status">
              {workOf(run)}
            </span>
            <button
              type="button"
              className="button plain"
              onClick={() => {
                void cancel.send({ input: { id: runId } });
                setRunId(null);
              }}
            >
              Stop
            </button>
          </>
        ) : null}
      </div>
      <Problems problems={[...draft.problems, ...cancel.problems]} />
      {error === undefined || runId === null ? null : (
        <p className="small toned tone-bad" role="alert">
          The draft cannot be read now. This page tries again.
        </p>
      )}
      {run == null || isAtWork || begun !== null ? null : found === null ? (
        <p className="small toned tone-bad" role="alert">
          No draft was made. {run.error == null ? '' : `${errorWords(run.error.message).words} `}
          <Link className="link" href={`/runs/${run.id}`}>
            See its run
          </Link>
        </p>
      ) : (
        <DraftNotes draft={found} onNearest={onNearest} />
      )}
    </form>
  );
}

function workOf(run: DraftRunQuery['processRun'] | undefined): string {
  const step = run?.steps.find(({ status }) => status === 'RUNNING')?.stepId;
  return WORK[step ?? 'sketch'] ?? 'Working …';
}
