import { stringify } from 'yaml';
import { isRecord } from '../runs/context-schema.ts';

/** A part of the sentence, and what it became or why it is open. */
export interface DraftNote {
  readonly words: string;
  readonly text: string;
  readonly stepId: string | null;
}

/** A draft that `draftProcess` made of a sentence: the output of its run. */
export interface SentenceDraft {
  /** Its name and its text as YAML; null: nothing was understood. */
  readonly begun: { readonly name: string; readonly text: string } | null;
  readonly understood: readonly DraftNote[];
  readonly open: readonly DraftNote[];
  /** Cron expression; null: the sentence names no times. */
  readonly cron: string | null;
  readonly byModel: boolean;
  /** Names of Processes to begin from instead. */
  readonly nearest: readonly string[];
  /** Ids of the Tools and Processes that it calls, as they were found. */
  readonly targetIds: readonly string[];
}

/** Reads the output of the run; null where it is no draft. */
export function readDraftOutput(output: string | null | undefined): SentenceDraft | null {
  const value = parse(output ?? '');
  if (!isRecord(value)) return null;
  const { definition, schedule } = value;
  const name = isRecord(definition) ? definition['name'] : undefined;
  return {
    begun:
      isRecord(definition) && typeof name === 'string'
        ? { name, text: stringify(definition, { lineWidth: 96 }) }
        : null,
    understood: notesOf(value['understood']),
    open: notesOf(value['open']),
    cron: isRecord(schedule) && typeof schedule['cron'] === 'string' ? schedule['cron'] : null,
    byModel: value['byModel'] === true,
    nearest: listOf(value['nearest']).flatMap((one) =>
      isRecord(one) && typeof one['name'] === 'string' ? [one['name']] : [],
    ),
    targetIds: listOf(value['targetIds']).filter((one) => typeof one === 'string'),
  };
}

/** The text under another name, where a draft of this name is kept already. */
export function freeDraftName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number++)
    if (!taken.includes(`${name} ${number}`)) return `${name} ${number}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function notesOf(value: unknown): DraftNote[] {
  return listOf(value).flatMap((one) => {
    if (!isRecord(one) || typeof one['text'] !== 'string') return [];
    const { words, text, stepId } = one;
    return [
      {
        words: typeof words === 'string' ? words : '',
        text,
        stepId: typeof stepId === 'string' ? stepId : null,
      },
    ];
  });
}
