/** One figure of a bench: the measured thing, the compared one, and the bound it should keep. */
export interface Figure {
  readonly name: string;
  /** The measured number: a ratio to the floor, or milliseconds where the figure is absolute. */
  readonly value: number;
  readonly unit: 'x' | 'ms' | 'events' | '% of a core' | 'an hour' | 'a second';
  readonly bound: number;
  /** Whether the figure should stay below (a cost) or above (a rate) its bound. */
  readonly keep: 'at most' | 'at least';
  /** The raw medians behind a ratio, for the reader. */
  readonly detail: string;
}

export function holds({ value, bound, keep }: Figure): boolean {
  return keep === 'at most' ? value <= bound : value >= bound;
}

/** One line a figure, the verdict first, so that a log can be read by eye and by grep. */
export function printFigure(figure: Figure): void {
  const { name, value, unit, bound, keep, detail } = figure;
  const verdict = holds(figure) ? 'ok  ' : 'MISS';
  console.log(
    `${verdict} ${name}: ${value.toFixed(2)} ${unit} (${keep} ${bound} ${unit}) ${detail}`,
  );
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * How many times longer one took than the other: the median over the rounds of each round's own
 * ratio, so that a slow minute, which falls on both, does not decide.
 */
export function pairedRatio(subject: readonly number[], floor: readonly number[]): number {
  return median(subject.map((ms, round) => ms / (floor[round] ?? Number.NaN)));
}

/**
 * Whether a rate holds: how much longer a batch took in the first tenth of them than in the last;
 * both medians, in milliseconds.
 */
export function lastTenth(batchMs: readonly number[]) {
  const tenth = Math.max(1, Math.floor(batchMs.length / 10));
  const [firstMs, lastMs] = [median(batchMs.slice(0, tenth)), median(batchMs.slice(-tenth))];
  return { firstMs, lastMs, ratio: firstMs / lastMs };
}

/**
 * Measures several subjects in interleaved rounds, so that a noisy minute of the machine falls on
 * all alike. Answers each subject's milliseconds per round, the first `warmUp` rounds left out.
 */
export async function interleave<K extends string>(
  subjects: Readonly<Record<K, () => Promise<unknown>>>,
  { rounds, warmUp = 2 }: { rounds: number; warmUp?: number },
): Promise<Record<K, number[]>> {
  const names = Object.keys(subjects) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    K,
    number[]
  >;
  for (let round = 0; round < rounds + warmUp; round++) {
    // Alternating the order keeps one subject from always paying for the other's garbage.
    const order = round % 2 === 0 ? names : [...names].reverse();
    for (const name of order) {
      const startedMs = performance.now();
      await subjects[name]();
      if (round >= warmUp) times[name].push(performance.now() - startedMs);
    }
  }
  return times;
}

/** The value that so many of a hundred do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN;
}
