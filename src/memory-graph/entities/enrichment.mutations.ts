import { finishWork } from '../../background/background.cypher.ts';
import {
  recordFailureIn,
  recordRefusalIn,
  startBackgroundRunIn,
  systemProcessGone,
} from '../../background/background.mutations.ts';
import { WORK_KINDS, type WorkItem, type WorkProcess } from '../../background/work.ts';
import { instant } from '../../common/clock.ts';
import { Refusal } from '../../common/refusal.ts';
import { writeAndWake } from '../../outbox/write-and-wake.mutations.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { findSystemProcess } from '../../processes/bundle/bundle.cypher.ts';
import { findRunById } from '../../runs/run/run.cypher.ts';
import { findLlmToolId } from '../../settings/memory-settings.cypher.ts';
import { findUsers } from '../../users/user.cypher.ts';
import type { Viewer } from '../../users/user.ts';
import type { MemoryGraphDeps } from '../deps.ts';
import { memoryGraphEntry } from '../memory-graph-entry.ts';
import {
  type Enrichable,
  findEnrichable,
  findEnrichedByRun,
  listDueEnrichments,
  markEnrichment,
  writeEnrichment,
} from './enrichment.cypher.ts';
import { addFacets, addSummary, addTyping, enrichmentOf, readDescription } from './enrichment.ts';
import { getEntity } from './entity.mutations.ts';
import { type Entity, type EntityTyping, entityTypeOf, type Facets } from './entity.ts';
import { unkeptSummary } from './entity-summary.ts';
import { tellSummaries } from './told-summary.cypher.ts';

/** The system's Process that describes entities (examples/system.yaml). */
export const ENRICHMENT_PROCESS = 'enrich entity' satisfies WorkProcess;

/** Starts the enrichment of each entity that reached the threshold, once (S4-ENT-09). */
export async function startDueEnrichments(
  deps: MemoryGraphDeps,
  tx: WriteTx,
  viewer: Viewer,
  uuids: readonly string[],
): Promise<void> {
  if (uuids.length === 0) return;
  const { enrichmentEdgeThreshold: threshold } = await deps.settings.current();
  const due = await listDueEnrichments(tx, { uuids, threshold });
  for (const entity of due) await startOrWait(deps, tx, viewer, entity);
}

function enrichmentItem(ownerId: string, entityUuid: string): WorkItem {
  return { ownerId, kind: ENRICHMENT_PROCESS, itemId: entityUuid };
}

/** Starts an enrichment; if it can't start now, it is tried again later. */
async function startOrWait(
  deps: MemoryGraphDeps,
  tx: WriteTx,
  viewer: Viewer,
  entity: Enrichable,
): Promise<void> {
  const { backgroundTokensPerDay: tokensPerDay } = await deps.settings.current();
  try {
    const processId = await findSystemProcess(tx, viewer, ENRICHMENT_PROCESS);
    if (processId === null) throw systemProcessGone(ENRICHMENT_PROCESS);
    await startEnrichment(deps, tx, viewer, { entity, processId, tokensPerDay });
  } catch (error) {
    // A refused start has written nothing, so the transaction can go on.
    if (!(error instanceof Refusal)) throw error;
    await recordRefusalIn(deps, tx, enrichmentItem(viewer.userId, entity.uuid), error);
  }
}

/** Starts an enrichment that has waited. False where the entity or its owner is gone. */
export async function startWaitingEnrichment(
  deps: MemoryGraphDeps,
  { ownerId, itemId }: WorkItem,
): Promise<boolean> {
  return writeAndWake(deps, async (tx) => {
    const [owner] = await findUsers(tx, [ownerId]);
    const entity = await findEnrichable(tx, itemId);
    if (owner === undefined || entity === null) return false;
    const { id: userId, name, workspace } = owner;
    await startOrWait(deps, tx, { userId, name, workspace, roles: ['user'] }, entity);
    return true;
  });
}

async function startEnrichment(
  deps: MemoryGraphDeps,
  tx: WriteTx,
  viewer: Viewer,
  {
    entity,
    processId,
    tokensPerDay,
  }: {
    readonly entity: Enrichable;
    readonly processId: string;
    readonly tokensPerDay: number;
  },
): Promise<void> {
  const runId = deps.newId();
  const { uuid: entityUuid, name, summary, said, facts, conversationId } = entity;
  const context = { name, summary, said: [...said], facts: [...facts] };
  const input = { processId, timeout: WORK_KINDS[ENRICHMENT_PROCESS].secondsMax, context };
  const llmToolId = await findLlmToolId(tx, viewer.userId);
  const workFor = { kind: 'entity', id: entityUuid, name } as const;
  const item = enrichmentItem(viewer.userId, entityUuid);
  const start = { runId, input, item, workFor, llmToolId, tokensPerDay };
  if (!(await startBackgroundRunIn(deps, tx, viewer, start))) return;
  const at = { ownerId: viewer.userId, workspace: viewer.workspace, conversationId };
  const entry = memoryGraphEntry(deps, at, 'enrichment.started', { entityUuid, runId });
  await markEnrichment(tx, { entityUuid, name, ownerId: viewer.userId, runId, entry });
}

/**
 * Enriches on demand, at any number of mentions.
 * @throws Refusal NOT_FOUND at `uuid`; DISABLED where the Process is gone
 */
export async function enrichEntity(
  deps: MemoryGraphDeps,
  viewer: Viewer,
  uuid: string,
): Promise<Entity> {
  const known = await getEntity(deps, viewer, uuid);
  await writeAndWake(deps, async (tx) => {
    const processId = await findSystemProcess(tx, viewer, ENRICHMENT_PROCESS);
    const entity = await findEnrichable(tx, known.uuid);
    if (processId === null || entity === null) {
      const message = `The system's Process "${ENRICHMENT_PROCESS}" is not there.`;
      throw Refusal.of('DISABLED', ['uuid'], message);
    }
    await startEnrichment(deps, tx, viewer, { entity, processId, tokensPerDay: 0 });
  });
  return getEntity(deps, viewer, known.uuid);
}

/**
 * Adds the result of a run to an entity, once: facets, typing and their source (S4-ENT-08,
 * S4-ENT-10). The run's summary is stored as a proposal. It becomes the summary only where that is
 * empty or of an earlier enrichment, and no user chose it. Removes nothing. A failed run, or one
 * without a valid description, changes nothing.
 */
export async function applyEnrichment(
  deps: MemoryGraphDeps,
  { entityUuid, runId }: { readonly entityUuid: string; readonly runId: string },
): Promise<void> {
  const run = await deps.graph.read((tx) => findRunById(tx, runId));
  if (run === null || run.status !== 'completed') return;
  const output = await deps.payloads.load({
    text: run.output === null ? null : JSON.stringify(run.output),
    blob: run.outputBlob,
  });
  const said = readDescription(String(output));
  const item = enrichmentItem(run.ownerId, entityUuid);
  if (said === null || said.summary === '') {
    const message = "The answer of the model is no description, so it can't be used.";
    const fault = { code: 'OUTPUT_INVALID', message };
    await deps.graph.write((tx) => recordFailureIn(deps, tx, item, fault));
    return;
  }
  await writeAndWake(deps, async (tx) => {
    await lockResources(tx, [run.ownerId]);
    await finishWork(tx, item);
    const entity = await findEnrichedByRun(tx, { runId, entityUuid });
    if (entity === null) return;
    const now = instant(deps.clock);
    const known = parsed<EntityTyping>(entity.typing);
    const typing = addTyping(known, said);
    const before = parsed<{ readonly summary?: string }>(entity.enrichment);
    const { ownerId, workspace, processId } = run;
    const unkept = unkeptSummary(entity);
    const version = { createdAt: now, runId: null, isProposal: false };
    const at = { ownerId, workspace, conversationId: entity.conversationId };
    await writeEnrichment(tx, {
      entityUuid,
      runId,
      processId,
      now,
      summary: addSummary(entity, before?.summary ?? null, said.summary),
      summaries: [
        ...(unkept === null ? [] : [{ ...version, ...unkept, id: deps.newId() }]),
        {
          ...version,
          id: deps.newId(),
          author: 'system',
          text: said.summary,
          runId,
          isProposal: true,
        },
      ],
      label: entityTypeOf(entity.labels) === null ? (typing?.category ?? null) : null,
      facets: addFacets(parsed<Facets>(entity.facets), said.facets),
      typing,
      enrichment: enrichmentOf(said, runId),
      source: {
        type: 'enrichment',
        createdAt: now,
        createdBy: null,
        episodeId: runId,
        originalName: entity.name,
        confidence: said.confidence,
      },
      entry: memoryGraphEntry(deps, at, 'entity.enriched', { entityUuid, runId }),
    });
    await tellSummaries(tx, [entityUuid], now);
  });
}

const parsed = <T>(text: string | null): T | null =>
  text === null ? null : (JSON.parse(text) as T);
