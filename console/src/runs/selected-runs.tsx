import { IconGitCompare, IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useClient } from 'urql';
import { Link } from 'wouter';
import {
  CancelRunDocument,
  RetryRunDocument,
  type RunRowFragment,
} from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { plural } from '../ui/format.ts';
import { StatusBadge } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { isOpen } from './run-status.ts';

const ACTIONS = {
  cancel: {
    title: 'Cancel these runs?',
    button: 'Cancel',
    note: 'Their steps are stopped and they can’t go on. Retry starts them again as others.',
    others: 'is over, and stays as it is',
    doing: 'Cancelled',
  },
  retry: {
    title: 'Retry these runs?',
    button: 'Retry',
    note: 'Each starts again as another run, from the step that failed where there is one.',
    others: 'is in progress or completed, and stays as it is',
    doing: 'Started again',
  },
} as const;
type Action = keyof typeof ACTIONS;

function fits(action: Action, { status }: RunRowFragment): boolean {
  return action === 'cancel' ? isOpen(status) : !isOpen(status) && status !== 'COMPLETED';
}

/** What can be done with the ticked runs; each action shows first what it would do. */
export function SelectedRuns({
  runs,
  onClear,
  onDone,
}: {
  readonly runs: readonly RunRowFragment[];
  readonly onClear: () => void;
  readonly onDone: () => void;
}) {
  const client = useClient();
  const [asked, setAsked] = useState<Action | null>(null);
  /** Reasons of refusals by id of the run; null: it was done. */
  const [answers, setAnswers] = useState<ReadonlyMap<string, string | null>>(new Map());
  const [isSending, setSending] = useState(false);
  /** The dialog was closed: the rest is left. */
  const isStopped = useRef(false);
  const send = async (action: Action) => {
    setSending(true);
    isStopped.current = false;
    const told = new Map(answers);
    for (const run of runs.filter((one) => fits(action, one))) {
      if (isStopped.current) break;
      const { id } = run;
      const { data, error } =
        action === 'cancel'
          ? await client
              .mutation(CancelRunDocument, { input: { id, reason: 'Cancelled in the console' } })
              .toPromise()
          : await client
              .mutation(RetryRunDocument, {
                input: { runId: id, fromStepId: run.error?.stepId ?? null },
              })
              .toPromise();
      const problems = Object.values(data ?? {}).flatMap((payload) =>
        typeof payload === 'object' && 'userErrors' in payload ? payload.userErrors : [],
      );
      told.set(id, error?.message ?? problems[0]?.message ?? null);
      setAnswers(new Map(told));
    }
    setSending(false);
    onDone();
  };
  const close = () => {
    isStopped.current = true;
    setAsked(null);
    if (answers.size > 0) onClear();
    setAnswers(new Map());
  };
  const count = (action: Action) => runs.filter((run) => fits(action, run)).length;
  // The earlier one stands at the left.
  const [left, right] = runs.toSorted((one, other) => one.id.localeCompare(other.id));
  return (
    <div className="picked">
      <span className="grow" role="status">
        {plural(runs.length, 'run')} ticked
        {runs.length === 1 ? '; tick a second one to compare' : ''}
      </span>
      <button type="button" className="button plain" onClick={onClear}>
        Clear
      </button>
      {count('retry') === 0 ? null : (
        <button type="button" className="button" onClick={() => setAsked('retry')}>
          <IconRefresh size={15} className="icon" />
          Retry {count('retry')}
        </button>
      )}
      {count('cancel') === 0 ? null : (
        <button type="button" className="button danger" onClick={() => setAsked('cancel')}>
          <IconPlayerStop size={15} className="icon" />
          Cancel {count('cancel')}
        </button>
      )}
      {runs.length === 2 && left !== undefined && right !== undefined ? (
        <Link href={`/runs/compare?left=${left.id}&right=${right.id}`} className="button primary">
          <IconGitCompare size={15} className="icon" />
          Compare
        </Link>
      ) : null}
      {asked === null ? null : (
        <Dialog title={ACTIONS[asked].title} note={ACTIONS[asked].note} isOpen onClose={close}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it takes the keys */}
          <ul className="list boxed choices" aria-label="Ticked runs" tabIndex={0}>
            {runs.map((run) => {
              const answer = answers.get(run.id);
              return (
                <li key={run.id} className="item">
                  <StatusBadge status={run.status} />
                  <span className="col gap-0 grow">
                    <span className="clip">{run.processName}</span>
                    <span className="small dim">
                      {answer === undefined
                        ? fits(asked, run)
                          ? run.error?.stepId == null || asked === 'cancel'
                            ? ''
                            : `from ${run.error.stepId}`
                          : `It ${ACTIONS[asked].others}.`
                        : (answer ?? `${ACTIONS[asked].doing}.`)}
                    </span>
                  </span>
                  <span className="faint small">
                    <Time at={run.createdAt} />
                  </span>
                </li>
              );
            })}
          </ul>
          <div className="row">
            {answers.size > 0 && !isSending ? (
              <button type="button" className="button primary" onClick={close}>
                Close
              </button>
            ) : (
              <>
                <button
                  type="button"
                  className={asked === 'cancel' ? 'button danger' : 'button primary'}
                  aria-busy={isSending}
                  disabled={isSending || count(asked) === 0}
                  onClick={() => void send(asked)}
                >
                  {ACTIONS[asked].button} {plural(count(asked), 'run')}
                </button>
                <button type="button" className="button plain" onClick={close}>
                  {isSending ? 'Stop' : 'Leave them'}
                </button>
              </>
            )}
          </div>
        </Dialog>
      )}
    </div>
  );
}
