import type { CheckProcessQuery } from '../generated/documents.ts';
import { countOf, plural } from '../ui/format.ts';

type Bounds = NonNullable<CheckProcessQuery['validateProcess']['plan']>['worstCase'];

/** The most that one run of a definition may do. */
export function WorstCase({ bounds }: { readonly bounds: Bounds }) {
  const { stepExecutions, stepExecutionsLimit, toolAttempts, answerTokens } = bounds;
  const { unboundedStepIds, itemsLimit } = bounds;
  const unbounded = unboundedStepIds.join(', ');
  return (
    <details className="worst-case small">
      <summary>
        Worst case:{' '}
        {stepExecutions == null
          ? `no bound below the limit of ${plural(stepExecutionsLimit, 'step')}`
          : `${plural(stepExecutions, 'step')} in all`}
      </summary>
      <dl className="facts">
        <dt>Steps</dt>
        <dd>
          {stepExecutions == null
            ? `No bound. The limit of ${plural(stepExecutionsLimit, 'step')} for a run applies.`
            : `At most ${countOf(stepExecutions)}, with the rounds and calls of agents and all ` +
              'sub-runs.'}
        </dd>
        {unboundedStepIds.length === 0 ? null : (
          <>
            <dt>Lists</dt>
            <dd>
              No bound in <span className="mono">{unbounded}</span>. The limit of{' '}
              {countOf(itemsLimit)} items for each list applies. Set{' '}
              <span className="mono">maxItems</span> of the variable in contextSchema for less.
            </dd>
          </>
        )}
        <dt>Tools</dt>
        <dd>
          {toolAttempts == null
            ? 'No bound below the limit of steps.'
            : `At most ${plural(toolAttempts, 'attempt')}, retries included.`}
        </dd>
        <dt>Tokens</dt>
        <dd>
          {answerTokens == null
            ? 'Models may write any number. Set maxTokens of each LLM Tool for a bound.'
            : `Models write at most ${plural(answerTokens, 'token')}.`}{' '}
          What is sent has no bound.
        </dd>
        <dt>Money</dt>
        <dd>
          No bound in a definition. A run that is started with a budget over the API keeps to it.
        </dd>
      </dl>
    </details>
  );
}
