import type { Speaker } from './turn.ts';

/**
 * The last node of a message in the conversation graph (S1-ID-03): `<run>:harness_end` of an
 * answer, `<alternative>:user` of a user's text. A text of an agent that no run wrote has the
 * alternative's id in place of the run's.
 */
export function graphNodeOf(alternative: {
  readonly id: string;
  readonly runId: string | null;
  readonly speaker: Speaker;
}): string {
  const { id, runId, speaker } = alternative;
  if (runId !== null) return `${runId}:harness_end`;
  return speaker === 'agent' ? `${id}:harness_end` : `${id}:user`;
}
