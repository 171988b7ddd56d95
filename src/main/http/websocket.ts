import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { GraphQLError } from 'graphql';
import {
  CloseCode,
  GRAPHQL_TRANSPORT_WS_PROTOCOL,
  handleProtocols,
  type JSONMessageReviver,
} from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocket, WebSocketServer } from 'ws';
import type { Clock } from '../../common/clock.ts';
import { reviveExactly } from '../../common/exact-json.ts';
import { type FairPlaces, type GiveBack, NoPlace } from '../../common/fair-places.ts';
import type { NewId } from '../../common/id.ts';
import { BODY_BYTES_MAX } from '../../common/limits.ts';
import { wellFormedJson } from '../../common/well-formed.ts';
import { NOT_SERVED } from '../../platform/http/answer.ts';
import type { AddressGuard } from '../../platform/http/guards.ts';
import type { Documents } from '../../platform/http/persisted-queries.ts';
import { logLevelOf, presentError } from '../../platform/http/present-error.ts';
import type { RateLimiter } from '../../platform/http/rate-limit.ts';
import { plainTarget } from '../../platform/http/request-target.ts';
import type { StalledConnections } from '../../platform/http/stalled.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { NotAuthenticated } from '../../users/authenticate.service.ts';
import type { openGraphql } from './graphql.ts';
import { credentialsOf, endsIn, type Identify, type SignedIn } from './sign-in.ts';

const OPERATIONS_PER_SOCKET_MAX = 100;
/** Close code of an invalid or expired token: the client should sign in and connect again. */
const CLOSE_UNAUTHORIZED = 4401;
/** Close code of one socket too many: clients wait, and connect again. */
const CLOSE_TRY_AGAIN_LATER = 1013;
/** Sockets that have not signed in yet count in this number only; they have 3 s for it. */
const CONNECTIONS_MAX = 10_000;
/**
 * Less than the 12 s after which graphql-ws cuts off a peer that answers no ping, without a code.
 */
const STALLED_MS_MAX = 10_000;
const FULL = { status: 503, message: 'Too many connections; try again in 5 s.' };
/** The older library subscriptions-transport-ws speaks a subprotocol called graphql-ws. */
const WRONG_SUBPROTOCOL =
  'Use the subprotocol graphql-transport-ws, as the library graphql-ws does; this is another one';
const CLOSE_AWAY = 'A service behind this API does not answer. Connect again in a moment.';
const CLOSE_STALLED = 'You read too slowly. Subscribe again with your last cursor as after.';
/** The server reads no further messages of a peer with more unread bytes than this. */
const UNREAD_BYTES_MAX = 1024 * 1024;

export interface WebSocketParts {
  readonly server: Server;
  readonly graphql: ReturnType<typeof openGraphql>;
  readonly documents: Documents;
  readonly guard: AddressGuard;
  readonly identify: Identify;
  readonly rateLimiter: RateLimiter;
  readonly newId: NewId;
  readonly clock: Clock;
  readonly log: Log;
  readonly sockets: FairPlaces;
  readonly openOperations: FairPlaces;
  readonly stalled: StalledConnections;
  /** Default 10 s. */
  readonly stalledMsMax?: number | undefined;
}

/**
 * Serves graphql-transport-ws on /graphql, with the addresses, identities, limits and errors of
 * HTTP. The token is `Authorization` in connectionParams (in any case), else in the upgrade's
 * header.
 * @returns a function that closes all sockets
 */
export function attachWebSockets(parts: WebSocketParts): () => Promise<void> {
  const { server, graphql, documents, guard, identify, rateLimiter, newId, log } = parts;
  const { openOperations, stalled, stalledMsMax = STALLED_MS_MAX } = parts;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: BODY_BYTES_MAX,
    WebSocket: PeerSocket,
  });

  server.on('upgrade', (request, socket, head) => {
    const path = plainTarget(request.url ?? '').split('?')[0];
    const isFull = sockets.clients.size >= CONNECTIONS_MAX;
    const refusal =
      path === '/graphql' ? (guard.check(request) ?? (isFull ? FULL : null)) : NOT_SERVED;
    socket.on('error', () => socket.destroy());
    if (refusal !== null) {
      const { status, message } = refusal;
      const lines = [
        `HTTP/1.1 ${status} Refused`,
        'Connection: close',
        'Content-Type: text/plain; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(message)}`,
        ...(isFull ? ['Retry-After: 5'] : []),
      ];
      socket.end(`${lines.join('\r\n')}\r\n\r\n${message}`);
      // The peer could keep its half open, and Node no longer watches an upgraded connection.
      request.socket.destroySoon();
      return;
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      boundUnread(ws, request.socket);
      // A peer that is refused may still send, and a frame that is wrong is an error of the socket.
      ws.on('error', () => {});
      if (ws.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL)
        return ws.close(CloseCode.SubprotocolNotAcceptable, WRONG_SUBPROTOCOL);
      sockets.emit('connection', ws, request);
    });
  });

  const present = (error: unknown, requestId: string) =>
    presentError(error, {
      requestId,
      onDefect: (error) => log[logLevelOf(error)]('An operation failed', { requestId, error }),
    });

  const disposable = useServer<Record<string, unknown>, Connection>(
    {
      jsonMessageReviver: reviveExactly as JSONMessageReviver,
      execute: (args) => enveloped(args).execute(args),
      subscribe: (args) => enveloped(args).subscribe(args),
      async onConnect({ connectionParams, extra, subscriptions }) {
        const upgrade = credentialsOf(extra.request);
        const authorization = authorizationOf(connectionParams, upgrade.authorization);
        let signedIn: SignedIn | null;
        try {
          if (authorization === undefined) throw new NotAuthenticated('It is no text.');
          signedIn = await identify({ ...upgrade, authorization });
        } catch (error) {
          if (error instanceof NotAuthenticated) {
            extra.socket.close(CLOSE_UNAUTHORIZED, 'Unauthorized');
            return false;
          }
          // Clients never connect again after the other code.
          log[logLevelOf(error)]('A sign-in failed', { error });
          extra.socket.close(CLOSE_TRY_AGAIN_LATER, CLOSE_AWAY);
          return false;
        }
        stalled.upgraded(extra.request.socket, {
          msMax: stalledMsMax,
          close() {
            // The close frame follows the unread messages. ws ends a connection whose peer does not
            // answer it within 30 s.
            extra.socket.close(CLOSE_TRY_AGAIN_LATER, CLOSE_STALLED);
            for (const operation of Object.values(subscriptions))
              if (operation && 'return' in operation) operation.return(undefined).catch(() => {});
          },
        });
        return admit(extra, signedIn, parts);
      },
      async onSubscribe({ extra, subscriptions }, id, params) {
        const requestId = newId();
        const viewer = extra.signedIn?.viewer ?? null;
        try {
          const waitSeconds = rateLimiter.waitSeconds(viewer?.userId ?? 'anonymous');
          if (waitSeconds > 0 || Object.keys(subscriptions).length > OPERATIONS_PER_SOCKET_MAX)
            throw new GraphQLError('Too many operations; slow down.', {
              extensions: { code: 'RATE_LIMITED' },
            });
          const given = { ...params, operationName: params.operationName || null };
          const { query } = documents.resolve(given);
          const envelop = graphql.getEnveloped({ viewer, requestId, params: given } as never);
          const document = envelop.parse(query);
          const errors = envelop.validate(envelop.schema, document) as GraphQLError[];
          if (errors.length > 0) return errors.map((error) => present(error, requestId));
          extra.operations?.set(id, openOperations.takeNow(extra.owner ?? 'unknown'));
          return {
            schema: envelop.schema,
            operationName: given.operationName,
            document,
            variableValues: wellFormedJson(params.variables),
            contextValue: await envelop.contextFactory(),
            rootValue: { execute: envelop.execute, subscribe: envelop.subscribe },
          };
        } catch (error) {
          return [present(error, requestId)];
        }
      },
      onComplete: ({ extra }, id) => endOperation(extra, id),
      onError: ({ extra }, id) => endOperation(extra, id),
    },
    sockets,
  );
  // A peer that offers only others is accepted, so that it reads why it is closed. `useServer` has
  // set a choice of its own.
  sockets.options.handleProtocols = (offered) =>
    handleProtocols(offered) || ([...offered][0] ?? false);
  return async () => disposable.dispose();
}

/** Counts a connection that signed in, until it closes. @returns false for one too many */
function admit(
  extra: Connection & { readonly socket: WebSocket; readonly request: IncomingMessage },
  signedIn: SignedIn | null,
  { sockets, clock }: Pick<WebSocketParts, 'sockets' | 'clock'>,
): boolean {
  const owner = signedIn?.viewer.userId ?? extra.request.socket.remoteAddress ?? 'unknown';
  if (extra.socket.readyState !== WebSocket.OPEN) return false;
  let giveBack: GiveBack;
  try {
    giveBack = sockets.takeNow(owner);
  } catch (error) {
    if (!(error instanceof NoPlace)) throw error;
    extra.socket.close(CLOSE_TRY_AGAIN_LATER, 'Too many sockets; try again later');
    return false;
  }
  const operations = new Map<string, GiveBack>();
  Object.assign(extra, { signedIn, owner, operations });
  const timer = endsIn(signedIn, clock.nowMs(), () =>
    extra.socket.close(CLOSE_UNAUTHORIZED, 'The token has expired'),
  );
  extra.socket.once('close', () => {
    clearTimeout(timer);
    giveBack();
    for (const end of operations.values()) end();
  });
  return true;
}

type Send = Parameters<WebSocket['send']>;

/**
 * Reports no failed answers, because the peer is gone then. graphql-ws would print each of them.
 */
class PeerSocket extends WebSocket {
  override send(data: Send[0], options: Send[1] | Send[2] = {}, sent?: Send[2]): void {
    const told = typeof options === 'function' ? options : sent;
    super.send(data, typeof options === 'function' ? {} : options, () => told?.());
  }
}

/** Each message and each ping has an answer, which a peer that does not read would pile up. */
function boundUnread(ws: WebSocket, socket: Socket): void {
  const check = () => {
    if (ws.isPaused || ws.bufferedAmount <= UNREAD_BYTES_MAX) return;
    ws.pause();
    socket.once('drain', () => ws.resume());
  };
  ws.on('message', check);
  ws.on('ping', check);
}

function endOperation({ operations }: Connection, id: string): undefined {
  operations?.get(id)?.();
  operations?.delete(id);
}

/**
 * The Authorization of a connection: from its params (in any case), else from the upgrade's header.
 * Null: none was given. Undefined: it is invalid, because it is no text or two spellings differ.
 * Such a connection is refused: without a token, dev mode would treat its user as `dev`.
 */
function authorizationOf(
  params: Readonly<Record<string, unknown>> | undefined,
  header: string | null,
): string | null | undefined {
  const given = Object.entries(params ?? {})
    .filter(([name, value]) => name.toLowerCase() === 'authorization' && value !== null)
    .map(([, value]) => value);
  if (given.length === 0) return header;
  const [first] = given;
  const isOne = typeof first === 'string' && given.every((value) => value === first);
  return isOne ? first : undefined;
}

type Connection = {
  signedIn?: SignedIn | null;
  /** The user, or the address of a connection without one. */
  owner?: string;
  /** The places of the operations that are open, by their ids. */
  operations?: Map<string, GiveBack>;
};

interface Enveloped {
  execute(args: unknown): ReturnType<typeof import('graphql').execute>;
  subscribe(args: unknown): ReturnType<typeof import('graphql').subscribe>;
}

// graphql-ws only returns the arguments, so `rootValue` carries their envelope.
const enveloped = (args: { rootValue?: unknown }): Enveloped => args.rootValue as Enveloped;
