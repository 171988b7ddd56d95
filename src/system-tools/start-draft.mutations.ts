import { systemProcessGone } from '../background/background.mutations.ts';
import { findTools } from '../catalog/tools/tool.cypher.ts';
import type { Maybe } from '../common/maybe.ts';
import { Refusal } from '../common/refusal.ts';
import { findSystemProcess, findThingsByName } from '../processes/bundle/bundle.cypher.ts';
import { SENTENCE_CHARS_MAX } from '../processes/sketch/sketch.ts';
import type { RunDeps } from '../runs/run/ports.ts';
import type { ProcessRun } from '../runs/run/run.ts';
import { startProcessRun } from '../runs/start/start.mutations.ts';
import { LOCAL_MODEL } from '../settings/local-model.ts';
import { getMemorySettings } from '../settings/memory-settings.mutations.ts';
import type { Viewer } from '../users/user.ts';

export interface DraftProcess {
  /** What the Process shall do, in the user's words. */
  readonly sentence: string;
  readonly idempotencyKey?: Maybe<string>;
}

/** The system's Process that drafts, and its Tool that asks a model (examples/system.yaml). */
const DRAFT_PROCESS = 'draft process';
const WRITING_TOOL = 'write a process';
/** Two answers of a model on a CPU. */
const DRAFT_SECONDS_MAX = 900;

/**
 * Starts a run of the system's Process that drafts a Process from a sentence (docs/decisions/0136).
 * A model writes the draft, that of the viewer's memory settings before that of the installation;
 * where there is only the bundled one, which quotes, words and meaning decide.
 * @throws Refusal REQUIRED, TOO_LARGE at `sentence`; NOT_FOUND where an admin deleted the Process;
 * as startProcessRun
 */
export async function startDraft(
  deps: RunDeps,
  viewer: Viewer,
  { sentence: given, idempotencyKey }: DraftProcess,
): Promise<ProcessRun> {
  const sentence = given.trim();
  if (sentence === '') throw Refusal.of('REQUIRED', ['sentence'], 'Say what the Process shall do.');
  if (sentence.length > SENTENCE_CHARS_MAX) {
    const message =
      `At most ${SENTENCE_CHARS_MAX} characters; this has ${sentence.length}. Say only what the ` +
      'Process shall do. Texts that it works on are given to its runs.';
    throw Refusal.of('TOO_LARGE', ['sentence'], message);
  }
  const { llmToolId } = await getMemorySettings(deps, viewer);
  const { processId, model } = await deps.graph.read(async (tx) => {
    const processId = await findSystemProcess(tx, viewer, DRAFT_PROCESS);
    const named = await findThingsByName(tx, viewer, [{ kind: 'Tool', name: WRITING_TOOL }]);
    const ids = named.filter(({ own }) => !own).map(({ id }) => id);
    const [tool] = await findTools(tx, viewer, ids);
    return { processId, model: tool?.connectionParams['model'] ?? LOCAL_MODEL };
  });
  if (processId === null) throw systemProcessGone(DRAFT_PROCESS);
  const context = { sentence, model: llmToolId !== null || model !== LOCAL_MODEL };
  const input = { processId, context, idempotencyKey, timeout: DRAFT_SECONDS_MAX };
  return startProcessRun(deps, viewer, input, { llmToolId });
}
