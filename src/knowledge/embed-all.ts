import { z } from 'zod';
import { jsonText, parseStored } from '../common/stored.ts';
import type { JobTurn } from '../jobs/definition.ts';
import { EMBEDDED_KINDS } from './embedding.ts';
import type { Embeddings, ReembedStep } from './embeddings.ts';

const Checkpoint = jsonText(
  z
    .object({
      phase: z.enum(['embedding', 'settling']),
      kind: z.enum(EMBEDDED_KINDS),
      after: z.string(),
      done: z.number(),
    })
    .nullable(),
);

/**
 * The job behind all vectors: what is new gets its own, and while the model changes everything gets another, a page at a
 * time, from where the last turn stopped. Search asks the model that was before until all are there.
 */
export async function embedAll(
  { embeddings }: { readonly embeddings: Embeddings },
  turn: JobTurn,
): Promise<void> {
  let step: ReembedStep | null =
    turn.checkpoint === null
      ? null
      : parseStored(Checkpoint, turn.checkpoint, () => 'Checkpoint of the job embed-all');
  for (;;) {
    turn.signal.throwIfAborted();
    await embeddings.embedPending(turn.signal);
    step = await embeddings.reembed(step, turn.signal);
    if (step === null && turn.checkpoint === null) return;
    await turn.progress({ checkpoint: JSON.stringify(step) });
    if (step === null) return;
  }
}
