import { type ReactNode, useEffect, useRef } from 'react';

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: string;
  readonly count?: number;
}

/** A row of tabs. The chosen one is the caller's state, so it can stand in the URL. */
export function Tabs<Id extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  end,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  readonly end?: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is chosen
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    // The arrow keys take the focus along.
    if (list.current?.contains(document.activeElement)) tab?.focus();
  }, [chosen]);
  const move = (by: number) => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next !== undefined) onChoose(next.id);
  };
  return (
    <div className="tabs">
      <div ref={list} role="tablist" aria-label={label} className="row gap-4">
        {tabs.map(({ id, label: name, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            className="tab"
            aria-selected={id === chosen}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight') move(1);
              if (key === 'ArrowLeft') move(-1);
            }}
          >
            {name}
            {count === undefined ? null : <span className="count">{count}</span>}
          </button>
        ))}
      </div>
      {end}
    </div>
  );
}
