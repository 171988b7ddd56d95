import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';

export interface Point {
  readonly atMs: number;
  readonly value: number;
}

const HEIGHT_PX = 150;
const BAR_PX_MAX = 18;
const NO_LINES: readonly Line[] = [];

/** A series without a value at a time of another series has null there, and its line goes on. */
export interface Line {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

/** Colours of up to three lines. */
const STROKES = ['--accent', '--wait-dot', '--bad-dot'] as const;

/**
 * Draws a series over time, or several with the same times. A screen reader reads
 * the heading and the sum beside it.
 */
export function Chart({
  label,
  points,
  more = NO_LINES,
  areBars = false,
  fromMs,
  toMs,
}: {
  readonly label: string;
  readonly points: readonly Point[];
  /** Further lines at the times of `points`. */
  readonly more?: readonly Line[];
  /** Whether each value is a sum of its time: a line would show values between them. */
  readonly areBars?: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const colour = (name: string) => getComputedStyle(element).getPropertyValue(name);
    const axis = {
      stroke: colour('--text-3'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
      font: '11px Inter Variable, sans-serif',
    };
    const bars = UPlot.paths.bars?.({ size: [0.8, BAR_PX_MAX] });
    const chart = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT_PX,
        cursor: { y: false },
        legend: { show: false },
        scales: {
          x: { range: () => [fromMs / 1_000, toMs / 1_000] },
          y: { range: (_chart, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
        },
        axes: [
          {
            ...axis,
            size: 28,
            values: (_chart, seconds) => seconds.map((at) => timeOf(at, toMs - fromMs)),
          },
          { ...axis, size: 46 },
        ],
        series: [
          {},
          {
            label,
            stroke: colour('--accent'),
            fill: colour('--accent-bg'),
            width: 1.5,
            points: { size: 4, show: !areBars },
            ...(areBars && bars !== undefined ? { paths: bars } : {}),
          },
          ...more.map((line, index) => ({
            label: line.label,
            stroke: colour(STROKES[index + 1] ?? STROKES[0]),
            width: 1.5,
            spanGaps: true,
            points: { size: 4 },
          })),
        ],
      },
      [
        points.map(({ atMs }) => atMs / 1_000),
        points.map(({ value }) => value),
        ...more.map(({ values }) => [...values]),
      ],
      element,
    );
    const observer = new ResizeObserver(() =>
      chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [label, points, more, areBars, fromMs, toMs]);
  return <div ref={place} className="chart" role="img" aria-label={`Chart of ${label}`} />;
}

const TWO_DAYS_MS = 2 * 86_400_000;

/** `14:30`; over more than two days the day, `25 Nov`. */
function timeOf(seconds: number, spanMs: number): string {
  const at = new Date(seconds * 1_000);
  return spanMs > TWO_DAYS_MS
    ? at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    : at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}
