import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { SavedViews } from './saved-views.tsx';

const HOUR_MS = 3_600_000;
/** Spans of the list, by their name in the URL. */
export const TIMES = {
  hour: { label: 'The last hour', ms: HOUR_MS },
  day: { label: 'The last day', ms: 24 * HOUR_MS },
  week: { label: 'The last week', ms: 168 * HOUR_MS },
  month: { label: 'The last 30 days', ms: 720 * HOUR_MS },
} as const;

/** Pause in ms after the last key before the list is searched. */
const TYPING_MS = 300;

/** The filters of the list of runs: a row, and on a phone a sheet. */
export function RunFilters({
  search,
  processes,
  kept,
  onSet,
  onView,
}: {
  readonly search: URLSearchParams;
  readonly processes: readonly { readonly id: string; readonly name: string }[];
  /** The filters as a query string, for saved views. */
  readonly kept: string;
  readonly onSet: (name: string, value: string | null) => void;
  readonly onView: (search: string) => void;
}) {
  const asked = search.get('q') ?? '';
  const [text, setText] = useState(asked);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setText(asked), [asked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the typing, not the URL
  useEffect(() => {
    if (text.trim() === asked) return;
    const timer = setTimeout(() => onSet('q', text.trim() === '' ? null : text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const count = ['time', 'process', 'subs', 'background'].filter((name) => search.has(name)).length;
  const check = (name: string, label: string) => (
    <label className="row small dim">
      <input
        type="checkbox"
        checked={search.get(name) === 'yes'}
        onChange={({ target }) => onSet(name, target.checked ? 'yes' : null)}
      />
      {label}
    </label>
  );
  const fields = (
    <>
      <select
        className="input"
        aria-label="Time"
        value={search.get('time') ?? ''}
        onChange={({ target }) => onSet('time', target.value === '' ? null : target.value)}
      >
        <option value="">Any time</option>
        {Object.entries(TIMES).map(([id, { label }]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <select
        className="input"
        aria-label="Process"
        value={search.get('process') ?? ''}
        onChange={({ target }) => onSet('process', target.value === '' ? null : target.value)}
      >
        <option value="">All Processes</option>
        {processes.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {check('subs', 'Sub-runs')}
      {check('background', 'Background runs')}
    </>
  );
  return (
    <div className="filters">
      <SearchField
        label="Search runs"
        placeholder="Name, text or id"
        value={text}
        onSet={setText}
      />
      <div className="row gap-12 hide-small">{fields}</div>
      <button type="button" className="button only-small" onClick={() => setOpen(true)}>
        <IconAdjustmentsHorizontal size={15} className="icon" />
        Filters
        {count === 0 ? null : <span className="count">{count}</span>}
      </button>
      <SavedViews search={kept} onChoose={onView} />
      <Dialog title="Filters" isOpen={isOpen} onClose={() => setOpen(false)}>
        {fields}
        <div className="row">
          <button type="button" className="button primary" onClick={() => setOpen(false)}>
            Show the runs
          </button>
        </div>
      </Dialog>
    </div>
  );
}
