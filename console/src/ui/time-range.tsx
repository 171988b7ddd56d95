const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const SPANS = {
  'Last hour': { seconds: HOUR_SECONDS, bucketSeconds: 2 * MINUTE_SECONDS },
  'Last day': { seconds: DAY_SECONDS, bucketSeconds: HOUR_SECONDS },
  'Last 7 days': { seconds: 7 * DAY_SECONDS, bucketSeconds: 6 * HOUR_SECONDS },
  'Last 30 days': { seconds: 30 * DAY_SECONDS, bucketSeconds: DAY_SECONDS },
} as const;
export type Span = keyof typeof SPANS;
const NAMES = Object.keys(SPANS) as Span[];

/** A time range that ends now, in buckets. */
export interface TimeRange {
  readonly span: Span;
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketSeconds: number;
}

/** Ends with a whole bucket, so that the question stays the same while the page is drawn again. */
export function rangeOf(span: Span): TimeRange {
  const { seconds, bucketSeconds } = SPANS[span];
  const bucketMs = bucketSeconds * 1_000;
  const toMs = Math.ceil(Date.now() / bucketMs) * bucketMs;
  return { span, fromMs: toMs - seconds * 1_000, toMs, bucketSeconds };
}

/** The range as the API takes it. */
export function windowOf({ fromMs, toMs, bucketSeconds }: TimeRange) {
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  return { from, to, bucketSeconds };
}

export function TimeRangeChoice({
  span,
  onChoose,
}: {
  readonly span: Span;
  readonly onChoose: (range: TimeRange) => void;
}) {
  return (
    <select
      className="input"
      aria-label="Time range"
      style={{ width: 'auto' }}
      value={span}
      onChange={({ target }) => {
        const next = NAMES.find((name) => name === target.value);
        if (next !== undefined) onChoose(rangeOf(next));
      }}
    >
      {NAMES.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  );
}
