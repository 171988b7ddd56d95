import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { CatalogDeps, ToolCalls } from '../../src/catalog/deps.ts';
import { type CreateSecret, createSecret } from '../../src/catalog/secrets/secret.mutations.ts';
import type { Secret } from '../../src/catalog/secrets/secret.ts';
import { type CreateService, createService } from '../../src/catalog/services/service.mutations.ts';
import type { Service } from '../../src/catalog/services/service.ts';
import { createTool } from '../../src/catalog/tools/tool.mutations.ts';
import type { Tool } from '../../src/catalog/tools/tool.ts';
import type { CreateTool } from '../../src/catalog/tools/tool-plan.ts';
import { createIdSource } from '../../src/common/id.ts';
import type { JsonObject } from '../../src/common/json.ts';
import { Refusal } from '../../src/common/refusal.ts';
import { NO_USAGE } from '../../src/common/tool-fault.ts';
import type { Graph } from '../../src/platform/neo4j/graph.ts';
import { newKeyRingEntry, openVault, parseKeyRing } from '../../src/platform/vault/vault.ts';
import { mergeUser } from '../../src/users/user.cypher.ts';
import { type Role, SYSTEM_USER_ID, type Viewer } from '../../src/users/user.ts';
import { testGraph, writeWith } from './graph.ts';

let shared: Graph | undefined;
/** One handle for all test files of a process; it closes with the process. */
export function worldGraph(): Graph {
  shared ??= testGraph();
  return shared;
}

/** For tests of rules, without calls: each Tool answers at once. */
export const answering: ToolCalls = {
  probe: async () => ({ status: 'healthy', errorMessage: null }),
  invoke: async ({ inputs }) => ({ output: inputs, usage: NO_USAGE }),
  listMcpTools: async () => [],
};

export function worldDeps(changes: Partial<CatalogDeps> = {}): CatalogDeps {
  const clock = { nowMs: () => Date.now(), random: () => Math.random() };
  return {
    graph: changes.graph ?? worldGraph(),
    clock,
    newId: createIdSource(clock),
    wake: () => {},
    vault: openVault(parseKeyRing(newKeyRingEntry())),
    toolCalls: answering,
    mcpServers: { everything: ['API_KEY'] },
    ...changes,
  };
}

/** The schema of the examples in the specification. */
export const ENDPOINT_SCHEMA: JsonObject = {
  type: 'object',
  required: ['endpoint'],
  properties: { endpoint: { type: 'string', format: 'uri' } },
};
const ID_SCHEMA: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' } },
};
export const ENDPOINT = 'http://127.0.0.1:9';

/** A signed-in user with short ways to create things. */
export interface Person {
  readonly viewer: Viewer;
  createsService(input?: Partial<CreateService>): Promise<Service>;
  createsSecret(input?: Partial<CreateSecret>): Promise<Secret>;
  /** On a Service of their own unless one is named. */
  createsTool(input?: Partial<CreateTool>): Promise<Tool>;
}

export function personOf(deps: CatalogDeps, viewer: Viewer): Person {
  const person: Person = {
    viewer,
    createsService: (input = {}) =>
      createService(deps, viewer, {
        name: 'Items',
        ...(input.serviceTemplateId == null
          ? {
              type: 'rest_api',
              protocol: 'http',
              connectionSchema: ENDPOINT_SCHEMA,
              requiresSecret: false,
            }
          : {}),
        ...input,
      }),
    createsSecret: (input = {}) =>
      createSecret(deps, viewer, {
        name: 'Key',
        type: 'api_key',
        value: 'a-secret-value',
        ...input,
      }),
    createsTool: async (input = {}) =>
      createTool(deps, viewer, {
        name: 'Read item',
        serviceId: input.serviceId ?? (await person.createsService()).id,
        connectionParams: { endpoint: ENDPOINT },
        ...(input.toolTemplateId == null
          ? {
              operation: { type: 'rest_call', method: 'GET', path: '/items/{{id}}' },
              inputSchema: ID_SCHEMA,
              outputSchema: {},
            }
          : {}),
        ...input,
      }),
  };
  return person;
}

export interface World {
  readonly deps: CatalogDeps;
  readonly ada: Person;
  readonly bob: Person;
  /** An admin. */
  readonly root: Person;
  /** The owner of the shipped things; no token signs in as it. */
  readonly system: Person;
}

/** Fresh people in the shared database; they own nothing yet. */
export async function world(changes: Partial<CatalogDeps> = {}): Promise<World> {
  const deps = worldDeps(changes);
  const signsUp = async (name: string, roles: Role[]) =>
    personOf(deps, await newViewer(deps, name, roles));
  const systemViewer: Viewer = {
    userId: SYSTEM_USER_ID,
    name: 'system',
    roles: ['admin'],
    workspace: 'system',
  };
  const [ada, bob, root] = await Promise.all([
    signsUp('ada', ['user']),
    signsUp('bob', ['user']),
    signsUp('root', ['admin']),
  ]);
  return { deps, ada, bob, root, system: personOf(deps, systemViewer) };
}

export async function newViewer(
  deps: Pick<CatalogDeps, 'graph' | 'newId'>,
  name: string,
  roles: Role[] = ['user'],
): Promise<Viewer> {
  const identity = { issuer: 'test', sub: `${name}-${randomUUID()}`, name, roles, workspace: null };
  const input = { identity, id: deps.newId(), now: new Date().toISOString() };
  const user = await writeWith(deps.graph, mergeUser, input);
  return { userId: user.id, name, roles, workspace: user.workspace };
}

/** `['NOT_FOUND serviceId', …]`: the problems of a refusal; `['done']` without one. */
export async function refusals(work: Promise<unknown>): Promise<string[]> {
  try {
    await work;
    return ['done'];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.problems.map(({ code, path }) => `${code} ${path.join('.')}`);
  }
}

/**
 * Expects that the work is refused for exactly these problems: `await refuses(work, 'NOT_FOUND
 * id')`.
 */
export async function refuses(work: Promise<unknown>, ...problems: string[]): Promise<void> {
  expect(await refusals(work)).toEqual(problems);
}

/**
 * The settled outcomes of writers let loose at once: how many were refused with each code, and how
 * many were done.
 */
export async function race(
  writers: readonly (() => Promise<unknown>)[],
): Promise<Record<string, number>> {
  const outcomes = await Promise.all(
    writers.map(async (write) => (await refusals(write()))[0] ?? 'refused'),
  );
  const counts: Record<string, number> = {};
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
