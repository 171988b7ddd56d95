import { GraphQLError } from 'graphql';
import type { Summarise } from '../src/agent-memory/rollup/summarise.service.ts';
import type { AgentMemoryMode } from '../src/agent-memory/store.ts';
import type { CallRecorder } from '../src/call-graph/call-recorder.service.ts';
import type { ToolCalls } from '../src/catalog/deps.ts';
import type { Clock } from '../src/common/clock.ts';
import type { NewId } from '../src/common/id.ts';
import type { JsonObject } from '../src/common/json.ts';
import type { McpServerVariables } from '../src/common/mcp-server.ts';
import type { JobBoard } from '../src/jobs/job.mutations.ts';
import type { Embeddings } from '../src/memory-graph/embeddings/embeddings.service.ts';
import type { OperationOf } from '../src/operations/operation.ts';
import type { Bus } from '../src/outbox/bus.ts';
import type { BlobStore } from '../src/platform/blobs/blob-store.ts';
import type { LlmPrompt } from '../src/platform/drivers/llm-prompt.ts';
import type { Graph } from '../src/platform/neo4j/graph.ts';
import type { HealthReport } from '../src/platform/telemetry/health.ts';
import type { Log } from '../src/platform/telemetry/log.ts';
import type { Schedules } from '../src/platform/temporal/schedules.ts';
import type { Vault } from '../src/platform/vault/vault.ts';
import type { LogReaders } from '../src/retention/record-retention.cypher.ts';
import type { Payloads } from '../src/runs/run/payloads.service.ts';
import type { RunObserver, RunSignals } from '../src/runs/run/ports.ts';
import type { ReadRuns } from '../src/runs/run/run-reads.service.ts';
import type { SettingsSource } from '../src/settings/settings.projection.ts';
import { isAdmin, type Viewer } from '../src/users/user.ts';

type LlmOperation = OperationOf<'llm_call'>;

/**
 * Dependencies that the API process opens at its start and shares between requests. The composition
 * root is src/main/runtime.ts. A room that needs another port (a vault, probes, the bus) adds one
 * line here and one there. ApiDeps contains every mutation's `Deps`, so resolvers pass the context
 * unchanged: `createTool(context, viewerOf(context), input)`.
 */
export interface ApiDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Wakes the relay after a commit that wrote outbox entries. Does not wait for it. */
  wake(): void;
  /** Source of subscriptions: history, then live entries. */
  readonly bus: Bus;
  /** Vectors of the memory graph. */
  readonly embeddings: Embeddings;
  health(): Promise<HealthReport>;
  /** Encrypts and decrypts the values of Secrets. */
  readonly vault: Vault;
  /** Drivers for the catalog: probes, testTool, imports. */
  readonly toolCalls: ToolCalls;
  /** The stdio MCP servers that the operator registered. */
  readonly mcpServers: McpServerVariables;
  /** Runs of an owner by id, in groups with those of other requests. */
  readonly readRuns: ReadRuns;
  /** Store for values of runs that are too large for a property. */
  readonly payloads: Payloads;
  /** Store for payloads of the raw session graph that are too large for a property. */
  readonly blobs: BlobStore;
  /** Maximum size of all files that one user has uploaded. Absent: the default. */
  readonly uploadsBytesMax?: number;
  /** Signals to running workflows: cancel, pause, decide. */
  readonly signals: RunSignals;
  /** Writes of other rooms inside the transactions of runs. */
  readonly runObserver: RunObserver;
  /** Records ended mutations as calls. Absent: mutations are not recorded. */
  readonly calls?: CallRecorder;
  /** Settings that admins change at run time. */
  readonly settings: SettingsSource;
  /** Readers of the event log, which retention waits for. */
  readonly logReaders: LogReaders;
  /** Background jobs of the product, with their Schedules. */
  readonly jobs: JobBoard;
  readonly log: Log;
  /** Temporal's Schedules, of jobs and of users. */
  readonly schedules: Schedules;
  /** Renders the messages of a call of an LLM Tool, as they go to the model. */
  promptOf(ownerId: string, operation: LlmOperation, inputs: JsonObject): Promise<LlmPrompt>;
  /** Address of the namespace in Temporal's web UI; absent: no UI is known. */
  readonly temporalUi?: string;
  /** Prefix of the task queues, stored on each run. */
  readonly queuePrefix: string;
  /** Separation of agents' memories, and the agent of events that name none. */
  readonly memoryMode: AgentMemoryMode;
  /** Summarises the text of the owner's conversations. */
  readonly summarise: Summarise;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
}

/**
 * Context of one request or one subscription. Pothos keeps the loaders in a WeakMap with this
 * object as key.
 */
export interface RequestContext extends ApiDeps {
  /**
   * Null without a valid identity. Type and field scopes refuse such a request before any resolver
   * runs.
   */
  readonly viewer: Viewer | null;
  /** Id of the request in logs and in masked errors. */
  readonly requestId: string;
  /** Id of the call that records the current mutation (schema/record/record-mutations.ts). */
  callId?: string;
}

/** The signed-in viewer. @throws GraphQLError UNAUTHENTICATED (top level) without a viewer */
export function viewerOf(context: RequestContext): Viewer {
  if (context.viewer === null) throw unauthenticated();
  return context.viewer;
}

export function unauthenticated(): GraphQLError {
  return new GraphQLError('Sign in to do this.', { extensions: { code: 'UNAUTHENTICATED' } });
}

/** The error of scope-auth: UNAUTHENTICATED without a viewer, else FORBIDDEN. */
export function unauthorized(context: RequestContext): GraphQLError {
  if (context.viewer === null) return unauthenticated();
  const message = isAdmin(context.viewer) ? 'This may not be done.' : 'Only an admin may do this.';
  return new GraphQLError(message, { extensions: { code: 'FORBIDDEN' } });
}
