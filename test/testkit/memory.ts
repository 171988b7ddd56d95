import { readFile } from 'node:fs/promises';
import { listAlternatives } from '../../src/conversations/alternative.cypher.ts';
import { createConversation } from '../../src/conversations/conversation.mutations.ts';
import type { RecallInput } from '../../src/conversations/conversation.ts';
import { type AppendTurn, appendTurn } from '../../src/conversations/turn.mutations.ts';
import { againWhenTimedOut } from '../../src/main/examples.ts';
import { insertEntities } from '../../src/memory-graph/entities/entity.cypher.ts';
import type { Entity } from '../../src/memory-graph/entities/entity.ts';
import type { Fact } from '../../src/memory-graph/entities/fact.ts';
import { bindEpisode } from '../../src/memory-graph/episodes/episode.mutations.ts';
import { writeFacts } from '../../src/memory-graph/resolution/resolution.cypher.ts';
import { settleSwitches } from '../../src/memory-graph/withdrawal/withdrawal.mutations.ts';
import { findThingsByName } from '../../src/processes/bundle/bundle.cypher.ts';
import { importBundle } from '../../src/processes/bundle/bundle.mutations.ts';
import type { BundleDeps } from '../../src/processes/bundle/bundle-import.service.ts';
import { createProcess } from '../../src/processes/process.mutations.ts';
import type { SettingsSource } from '../../src/settings/settings.projection.ts';
import { SETTINGS_DEFAULT, type Settings } from '../../src/settings/settings.ts';
import { SYSTEM_USER_ID, type Viewer } from '../../src/users/user.ts';
import type { TaskDeps } from '../../src/working-memory/tasks/task.mutations.ts';
import { TASK_PROCESSES } from '../../src/working-memory/tasks/task.ts';
import { readWorkingMemory } from '../../src/working-memory/working-memory.cypher.ts';
import type { WorkingMemory } from '../../src/working-memory/working-memory.ts';
import { readWith, writeWith } from './graph.ts';
import { step } from './run-steps.ts';

/** Settings of a test's own; those in the database are everybody's. */
export function fixedSettings(settings: Partial<Settings>): SettingsSource {
  const all = { ...SETTINGS_DEFAULT, ...settings };
  return { current: async () => all, forget: () => {} };
}

/**
 * The system's own Processes, where no app of this run has loaded them yet. An app of another test
 * may be at work with them, so nothing that is there is changed; a user with a Tool of
 * memorySettings of their own depends on none of its addresses.
 */
export async function ensureSystem(deps: BundleDeps): Promise<void> {
  const system: Viewer = {
    userId: SYSTEM_USER_ID,
    name: 'system',
    roles: ['user', 'admin'],
    workspace: 'system',
  };
  const wanted = Object.values(TASK_PROCESSES).map((name) => ({ kind: 'Process' as const, name }));
  const found = await readWith(deps.graph, findThingsByName, system, wanted);
  if (new Set(found.map(({ name }) => name)).size === wanted.length) return;
  const document = await readFile(new URL('../../examples/system.yaml', import.meta.url), 'utf8');
  const variables = { AIDEN_LOCAL_LLM_URL: 'http://127.0.0.1:9/v1' };
  const serving = { ...deps, mcpServers: { clock: [] } };
  await againWhenTimedOut(() => importBundle(serving, system, { document, variables }));
}

/** Stores a fact of a user, as said just now unless `given` names its times; answers its uuid. */
export async function insertFact(
  { graph, newId }: Pick<TaskDeps, 'graph' | 'newId'>,
  ownerId: string,
  given: Omit<Fact, 'uuid' | 'validAt' | 'invalidAt' | 'expiredAt' | 'createdAt' | 'saidAt'> &
    Partial<Fact>,
): Promise<string> {
  const now = new Date().toISOString();
  const times = { validAt: null, invalidAt: null, expiredAt: null, createdAt: now, saidAt: now };
  const fact: Fact = { uuid: newId(), ...times, ...given };
  const episodeUuid = fact.episodes[0] ?? '';
  const write = { ownerId, episodeUuid, saidAt: now, now, repeated: [], ended: [] };
  await writeWith(graph, writeFacts, { ...write, created: [fact] });
  return fact.uuid;
}

/** Stores an entity as extraction leaves one. */
export async function insertEntity(
  { graph, newId }: Pick<TaskDeps, 'graph' | 'newId'>,
  ownerId: string,
  given: Pick<Entity, 'groupId' | 'name'> & Partial<Entity>,
): Promise<Entity> {
  const now = new Date().toISOString();
  const entity: Entity = {
    uuid: newId(),
    entityType: 'Person',
    summary: '',
    written: null,
    createdAt: now,
    validAt: now,
    sources: [
      {
        type: 'graphiti',
        createdAt: now,
        createdBy: null,
        episodeId: newId(),
        originalName: given.name,
        confidence: 0.5,
      },
    ],
    facets: null,
    typing: null,
    enrichment: null,
    enrichedAt: null,
    enrichedById: null,
    edgeCount: 0,
    mergedFrom: [],
    ...given,
  };
  await writeWith(graph, insertEntities, ownerId, [entity]);
  return entity;
}

/** A turn that is in the memory graph. */
export interface Said {
  readonly turnId: string;
  readonly alternativeId: string;
  readonly episodeId: string;
}

/** A user whose turns are in the memory graph at once. */
export function talker(deps: TaskDeps, viewer: Viewer) {
  const talk = {
    /** A conversation that recalls nothing of others, unless it is asked for. */
    starts: async (recall: RecallInput = { tokens: 0 }) =>
      (await createConversation(deps, viewer, { recall })).id,
    async says(conversationId: string, content: string, more: Partial<AppendTurn> = {}) {
      const turn = await appendTurn(deps, viewer, { ...more, conversationId, content });
      const [alternative] = await readWith(deps.graph, listAlternatives, viewer.userId, [turn.id]);
      return talk.isBound(turn.id, alternative?.id ?? '');
    },
    async isBound(turnId: string, alternativeId: string): Promise<Said> {
      const bound = await bindEpisode(deps, alternativeId);
      return { turnId, alternativeId, episodeId: bound?.episodeUuid ?? '' };
    },
    /** So many turns, one below the other. */
    async talksFor(conversationId: string, turns: number, text = (n: number) => `Said as ${n}.`) {
      const said: Said[] = [];
      for (let n = 1; n <= turns; n++) said.push(await talk.says(conversationId, text(n)));
      return said;
    },
    async remembers(conversationId: string, at: object = {}): Promise<WorkingMemory> {
      const input = { conversationId, ...at };
      await settleSwitches(deps, viewer.userId);
      const memory = await readWith(deps.graph, readWorkingMemory, viewer.userId, input);
      if ('missing' in memory) throw new Error(`There is no such ${memory.missing}.`);
      return memory;
    },
    /** One that asks for a text only; of the system's own Tool, so anybody may run it. */
    async aProcess() {
      const [tool] = await readWith(deps.graph, findThingsByName, viewer, [
        { kind: 'Tool', name: 'sum up messages' },
      ]);
      const { id } = await createProcess(deps, viewer, {
        name: 'A process',
        initialContext: ['text'],
        steps: [step('answer', tool?.id ?? '', { text: '{context.text}' })],
        outputTemplate: '',
      });
      return id;
    },
  };
  return talk;
}
