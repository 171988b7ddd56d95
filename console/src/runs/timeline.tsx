import { durationOf } from '../ui/format.ts';
import { Dot, labelOf, toneOf } from '../ui/status.tsx';
import { useNow } from '../ui/time.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { isOpen } from './run-status.ts';
import type { StepView } from './step-view.ts';

/** Rows shown of one forEach step; the step panel lists all of them. */
const ITEMS_MAX = 20;

/** A bar per execution of a step, on the run's own scale of time. */
export function Timeline({
  views,
  from,
  to,
  chosen,
  onChoose,
}: {
  readonly views: readonly StepView[];
  readonly from: string | null | undefined;
  readonly to: string | null | undefined;
  readonly chosen: string | null;
  readonly onChoose: (stepId: string) => void;
}) {
  const isLive = to == null;
  const now = useNow(isLive ? 500 : 0);
  if (from == null) return <p className="timeline-empty dim small">It has not started yet.</p>;
  const startMs = Date.parse(from);
  const endMs = to == null ? Math.max(now, startMs + 1_000) : Date.parse(to);
  const spanMs = Math.max(1, endMs - startMs);
  const rows = views.flatMap(({ id, runs }) =>
    runs.slice(0, ITEMS_MAX).map((run) => ({ ...run, id, isItem: runs.length > 1 })),
  );
  return (
    <div className="timeline">
      <div className="timeline-scale faint" aria-hidden>
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <span key={share} style={{ left: `${share * 100}%` }}>
            {durationOf(share * spanMs)}
          </span>
        ))}
      </div>
      <ul>
        {rows.map(({ id, index, isItem, status, startedAt, completedAt, attempt }) => {
          const beginMs = startedAt == null ? null : Date.parse(startedAt);
          const stopMs = completedAt == null ? endMs : Date.parse(completedAt);
          const left = beginMs === null ? 0 : ((beginMs - startMs) / spanMs) * 100;
          const width = beginMs === null ? 0 : ((stopMs - beginMs) / spanMs) * 100;
          return (
            <li key={`${id} ${index}`}>
              <button
                type="button"
                className={`timeline-row${id === chosen ? ' chosen' : ''}`}
                onClick={() => onChoose(id)}
              >
                <span className="timeline-name clip">
                  <Dot status={status} />
                  <span className="clip">
                    {id}
                    {isItem ? <span className="faint"> {index}</span> : null}
                  </span>
                  {attempt > 1 ? <span className="tag">try {attempt}</span> : null}
                </span>
                <span className="timeline-track">
                  {beginMs === null || status === 'SKIPPED' ? null : (
                    <Tooltip
                      text={`${labelOf(status)}, ${durationOf(stopMs - beginMs)}, from ${durationOf(beginMs - startMs)}`}
                    >
                      <span
                        className={`timeline-bar tone-${toneOf(status)}${isOpen(status) ? ' open' : ''}`}
                        style={{ left: `${left}%`, width: `max(3px, ${width}%)` }}
                      />
                    </Tooltip>
                  )}
                </span>
                <span className="timeline-took num dim">
                  {status === 'SKIPPED'
                    ? 'skipped'
                    : beginMs === null
                      ? '–'
                      : durationOf(stopMs - beginMs)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
