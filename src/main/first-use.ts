import { setTimeout as sleep } from 'node:timers/promises';
import { type Graph, isNeo4jAway } from '../platform/neo4j/graph.ts';
import { knownStatements, nameOf } from '../platform/neo4j/statement.ts';
import type { Log } from '../platform/telemetry/log.ts';

/** Wait between two looks whether Neo4j answers again. */
const LOOK_EVERY_MS = 1_000;

const namesIn = (list: string) => list.trim().split(/\s+/);

/**
 * The statements of the first page and of a first message with its answer, as they come
 * (`bench -- first-use`).
 */
const FOR_AN_ANSWER: readonly string[] = namesIn(`
  findUserOf findUsers findSettings listProcesses listRuns listEntities listMetricTotals
  insertConversation appendEntries numberEntries
  lockResources claimIdempotencyKey findConversations findEndOfPath insertTurn findTurns
  findProcessChoice findProcesses findToolSnapshots findSnapshot findAnsweredMessage
  listSwitchesToSettle readWorkingMemory findSearchScope findCandidatesOfSearch searchRecall
  listFollowers listUnreadTurns listKnownStatements listAskedStatements listStatedInEpisodes
  listRecallSources listRecalledLines
  findThingsByName findLlmTool
  insertRootRun setDefaultProcess findRuns findRunsById markRunsStarted findStepStates
  findCallTargets writeFirstAttempts writeAttempts findRunStatuses sumUpRun endRun
  findAwaitedAlternative completeAlternative findSpoken listSpoken findAlternatives
  listAlternatives
`);

/**
 * All statements that are planned ahead: those of an answer, then those of the work that follows it
 * and of the console's pages.
 */
export const PLANNED: readonly string[] = [
  ...FOR_AN_ANSWER,
  ...namesIn(`
    findConversationOwner listActivePath listTurns listForks listConversations
    findForkedSummaries hasOpenTask
    listStepRuns listApprovals listServices findServiceHealth findRatings searchStatements
    findBackgroundDay listWaiting listActiveEntities listSummaries
    listOnScreen findEpisodes findTocNodes findUnboundAlternatives findIngests findWork
    findWaitingTurns hasOpenBefore listKnown listKnownSentences
    reserveBackgroundTokens bindBackgroundRun setIngestRun settleBackgroundRun finishIngest
    insertEpisode joinStretch lockSessions writeSessions writeEvents findRecordedEvents
    mergeOperations mergeCalls linkParents
    insertMemoryEvents findMemoryEvents indexMemoryEvents loadSegmentation saveSegments
    findSegmentedEvents saveCheckpoints writeVectors listUnembedded beginTurn endTurn saveProgress
    listTocChildren listIntrospections findWorkers findTools listProcessVersions
    findServicesOfTools listSchedules findAdoptionsOf listTools listSecrets listServiceTemplates
    listToolTemplates findDelivered countEndedRuns countQuietSessions listWorkers findJobs
  `),
];

/** Names whose second text is common too: a conversation on screen, and a search. */
const SECOND_TEXTS = new Set(['readWorkingMemory', 'findCandidatesOfSearch', 'searchRecall']);

/**
 * Lets Neo4j plan these statements, one at a time, so that the first call of each kind is not the
 * one that waits (docs/decisions/0115). All of them would be four times as many: a minute of one
 * core after each start, for calls that few people make. Begins when Neo4j answers, and ends early
 * when Neo4j is away or `ending` aborts.
 */
export async function planAhead(graph: Graph, log: Log, ending: AbortSignal): Promise<void> {
  if (!(await answers(graph, ending))) return;
  const startedMs = performance.now();
  // Statements that were run meanwhile have their plans.
  const ran = new Set<string>();
  const stopNoting = graph.onStatement(({ cypher }) => void ran.add(cypher));
  let count = 0;
  try {
    for (const text of inOrder()) {
      if (ending.aborted) return;
      if (!ran.has(text) && (await isPlanned(graph, text))) count++;
    }
  } catch (error) {
    if (isNeo4jAway(error)) return;
    throw error;
  } finally {
    stopNoting();
  }
  const ms = Math.round(performance.now() - startedMs);
  log.info('Neo4j has planned the statements that are needed first', { count, ms });
}

/** The statements by their places in PLANNED; second texts come after those of an answer. */
function inOrder(): string[] {
  const byName = Map.groupBy(knownStatements(), nameOf);
  const firstOf = (name: string) => byName.get(name)?.slice(0, 1) ?? [];
  const seconds = [...SECOND_TEXTS].flatMap((name) => byName.get(name)?.slice(1, 2) ?? []);
  const [answer, others] = [FOR_AN_ANSWER, PLANNED.slice(FOR_AN_ANSWER.length)];
  return [...answer.flatMap(firstOf), ...seconds, ...others.flatMap(firstOf)];
}

/** @returns false when Neo4j can't plan the statement @throws when Neo4j is away */
async function isPlanned(graph: Graph, text: string): Promise<boolean> {
  try {
    await graph.plan(text);
    return true;
  } catch (error) {
    if (isNeo4jAway(error)) throw error;
    return false;
  }
}

/** Waits until Neo4j answers. @returns false when `ending` aborts before */
async function answers(graph: Graph, ending: AbortSignal): Promise<boolean> {
  while (!ending.aborted) {
    try {
      await graph.verify();
      return true;
    } catch {
      await sleep(LOOK_EVERY_MS, undefined, { ref: false });
    }
  }
  return false;
}
