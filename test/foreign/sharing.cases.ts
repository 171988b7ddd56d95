import { type ForeignCase, rows } from './foreign-case.ts';

// Processes of one user that another runs (docs/decisions/0093, 0094). Eve shares; the runner runs.

/** A step of Eve's Process: a Tool of the system with its inputs. */
interface MemoryInput {
  readonly tool: string;
  readonly inputs: object;
  /** `own`: a Process of the runner calls Eve's. */
  readonly by?: 'eve' | 'own';
  /** Steps that do so beside each other. Default 1. */
  readonly steps?: number;
}

export const MEMORY: readonly ForeignCase<
  MemoryInput,
  { readonly asks: 'nothing' | 'to read' | 'to write' }
>[] = rows('sharing', 'MEMORY');

/** Names of exposed Processes, oldest first, and the names under which Eve's are taken over. */
interface NamesInput {
  readonly own: readonly string[];
  readonly eves: readonly { readonly name: string; readonly as?: string }[];
}

export const NAMES: readonly ForeignCase<NamesInput, { readonly tools: readonly string[] }>[] =
  rows('sharing', 'NAMES');

/** Eve's Process after it was taken over: changed texts, which a client does not see. */
export const CHANGED: readonly ForeignCase<
  { readonly description: string; readonly contextSchema?: object },
  'not seen'
>[] = rows('sharing', 'CHANGED');

/** The method of the Tool that a tool calls, and the author's word; whether the tool only reads. */
export const HINTS: readonly ForeignCase<
  { readonly method: 'GET' | 'POST'; readonly mutating?: boolean },
  boolean
>[] = rows('sharing', 'HINTS');

/** Own exposed Processes, and the tools that a list has of them. */
export const LISTS: readonly ForeignCase<number, number>[] = rows('sharing', 'LISTS');
