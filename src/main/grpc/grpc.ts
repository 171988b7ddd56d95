import { fileURLToPath } from 'node:url';
import {
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type StatusObject,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { protoPath as HEALTH_PROTO, HealthImplementation } from 'grpc-health-check';
import type { ApiDeps } from '../../../schema/context.ts';
import { EVENT_BYTES_MAX } from '../../agent-memory/events/event.ts';
import { GRPC_STATUS, statusOf } from '../../agent-memory/wire.ts';
import { NoPlace, type PlaceLimits } from '../../common/fair-places.ts';
import { Refusal } from '../../common/refusal.ts';
import { wellFormedJson } from '../../common/well-formed.ts';
import { addReflection } from '../../platform/grpc/reflection.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import { NotAuthenticated } from '../../users/authenticate.service.ts';
import { isAdmin, type Viewer } from '../../users/user.ts';
import type { Identify } from '../http/sign-in.ts';
import { CALLS, openFairCalls } from './fair-calls.ts';
import { ADMIN_RPCS, type Handler, MEMORY_RPCS } from './memory-rpcs.ts';

export interface GrpcParts {
  readonly deps: ApiDeps;
  readonly identify: Identify;
  readonly rateLimiter: RateLimiter;
  /** Calls that run and that wait, in all and per user. */
  readonly calls?: PlaceLimits;
  /** Maximum time in ms for the message of a call; default 30,000. */
  readonly messageMsMax?: number;
}

export interface RunningGrpc {
  /** `host:port`. Port 0 is replaced by the assigned port. */
  readonly address: string;
  /** Lets current calls finish. */
  stop(): Promise<void>;
}

const PROTO = fileURLToPath(new URL('../../../proto/memory.proto', import.meta.url));
const SERVICE = 'memory.MemoryService';
// The text of an event, and space for its names and numbers.
const MESSAGE_BYTES_MAX = EVENT_BYTES_MAX + 64 * 1024;
const DRAIN_MS_MAX = 5_000;
/** A client waits in `grpc.max_concurrent_streams` for its own calls; 8 run and 200 wait here. */
const STREAMS_PER_CONNECTION_MAX = 250;
/** A peer that does not answer a ping is gone: its connection and calls end. */
const KEEPALIVE_MS = 30_000;
const KEEPALIVE_ANSWER_MS_MAX = 20_000;
/** Clients connect again at their next call. */
const IDLE_CONNECTION_MS_MAX = 10 * 60_000;
/** Wait that a refused caller is told, in ms; gRPC's own retries obey it. */
const RETRY_MS = 5_000;

/**
 * Serves proto/memory.proto with reflection and the health service, by the same rules as GraphQL.
 * @throws Error when the address is taken
 */
export async function startGrpc(address: string, parts: GrpcParts): Promise<RunningGrpc> {
  const definition = loadSync(PROTO, {
    keepCase: true,
    longs: String,
    enums: String,
    defaults: true,
  });
  const limits = parts.calls ?? CALLS;
  const calls = openFairCalls({
    service: SERVICE,
    limits,
    messageMsMax: parts.messageMsMax,
    admit: (metadata) => admit(parts, metadata),
    statusOf: (error, path) => statusObject(parts.deps, { name: path, limits }, error),
    halfSent: (seconds) => ({
      code: GRPC_STATUS.DEADLINE_EXCEEDED,
      details: `The message did not arrive within ${seconds} s. Send it again.`,
      metadata: new Metadata(),
    }),
  });
  const server = new Server({
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': 64 * 1024 * 1024,
    'grpc.max_concurrent_streams': STREAMS_PER_CONNECTION_MAX,
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_ANSWER_MS_MAX,
    'grpc.max_connection_idle_ms': IDLE_CONNECTION_MS_MAX,
    interceptors: [calls.interceptor],
  });
  const handlers = Object.entries(MEMORY_RPCS).map(([name, handle]) => [
    name,
    answering(parts, { name, limits }, calls, handle),
  ]);
  server.addService(definition[SERVICE] as ServiceDefinition, Object.fromEntries(handlers));
  addReflection(server, [
    { path: PROTO, name: 'memory.proto' },
    { path: HEALTH_PROTO, name: 'grpc/health/v1/health.proto' },
  ]);
  const health = new HealthImplementation({ '': 'SERVING', [SERVICE]: 'SERVING' });
  health.addToServer(server);
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  return {
    address: address.replace(/:\d+$/, `:${port}`),
    async stop() {
      health.setStatus('', 'NOT_SERVING');
      health.setStatus(SERVICE, 'NOT_SERVING');
      const ended = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      const timer = setTimeout(() => server.forceShutdown(), DRAIN_MS_MAX);
      await ended;
      clearTimeout(timer);
    },
  };
}

interface Call {
  /** Name of the method. */
  readonly name: string;
  readonly limits: PlaceLimits;
}

function answering(
  { deps }: GrpcParts,
  named: Call,
  calls: ReturnType<typeof openFairCalls>,
  handle: Handler,
): handleUnaryCall<unknown, unknown> {
  return (call, callback) => {
    const work = calls.perform(call.metadata, async (viewer) => {
      if (ADMIN_RPCS.has(named.name) && !isAdmin(viewer))
        throw Refusal.of('FORBIDDEN', [], 'Only an admin may do this.');
      return handle(deps, viewer, call.request as never);
    });
    work.then(
      (response) => callback(null, wellFormedJson(response)),
      (error: unknown) => callback(statusObject(deps, named, error)),
    );
  };
}

/** The caller, counted in the rate of its user. */
async function admit({ identify, rateLimiter }: GrpcParts, metadata: Metadata): Promise<Viewer> {
  const [authorization] = metadata.get('authorization');
  const signedIn = await identify({
    authorization: authorization === undefined ? null : String(authorization),
  });
  if (signedIn === null) throw failure(GRPC_STATUS.UNAUTHENTICATED, 'Sign in to do this.');
  const { viewer } = signedIn;
  const waitSeconds = rateLimiter.waitSeconds(viewer.userId);
  if (waitSeconds > 0)
    throw failure(
      GRPC_STATUS.RESOURCE_EXHAUSTED,
      `Too many calls; try again in ${waitSeconds} s.`,
      waitSeconds * 1_000,
    );
  return viewer;
}

/** @param retryMs the wait in ms before a retry; absent: a retry would fail, too */
const failure = (code: number, details: string, retryMs?: number) =>
  Object.assign(new Error(details), { grpc: code, retryMs });

/** gRPC clients that retry by themselves wait as long as this entry says. */
const PUSHBACK = 'grpc-retry-pushback-ms';

const noPlaceText = ({ isOwn }: NoPlace, { placesPerOwner, waitingPerOwner = 0 }: PlaceLimits) =>
  isOwn
    ? `You have ${placesPerOwner} calls running and ${waitingPerOwner} waiting, the most of one ` +
      'user. Try again when one has ended.'
    : `Too many calls of all users wait. Try again in ${RETRY_MS / 1_000} s.`;

/**
 * Translates an error to a status. A Refusal also puts its problems as JSON into the metadata. A
 * defect is logged, and the caller gets only the id of the log entry.
 */
function statusObject(deps: ApiDeps, call: Call, error: unknown): StatusObject {
  const status = toStatus(deps, call, error);
  // grpc-js throws where it encodes half of a character.
  return { ...status, details: status.details.toWellFormed() };
}

function toStatus(deps: ApiDeps, { name, limits }: Call, error: unknown): StatusObject {
  const metadata = new Metadata();
  if (error instanceof NoPlace) {
    metadata.set(PUSHBACK, String(RETRY_MS));
    const details = noPlaceText(error, limits);
    return { code: GRPC_STATUS.RESOURCE_EXHAUSTED, details, metadata };
  }
  if (error instanceof Refusal) {
    metadata.set('problems-bin', Buffer.from(JSON.stringify(error.problems)));
    return { code: statusOf(error.problems), details: error.message, metadata };
  }
  if (error instanceof NotAuthenticated)
    return { code: GRPC_STATUS.UNAUTHENTICATED, details: error.message, metadata };
  if (error instanceof Error && 'grpc' in error) {
    if ('retryMs' in error && error.retryMs !== undefined)
      metadata.set(PUSHBACK, String(error.retryMs));
    return { code: Number(error.grpc), details: error.message, metadata };
  }
  const requestId = deps.newId();
  deps.log.error('A call over gRPC failed', { requestId, operation: name, error });
  const details = `Something went wrong here. It is logged as ${requestId}.`;
  return { code: GRPC_STATUS.INTERNAL, details, metadata };
}
