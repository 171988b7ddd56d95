import { Refusal } from '../../common/refusal.ts';
import type { ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { findSystemProcess } from '../../processes/bundle/bundle.cypher.ts';
import { findRunsById } from '../../runs/run/run.cypher.ts';
import { type RunDeps, startRunIn } from '../../runs/run/run.mutations.ts';
import { isOpen, type ProcessRun } from '../../runs/run/run.ts';
import type { RunWork } from '../../runs/run/run-origin.ts';
import type { SettingsSource } from '../../settings/settings.projection.ts';
import type { Viewer } from '../../users/user.ts';
import { derivedId } from '../derived-id.service.ts';
import type { Embeddings } from '../embeddings/embeddings.service.ts';
import { chunksOf } from '../episodes/episode-text.ts';
import { userGroupOf } from '../group.ts';
import {
  type Extraction,
  joinExtractions,
  NOTHING_EXTRACTED,
  readExtraction,
} from './extraction.ts';
import {
  findIngest,
  type Ingest,
  type KnownEntity,
  listKnown,
  setIngestRun,
} from './ingest.cypher.ts';

export interface MemoryGraphDeps extends RunDeps {
  readonly settings: SettingsSource;
  readonly embeddings: Embeddings;
}

/** The system's Process that reads Episodes (examples/system.yaml). */
export const EXTRACTION_PROCESS = 'extract memories';
const RUN_SECONDS_MAX = 900;
/** The most characters of one run's text. A longer text is split into parts, one run each. */
const PART_CHARS_MAX = 24_000;
/** Enough for the longest turn (256 KiB), wherever it is split. */
const PARTS_MAX = 24;
const EARLIER_CHARS_MAX = 1_000;
const KNOWN_MAX = 50;

/** The owner of a conversation, as the viewer of the system's runs. */
export function ownerOf(ingest: Pick<Ingest, 'ownerId' | 'ownerName' | 'workspace'>): Viewer {
  const { ownerId: userId, ownerName: name, workspace } = ingest;
  return { userId, name, roles: ['user'], workspace };
}

/**
 * Starts the extraction of an alternative's Episode, once: a run of the system's Process, as the
 * conversation's owner and with the owner's model. A long Episode is read by several runs at once.
 * @returns id of the first run; null where the Process is missing or the ingest has ended
 */
export async function startExtraction(
  deps: MemoryGraphDeps,
  alternativeId: string,
): Promise<string | null> {
  const runId = derivedId('extraction', alternativeId);
  const started = await deps.graph
    .write(async (tx) => {
      const ingest = await findIngest(tx, alternativeId);
      if (ingest === null || ingest.endedAt !== null) return null;
      if (ingest.runId !== null) return ingest.runId;
      const viewer = ownerOf(ingest);
      const processId = await findSystemProcess(tx, viewer, EXTRACTION_PROCESS);
      if (processId === null) return null;
      await setIngestRun(tx, { episodeUuid: ingest.episodeUuid, runId });
      const known = await knownIn(tx, ingest);
      const common = {
        saidAt: ingest.saidAt,
        known: known.entities.map(({ uuid, name, summary }) => ({ uuid, name, summary })),
        knownFacts: known.facts.map(({ uuid, fact }) => ({ uuid, fact })),
        resolve: ingest.llmToolId !== null,
      };
      const { llmToolId, conversationId, earlier } = ingest;
      const workFor = episodeWork(ingest);
      const parts = chunksOf(spokenBy(ingest), PART_CHARS_MAX).slice(0, PARTS_MAX);
      for (const [index, content] of parts.entries()) {
        const before = parts[index - 1];
        const context = {
          ...common,
          content,
          earlier:
            before === undefined
              ? earlier.map((text) => text.slice(0, EARLIER_CHARS_MAX))
              : [before.slice(-EARLIER_CHARS_MAX)],
        };
        const input = { processId, timeout: RUN_SECONDS_MAX, conversationId, context };
        const id = partRunId(runId, index);
        const run = { runId: id, input, answersId: null, llmToolId, workFor };
        await startRunIn(deps, tx, viewer, run);
      }
      return runId;
    })
    .catch((error: unknown) => {
      // The Process is disabled or takes other input: the Episode gets its mentions by names alone.
      if (error instanceof Refusal) return null;
      throw error;
    });
  if (started !== null) deps.wake();
  return started;
}

const NAME_CHARS_MAX = 80;

/** The Episode that an extraction works for, named by the start of its text. */
function episodeWork({ episodeUuid: id, content }: Ingest): RunWork {
  return { kind: 'episode', id, name: content.slice(0, NAME_CHARS_MAX) };
}

function partRunId(runId: string, index: number): string {
  return index === 0 ? runId : derivedId('extraction part', runId, String(index));
}

/** The runs that read one Episode. @param runId id of the first */
function findPartRuns(tx: ReadTx, runId: string): Promise<ProcessRun[]> {
  const ids = Array.from({ length: PARTS_MAX }, (_, index) => partRunId(runId, index));
  return findRunsById(tx, ids);
}

/** Puts the user's name before the text, so the model resolves "I". */
function spokenBy({ speaker, ownerName, content }: Ingest): string {
  return speaker === 'user' ? `${ownerName}: ${content}` : content;
}

export function knownIn(tx: WriteTx, ingest: Ingest) {
  const { conversationId, ownerId, content } = ingest;
  const groups = [conversationId, userGroupOf(ownerId)];
  return listKnown(tx, { conversationId, groups, content, max: KNOWN_MAX });
}

/** Final status of the first run; null while any run of the Episode is open. */
export async function extractionEnd(deps: MemoryGraphDeps, runId: string): Promise<string | null> {
  const runs = await deps.graph.read((tx) => findPartRuns(tx, runId));
  return runs.some(({ status }) => isOpen(status)) ? null : (runs[0]?.status ?? 'gone');
}

/** The joined output of the runs. A failed run adds a fault; the others count. */
export async function readRuns(
  deps: MemoryGraphDeps,
  runId: string | null,
  named: readonly KnownEntity[],
): Promise<{ status: 'read' | 'failed' | 'by names'; extraction: Extraction }> {
  const names = named.map(({ name }) => name);
  const runs = runId === null ? [] : await deps.graph.read((tx) => findPartRuns(tx, runId));
  if (runs.length === 0) return { status: 'by names', extraction: NOTHING_EXTRACTED };
  const parts: Extraction[] = [];
  for (const run of runs) parts.push(await readRun(deps, run, names));
  const isRead = runs.some(({ status }) => status === 'completed');
  return { status: isRead ? 'read' : 'failed', extraction: joinExtractions(parts) };
}

async function readRun(
  deps: MemoryGraphDeps,
  { status, error, output, outputBlob }: ProcessRun,
  names: readonly string[],
): Promise<Extraction> {
  if (status !== 'completed') {
    const why = error === null ? status : `${error.code}: ${error.message}`;
    return { ...NOTHING_EXTRACTED, faults: [`The run ${status}: ${why}`] };
  }
  const stored = { text: output === null ? null : JSON.stringify(output), blob: outputBlob };
  return readExtraction(String(await deps.payloads.load(stored)), names);
}
