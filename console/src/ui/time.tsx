import { useEffect, useState } from 'react';
import { absoluteTime, dateOf, durationOf, relativeTime } from './format.ts';
import { Tooltip } from './tooltip.tsx';

/** The time of day, again every `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (everyMs === 0) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A relative time with the absolute one in its tooltip. */
export function Time({ at }: { readonly at: string }) {
  const now = useNow(15_000);
  return (
    <Tooltip text={absoluteTime(at)}>
      <time dateTime={at} className="num">
        {relativeTime(Date.parse(at), now)}
      </time>
    </Tooltip>
  );
}

/** A date with its time in the tooltip. */
export function Day({ at }: { readonly at: string }) {
  return (
    <Tooltip text={absoluteTime(at)}>
      <time dateTime={at} className="num">
        {dateOf(Date.parse(at))}
      </time>
    </Tooltip>
  );
}

/** Time between two moments; it counts on while the end is open. */
export function Duration({
  from,
  to,
  isLive,
}: {
  readonly from: string | null | undefined;
  readonly to: string | null | undefined;
  readonly isLive: boolean;
}) {
  const now = useNow(isLive && to == null ? 1_000 : 0);
  if (from == null || (to == null && !isLive)) return <span className="faint">–</span>;
  const end = to == null ? Math.max(now, Date.now()) : Date.parse(to);
  return <span className="num">{durationOf(end - Date.parse(from))}</span>;
}
