import type { Kept } from './use-kept.ts';

/** Says that typed text is back, and offers to begin anew. */
export function KeptNotice({
  kept,
}: {
  readonly kept: Pick<Kept<unknown>, 'isBack' | 'isChanged' | 'reset'>;
}) {
  return kept.isBack && kept.isChanged ? (
    <p className="notice kept-notice">
      <span className="grow">What you typed before is back.</span>
      <button type="button" className="button tiny" onClick={kept.reset}>
        Begin anew
      </button>
    </p>
  ) : null;
}
