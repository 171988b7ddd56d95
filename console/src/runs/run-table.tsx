import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useCallback, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import type { RunRowFragment } from '../generated/documents.ts';
import { costOf, countOf } from '../ui/format.ts';
import { StatusBadge } from '../ui/status.tsx';
import { Duration, Time } from '../ui/time.tsx';
import { RunProgress } from './run-progress.tsx';
import { isOpen } from './run-status.ts';

const ROW_PX = 43;
/** Rows drawn above and below the visible ones. */
const OVERSCAN = 6;
/** Rows from the end at which older runs are asked for. */
const NEAR_END = 60;

/** Runs as rows; only those on screen are drawn. The nearest `.page-body` scrolls. */
export function RunTable({
  runs,
  picked,
  onPick,
  onEnd,
}: {
  readonly runs: readonly RunRowFragment[];
  /** Ids of ticked runs; absent: rows cannot be ticked. */
  readonly picked?: readonly string[];
  readonly onPick?: (picked: readonly string[]) => void;
  /** Asked when the end comes near; absent: there is no more, or it is being read. */
  readonly onEnd?: () => void;
}) {
  const table = useRef<HTMLTableElement>(null);
  const rows = useVirtualizer({
    count: runs.length,
    getScrollElement: () => table.current?.closest('.page-body') ?? null,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    getItemKey: (index) => runs[index]?.id ?? index,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onEnd !== undefined && last >= runs.length - NEAR_END) onEnd();
  }, [onEnd, last, runs.length]);
  const before = shown[0]?.start ?? 0;
  const after = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  const columns = onPick === undefined ? 8 : 9;
  const state = useRef({ picked, onPick });
  state.current = { picked, onPick };
  // The same function at each drawing, so that rows that stay on screen are not drawn again.
  const pick = useCallback((id: string, isPicked: boolean) => {
    const { picked: before = [], onPick: tell } = state.current;
    tell?.(isPicked ? [...before, id] : before.filter((one) => one !== id));
  }, []);
  return (
    <table className="table runs-table" ref={table} aria-rowcount={runs.length}>
      <thead>
        <tr>
          {onPick === undefined ? null : (
            <th className="pick">
              <input
                type="checkbox"
                aria-label="Tick all shown"
                checked={runs.length > 0 && runs.every(({ id }) => picked?.includes(id) === true)}
                onChange={({ target }) => onPick(target.checked ? runs.map(({ id }) => id) : [])}
              />
            </th>
          )}
          <th className="col-status">Status</th>
          <th>Process</th>
          <th className="hide-small">Now, or how it ended</th>
          <th className="hide-small">By</th>
          <th className="col-time">Started</th>
          <th className="right hide-small">Took</th>
          <th className="right hide-small">Tokens</th>
          <th className="right hide-small">Cost</th>
        </tr>
      </thead>
      <tbody>
        {before > 0 ? <Gap height={before} columns={columns} /> : null}
        {shown.map(({ index }) => {
          const run = runs[index];
          if (run === undefined) return null;
          return (
            <Row
              key={run.id}
              run={run}
              {...(onPick === undefined
                ? {}
                : {
                    isPicked: picked?.includes(run.id) === true,
                    onPick: pick,
                  })}
            />
          );
        })}
        {after > 0 ? <Gap height={after} columns={columns} /> : null}
      </tbody>
    </table>
  );
}

/** Stands for the rows that are not drawn. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    <tr aria-hidden className="gap-row">
      <td colSpan={columns} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}

const Row = memo(function Row({
  run,
  isPicked,
  onPick,
}: {
  readonly run: RunRowFragment;
  readonly isPicked?: boolean;
  readonly onPick?: (id: string, isPicked: boolean) => void;
}) {
  const [, go] = useLocation();
  const { usage } = run;
  const tokens = usage.inputTokens + usage.outputTokens;
  return (
    <tr className="clickable" onClick={() => go(`/runs/${run.id}`)}>
      {onPick === undefined ? null : (
        <td className="pick">
          <input
            type="checkbox"
            aria-label={`Tick ${run.processName}`}
            checked={isPicked === true}
            onClick={(event) => event.stopPropagation()}
            onChange={({ target }) => onPick(run.id, target.checked)}
          />
        </td>
      )}
      <td>
        <StatusBadge status={run.status} />
      </td>
      <td>
        <Link
          href={`/runs/${run.id}`}
          className="row gap-4 strong"
          onClick={(event) => event.stopPropagation()}
        >
          <span className="clip">{run.processName}</span>
          <span className="faint small hide-small">v{run.processVersion}</span>
          {run.depth > 0 ? <span className="tag">sub-run</span> : null}
          {run.origin === 'SYSTEM' ? <span className="tag">background</span> : null}
        </Link>
      </td>
      <td className="hide-small dim wide">
        <RunProgress run={run} />
      </td>
      <td className="hide-small dim">{run.owner.name}</td>
      <td className="dim nowrap">
        <Time at={run.createdAt} />
      </td>
      <td className="right hide-small">
        <Duration
          from={run.startedAt ?? run.createdAt}
          to={run.completedAt}
          isLive={isOpen(run.status)}
        />
      </td>
      <td className="right hide-small num dim">{tokens === 0 ? '–' : countOf(tokens)}</td>
      <td className="right hide-small num dim">
        {usage.costUsd == null ? '–' : costOf(usage.costUsd)}
      </td>
    </tr>
  );
});
