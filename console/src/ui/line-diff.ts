export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Cells of the table of common lines; above it, the differing middle is shown as one block. */
const CELLS_MAX = 4_000_000;

/**
 * The lines of two texts in one order: those of both, those of the first only, of the second only.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const left = before.split('\n');
  const right = after.split('\n');
  let head = 0;
  while (head < left.length && head < right.length && left[head] === right[head]) head += 1;
  let tail = 0;
  while (
    tail < left.length - head &&
    tail < right.length - head &&
    left[left.length - 1 - tail] === right[right.length - 1 - tail]
  )
    tail += 1;
  const same = (text: string): DiffLine => ({ kind: 'same', text });
  return [
    ...left.slice(0, head).map(same),
    ...middleDiff(left.slice(head, left.length - tail), right.slice(head, right.length - tail)),
    ...left.slice(left.length - tail).map(same),
  ];
}

function middleDiff(left: readonly string[], right: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (left.length * right.length > CELLS_MAX) return [...left.map(removed), ...right.map(added)];
  const width = right.length + 1;
  // Length of the longest common sequence of the lines from each pair of positions on.
  const common = new Uint32Array((left.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--)
    for (let column = right.length - 1; column >= 0; column--)
      common[row * width + column] =
        left[row] === right[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < left.length || column < right.length) {
    const one = left[row];
    const other = right[column];
    if (one !== undefined && one === other) {
      lines.push({ kind: 'same', text: one });
      row += 1;
      column += 1;
    } else if (
      one !== undefined &&
      (other === undefined || at(row + 1, column) >= at(row, column + 1))
    ) {
      lines.push(removed(one));
      row += 1;
    } else if (other !== undefined) {
      lines.push(added(other));
      column += 1;
    }
  }
  return lines;
}

export interface DiffPart {
  /** Number of equal lines that this part stands for; its lines are left out. */
  readonly left: number;
  readonly lines: readonly DiffLine[];
}

/** Lines around a change that stay visible. */
const AROUND = 3;

/** Folds long stretches of equal lines. */
export function folded(lines: readonly DiffLine[]): DiffPart[] {
  const isNear = lines.map((_, index) =>
    lines
      .slice(Math.max(0, index - AROUND), index + AROUND + 1)
      .some(({ kind }) => kind !== 'same'),
  );
  const parts: { left: number; lines: DiffLine[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const last = parts.at(-1);
    if (isNear[index] === true) {
      if (last === undefined || last.left > 0) parts.push({ left: 0, lines: [line] });
      else last.lines.push(line);
    } else if (last === undefined || last.left === 0) parts.push({ left: 1, lines: [] });
    else last.left += 1;
  }
  return parts;
}
