import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { createStore, useStore } from '../api/store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { notify } from '../ui/toasts.tsx';
import { readViews, type SavedView, withView } from './view-store.ts';

const KEY = 'aiden.views';
const views = createStore<readonly SavedView[]>(readViews(localStorage.getItem(KEY)));

function store(next: readonly SavedView[]): void {
  localStorage.setItem(KEY, JSON.stringify(next));
  views.set(next);
}

/** Filters of the list of runs under a name, kept in this browser. */
export function SavedViews({
  search,
  onChoose,
}: {
  /** The filters on screen, as the query string of the page. */
  readonly search: string;
  readonly onChoose: (search: string) => void;
}) {
  const saved = useStore(views);
  const [name, setName] = useState<string | null>(null);
  const current = saved.find((view) => view.search === search);
  const save = (event: FormEvent) => {
    event.preventDefault();
    const title = name?.trim() ?? '';
    if (title === '') return;
    store(withView(saved, { name: title, search }));
    setName(null);
    notify(`Saved the view ${title}.`);
  };
  const remove = (view: SavedView) => {
    store(saved.filter((one) => one !== view));
    notify(`Removed the view ${view.name}.`, 'ok', () => store(withView(views.get(), view)));
  };
  return (
    <>
      <Menu
        trigger={
          <button type="button" className="button plain">
            <IconBookmark size={15} className="icon" />
            {current?.name ?? 'Views'}
          </button>
        }
      >
        {saved.length === 0 ? (
          <MenuLabel>No saved view</MenuLabel>
        ) : (
          saved.map((view) => (
            <MenuItem key={view.name} onSelect={() => onChoose(view.search)}>
              <span className="grow">{view.name}</span>
              {view === current ? '✓' : null}
            </MenuItem>
          ))
        )}
        <MenuLine />
        <MenuItem onSelect={() => setName('')}>
          <IconBookmark size={15} className="icon" />
          Save this view …
        </MenuItem>
        {current === undefined ? null : (
          <MenuItem onSelect={() => remove(current)}>
            <IconTrash size={15} className="icon" />
            Remove {current.name}
          </MenuItem>
        )}
      </Menu>
      <Dialog
        title="Save this view"
        note="It keeps the filters in this browser, under a name."
        isOpen={name !== null}
        onClose={() => setName(null)}
      >
        <form className="row" onSubmit={save}>
          <input
            className="input grow"
            aria-label="Name of the view"
            placeholder="Failed tours"
            maxLength={60}
            value={name ?? ''}
            onChange={({ target }) => setName(target.value)}
          />
          <button type="submit" className="button primary" disabled={(name ?? '').trim() === ''}>
            Save
          </button>
        </form>
      </Dialog>
    </>
  );
}
