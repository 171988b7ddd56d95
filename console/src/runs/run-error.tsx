import { IconAlertTriangle } from '@tabler/icons-react';
import { Json } from '../ui/json.tsx';
import { adviceFor } from './advice.ts';

/** An error with its message, advice, and details on demand. */
export function ErrorNotice({
  error,
  onStep,
}: {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly stepId?: string | null;
    readonly details?: unknown;
  };
  readonly onStep?: (stepId: string) => void;
}) {
  const advice = adviceFor(error.code);
  const { stepId } = error;
  return (
    <div className="notice tone-bad" role="alert">
      <IconAlertTriangle size={16} className="icon" />
      <div className="col gap-4 grow">
        <span className="prose strong">{error.message}</span>
        {advice === null ? null : <span className="dim">{advice}</span>}
        <span className="row wrap">
          <code className="faint">{error.code}</code>
          {stepId == null || onStep === undefined ? null : (
            <button type="button" className="button tiny" onClick={() => onStep(stepId)}>
              Show step {stepId}
            </button>
          )}
        </span>
        {error.details == null ? null : (
          <details>
            <summary className="small dim">Details</summary>
            <Json value={error.details} />
          </details>
        )}
      </div>
    </div>
  );
}
