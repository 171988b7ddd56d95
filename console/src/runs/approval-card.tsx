import { IconHandStop } from '@tabler/icons-react';
import { useState } from 'react';
import { parseJson } from '../../../packages/client/src/exact-json.ts';
import { ResolveStepDocument, type WaitingApprovalFragment } from '../generated/documents.ts';
import { Json } from '../ui/json.tsx';
import { Problems } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { isRecord } from './context-schema.ts';

/** A step that waits for a decision: the call as it would be made, with its inputs to change. */
export function ApprovalCard({
  approval,
  onResolved,
}: {
  readonly approval: WaitingApprovalFragment;
  readonly onResolved: () => void;
}) {
  const { run, stepId, index, inputs, tool, memoryRequest, requestedAt, expiresAt } = approval;
  const [note, setNote] = useState('');
  const [edited, setEdited] = useState<string | null>(null);
  const resolve = useChange(ResolveStepDocument);
  const given = edited === null ? inputs : parse(edited);

  const decide = async (decision: 'APPROVE' | 'REJECT') => {
    const changed = decision === 'APPROVE' && edited !== null && isRecord(given);
    const done = await resolve.send({
      input: {
        runId: run.id,
        stepId,
        index,
        decision,
        ...(note === '' ? {} : { note }),
        ...(changed ? { inputs: given } : {}),
      },
    });
    if (done === null) return;
    notify(decision === 'APPROVE' ? `Approved ${stepId}.` : `Rejected ${stepId}.`);
    onResolved();
  };

  return (
    <section className="approval" aria-label={`Approval of ${stepId}`}>
      <div className="row">
        <IconHandStop size={16} className="icon tone-wait toned" />
        <span className="grow">
          The step <span className="strong mono">{stepId}</span> waits for your decision
          {tool == null ? '' : ` before it calls ${tool.name}`}
        </span>
        <span className="faint small">
          <Time at={requestedAt} />
          {expiresAt == null ? null : (
            <>
              , until <Time at={expiresAt} />
            </>
          )}
        </span>
      </div>
      {memoryRequest == null ? null : (
        <p>
          {memoryRequest.question} The Process belongs to{' '}
          <span className="strong">{memoryRequest.owner?.name ?? 'a deleted user'}</span>. If you
          approve, this version may do so in all your runs.
        </p>
      )}
      {edited === null ? (
        <Json value={inputs} />
      ) : (
        <textarea
          className="input mono"
          rows={8}
          aria-label="Inputs, as JSON"
          value={edited}
          onChange={({ target }) => setEdited(target.value)}
        />
      )}
      <input
        className="input"
        placeholder="A note, kept with the decision"
        aria-label="Note"
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <Problems problems={resolve.problems} />
      <div className="row wrap">
        <button
          type="button"
          className="button primary"
          disabled={resolve.isSending || !isRecord(given)}
          onClick={() => void decide('APPROVE')}
        >
          {edited === null ? 'Approve' : 'Approve with these inputs'}
        </button>
        <button
          type="button"
          className="button danger"
          disabled={resolve.isSending}
          onClick={() => void decide('REJECT')}
        >
          Reject
        </button>
        <span className="grow" />
        <button
          type="button"
          className="button plain"
          onClick={() => setEdited(edited === null ? JSON.stringify(inputs, null, 2) : null)}
        >
          {edited === null ? 'Change the inputs' : 'Keep the inputs'}
        </button>
      </div>
    </section>
  );
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
