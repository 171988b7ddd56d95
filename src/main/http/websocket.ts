import type { Server } from 'node:http';
import { GraphQLError } from 'graphql';
import { handleProtocols } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { Clock } from '../../common/clock.ts';
import type { NewId } from '../../common/id.ts';
import { BODY_BYTES_MAX } from '../../common/limits.ts';
import type { AddressGuard } from '../../platform/http/guards.ts';
import { presentError } from '../../platform/http/present-error.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { openGraphql } from './graphql.ts';
import { endsIn, type Identify, type SignedIn } from './sign-in.ts';

const OPERATIONS_PER_SOCKET_MAX = 100;
/** Close code of an invalid or expired token: the client should sign in and connect again. */
const CLOSE_UNAUTHORIZED = 4401;

export interface WebSocketParts {
  readonly server: Server;
  readonly graphql: ReturnType<typeof openGraphql>;
  readonly guard: AddressGuard;
  readonly identify: Identify;
  readonly rateLimiter: RateLimiter;
  readonly newId: NewId;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Serves graphql-transport-ws on /graphql, with the addresses, identities, limits and errors of
 * HTTP. The token is `Authorization` in connectionParams (in any case), else in the upgrade's
 * header.
 * @returns a function that closes all sockets
 */
export function attachWebSockets(parts: WebSocketParts): () => Promise<void> {
  const { server, graphql, guard, identify, rateLimiter, newId, clock, log } = parts;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: BODY_BYTES_MAX,
    handleProtocols,
  });

  server.on('upgrade', (request, socket, head) => {
    const path = request.url?.split('?')[0];
    const refusal = path === '/graphql' ? guard.check(request) : { status: 404 };
    socket.on('error', () => socket.destroy());
    if (refusal !== null) {
      socket.end(
        `HTTP/1.1 ${refusal.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      );
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => sockets.emit('connection', ws, request));
  });

  const present = (error: unknown, requestId: string) =>
    presentError(error, {
      requestId,
      onDefect: (defect) => log.error('An operation failed', { requestId, error: defect }),
    });

  const disposable = useServer<Record<string, unknown>, { signedIn?: SignedIn | null }>(
    {
      execute: (args) => enveloped(args).execute(args),
      subscribe: (args) => enveloped(args).subscribe(args),
      async onConnect({ connectionParams, extra }) {
        const given = authorizationOf(connectionParams, extra.request.headers.authorization);
        const signedIn =
          given === undefined ? undefined : await identify(given).catch(() => undefined);
        if (signedIn === undefined) {
          extra.socket.close(CLOSE_UNAUTHORIZED, 'Unauthorized');
          return false;
        }
        extra.signedIn = signedIn;
        const timer = endsIn(signedIn, clock.nowMs(), () =>
          extra.socket.close(CLOSE_UNAUTHORIZED, 'The token has expired'),
        );
        extra.socket.once('close', () => clearTimeout(timer));
        return true;
      },
      async onSubscribe({ extra, subscriptions }, _id, params) {
        const requestId = newId();
        const viewer = extra.signedIn?.viewer ?? null;
        try {
          const waitSeconds = rateLimiter.waitSeconds(viewer?.userId ?? 'anonymous');
          if (waitSeconds > 0 || Object.keys(subscriptions).length > OPERATIONS_PER_SOCKET_MAX) {
            throw new GraphQLError('Too many operations; slow down.', {
              extensions: { code: 'RATE_LIMITED' },
            });
          }
          const envelop = graphql.getEnveloped({ viewer, requestId, params } as never);
          const document = envelop.parse(params.query);
          const errors = envelop.validate(envelop.schema, document) as GraphQLError[];
          if (errors.length > 0) return errors.map((error) => present(error, requestId));
          return {
            schema: envelop.schema,
            operationName: params.operationName,
            document,
            variableValues: params.variables,
            contextValue: await envelop.contextFactory(),
            rootValue: { execute: envelop.execute, subscribe: envelop.subscribe },
          };
        } catch (error) {
          return [present(error, requestId)];
        }
      },
    },
    sockets,
  );
  return async () => disposable.dispose();
}

/**
 * The Authorization of a connection: from its params (in any case), else from the upgrade's header.
 * Null: none was given. Undefined: it is invalid, because it is no text or two spellings differ.
 * Such a connection is refused: without a token, dev mode would treat its user as the admin `dev`.
 */
function authorizationOf(
  params: Readonly<Record<string, unknown>> | undefined,
  header: string | undefined,
): string | null | undefined {
  const given = Object.entries(params ?? {})
    .filter(([name, value]) => name.toLowerCase() === 'authorization' && value !== null)
    .map(([, value]) => value);
  if (given.length === 0) return header ?? null;
  const [first] = given;
  const isOne = typeof first === 'string' && given.every((value) => value === first);
  return isOne ? first : undefined;
}

interface Enveloped {
  execute(args: unknown): ReturnType<typeof import('graphql').execute>;
  subscribe(args: unknown): ReturnType<typeof import('graphql').subscribe>;
}

// graphql-ws only returns the arguments, so `rootValue` carries their envelope.
function enveloped(args: { rootValue?: unknown }): Enveloped {
  return args.rootValue as Enveloped;
}
