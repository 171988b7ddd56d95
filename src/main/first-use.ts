import { setTimeout as sleep } from 'node:timers/promises';
import { type Graph, isNeo4jAway } from '../platform/neo4j/graph.ts';
import { knownStatements, nameOf } from '../platform/neo4j/statement.ts';
import type { Log } from '../platform/telemetry/log.ts';

/** Wait between two looks whether Neo4j answers again. */
const LOOK_EVERY_MS = 1_000;

/**
 * The statements of a chat, of the work that follows an answer, and of the console's pages, roughly
 * as they come (`npm run bench -- first-use`).
 */
export const PLANNED: readonly string[] = `
  findUserOf findUsers findSettings insertTurn lockResources claimIdempotencyKey
  findConversations findEndOfPath findTurns findProcessChoice findToolSnapshots findSnapshot
  insertRootRun setDefaultProcess findAnsweredMessage readWorkingMemory findSearchScope
  findCandidatesOfSearch searchRecall listFollowers listStatedInEpisodes listRecallSources
  listRecalledLines
  findConversationOwner
  findForkedSummaries hasOpenTask numberEntries markRunsStarted findStepStates
  writeFirstAttempts writeAttempts findCallTargets sumUpRun endRun findRuns findRunsById
  listSpoken findAwaitedAlternative completeAlternative appendEntries listAlternatives
  findAlternatives insertConversation listActivePath listTurns listForks listConversations
  listRuns listStepRuns findProcesses listApprovals listServices findServiceHealth listEntities
  findLlmTool findBackgroundDay listWaiting listProcesses listActiveEntities listSummaries
  listOnScreen findEpisodes findTocNodes findSpoken findUnboundAlternatives findIngests findWork
  findWaitingTurns hasOpenBefore listKnown listKnownSentences
  reserveBackgroundTokens bindBackgroundRun setIngestRun settleBackgroundRun finishIngest
  insertEpisode joinStretch lockSessions writeSessions writeEvents findRecordedEvents
  mergeOperations mergeCalls linkParents
  insertMemoryEvents findMemoryEvents indexMemoryEvents loadSegmentation saveSegments
  findSegmentedEvents saveCheckpoints writeVectors listUnembedded beginTurn endTurn saveProgress
  listTocChildren listIntrospections findWorkers findTools listProcessVersions
  findServicesOfTools listSchedules findAdoptionsOf listTools listSecrets listServiceTemplates
  listToolTemplates findDelivered countEndedRuns countQuietSessions listWorkers findJobs
`
  .trim()
  .split(/\s+/);

/**
 * Lets Neo4j plan these statements, one at a time, so that the first call of each kind is not the
 * one that waits (docs/decisions/0115). All of them would be four times as many: a minute of one
 * core after each start, for calls that few people make. Begins when Neo4j answers, and ends early
 * when Neo4j is away or `ending` aborts.
 */
export async function planAhead(graph: Graph, log: Log, ending: AbortSignal): Promise<void> {
  if (!(await answers(graph, ending))) return;
  const startedMs = performance.now();
  const places = new Map(PLANNED.map((name, place) => [name, place]));
  const placeOf = (text: string) => places.get(nameOf(text)) ?? 0;
  // The next page of a list is not planned.
  const statements = knownStatements()
    .filter((text) => places.has(nameOf(text)) && !text.includes('$cursor['))
    .sort((one, other) => placeOf(one) - placeOf(other));
  let count = 0;
  for (const statement of statements) {
    if (ending.aborted) return;
    try {
      await graph.plan(statement);
      count++;
    } catch (error) {
      if (isNeo4jAway(error)) return;
    }
  }
  const ms = Math.round(performance.now() - startedMs);
  log.info('Neo4j has planned the statements that are needed first', { count, ms });
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
