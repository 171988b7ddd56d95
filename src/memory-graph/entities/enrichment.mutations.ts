import { instant } from '../../common/clock.ts';
import { problem, Refusal } from '../../common/refusal.ts';
import type { WriteTx } from '../../platform/neo4j/graph.ts';
import { lockResources } from '../../platform/neo4j/lock.ts';
import { findSystemProcess } from '../../processes/bundle/bundle.cypher.ts';
import { findRunById } from '../../runs/run/run.cypher.ts';
import { startRunIn } from '../../runs/run/run.mutations.ts';
import { findLlmToolId } from '../../settings/memory-settings.cypher.ts';
import type { Viewer } from '../../users/user.ts';
import { type MemoryGraphDeps, ownerOf } from '../extraction/extraction-run.mutations.ts';
import type { Ingest } from '../extraction/ingest.cypher.ts';
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

/** The system's Process that describes entities (examples/system.yaml). */
export const ENRICHMENT_PROCESS = 'enrich entity';
const RUN_SECONDS_MAX = 900;

/** Starts the enrichment of each entity that reached the threshold, once (S4-ENT-09). */
export async function startDueEnrichments(
  deps: MemoryGraphDeps,
  tx: WriteTx,
  ingest: Ingest,
  uuids: readonly string[],
): Promise<void> {
  if (uuids.length === 0) return;
  const { enrichmentEdgeThreshold: threshold } = await deps.settings.current();
  const due = await listDueEnrichments(tx, { uuids, threshold });
  if (due.length === 0) return;
  const viewer = ownerOf(ingest);
  const processId = await findSystemProcess(tx, viewer, ENRICHMENT_PROCESS);
  if (processId === null) return;
  for (const entity of due) await startEnrichment(deps, tx, viewer, entity, processId);
}

async function startEnrichment(
  deps: MemoryGraphDeps,
  tx: WriteTx,
  viewer: Viewer,
  entity: Enrichable,
  processId: string,
): Promise<void> {
  const runId = deps.newId();
  const { uuid: entityUuid, name, summary, said, facts, conversationId } = entity;
  const context = { name, summary, said: [...said], facts: [...facts] };
  const input = { processId, timeout: RUN_SECONDS_MAX, context };
  const llmToolId = await findLlmToolId(tx, viewer.userId);
  const workFor = { kind: 'entity', id: entityUuid, name } as const;
  await startRunIn(deps, tx, viewer, { runId, input, answersId: null, llmToolId, workFor });
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
  await deps.graph.write(async (tx) => {
    const processId = await findSystemProcess(tx, viewer, ENRICHMENT_PROCESS);
    const entity = await findEnrichable(tx, known.uuid);
    if (processId === null || entity === null) {
      const message = `The system's Process "${ENRICHMENT_PROCESS}" is not there.`;
      throw new Refusal([problem('DISABLED', ['uuid'], message)]);
    }
    await startEnrichment(deps, tx, viewer, entity, processId);
  });
  deps.wake();
  return getEntity(deps, viewer, known.uuid);
}

/**
 * Adds the result of a run to an entity, once: facets, typing and their source (S4-ENT-08,
 * S4-ENT-10). Only an empty summary, or one of an earlier enrichment, is replaced; `enrichment`
 * always keeps the run's own. Removes nothing. A failed run, or one without a valid description,
 * changes nothing.
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
  if (said === null || said.summary === '') return;
  await deps.graph.write(async (tx) => {
    await lockResources(tx, [run.ownerId]);
    const entity = await findEnrichedByRun(tx, { runId, entityUuid });
    if (entity === null) return;
    const now = instant(deps.clock);
    const known = parsed<EntityTyping>(entity.typing);
    const typing = addTyping(known, said);
    const before = parsed<{ readonly summary?: string }>(entity.enrichment);
    const { ownerId, workspace, processId } = run;
    const at = { ownerId, workspace, conversationId: entity.conversationId };
    await writeEnrichment(tx, {
      entityUuid,
      runId,
      processId,
      now,
      summary: addSummary(entity.summary, before?.summary ?? null, said.summary),
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
  });
  deps.wake();
}

function parsed<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}
