import { GraphQLError } from 'graphql';
import type { AgentMemoryMode } from '../src/agent-memory/store.ts';
import type { Summarise } from '../src/agent-memory/toc/summarise.service.ts';
import type { CallRecorder } from '../src/call-graph/call-recorder.service.ts';
import type { ToolCalls } from '../src/catalog/deps.ts';
import type { Clock } from '../src/common/clock.ts';
import type { NewId } from '../src/common/id.ts';
import type { JobBoard } from '../src/jobs/job.mutations.ts';
import type { Embeddings } from '../src/memory-graph/embeddings/embeddings.service.ts';
import type { Bus } from '../src/outbox/bus.ts';
import type { BlobStore } from '../src/platform/blobs/blob-store.ts';
import type { Graph } from '../src/platform/neo4j/graph.ts';
import type { HealthReport } from '../src/platform/telemetry/health.ts';
import type { Log } from '../src/platform/telemetry/log.ts';
import type { Schedules } from '../src/platform/temporal/schedules.ts';
import type { Vault } from '../src/platform/vault/vault.ts';
import type { Payloads } from '../src/runs/run/payloads.service.ts';
import type { RunSignals } from '../src/runs/run/run.mutations.ts';
import type { RunObserver } from '../src/runs/run/run-observer.service.ts';
import type { SettingsSource } from '../src/settings/settings.projection.ts';
import { isAdmin, type Viewer } from '../src/users/user.ts';

/**
 * What the API process opened at its start, shared by all requests; the composition root is src/main/runtime.ts.
 * A room that needs another port (a vault, probes, the bus) adds one line here and one there. It is a superset of
 * every mutation's `Deps`, so resolvers pass the context on as it is: `createTool(context, viewerOf(context), input)`.
 */
export interface ApiDeps {
  readonly graph: Graph;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Tells the relay that a commit left entries; never waits. */
  wake(): void;
  /** Where subscriptions read: history, then live. */
  readonly bus: Bus;
  /** The memory graph's vectors. */
  readonly embeddings: Embeddings;
  health(): Promise<HealthReport>;
  /** Where the values of Secrets are sealed and opened. */
  readonly vault: Vault;
  /** The drivers, as the catalog asks for them: probes, testTool, imports. */
  readonly toolCalls: ToolCalls;
  /** The stdio MCP servers the operator registered. */
  readonly mcpServerNames: readonly string[];
  /** Where values of runs lie that are too large for a property. */
  readonly payloads: Payloads;
  /** Where payloads of the raw session graph lie that are too large for a property. */
  readonly blobs: BlobStore;
  /** To workflows at work: cancel, pause, decide. */
  readonly signals: RunSignals;
  /** Writes of other rooms in the transactions of runs. */
  readonly runObserver: RunObserver;
  /** Where ended mutations become calls; absent where none are recorded. */
  readonly calls?: CallRecorder;
  /** What admins tune at run time. */
  readonly settings: SettingsSource;
  /** Background work of the product, and where its Schedules are. */
  readonly jobs: JobBoard;
  readonly log: Log;
  /** Temporal's Schedules, of jobs and of users. */
  readonly schedules: Schedules;
  /** Stored on each run: which task queues it lives on. */
  readonly queuePrefix: string;
  /** How agents' memories are kept apart, and whose an event is that does not say. */
  readonly memoryMode: AgentMemoryMode;
  /** Sums up what was said, for its owner. */
  readonly summarise: Summarise;
  /** From 0 up to, not including, 1. */
  random(): number;
}

/** One request, or one subscription for as long as it lasts. Loaders hang on its identity (Pothos keeps them in a WeakMap). */
export interface RequestContext extends ApiDeps {
  /** Null where the request carries no valid identity; type and field scopes refuse it before any resolver runs. */
  readonly viewer: Viewer | null;
  /** Names the request in logs and in masked errors. */
  readonly requestId: string;
  /** The call of the mutation that is resolved at this moment (schema/record/record-mutations.ts). */
  callId?: string;
}

/** The signed-in viewer. @throws UNAUTHENTICATED (top level) when there is none. */
export function viewerOf(context: RequestContext): Viewer {
  if (context.viewer === null) throw unauthenticated();
  return context.viewer;
}

export function unauthenticated(message = 'Sign in to do this.'): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'UNAUTHENTICATED' } });
}

/** What scope-auth answers: who is not signed in may sign in; who is, may not. */
export function unauthorized(context: RequestContext): GraphQLError {
  if (context.viewer === null) return unauthenticated();
  const message = isAdmin(context.viewer) ? 'This may not be done.' : 'Only an admin may do this.';
  return new GraphQLError(message, { extensions: { code: 'FORBIDDEN' } });
}
