import { useState } from 'react';
import { SetStepConcurrencyDocument } from '../generated/documents.ts';
import { TextInput } from '../ui/field.tsx';
import { Problems } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';

/** Number of items at once in a step without `maxConcurrency`. */
const DEFAULT = 10;

/** Changes how many items of a forEach step run at once, in a run that is under way. */
export function ItemsAtOnce({
  runId,
  stepId,
  inForce,
}: {
  readonly runId: string;
  readonly stepId: string;
  /** Of this run where it was changed, else of the definition. */
  readonly inForce: number | null;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(inForce ?? DEFAULT);
  const change = useChange(SetStepConcurrencyDocument);
  const maxConcurrency = /^\d{1,9}$/.test(text.trim()) ? Number(text) : null;
  const send = async () => {
    if (maxConcurrency === null) return;
    const done = await change.send({ input: { runId, stepId, maxConcurrency } });
    if (done === null) return;
    setTyped(null);
    notify(`Up to ${maxConcurrency} items of ${stepId} run at once.`);
  };
  return (
    <form
      className="col gap-8"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextInput
        label="Items at once"
        note="From 1 to 1000, for this run alone. Where there are fewer now, items under way end."
        inputMode="numeric"
        value={text}
        onSet={setTyped}
      />
      <div className="row">
        <button
          type="submit"
          className="button"
          aria-busy={change.isSending}
          disabled={change.isSending || maxConcurrency === null}
        >
          Change
        </button>
      </div>
      <Problems problems={change.problems} />
    </form>
  );
}
