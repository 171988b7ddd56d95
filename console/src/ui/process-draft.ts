import { userOfSession } from '../api/session.ts';

/** Unsaved text of a Process, and the version that it was begun on. */
export interface Draft {
  readonly version: number;
  readonly text: string;
}

const keyOf = (processId: string) => `aiden.draft.${userOfSession()}.${processId}`;

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

/** Keeps a draft. A browser without room keeps none. */
export function keepDraft(processId: string, draft: Draft): void {
  try {
    localStorage.setItem(keyOf(processId), JSON.stringify(draft));
  } catch {
    // The text stays in the editor.
  }
}

/** Forgets the draft with this text; another text is the unsaved one of another tab. */
export function dropDraft(processId: string, text: string): void {
  if (readDraft(processId)?.text === text) localStorage.removeItem(keyOf(processId));
}

/**
 * Keeps a draft until the returned function is called: another tab may keep its own text over it,
 * and drop that one.
 */
export function holdDraft(processId: string, draft: Draft): () => void {
  keepDraft(processId, draft);
  const key = keyOf(processId);
  const hear = ({ key: changed, oldValue, newValue }: StorageEvent) => {
    if (changed !== key || newValue !== null || oldValue === JSON.stringify(draft)) return;
    keepDraft(processId, draft);
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}

/** Key of the draft of a Process that is not saved yet. */
export function newDraftKey(name: string): string {
  return `new:${name}`;
}

/** Names of the new Processes whose text this browser keeps. */
export function namesOfNewDrafts(): string[] {
  const start = keyOf(newDraftKey(''));
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice(start.length));
  } catch {
    return [];
  }
}

const trialKeyOf = (trialId: string) => `aiden.trial.${trialId}`;

/** Remembers the Process whose draft a trial Process has. */
export function keepTrial(trialId: string, processId: string): void {
  try {
    localStorage.setItem(trialKeyOf(trialId), processId);
  } catch {
    // Runs of the trial then open the trial itself.
  }
}

/** The Process whose draft this one tries; itself where it is no trial. */
export function triedProcess(id: string): string {
  return localStorage.getItem(trialKeyOf(id)) ?? id;
}
