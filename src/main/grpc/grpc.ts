import { fileURLToPath } from 'node:url';
import {
  type handleUnaryCall,
  Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { protoPath as HEALTH_PROTO, HealthImplementation } from 'grpc-health-check';
import type { ApiDeps } from '../../../schema/context.ts';
import { EVENT_BYTES_MAX } from '../../agent-memory/events/event.ts';
import { GRPC_STATUS, statusOf } from '../../agent-memory/wire.ts';
import { problem, Refusal } from '../../common/refusal.ts';
import { addReflection } from '../../platform/grpc/reflection.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import { NotAuthenticated } from '../../users/authenticate.service.ts';
import { isAdmin, type Viewer } from '../../users/user.ts';
import type { Identify } from '../http/sign-in.ts';
import { ADMIN_RPCS, type Handler, MEMORY_RPCS } from './memory-rpcs.ts';

export interface GrpcParts {
  readonly deps: ApiDeps;
  readonly identify: Identify;
  readonly rateLimiter: RateLimiter;
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
  const server = new Server({
    'grpc.max_receive_message_length': MESSAGE_BYTES_MAX,
    'grpc.max_send_message_length': 64 * 1024 * 1024,
  });
  const handlers = Object.entries(MEMORY_RPCS).map(([name, handle]) => [
    name,
    answering(parts, name, handle),
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

function answering(
  { deps, identify, rateLimiter }: GrpcParts,
  name: string,
  handle: Handler,
): handleUnaryCall<unknown, unknown> {
  return (call, callback) => {
    const work = async () => {
      const viewer = await viewerOf(call, identify);
      const waitSeconds = rateLimiter.waitSeconds(viewer.userId);
      if (waitSeconds > 0)
        throw failure(GRPC_STATUS.RESOURCE_EXHAUSTED, `Too many calls; wait ${waitSeconds} s.`);
      if (ADMIN_RPCS.has(name) && !isAdmin(viewer))
        throw new Refusal([problem('FORBIDDEN', [], 'Only an admin may do this.')]);
      return handle(deps, viewer, call.request as never);
    };
    work().then(
      (response) => callback(null, response),
      (error: unknown) => callback(statusObject(deps, name, error)),
    );
  };
}

async function viewerOf(
  call: ServerUnaryCall<unknown, unknown>,
  identify: Identify,
): Promise<Viewer> {
  const [authorization] = call.metadata.get('authorization');
  const signedIn = await identify({
    authorization: authorization === undefined ? null : String(authorization),
  });
  if (signedIn === null) throw failure(GRPC_STATUS.UNAUTHENTICATED, 'Sign in to do this.');
  return signedIn.viewer;
}

const failure = (code: number, details: string) =>
  Object.assign(new Error(details), { grpc: code });

/**
 * Translates an error to a status. A Refusal also puts its problems as JSON into the metadata. A
 * defect is logged, and the caller gets only the id of the log entry.
 */
function statusObject(deps: ApiDeps, name: string, error: unknown) {
  const metadata = new Metadata();
  if (error instanceof Refusal) {
    metadata.set('problems-bin', Buffer.from(JSON.stringify(error.problems)));
    return { code: statusOf(error.problems), details: error.message, metadata };
  }
  if (error instanceof NotAuthenticated)
    return { code: GRPC_STATUS.UNAUTHENTICATED, details: error.message, metadata };
  if (error instanceof Error && 'grpc' in error)
    return { code: Number(error.grpc), details: error.message, metadata };
  const requestId = deps.newId();
  deps.log.error('A call over gRPC failed', { requestId, operation: name, error });
  const details = `Something went wrong here. It is logged as ${requestId}.`;
  return { code: GRPC_STATUS.INTERNAL, details, metadata };
}
