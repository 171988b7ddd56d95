import type { RunRowFragment } from '../generated/documents.ts';
import { plural } from '../ui/format.ts';
import { errorWords } from './error-words.ts';
import { isOpen } from './run-status.ts';

/** One line on a run: its steps in progress, its error, or the number of its steps. */
export function RunProgress({ run }: { readonly run: RunRowFragment }) {
  if (run.error != null)
    // In one line there is room for its words only.
    return (
      <span className="clip" title={run.error.message}>
        {run.error.stepId == null ? '' : `${run.error.stepId}: `}
        {errorWords(run.error.message).words}
      </span>
    );
  const names = (status: string) => [
    ...new Set(run.steps.filter((step) => step.status === status).map(({ stepId }) => stepId)),
  ];
  const active = [...names('WAITING'), ...names('RUNNING')];
  if (isOpen(run.status) && active.length > 0)
    return <span className="clip mono">{active.slice(0, 4).join(', ')}</span>;
  return <span className="faint">{plural(run.steps.length, 'step')}</span>;
}
