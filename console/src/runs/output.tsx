import { type ReactNode, Suspense, useState } from 'react';
import { Json } from '../ui/json.tsx';
import { LazyMarkdown } from '../ui/lazy-markdown.tsx';
import { isMarkdown } from './is-markdown.ts';

/** An output: Markdown as it reads, with a switch to the text itself; other values as they are. */
export function Output({
  value,
  raw = <Json value={value} />,
}: {
  readonly value: unknown;
  /** The value as it is. */
  readonly raw?: ReactNode;
}) {
  const [isRaw, setRaw] = useState(false);
  if (!isMarkdown(value)) return raw;
  return (
    <div className="col gap-4">
      {isRaw ? (
        raw
      ) : (
        <Suspense fallback={raw}>
          <LazyMarkdown text={value} />
        </Suspense>
      )}
      <div>
        <button
          type="button"
          className="button plain tiny"
          aria-pressed={isRaw}
          onClick={() => setRaw(!isRaw)}
        >
          {isRaw ? 'As it reads' : 'As raw text'}
        </button>
      </div>
    </div>
  );
}
