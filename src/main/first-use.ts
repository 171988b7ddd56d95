import { setTimeout as sleep } from 'node:timers/promises';
import { type Graph, isNeo4jAway } from '../platform/neo4j/graph.ts';
import { type PlanPlace, planKey } from '../platform/neo4j/plan.ts';
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

/**
 * Those of these that come after a write of their transaction, so that they need a plan of their
 * own: a message is written before its answer is prepared.
 */
const AFTER_A_WRITE: ReadonlySet<string> = new Set(
  namesIn(`
    appendEntries findLlmTool findProcesses listSwitchesToSettle findToolSnapshots
    findAnsweredMessage readWorkingMemory findSearchScope findCandidatesOfSearch searchRecall
    listFollowers listUnreadTurns listKnownStatements listAskedStatements listStatedInEpisodes
    listRecallSources listRecalledLines findThingsByName insertRootRun setDefaultProcess insertTurn
    findRunStatuses writeFirstAttempts findAwaitedAlternative completeAlternative
    joinStretch writeEvents writeSessions linkParents mergeCalls findRecordedEvents saveProgress
  `),
);

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
  const stopNoting = graph.onStatement(({ cypher, place }) => void ran.add(planKey(cypher, place)));
  let count = 0;
  try {
    for (const { text, place } of inOrder()) {
      if (ending.aborted) return;
      if (!ran.has(planKey(text, place)) && (await isPlanned(graph, text, place))) count++;
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

interface Planned {
  readonly text: string;
  readonly place: PlanPlace;
}

/** The statements by their places in PLANNED; second texts come after those of an answer. */
function inOrder(): Planned[] {
  const byName = Map.groupBy(knownStatements(), nameOf);
  const planned = (names: Iterable<string>, which: number, placeOf: (name: string) => PlanPlace) =>
    [...names].flatMap((name) => {
      const text = byName.get(name)?.[which];
      return text === undefined ? [] : [{ text, place: placeOf(name) }];
    });
  const first = (): PlanPlace => 'first';
  const asItComes = (name: string) => (AFTER_A_WRITE.has(name) ? 'after a write' : 'first');
  return [
    ...planned(FOR_AN_ANSWER, 0, asItComes),
    ...planned(SECOND_TEXTS, 1, first),
    ...planned(PLANNED.slice(FOR_AN_ANSWER.length), 0, asItComes),
  ];
}

/** @returns false when Neo4j can't plan the statement @throws when Neo4j is away */
async function isPlanned(graph: Graph, text: string, place: PlanPlace): Promise<boolean> {
  try {
    await graph.plan(text, place);
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
