import { setTimeout } from 'node:timers/promises';
import {
  recordRefusal,
  startBackgroundRun,
  systemProcessGone,
} from '../../background/background.mutations.ts';
import { WORK_KINDS } from '../../background/work.ts';
import { Refusal } from '../../common/refusal.ts';
import { findThingsByName } from '../../processes/bundle/bundle.cypher.ts';
import type { RunDeps } from '../../runs/run/ports.ts';
import { findRuns } from '../../runs/run/run.cypher.ts';
import { isOpen } from '../../runs/run/run.ts';
import type { RunWork } from '../../runs/run/run-origin.ts';
import { findLlmToolId } from '../../settings/memory-settings.cypher.ts';
import type { SettingsSource } from '../../settings/settings.projection.ts';
import { findUsers } from '../../users/user.cypher.ts';
import { SYSTEM_USER_ID, SYSTEM_USER_NAME, type Viewer } from '../../users/user.ts';
import { SUMMARISE_PROCESS } from '../toc/toc-work.ts';

/** One request for a summary. */
export interface SummariseCall {
  readonly ownerId: string;
  readonly text: string;
  /** Text before the one to sum up; context only. */
  readonly before: string;
  readonly sentences: number;
  /** Idempotency key: a repeated call gets the run of the first. */
  readonly key: string;
  /** The node that the summary is for. */
  readonly workFor: RunWork;
}

/**
 * Port for summaries; the answer is null if no summary could be made.
 * @throws WorkWaits while the owner's tokens of the day for background work are used up
 */
export type Summarise = (call: SummariseCall, signal: AbortSignal) => Promise<string | null>;

/** Name of the system's Tool for the operator's `summarizer` settings (S2-CFG-02). */
export const SUMMARIZER_TOOL = 'memory summarizer';

const POLL_EVERY_MS = 250;
const WAIT_SECONDS = WORK_KINDS[SUMMARISE_PROCESS].secondsMax;
const SYSTEM: Viewer = {
  userId: SYSTEM_USER_ID,
  name: SYSTEM_USER_NAME,
  roles: ['user', 'admin'],
  workspace: SYSTEM_USER_NAME,
};

/**
 * Creates the port that runs the system's Process as the owner of the text and waits up to 120 s
 * for its output. The LLM Tool is that of the owner's memorySettings, else that of the operator's
 * `summarizer` settings, else that of the Process.
 * @param hasSummarizer whether the operator gave `summarizer` settings; false by default
 */
export function createSummarise(
  deps: RunDeps & { readonly settings: SettingsSource },
  { hasSummarizer = false }: { readonly hasSummarizer?: boolean } = {},
): Summarise {
  return async ({ ownerId, text, before, sentences, key, workFor }, signal) => {
    const { process, owner, llmToolId } = await deps.graph.read(async (tx) => {
      const found = await findThingsByName(tx, SYSTEM, [
        { kind: 'Process', name: SUMMARISE_PROCESS },
        { kind: 'Tool', name: SUMMARIZER_TOOL },
      ]);
      const [owner] = await findUsers(tx, [ownerId]);
      const ownersToolId = await findLlmToolId(tx, ownerId);
      const summarizer = found.find(({ kind }) => hasSummarizer && kind === 'Tool')?.id ?? null;
      return {
        process: found.find(({ kind }) => kind === 'Process'),
        owner,
        llmToolId: ownersToolId ?? summarizer,
      };
    });
    if (owner === undefined) return null;
    // The job of the level keeps the record of the work.
    const item = { ownerId, kind: SUMMARISE_PROCESS, itemId: null };
    const refused = (refusal: Refusal) => recordRefusal(deps, item, refusal);
    if (process === undefined) {
      await refused(systemProcessGone(SUMMARISE_PROCESS));
      return null;
    }
    const viewer: Viewer = {
      userId: owner.id,
      name: owner.name,
      roles: owner.roles,
      workspace: owner.workspace,
    };
    try {
      const context = { text, before, sentences };
      const run = await startBackgroundRun(deps, viewer, {
        input: { processId: process.id, context, idempotencyKey: key, timeout: WAIT_SECONDS },
        item,
        workFor,
        llmToolId,
        tokensPerDay: (await deps.settings.current()).backgroundTokensPerDay,
      });
      return await outputOf(deps, viewer, run.id, signal);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await refused(error);
      return null;
    }
  };
}

async function outputOf(
  deps: RunDeps,
  viewer: Viewer,
  runId: string,
  signal: AbortSignal,
): Promise<string | null> {
  const untilMs = performance.now() + WAIT_SECONDS * 1_000;
  for (;;) {
    const [run] = await deps.graph.read((tx) => findRuns(tx, viewer.userId, [runId]));
    if (run === undefined) return null;
    if (!isOpen(run.status)) {
      if (run.status !== 'completed') return null;
      const { output, outputBlob } = run;
      const value = outputBlob === null ? output : await deps.payloads.loadBlob(outputBlob);
      return typeof value === 'string' ? value : null;
    }
    if (signal.aborted || performance.now() > untilMs) return null;
    await setTimeout(POLL_EVERY_MS);
  }
}
