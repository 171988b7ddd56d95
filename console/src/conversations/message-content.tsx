import { Suspense, useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import type { VersionFragment } from '../generated/documents.ts';
import { ErrorNotice } from '../runs/run-error.tsx';
import { plural } from '../ui/format.ts';
import { Json } from '../ui/json.tsx';
import { LazyMarkdown } from '../ui/lazy-markdown.tsx';
import { AnswerSources } from './answer-sources.tsx';
import { attachedOf, wordsOf } from './attached.ts';
import { AttachedParts } from './attachments.tsx';
import { beginningOf } from './beginning.ts';
import { useStreamedText } from './use-streamed-text.ts';

/** One version of a message: its words, files and calls, and for an answer what it was given. */
export function MessageContent({
  version,
  isAgent,
  isFirstSeen,
  conversationId,
  questionTurnId,
}: {
  readonly version: VersionFragment;
  readonly isAgent: boolean;
  /** Whether it is on screen when the conversation opens. */
  readonly isFirstSeen: boolean;
  readonly conversationId: string;
  /** Id of the turn above. */
  readonly questionTurnId: string | null;
}) {
  const isWriting = version.cacheStatus === 'GENERATING';
  // An answer that was read as it came is not folded under its reader when it ends.
  const [wasWriting] = useState(isWriting);
  const streamed = useStreamedText(isWriting ? (version.run?.id ?? null) : null);
  const text =
    isWriting && streamed !== null && streamed.text !== ''
      ? streamed.text
      : wordsOf(version.content, version.parts);
  const attached = attachedOf(version.parts);
  const { run } = version;
  const calls = streamed?.calls ?? [];
  return (
    <div className="col">
      {calls.length === 0 ? null : (
        <details className="small">
          <summary className="dim">{plural(calls.length, 'call')} of Tools</summary>
          {calls.map(({ id, name, input }) => (
            <div key={id} className="col gap-4">
              <code>{name}</code>
              <Json value={input} />
            </div>
          ))}
        </details>
      )}
      {attached.length === 0 ? null : <AttachedParts files={attached} />}
      {text === '' && isWriting ? (
        <p className="dim">Thinking …</p>
      ) : (
        <Said
          text={text}
          isMarkdown={isAgent}
          isFirstSeen={isFirstSeen}
          isWriting={isWriting}
          isFoldable={!isWriting && !wasWriting}
        />
      )}
      {run?.error == null ? null : <ErrorNotice error={run.error} />}
      {run == null ? null : (
        <AnswerSources
          isWriting={isWriting}
          answer={{
            runId: run.id,
            conversationId,
            turnId: questionTurnId,
            alternativeId: version.respondsTo?.id ?? null,
          }}
        >
          <Link href={`/runs/${run.id}`} className="link small run-link">
            How this was made
          </Link>
        </AnswerSources>
      )}
    </div>
  );
}

/**
 * The text of a message: that of an agent as Markdown, that of a person as it was typed. Of a long
 * one the beginning is shown, and the rest on demand.
 */
function Said({
  text,
  isMarkdown,
  isFirstSeen,
  isWriting,
  isFoldable,
}: {
  readonly text: string;
  readonly isMarkdown: boolean;
  readonly isFirstSeen: boolean;
  readonly isWriting: boolean;
  readonly isFoldable: boolean;
}) {
  const [isWhole, setWhole] = useState(false);
  // Markdown is most of the work of a chat. Above the screen it is drawn after the first paint, in
  // parts that a click or a key interrupts.
  const isDrawn = useDeferredValue(true, isFirstSeen);
  const className = `prose${isWriting ? ' streaming' : ''}`;
  const beginning = isFoldable ? beginningOf(text, isMarkdown) : null;
  const shown = beginning === null || isWhole ? text : `${beginning}${isMarkdown ? '\n\n' : ' '}…`;
  const plain = (
    <p className={className} dir="auto">
      {shown}
    </p>
  );
  return (
    <>
      {isMarkdown && isDrawn ? (
        <Suspense fallback={plain}>
          <div className={className}>
            <LazyMarkdown text={shown} />
          </div>
        </Suspense>
      ) : (
        plain
      )}
      {beginning === null ? null : (
        <button
          type="button"
          className="link small run-link"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </button>
      )}
    </>
  );
}
