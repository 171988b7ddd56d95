import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { ProcessCostsDocument } from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { costOf, countOf } from '../ui/format.ts';
import { Fault, Loading } from '../ui/states.tsx';

const HOUR_MS = 60 * 60 * 1_000;
const SPANS = {
  'Last hour': HOUR_MS,
  'Last day': 24 * HOUR_MS,
  'Last 7 days': 7 * 24 * HOUR_MS,
  'Last 30 days': 30 * 24 * HOUR_MS,
} as const;
type Span = keyof typeof SPANS;
const NAMES = Object.keys(SPANS) as Span[];

/** The Processes whose runs cost most, in tokens and money. */
export function ProcessCosts() {
  const [chosen, setChosen] = useState<{ readonly span: Span; readonly from: string }>(() =>
    begin('Last day'),
  );
  const [includeSystem, setIncludeSystem] = useState(false);
  const variables = { from: chosen.from, includeSystem };
  const [{ data, error }, again] = useQuery({ query: ProcessCostsDocument, variables });
  const costs = data?.processCosts;
  return (
    <div className="col gap-16">
      <div className="row wrap gap-12">
        <select
          className="input"
          aria-label="Time range"
          style={{ width: 'auto' }}
          value={chosen.span}
          onChange={({ target }) => {
            const span = NAMES.find((name) => name === target.value);
            if (span !== undefined) setChosen(begin(span));
          }}
        >
          {NAMES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <label className="row gap-4 small dim">
          <input
            type="checkbox"
            checked={includeSystem}
            onChange={({ target }) => setIncludeSystem(target.checked)}
          />
          With background runs
        </label>
        <span className="grow" />
        <CopyMenu
          document={ProcessCostsDocument}
          variables={variables}
          cli={
            `npx aiden query '{ processCosts(from: "${chosen.from}") { process { name } runs ` +
            "tokens costUsd } }'"
          }
        />
      </div>
      {costs === undefined ? (
        error === undefined ? (
          <Loading rows={6} />
        ) : (
          <Fault error={error} onRetry={again} />
        )
      ) : costs.length === 0 ? (
        <p className="dim">No run ended in this time.</p>
      ) : (
        <section className="card" aria-label="Cost by Process">
          <table className="table">
            <thead>
              <tr>
                <th>Process</th>
                <th className="right">Runs</th>
                <th className="right hide-small">Failed</th>
                <th className="right">Tokens</th>
                <th className="right">Cost</th>
              </tr>
            </thead>
            <tbody>
              {costs.map(({ processId, process, runs, failedRuns, tokens, costUsd }) => (
                <tr key={processId}>
                  <td className="clip">
                    {process == null ? (
                      <span className="dim mono" title="It is deleted, or of another user.">
                        {processId}
                      </span>
                    ) : (
                      <Link href={`/processes/${process.id}`} className="strong">
                        {process.name}
                      </Link>
                    )}
                  </td>
                  <td className="right num">{countOf(runs)}</td>
                  <td className="right num dim hide-small">
                    {failedRuns === 0 ? '–' : countOf(failedRuns)}
                  </td>
                  <td className="right num">{countOf(tokens)}</td>
                  <td className="right num">{costUsd == null ? '–' : costOf(costUsd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="body small dim">
            A run counts with its sub-runs, and a sub-run for its own Process too, so the rows do
            not add up. A Tool without a price costs nothing here.
          </p>
        </section>
      )}
    </div>
  );
}

function begin(span: Span) {
  return { span, from: new Date(Date.now() - SPANS[span]).toISOString() };
}
