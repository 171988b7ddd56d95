import { z } from 'zod';
import { jsonText, parseStored } from '../../common/stored.ts';
import type { JobRun } from '../../jobs/job-definition.service.ts';
import { EMBEDDED_KINDS } from './embedding.ts';
import type { Embeddings, ReembedStep } from './embeddings.service.ts';

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
 * Job that embeds new entities, facts and Episodes. While the model changes, it also embeds all
 * others again, page by page, from the checkpoint of the last job run. Search uses the former model
 * until all have their new vector.
 */
export async function embedAll(
  { embeddings }: { readonly embeddings: Embeddings },
  jobRun: JobRun,
): Promise<void> {
  let step: ReembedStep | null =
    jobRun.checkpoint === null
      ? null
      : parseStored(Checkpoint, jobRun.checkpoint, () => 'Checkpoint of the job embed-all');
  for (;;) {
    jobRun.signal.throwIfAborted();
    await embeddings.embedPending(jobRun.signal);
    step = await embeddings.reembed(step, jobRun.signal);
    if (step === null && jobRun.checkpoint === null) return;
    await jobRun.progress({ checkpoint: JSON.stringify(step) });
    if (step === null) return;
  }
}
