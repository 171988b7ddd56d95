export interface SavedView {
  readonly name: string;
  /** Query string of the list, without `?`. */
  readonly search: string;
}

/** The views that a browser stored; damaged ones are left out. */
export function readViews(stored: string | null): SavedView[] {
  if (stored === null) return [];
  let value: unknown;
  try {
    value = JSON.parse(stored);
  } catch {
    return [];
  }
  return Array.isArray(value) ? value.filter(isView) : [];
}

function isView(value: unknown): value is SavedView {
  return (
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'search' in value &&
    typeof value.name === 'string' &&
    typeof value.search === 'string'
  );
}

/** The views with this one, which replaces another of its name; sorted by name. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...views.filter(({ name }) => name !== view.name), view].sort((left, right) =>
    left.name.localeCompare(right.name),
  );
}
