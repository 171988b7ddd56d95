import type { RunEvent } from './run-event.ts';

/** An alternative as `conversationEvents` tells it. */
export interface ToldAlternative {
  readonly id: string;
  readonly content: string;
  /** Without an id, each alternative is taken as a turn of its own. */
  readonly turn: { readonly id?: string; readonly speaker: string };
  readonly run: { readonly id: string } | null;
  readonly respondsTo: AnsweredAlternative | null;
}
type AnsweredAlternative = Pick<ToldAlternative, 'id' | 'turn' | 'run'>;

/** Id of the message of an alternative: that of its run, else its own. */
export function messageIdOf({ id, run }: Pick<ToldAlternative, 'id' | 'run'>): string {
  return run?.id ?? id;
}

/** The last node of a message, which the next message has as its parent. */
export function lastNodeOf({ id, run, turn }: AnsweredAlternative): string {
  if (run !== null) return `${run.id}:harness_end`;
  return turn.speaker === 'AGENT' ? `${id}:harness_end` : `${id}:user`;
}

/**
 * The events of an alternative that no run wrote: one `user` event, or an appended text of an agent
 * as a run of its own. Empty for an alternative with a run, whose `runEvents` tell it.
 */
export function eventsOfAlternative(alternative: ToldAlternative): RunEvent[] {
  const { id, content, turn, run, respondsTo } = alternative;
  if (run !== null) return [];
  const parent = respondsTo === null ? {} : { parentId: lastNodeOf(respondsTo) };
  if (turn.speaker !== 'AGENT') return [{ kind: 'user', runId: id, content, ...parent }];
  return [
    { kind: 'harness_start', runId: id, agentId: '', ...parent },
    { kind: 'text', id: `${id}:text`, runId: id, content },
    { kind: 'harness_end', runId: id, agentId: '' },
  ];
}
