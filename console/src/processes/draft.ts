/** Unsaved text of a Process, and the version that it was begun on. */
export interface Draft {
  readonly version: number;
  readonly text: string;
}

const keyOf = (processId: string) => `aiden.draft.${processId}`;

/** The draft that this browser keeps of a Process; null where it keeps none. */
export function readDraft(processId: string): Draft | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(processId)) ?? 'null');
    return isDraft(kept) ? kept : null;
  } catch {
    return null;
  }
}

function isDraft(kept: unknown): kept is Draft {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'version' in kept &&
    typeof kept.version === 'number' &&
    'text' in kept &&
    typeof kept.text === 'string'
  );
}

/** Keeps a draft; null forgets it. A browser without room keeps none. */
export function keepDraft(processId: string, draft: Draft | null): void {
  try {
    if (draft === null) localStorage.removeItem(keyOf(processId));
    else localStorage.setItem(keyOf(processId), JSON.stringify(draft));
  } catch {
    // The text stays in the editor.
  }
}
