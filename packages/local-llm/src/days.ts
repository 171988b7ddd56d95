import { entryOf } from './entry-of.ts';
import { isObject } from './json-shape.ts';
import type { Reading } from './prompt.ts';

const DAY = /^\[(\d{4}-\d\d-\d\d)\]$/gm;

/**
 * A transcript by its days: a line such as `[2024-05-21]` begins the next one. What was said before
 * stands beside each part, for what "she" means.
 */
export function daysOf(reading: Reading): Reading[] {
  const { material, aside } = reading;
  const marks = [...material.matchAll(DAY)];
  if (marks.length === 0) return [reading];
  const starts = [{ at: 0, from: 0, saidAt: reading.saidAt }].concat(
    marks.map(({ 0: line, 1: day, index }) => ({
      ...{ at: index, from: index + line.length, saidAt: `${day}T00:00:00.000Z` },
    })),
  );
  return starts
    .map(({ at, from, saidAt }, index) => ({
      ...{ ...reading, material: material.slice(from, starts[index + 1]?.at).trim(), saidAt },
      aside: { ...aside, earlier: `${aside['earlier'] ?? ''}\n${material.slice(0, at)}`.trim() },
    }))
    .filter((day) => day.material !== '');
}

/** The answers about the days of one talk as one: lists are joined, each thing and text once. */
export function joinAnswers(answers: readonly unknown[]): unknown {
  const [first, ...rest] = answers;
  if (rest.length === 0 || !isObject(first)) return first;
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => {
      const others = rest.map((one) => (isObject(one) ? entryOf(one, name) : null));
      if (!Array.isArray(value)) return [name, value];
      const all = [value, ...others.filter(Array.isArray)].flat();
      const byKey = Map.groupBy(all, keyOf);
      return [name, [...byKey.values()].map(([item]) => item)];
    }),
  );
}

function keyOf(item: unknown): string {
  const name = isObject(item) ? item['name'] : undefined;
  return typeof name === 'string' ? name : JSON.stringify(item);
}
