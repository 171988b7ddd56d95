const WIDTH = 96;
const HEIGHT = 24;

/**
 * A small line over time, from zero to its highest value; it goes on where a value is null. `label`
 * says what it draws.
 */
export function Sparkline({
  label,
  values,
}: {
  readonly label: string;
  readonly values: readonly (number | null)[];
}) {
  const highest = Math.max(...values.map((value) => value ?? 0));
  const points = values.flatMap((value, at) => {
    if (value === null) return [];
    const x = 1 + (at * (WIDTH - 2)) / Math.max(1, values.length - 1);
    const y = HEIGHT - 2 - (highest === 0 ? 0 : (value * (HEIGHT - 4)) / highest);
    return [`${x.toFixed(1)},${y.toFixed(1)}`];
  });
  // A line of one point is drawn as a dot.
  const line = points.length === 1 ? [...points, ...points] : points;
  return (
    <svg
      role="img"
      aria-label={label}
      className="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
    >
      <polyline points={line.join(' ')} />
    </svg>
  );
}
