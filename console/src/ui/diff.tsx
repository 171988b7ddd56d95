import { useMemo } from 'react';
import { plural } from './format.ts';
import { textOf } from './json.tsx';
import { folded, lineDiff } from './line-diff.ts';

const SIGNS = { same: ' ', removed: '-', added: '+' } as const;

/** Without the end of the last line, which would be an empty one. */
function linesOf(value: unknown): string {
  return textOf(value ?? '').replace(/\n$/, '');
}

/** Shows the lines that only one of two values has, among those that both have. */
export function Diff({
  before,
  after,
  label,
}: {
  readonly before: unknown;
  readonly after: unknown;
  readonly label: string;
}) {
  const parts = useMemo(() => folded(lineDiff(linesOf(before), linesOf(after))), [before, after]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to take the keyboard
    <section className="code diff" tabIndex={0} aria-label={label}>
      {parts.map(({ left, lines }, part) =>
        left > 0 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one diff never change places
          <span key={part} className="diff-line faint">
            {`  … ${plural(left, 'unchanged line')}\n`}
          </span>
        ) : (
          lines.map(({ kind, text }, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one diff never change places
            <span key={`${part} ${line}`} className={`diff-line ${kind}`}>
              {`${SIGNS[kind]} ${text}\n`}
            </span>
          ))
        ),
      )}
    </section>
  );
}
