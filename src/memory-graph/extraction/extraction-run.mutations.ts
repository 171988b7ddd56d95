import {
  recordFailureIn,
  recordRefusal,
  startBackgroundRunIn,
  systemProcessGone,
} from '../../background/background.mutations.ts';
import { findWork } from '../../background/work.cypher.ts';
import { WORK_KINDS, type WorkItem, type WorkProcess } from '../../background/work.ts';
import { isJsonObject } from '../../common/json.ts';
import { Refusal } from '../../common/refusal.ts';
import { firstChars, lastChars } from '../../common/well-formed.ts';
import { nameForModel } from '../../conversations/turn.ts';
import { appendEntries } from '../../outbox/entry.cypher.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { Graph, ReadTx, WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { findSystemProcess } from '../../processes/bundle/bundle.cypher.ts';
import { findRunsById } from '../../runs/run/run.cypher.ts';
import { isOpen, type ProcessRun } from '../../runs/run/run.ts';
import type { RunWork } from '../../runs/run/run-origin.ts';
import { contentWords, indexWords } from '../../text/content-words.ts';
import { findUsers } from '../../users/user.cypher.ts';
import type { BaseDeps, Viewer } from '../../users/user.ts';
import type { MemoryGraphDeps } from '../deps.ts';
import { derivedId } from '../derived-id.service.ts';
import { dated } from '../entities/facts-text.ts';
import { isNamedIn } from '../entities/name-match.ts';
import { findSpoken } from '../episodes/episode.cypher.ts';
import { chunksOf } from '../episodes/episode-text.ts';
import { memoryGraphEntry } from '../memory-graph-entry.ts';
import {
  type Extraction,
  joinExtractions,
  NOTHING_EXTRACTED,
  readExtraction,
} from './extraction.ts';
import {
  findIngest,
  findIngests,
  findWaitingTurns,
  hasOpenBefore,
  type Ingest,
  type KnownEntity,
  type KnownSentences,
  listKnown,
  listKnownSentences,
  setIngestRun,
} from './ingest.cypher.ts';
import { memoryIn, newsIn } from './news.ts';
import { batchOf, dayOf, isPatient, waitMs } from './turn-batch.ts';

/** The system's Process that reads Episodes (examples/system.yaml). */
export const EXTRACTION_PROCESS = 'extract memories' satisfies WorkProcess;
/** The most characters of one run's text. A longer text is split into parts, one run each. */
const PART_CHARS_MAX = 24_000;
/** Enough for the longest turn (256 KiB), wherever it is split. */
const PARTS_MAX = 24;
/** Texts before the batch that a model is given, so that it knows whom "she" means. */
const EARLIER_GIVEN_MAX = 2;
const EARLIER_CHARS_MAX = 300;
/** Pause of the first turn of a batch that waits for the batch before it. */
const LOOK_AGAIN_MS = 2_000;
const KNOWN_MAX = 50;
const KNOWN_SUMMARY_CHARS_MAX = 200;

/**
 * Records that the workflow that ingests an alternative was ended, because its task failed again
 * and again. The work waits for its next try, as after a failed extraction.
 */
export async function ingestStuck(
  deps: BaseDeps & { readonly graph: Graph },
  alternativeId: string,
): Promise<void> {
  await deps.graph.write(async (tx) => {
    const spoken = await findSpoken(tx, alternativeId);
    if (spoken === null) return;
    const message = 'An internal fault ended its workflow. The log of the Workers has its cause.';
    await recordFailureIn(deps, tx, extractionItem({ ...spoken, alternativeId }), {
      code: 'INTERNAL',
      message,
    });
  });
}

/** Writes the entry that begins the ingest of an alternative anew. False if its owner is gone. */
export async function startWaitingExtraction(
  deps: MemoryGraphDeps,
  { ownerId, itemId: alternativeId }: WorkItem,
): Promise<boolean> {
  return writeAndWake(deps, async (tx) => {
    const [owner] = await findUsers(tx, [ownerId]);
    if (owner === undefined) return false;
    const at = { ownerId, workspace: owner.workspace, conversationId: null };
    await appendEntries(tx, [memoryGraphEntry(deps, at, 'extraction.due', { alternativeId })]);
    return true;
  });
}

/** The owner of a conversation, as the viewer of the system's runs. */
export function ownerOf(ingest: Pick<Ingest, 'ownerId' | 'ownerName' | 'workspace'>): Viewer {
  const { ownerId: userId, ownerName: name, workspace } = ingest;
  return { userId, name, roles: ['user'], workspace };
}

/** The extraction of an alternative's Episode as a piece of background work. */
export function extractionItem({
  ownerId,
  alternativeId,
}: Pick<Ingest, 'ownerId' | 'alternativeId'>): WorkItem {
  return { ownerId, kind: EXTRACTION_PROCESS, itemId: alternativeId };
}

/**
 * Starts the extraction of an alternative's Episode, once: a run of the system's Process, as the
 * conversation's owner and with the owner's model. One run reads a batch of waiting turns
 * (`batchOf`). A long turn is read by several runs at once.
 * Begins an ingest anew that has ended and whose extraction waits.
 * @returns id of the first run; `waitMs` while more turns may come; null where the ingest has
 * ended, and where the extraction has to wait: the Episode then gets its mentions by names alone
 * until the extraction starts
 */
export async function startExtraction(
  deps: MemoryGraphDeps,
  alternativeId: string,
): Promise<string | { readonly waitMs: number } | null> {
  const { backgroundTokensPerDay: tokensPerDay } = await deps.settings.current();
  const found = await deps.graph.read((tx) => findIngest(tx, alternativeId));
  if (found === null) return null;
  if (found.runId === null) {
    // Each waiting turn looks again and again. A look that only waits on takes no lock, since
    // messages of the conversation need it.
    const batch = await deps.graph.read((tx) => batchToRead(deps, tx, found));
    if ('waitMs' in batch) return batch;
  }
  const item = extractionItem(found);
  try {
    const started = await deps.graph.write(async (tx) => {
      // Two turns of one conversation must not start two runs for one batch.
      await lockResources(tx, [found.conversationId]);
      const ingest = await findIngest(tx, alternativeId);
      if (ingest === null) return null;
      if (ingest.endedAt !== null && (await findWork(tx, item)) === null) return null;
      if (ingest.endedAt === null && ingest.runId !== null) return ingest.runId;
      const batch = await batchToRead(deps, tx, ingest);
      if ('waitMs' in batch) return batch;
      return startReading(deps, tx, batch, { item, tokensPerDay });
    });
    if (typeof started === 'string') deps.wake();
    return started;
  } catch (error) {
    // The Process is gone, disabled, or takes other input.
    if (!(error instanceof Refusal)) throw error;
    await recordRefusal(deps, item, error);
    return null;
  }
}

/** The turns to read together, oldest first; `waitMs` while more turns may come. */
async function batchToRead(
  { extractionQuietSeconds = 0, clock }: MemoryGraphDeps,
  tx: ReadTx,
  ingest: Ingest,
): Promise<readonly Ingest[] | { readonly waitMs: number }> {
  const { alternativeId } = ingest;
  if (extractionQuietSeconds === 0 || ingest.endedAt !== null) return [ingest];
  const batch = batchOf(await findWaitingTurns(tx, alternativeId), alternativeId);
  const quietMs = extractionQuietSeconds * 1_000;
  const nowMs = clock.nowMs();
  const ms = waitMs(batch, nowMs, quietMs);
  if (ms > 0) return { waitMs: ms };
  // Turns are read in the order they were said, so that a later statement can end an earlier fact.
  const firstId = batch.turns[0]?.alternativeId ?? alternativeId;
  if (isPatient(batch, nowMs, quietMs) && (await hasOpenBefore(tx, firstId)))
    return { waitMs: firstId === alternativeId ? LOOK_AGAIN_MS : quietMs };
  return findIngests(
    tx,
    batch.turns.map((turn) => turn.alternativeId),
  );
}

/**
 * @param item the turn that asks for the batch. If it has to wait, it waits by itself: each turn
 * of the batch asks.
 * @returns id of the first run; null where the owner's tokens of the day are used up, and where
 * nothing new was said
 */
async function startReading(
  deps: MemoryGraphDeps,
  tx: WriteTx,
  batch: readonly Ingest[],
  { item, tokensPerDay }: { readonly item: WorkItem; readonly tokensPerDay: number },
): Promise<string | null> {
  const [oldest] = batch;
  if (oldest === undefined) return null;
  const { alternativeId, llmToolId, conversationId, ownerId, earlier, saidAt } = oldest;
  const tries = oldest.tries + (oldest.endedAt === null ? 0 : 1);
  const runId = derivedId('extraction', alternativeId, ...(tries === 0 ? [] : [String(tries)]));
  const viewer = ownerOf(oldest);
  const processId = await findSystemProcess(tx, viewer, EXTRACTION_PROCESS);
  if (processId === null) throw systemProcessGone(EXTRACTION_PROCESS);
  const told = (await withNews(deps, tx, batch)).filter(({ content }) => content !== '');
  const text = told.map(spokenOn).join('\n');
  if (text === '') return null;
  const known = await knownIn(tx, oldest, text);
  const uuids = known.map(({ uuid }) => uuid);
  // Only a model of the owner's own compares with them.
  const sentences =
    llmToolId === null
      ? { facts: [], statements: [] }
      : await listKnownSentences(tx, { ownerId, uuids, max: KNOWN_MAX });
  // The default model compares with nothing, so it needs the names of the text alone.
  const named = llmToolId === null ? known.filter(({ name }) => isPartNamed(text, name)) : known;
  const common = {
    saidAt,
    known: named.map(({ uuid, name, summary }) => ({
      uuid,
      name,
      summary: firstChars(summary, KNOWN_SUMMARY_CHARS_MAX),
    })),
    knownFacts: knownSentences(sentences, text, deps.clock.nowMs()),
    resolve: llmToolId !== null,
  };
  const workFor = episodeWork(oldest);
  const timeout = WORK_KINDS[EXTRACTION_PROCESS].secondsMax;
  const parts = chunksOf(text, PART_CHARS_MAX).slice(0, PARTS_MAX);
  for (const [index, content] of parts.entries()) {
    const before = parts[index - 1];
    const context = {
      ...common,
      content,
      earlier:
        before === undefined
          ? isLeaning(content)
            ? earlier.slice(-EARLIER_GIVEN_MAX).map((one) => firstChars(one, EARLIER_CHARS_MAX))
            : []
          : [lastChars(before, EARLIER_CHARS_MAX)],
    };
    const hasStarted = await startBackgroundRunIn(deps, tx, viewer, {
      runId: partRunId(runId, index),
      input: { processId, timeout, conversationId, context },
      item,
      workFor,
      llmToolId,
      // The parts of one text start together.
      tokensPerDay: index === 0 ? tokensPerDay : 0,
    });
    if (!hasStarted) return null;
  }
  await setIngestRun(tx, { batch: batch.map((one) => one.alternativeId), runId });
  return runId;
}

const NAME_CHARS_MAX = 80;

/** The Episode that an extraction works for, named by the start of its text. */
function episodeWork({ episodeUuid: id, content }: Ingest): RunWork {
  return { kind: 'episode', id, name: firstChars(content, NAME_CHARS_MAX) };
}

const partRunId = (runId: string, index: number): string =>
  index === 0 ? runId : derivedId('extraction part', runId, String(index));

/** The runs that read one Episode. @param runId id of the first */
function findPartRuns(tx: ReadTx, runId: string): Promise<ProcessRun[]> {
  const ids = Array.from({ length: PARTS_MAX }, (_, index) => partRunId(runId, index));
  return findRunsById(tx, ids);
}

/**
 * The texts as they are read: of an answer, what does not only repeat the memory that its run was
 * given. What a Tool returned tells nothing of people.
 */
export async function withNews(
  deps: MemoryGraphDeps,
  tx: ReadTx,
  ingests: readonly Ingest[],
): Promise<Ingest[]> {
  const runIds = ingests.flatMap(({ answerRunId }) => answerRunId ?? []);
  const runs = runIds.length === 0 ? [] : await findRunsById(tx, runIds);
  const memory = new Map<string, string[]>();
  for (const { id, context, contextBlob } of runs) {
    const stored = { text: context === null ? null : JSON.stringify(context), blob: contextBlob };
    const given = await deps.payloads.load(stored);
    memory.set(id, memoryIn(isJsonObject(given) ? given : null));
  }
  return ingests.map((one) => ({
    ...one,
    content:
      one.turnType === 'tool_result'
        ? ''
        : newsIn(one.content, memory.get(one.answerRunId ?? '') ?? []),
  }));
}

/** A line with the day before the first turn of a later one. */
function spokenOn(ingest: Ingest, at: number, all: readonly Ingest[]): string {
  const day = dayOf(ingest);
  const isNext = at > 0 && day !== dayOf(all[at - 1]);
  return isNext ? `[${day}]\n${spokenBy(ingest)}` : spokenBy(ingest);
}

/** Puts the speaker's name before the text, so the model resolves "I". */
const spokenBy = ({ speaker, ownerName, content }: Ingest): string =>
  `${nameForModel(speaker, ownerName)}: ${content}`;

/** Whether the text has the name or one of its words: "Curie" is Marie Curie. */
const isPartNamed = (text: string, name: string): boolean =>
  name.split(' ').some((word) => isNamedIn(text, word)) || isNamedIn(text, name);

const LEANING_CHARS = 400;
const LEANING =
  /(?<!\p{L})(?:he|she|they|him|her|his|hers|them|their|there|er|sie|ihn|ihm|ihr|ihnen|dort|él|ella|ellos|ellas|allí|ahí)(?!\p{L})/iu;

/** Whether the first words of a text may mean a person or a place of the text before it. */
const isLeaning = (text: string): boolean => LEANING.test(firstChars(text, LEANING_CHARS));

const KNOWN_STATEMENTS_MAX = 20;

/** Facts and the statements that share a word with the text, each with its dates. */
function knownSentences({ facts, statements }: KnownSentences, text: string, nowMs: number) {
  const words = indexWords(text);
  const near = statements.filter(({ fact }) => contentWords(fact).some((word) => words.has(word)));
  return [...facts, ...near.slice(0, KNOWN_STATEMENTS_MAX)].map((one) => ({
    uuid: one.uuid,
    fact: dated(one, nowMs),
  }));
}

export function knownIn(tx: WriteTx, { conversationId, ownerId }: Ingest, content: string) {
  return listKnown(tx, { conversationId, ownerId, content, max: KNOWN_MAX });
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
): Promise<{ status: 'read' | 'failed' | 'by names'; extraction: Extraction; hasFailed: boolean }> {
  const names = named.map(({ name }) => name);
  const runs = runId === null ? [] : await deps.graph.read((tx) => findPartRuns(tx, runId));
  if (runs.length === 0)
    return { status: 'by names', extraction: NOTHING_EXTRACTED, hasFailed: false };
  const parts: Extraction[] = [];
  for (const run of runs) parts.push(await readRun(deps, run, names));
  const isRead = runs.some(({ status }) => status === 'completed');
  const hasFailed =
    !isRead && runs.some(({ status }) => status === 'failed' || status === 'timed_out');
  return { status: isRead ? 'read' : 'failed', extraction: joinExtractions(parts), hasFailed };
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
