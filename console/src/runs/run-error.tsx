import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Json } from '../ui/json.tsx';
import { adviceFor } from './advice.ts';
import { errorWords } from './error-words.ts';

/** An error with its message, advice, and details on demand. */
export function ErrorNotice({
  error,
  onStep,
  links,
}: {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly stepId?: string | null;
    readonly details?: unknown;
  };
  readonly onStep?: (stepId: string) => void;
  /** Places to mend it. */
  readonly links?: ReactNode;
}) {
  const advice = adviceFor(error.code);
  const { stepId } = error;
  const { words, body } = errorWords(error.message);
  return (
    <div className="notice tone-bad" role="alert">
      <IconAlertTriangle size={16} className="icon" />
      <div className="col gap-4 grow">
        <span className="prose strong">{words}</span>
        {advice === null ? null : <span className="dim">{advice}</span>}
        <span className="row wrap">
          <code className="faint">{error.code}</code>
          {stepId == null || onStep === undefined ? null : (
            <button type="button" className="button tiny" onClick={() => onStep(stepId)}>
              Show step {stepId}
            </button>
          )}
          {links}
        </span>
        {error.details == null && body === null ? null : (
          <details>
            <summary className="small dim">Details</summary>
            {body === null ? null : <Json value={body} />}
            {error.details == null ? null : <Json value={error.details} />}
          </details>
        )}
      </div>
    </div>
  );
}
