import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useMemo, useRef } from 'react';
import { durationOf } from '../ui/format.ts';
import { Dot, labelOf, toneOf } from '../ui/status.tsx';
import { useNow } from '../ui/time.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { isOpen } from './run-status.ts';
import type { StepView } from './step-view.ts';
import { type Attempt, attemptsOf, readyTimes, waitsOf } from './waits.ts';

/** Rows shown of one forEach step; the step panel lists all of them. */
const ITEMS_MAX = 20;
const ROW_PX = 26;
/** Shorter waits are not drawn, nor those of a smaller share of the run. */
const WAIT_MS_MIN = 500;
const WAIT_SHARE_MIN = 0.005;

/** A bar per execution of a step, on the run's own scale of time; only rows on screen are drawn. */
export const Timeline = memo(function Timeline({
  views,
  run: { id: runId, createdAt, startedAt: from, completedAt: to },
  attempts,
  chosen,
  onChoose,
}: {
  readonly views: readonly StepView[];
  readonly run: {
    readonly id: string;
    readonly createdAt: string;
    readonly startedAt: string | null;
    readonly completedAt: string | null;
  };
  readonly attempts: readonly Attempt[];
  readonly chosen: string | null;
  readonly onChoose: (stepId: string) => void;
}) {
  const isLive = to == null;
  const now = useNow(isLive ? 500 : 0);
  const list = useRef<HTMLUListElement>(null);
  const rows = useMemo(
    () =>
      views.flatMap(({ id, defined, runs }) =>
        runs.slice(0, ITEMS_MAX).map((run) => ({
          ...run,
          id,
          isItem: runs.length > 1,
          isManual: defined?.execution.interactionMode === 'MANUAL',
        })),
      ),
    [views],
  );
  const ready = useMemo(
    () => (from == null ? new Map<string, number>() : readyTimes(views, Date.parse(from))),
    [views, from],
  );
  const window = useVirtualizer({
    count: rows.length,
    getScrollElement: () => list.current?.closest('.run-record') ?? null,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  if (from == null)
    return (
      <p className="timeline-empty dim small">
        It has not started yet; it waits in the queue for {durationOf(now - Date.parse(createdAt))}.
      </p>
    );
  const startMs = Date.parse(from);
  const queuedMs = startMs - Date.parse(createdAt);
  const endMs = to == null ? Math.max(now, startMs + 1_000) : Date.parse(to);
  const spanMs = Math.max(1, endMs - startMs);
  return (
    <div className="timeline">
      {queuedMs < WAIT_MS_MIN ? null : (
        <p className="timeline-queued small dim">
          It waited in the queue for {durationOf(queuedMs)} before it started.
        </p>
      )}
      <div className={`timeline-scale faint${queuedMs < WAIT_MS_MIN ? '' : ' below'}`} aria-hidden>
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <span key={share} style={{ left: `${share * 100}%` }}>
            {durationOf(share * spanMs)}
          </span>
        ))}
      </div>
      <ul ref={list} className="timeline-rows" style={{ height: window.getTotalSize() }}>
        {window.getVirtualItems().map(({ index: at, start }) => {
          const row = rows[at];
          if (row === undefined) return null;
          const { id, index, isItem, status, startedAt, completedAt, attempt } = row;
          const beginMs = startedAt == null ? null : Date.parse(startedAt);
          const stopMs = completedAt == null ? endMs : Date.parse(completedAt);
          const left = beginMs === null ? 0 : ((beginMs - startMs) / spanMs) * 100;
          const width = beginMs === null ? 0 : ((stopMs - beginMs) / spanMs) * 100;
          const own = attempt > 1 ? attemptsOf(attempts, runId, row) : [];
          const waits = waitsOf(row, row.isManual, ready.get(id), own)
            .map((wait) => ({ ...wait, ms: (wait.toMs ?? endMs) - wait.fromMs }))
            .filter(({ ms }) => ms >= Math.max(WAIT_MS_MIN, spanMs * WAIT_SHARE_MIN));
          const waitedMs = waits.reduce((sum, { ms }) => sum + ms, 0);
          return (
            <li key={`${id} ${index}`} style={{ transform: `translateY(${start}px)` }}>
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
                      text={
                        `${labelOf(status)}, ${durationOf(stopMs - beginMs)}, from ` +
                        `${durationOf(beginMs - startMs)}`
                      }
                    >
                      <span
                        className={
                          `timeline-bar tone-${toneOf(status)}` + (isOpen(status) ? ' open' : '')
                        }
                        style={{ left: `${left}%`, width: `max(3px, ${width}%)` }}
                      />
                    </Tooltip>
                  )}
                  {waits.map(({ fromMs, ms, label }) => (
                    <Tooltip key={fromMs} text={`${label}, ${durationOf(ms)}`}>
                      <span
                        className="timeline-wait"
                        style={{
                          left: `${((fromMs - startMs) / spanMs) * 100}%`,
                          width: `${(ms / spanMs) * 100}%`,
                        }}
                      />
                    </Tooltip>
                  ))}
                </span>
                <span className="timeline-took num dim">
                  {status === 'SKIPPED'
                    ? 'skipped'
                    : beginMs === null
                      ? waitedMs === 0
                        ? '–'
                        : durationOf(waitedMs)
                      : durationOf(stopMs - beginMs)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
});
