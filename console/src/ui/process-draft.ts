import { draftsAfter, readDraft } from './drafts.ts';

/** Unsaved text of a Process, and the version that it was begun on. */
export interface ProcessDraft {
  readonly version: number;
  readonly text: string;
}

/** The draft that this browser keeps of a Process, under its id or `newDraftKey`. */
export function readProcessDraft(key: string): ProcessDraft | null {
  const kept = readDraft(key);
  return isProcessDraft(kept) ? kept : null;
}

function isProcessDraft(kept: unknown): kept is ProcessDraft {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'version' in kept &&
    typeof kept.version === 'number' &&
    'text' in kept &&
    typeof kept.text === 'string'
  );
}

/** Key of the draft of a Process that is not saved yet. */
export function newDraftKey(name: string): string {
  return `new:${name}`;
}

/** Names of the new Processes whose text this browser keeps. */
export function namesOfNewDrafts(): string[] {
  return draftsAfter(newDraftKey(''));
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
