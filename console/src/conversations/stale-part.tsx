import { IconHistoryToggle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import {
  AddVersionDocument,
  ShowVersionDocument,
  type TurnFragment,
  type VersionFragment,
} from '../generated/documents.ts';
import { plural } from '../ui/format.ts';
import { Problems } from '../ui/states.tsx';
import { useChange } from '../ui/use-change.ts';

/** The version of a turn that is on screen. */
export function versionOf(turn: TurnFragment | undefined): VersionFragment | undefined {
  return turn?.alternatives.find(({ isActive }) => isActive) ?? turn?.alternatives[0];
}

/**
 * Index of the first turn that answers another version than the one above it; the length of the
 * path if none does. From there on all are stale: a model does not see them.
 */
export function staleFrom(path: readonly TurnFragment[]): number {
  const found = path.findIndex(
    (turn, index) =>
      index > 0 && versionOf(turn)?.respondsTo?.id !== versionOf(path[index - 1])?.id,
  );
  return found < 0 ? path.length : found;
}

/** Says where the stale part begins, and offers to go on from either version. */
export function StalePart({
  path,
  from,
  answering: { isAnswering, start, stop, problems },
  again,
}: {
  readonly path: readonly TurnFragment[];
  /** `staleFrom` of the path. */
  readonly from: number;
  readonly answering: ReturnType<typeof useAnsweringAgain>;
  readonly again: () => void;
}) {
  const show = useChange(ShowVersionDocument);
  const first = versionOf(path[from]);
  const answers = path.slice(from).filter(({ speaker }) => speaker === 'AGENT').length;
  const goBack = async () => {
    if (first === undefined) return;
    if ((await show.send({ input: { id: first.id, wholePath: true } })) !== null) again();
  };
  return (
    <section className="notice tone-wait stale-part" aria-label="Stale messages">
      <IconHistoryToggle size={16} className="icon" />
      <div className="col gap-4">
        <p>
          <span className="title">
            {plural(path.length - from, 'message')} below{' '}
            {path.length - from === 1 ? 'answers' : 'answer'} another version.
          </span>{' '}
          A model does not see {path.length - from === 1 ? 'it' : 'them'}. Your next message follows
          the one above.
        </p>
        <div className="row wrap">
          {isAnswering ? (
            <button type="button" className="button" onClick={stop}>
              Stop after this answer
            </button>
          ) : (
            <>
              <button type="button" className="button" onClick={start}>
                {answers > 1 ? `Answer all ${answers} again` : 'Answer again'}
              </button>
              <button
                type="button"
                className="button"
                aria-busy={show.isSending}
                disabled={show.isSending}
                onClick={() => void goBack()}
              >
                Back to the version they answer
              </button>
            </>
          )}
        </div>
        <Problems problems={[...problems, ...show.problems]} />
      </div>
    </section>
  );
}

/**
 * Says the stale messages again after the version on screen, in their order, and has each answer
 * written anew. Each step waits for the answer before it; one that fails ends it. It lives above
 * `StalePart`, which moves down the path with each step.
 */
export function useAnsweringAgain(path: readonly TurnFragment[], from: number, again: () => void) {
  const [isAnswering, setAnswering] = useState(false);
  const add = useChange(AddVersionDocument);
  const done = useRef('');
  const next = path[from];
  const above = path[from - 1];
  const version = versionOf(next);
  const last = versionOf(above);
  const isWriting = last?.cacheStatus === 'GENERATING';
  const hasFailed = last?.run != null && !isWriting && last.run.status !== 'COMPLETED';
  const step = `${next?.id} ${last?.id}`;
  useEffect(() => {
    if (!isAnswering || isWriting || add.isSending || done.current === step) return;
    const isOver = next === undefined || version === undefined;
    if (isOver || (hasFailed && done.current !== '')) {
      setAnswering(false);
      return;
    }
    done.current = step;
    const said = next.speaker === 'AGENT' ? {} : { sameAsId: version.id };
    // Another tab may have switched versions; the answer follows the one on this screen.
    const follows = last === undefined ? {} : { respondsToId: last.id };
    void add.send({ input: { turnId: next.id, ...follows, ...said } }).then((sent) => {
      if (sent === null) setAnswering(false);
      else again();
    });
  });
  return {
    isAnswering,
    problems: add.problems,
    start() {
      done.current = '';
      setAnswering(true);
    },
    stop: () => setAnswering(false),
  };
}
