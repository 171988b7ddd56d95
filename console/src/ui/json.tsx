import { memo, type ReactNode, useMemo, useState } from 'react';

/** Characters shown at once; more would block the page. */
const SHOWN_MAX = 20_000;

const TOKEN =
  /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A value as JSON with quiet colours. Text stays text: nothing in it is markup. */
export const Json = memo(function Json({ value }: { readonly value: unknown }) {
  const text = useMemo(() => textOf(value), [value]);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : text.slice(0, SHOWN_MAX).toWellFormed();
  const isPlain = typeof value === 'string';
  return (
    // Not a section: a page shows several, and landmarks of one name do not tell where one is.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls has to take the keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields
    <div className="code" role="group" tabIndex={0} aria-label="Value">
      {isPlain || isWhole ? shown : coloured(shown)}
      {shown.length < text.length ? (
        <button type="button" className="button tiny" onClick={() => setWhole(true)}>
          Show all {Math.round(text.length / 1_024)} KiB
        </button>
      ) : null}
    </div>
  );
});

export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, 2) ?? '';
}

function coloured(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > at) parts.push(text.slice(at, match.index));
    const [whole, quoted, colon] = match;
    const kind = quoted === undefined ? 'lit' : colon === undefined ? 'str' : 'key';
    parts.push(
      <span key={match.index} className={kind}>
        {kind === 'key' ? quoted : whole}
      </span>,
    );
    if (kind === 'key') parts.push(colon);
    at = match.index + whole.length;
  }
  parts.push(text.slice(at));
  return parts;
}
