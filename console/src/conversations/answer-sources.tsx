import { type ReactNode, useId, useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import {
  AnswerSourcesDocument,
  type AnswerSourcesQuery,
  type RecalledFragment,
} from '../generated/documents.ts';
import { plural } from '../ui/format.ts';
import { Unread } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { MEMORY_KINDS } from '../ui/words.ts';
import { type Given, givenTo } from './given.ts';

interface Answer {
  readonly runId: string;
  readonly conversationId: string;
  /** The turn and the version of the question. */
  readonly turnId: string | null;
  readonly alternativeId: string | null;
}

/** What an answer was given beside the talk itself, read when a person asks for it. */
export function AnswerSources({
  answer,
  isWriting,
  children,
}: {
  readonly answer: Answer;
  readonly isWriting: boolean;
  /** More of the answer, beside the button. */
  readonly children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <div className="row gap-12 small">
        {isWriting ? null : (
          <button
            type="button"
            className="link small"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide the sources' : 'Sources'}
          </button>
        )}
        {children}
      </div>
      <section id={id} aria-label="Sources of the answer" hidden={!isOpen}>
        {isOpen ? <Sources answer={answer} /> : null}
      </section>
    </>
  );
}

function Sources({ answer: { runId, conversationId, turnId, alternativeId } }: { answer: Answer }) {
  const [{ data, error }, read] = useQuery({
    query: AnswerSourcesDocument,
    variables: { runId, id: conversationId, turnId, alternativeId },
  });
  if (data === undefined)
    return (
      <Unread rows={2} error={error} onRetry={() => read({ requestPolicy: 'network-only' })} />
    );
  const context = data.processRun?.context ?? null;
  if (context === null || Object.keys(context).length === 0)
    return (
      <p className="dim small">
        The inputs of its run are no longer kept, so its sources are not known.
      </p>
    );
  const given = givenTo(context, data.workingMemory.recalled);
  const calls = callsOf(data.processRun);
  if (given.lines.length + given.others.length + given.files.length + calls.length === 0)
    return (
      <p className="dim small">
        It was given this conversation alone: no memory was recalled, and no Tool was called.
      </p>
    );
  return (
    <div className="col gap-12">
      {given.lines.length === 0 ? null : (
        <ul className="list boxed" aria-label="Recalled for this answer">
          {given.lines.map(({ text, memory }) => (
            <Line key={text} text={text} memory={memory} />
          ))}
        </ul>
      )}
      {given.lines.length > 0 ? null : (
        <p className="small dim">No memory of earlier talks was recalled for it.</p>
      )}
      {given.others.length === 0 ? null : (
        <details className="small">
          <summary className="dim">Known entities, notes and summaries that it was given</summary>
          {given.others.map((text) => (
            <p key={text} className="prose">
              {text}
            </p>
          ))}
        </details>
      )}
      {given.files.length === 0 ? null : (
        <p className="small dim prose">
          {plural(given.files.length, 'attached file')}: {given.files.join(', ')}
        </p>
      )}
      {calls.length === 0 ? null : (
        <p className="row wrap gap-4 small dim">
          {plural(calls.length, 'call')} of Tools:
          {calls.map(({ id, stepId, of }) => (
            <Link
              key={id}
              href={`/runs/${runId}?step=${encodeURIComponent(of)}`}
              className="link mono"
            >
              {stepId}
            </Link>
          ))}
        </p>
      )}
    </div>
  );
}

function Line({ text, memory }: Given<RecalledFragment>['lines'][number]) {
  const [source] = memory?.sources ?? [];
  return (
    <li className="recalled">
      <p className="prose">{text}</p>
      {memory === null || source === undefined ? null : (
        <div className="row wrap small dim">
          <span className="tag">{MEMORY_KINDS[memory.kind]}</span>
          <span>
            {source.saidBy}, <Time at={source.saidAt} />
          </span>
          <Place memory={memory} />
        </div>
      )}
    </li>
  );
}

/** The link to where a memory stands. */
function Place({ memory: { kind, targetId, sources } }: { readonly memory: RecalledFragment }) {
  const [source] = sources;
  if (kind === 'ENTITY')
    return (
      <Link href={`/memory/entities/${targetId}`} className="link">
        Open its page
      </Link>
    );
  if (kind === 'TOC')
    return (
      <Link href={`/memory?view=toc&node=${encodeURIComponent(targetId)}`} className="link">
        Open in the table of contents
      </Link>
    );
  if (source?.conversation == null) return null;
  const { id, title } = source.conversation;
  return (
    <Link
      href={`/conversations/${id}${source.turnId == null ? '' : `?turn=${source.turnId}`}`}
      className="link"
    >
      in {title ?? 'Untitled'}
    </Link>
  );
}

/** The calls of Tools that a model made for its answer, each with the step that it belongs to. */
function callsOf(run: AnswerSourcesQuery['processRun']) {
  return (run?.steps ?? []).flatMap(({ stepId: of, rounds }) =>
    rounds.flatMap(({ toolCalls }) => toolCalls.map(({ id, stepId }) => ({ id, stepId, of }))),
  );
}
