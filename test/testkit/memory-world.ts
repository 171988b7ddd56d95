import { readFile } from 'node:fs/promises';
import type { JsonObject } from '../../src/common/json.ts';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import { type AppendTurn, appendTurn } from '../../src/conversations/turn.mutations.ts';
import { loadBundles } from '../../src/main/examples.ts';
import { listEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import type { Entity } from '../../src/memory-graph/entities/entity.ts';
import { listFactsOfEntities } from '../../src/memory-graph/entities/fact.cypher.ts';
import type { Fact } from '../../src/memory-graph/entities/fact.ts';
import {
  enrichmentStarter,
  ingestStarter,
  waitingExtractionStarter,
} from '../../src/memory-graph/extraction/ingest-starter.projection.ts';
import {
  startEnrichment,
  startIngest,
} from '../../src/memory-graph/extraction/start-ingest.service.ts';
import { openBus } from '../../src/outbox/local-bus.service.ts';
import { openRelay } from '../../src/outbox/relay.service.ts';
import { findRunById } from '../../src/runs/run/run.cypher.ts';
import { openRunStarter } from '../../src/runs/start/run-starter.projection.ts';
import { startRun } from '../../src/runs/start/start-run.service.ts';
import { updateMemorySettings } from '../../src/settings/memory-settings.mutations.ts';
import { type Engine, type EngineOptions, openEngine } from './engine.ts';
import { readWith, runCypher } from './graph.ts';
import { clock, eventually, newId, quiet } from './outbox.ts';
import { openScriptedLlm, type ScriptedLlm, type ScriptedReply } from './scripted-llm.ts';
import { newViewer, type Person, personOf, worldDeps } from './world.ts';

/** A user whose memory is kept by a scripted model. */
export interface Rememberer extends Person {
  /** The name of their model, to script it by. */
  readonly model: string;
  starts(): Promise<string>;
  /** Says something; answers the alternative's id. */
  says(conversationId: string, content: string, more?: Partial<AppendTurn>): Promise<string>;
  /**
   * Says something that their model reads this out of, and waits until it is in the graph. Plain
   * entities and facts in a row are one answer.
   */
  tells(
    conversationId: string,
    content: string,
    ...replies: (JsonObject | ScriptedReply)[]
  ): Promise<IngestEnd>;
  entities(filter?: object): Promise<Entity[]>;
  entity(name: string): Promise<Entity>;
  facts(uuid: string): Promise<Fact[]>;
}
export interface IngestEnd {
  readonly alternativeId: string;
  readonly episodeUuid: string;
  readonly status: string;
  readonly faults: string[];
  readonly runId: string | null;
}

/** The memory of an installation of its own: relay, Workers, shipped bundles, scripted models. */
export interface MemoryWorld {
  readonly engine: Engine;
  readonly llm: ScriptedLlm;
  /** @param isIngested false where a test takes the steps of ingestion itself */
  person(isIngested?: boolean): Promise<Rememberer>;
  /** Until the Episode of this alternative has been read. */
  ingested(alternativeId: string): Promise<IngestEnd>;
  asked(cypher: string, params?: object): ReturnType<Engine['graph']['read']>;
  close(): Promise<void>;
}

/** The answers of the three steps, as a model gives them. */
export const saying = (value: unknown): ScriptedReply => ({ text: JSON.stringify(value) });

/** One call answers entities and facts together. */
function joined(replies: readonly (JsonObject | ScriptedReply)[]): (JsonObject | ScriptedReply)[] {
  return replies.flatMap((reply, index) => {
    const before = replies[index - 1];
    if ('facts' in reply && before !== undefined && 'entities' in before) return [];
    const next = replies[index + 1];
    if (!('entities' in reply)) return [reply];
    const facts = next !== undefined && 'facts' in next ? next : { facts: [] };
    return [{ ...facts, ...reply } as JsonObject];
  });
}

// Long enough for a killed worker's work to be found lost, and done again.
const WAIT_MS = 200_000;

/** @param options of its engine */
export async function openMemoryWorld(options: EngineOptions = {}): Promise<MemoryWorld> {
  const llm = await openScriptedLlm();
  let wakeRelay = () => {};
  const wake = () => wakeRelay();
  const engine = await openEngine({ ...options, wake });
  const { graph, temporal, queuePrefix } = engine;
  const document = await readFile(new URL('../../examples/system.yaml', import.meta.url), 'utf8');
  const deps = worldDeps({ graph, wake, mcpServers: { everything: ['API_KEY'], clock: [] } });
  await loadBundles(deps, [{ name: 'system', document }], { AIDEN_LOCAL_LLM_URL: llm.openai });

  const mine = new Set<string>();
  const on = { temporal: temporal.client, queuePrefix };
  const starter = openRunStarter({
    graph,
    log: quiet,
    start: async (runId) => {
      const run = await readWith(graph, findRunById, runId);
      if (run?.queuePrefix === queuePrefix)
        await startRun({ ...engine.deps, temporal: temporal.client }, runId);
    },
  });
  const relay = openRelay(
    { graph, clock, newId, bus: openBus({ graph }), log: quiet },
    {
      projections: [
        starter.projection,
        ingestStarter({
          graph,
          start: async (id) => {
            const [row] = await asked('MATCH (a:Alternative {id: $id}) RETURN a.ownerId AS owner', {
              id,
            });
            if (mine.has(String(row?.['owner']))) await startIngest(on, id);
          },
        }),
        waitingExtractionStarter({
          start: async (id, entryId) => {
            const [row] = await asked('MATCH (a:Alternative {id: $id}) RETURN a.ownerId AS owner', {
              id,
            });
            if (mine.has(String(row?.['owner']))) await startIngest(on, id, entryId);
          },
        }),
        enrichmentStarter({
          start: async (of) => {
            const run = await readWith(graph, findRunById, of.runId);
            if (mine.has(run?.ownerId ?? '')) await startEnrichment(on, of);
          },
        }),
      ].map((projection) => ({
        ...projection,
        name: `${projection.name}-${queuePrefix}`,
        // No test waits for entries that might follow.
        gatherMs: 0,
      })),
      settings: { leaseName: `memory-${queuePrefix}`, pollBusyMs: 250 },
    },
  );
  wakeRelay = () => relay.wake();
  await eventually('the relay holds its lease', () => relay.isHolder, WAIT_MS);

  function asked(cypher: string, params: object = {}) {
    return runCypher(graph, `${cypher}`, params);
  }

  async function ingested(alternativeId: string): Promise<IngestEnd> {
    let found: IngestEnd | null = null;
    await eventually(
      `the Episode of ${alternativeId} is read`,
      async () => {
        const [row] = await asked(
          `MATCH (:Alternative
            {id: $alternativeId})-[:HAS_CONTENT]->(ep)<-[:INGEST_OF]-(i:EpisodeIngest)
          WHERE i.endedAt IS NOT NULL
          RETURN ep.uuid AS episodeUuid, i.status AS status, i.faults AS faults, i.runId AS runId`,
          { alternativeId },
        );
        if (row === undefined) return false;
        found = { ...row, alternativeId } as unknown as IngestEnd;
        return true;
      },
      WAIT_MS,
    );
    return found as unknown as IngestEnd;
  }

  async function person(isIngested = true): Promise<Rememberer> {
    const viewer = await newViewer(deps, 'ada');
    const ada = personOf(deps, viewer);
    const model = `model-${newId()}`;
    if (isIngested) mine.add(viewer.userId);
    const service = await ada.createsService({ name: 'LLM', type: 'llm_provider' });
    const tool = await ada.createsTool({
      name: 'My model',
      serviceId: service.id,
      connectionParams: { endpoint: llm.openai, model } as never,
      operation: { type: 'llm_call', promptTemplate: '{{say}}' } as never,
      inputSchema: { type: 'object', properties: { say: { type: 'string' } } },
      outputSchema: {},
    });
    await updateMemorySettings(deps, viewer, { llmToolId: tool.id });
    const list = async (filter: object = {}) =>
      (await readWith(graph, listEntities, viewer.userId, { first: 200, ...filter })).items;
    const says: Rememberer['says'] = async (conversationId, content, more = {}) => {
      const turn = await appendTurn(engine.deps, viewer, { conversationId, content, ...more });
      const [row] = await asked('MATCH (a:Alternative {turnId: $id}) RETURN a.id AS id', turn);
      return String(row?.['id']);
    };
    return {
      ...ada,
      model,
      says,
      starts: async () => (await createConversation(engine.deps, viewer, {})).id,
      async tells(conversationId, content, ...replies) {
        llm.script(
          joined(replies).map((reply) =>
            'text' in reply ? (reply as ScriptedReply) : saying(reply),
          ),
          model,
        );
        return ingested(await says(conversationId, content));
      },
      entities: async (filter) => (await list(filter)).map(({ item }) => item),
      async entity(name) {
        const found = (await list()).map(({ item }) => item).filter((one) => one.name === name);
        if (found.length !== 1) throw new Error(`${found.length} entities are called ${name}.`);
        return found[0] as Entity;
      },
      facts: async (uuid) =>
        (await readWith(graph, listFactsOfEntities, viewer.userId, [uuid])).get(uuid) ?? [],
    };
  }

  return {
    engine,
    llm,
    person,
    ingested,
    asked,
    async close() {
      await relay.close();
      await starter.close();
      await engine.close();
      await llm.close();
    },
  };
}
