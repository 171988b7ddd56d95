import type { RunObserver } from '../runs/run/ports.ts';
import type { BaseDeps } from '../users/user.ts';
import { completeAlternative, findAlternativesOfRuns } from './alternative.cypher.ts';
import { addVersion } from './alternative.mutations.ts';
import { lockOpenConversation } from './conversation.mutations.ts';
import { answerEntry } from './conversation-entry.ts';
import { findAnsweredMessage } from './question.cypher.ts';

/**
 * A root run of a conversation writes an alternative there, in the transaction that ends the run. A
 * retry adds an alternative to the same turn, which answers the same parent and is active at once
 * (S4-ALT-03).
 */
export function answersOfRuns(
  deps: BaseDeps,
): Pick<RunObserver, 'ended' | 'beginRetry' | 'findMessage'> {
  return {
    findMessage: (tx, { userId }, alternativeId) => findAnsweredMessage(tx, userId, alternativeId),
    async ended(tx, { run, status, output, now }) {
      const { runId, conversationId } = run;
      if (conversationId === null || run.depth > 0) return;
      const entry = answerEntry(deps, run, conversationId, status);
      await completeAlternative(tx, { runId, status, output, now, entry });
    },
    async beginRetry(tx, viewer, old) {
      const [answer] = await findAlternativesOfRuns(tx, viewer.userId, [old.id]);
      if (answer === undefined) return { answersId: null, started: async () => {} };
      const { conversationId, turnId, respondsToId } = answer;
      const conversation = await lockOpenConversation(tx, viewer, conversationId, ['runId']);
      return {
        answersId: respondsToId,
        async started({ runId, processId }) {
          // An awaited answer has no content, not even an empty one (docs/decisions/0014).
          const alternative = { id: deps.newId(), content: null, outcome: null, runId };
          const version = { conversation, turnId, alternative, respondsToId, processId };
          await addVersion(deps, tx, viewer, version);
        },
      };
    },
  };
}
