import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { LRUCache } from 'lru-cache';
import type { ApiDeps } from '../../../schema/context.ts';
import { FairPlaces, type GiveBack, NoPlace } from '../../common/fair-places.ts';
import { canonicalJson, type Json } from '../../common/json.ts';
import { BODY_BYTES_MAX } from '../../common/limits.ts';
import { acceptanceOf } from '../../platform/http/accepts.ts';
import { answerJson, answerPreflight, HttpRefused, NOT_JSON } from '../../platform/http/answer.ts';
import { readText } from '../../platform/http/body.ts';
import { type HttpRefusal, isJson } from '../../platform/http/guards.ts';
import type { Viewer } from '../../users/user.ts';
import { type ClientMessage, McpRefused, readClientMessage } from './mcp-message.ts';
import { PROGRESS_MS } from './mcp-progress.ts';
import { listTools, serveProcesses } from './mcp-tools.ts';
import { type AnswerForm, SessionTransport } from './mcp-transport.ts';
import { challengeOf } from './resource-metadata.ts';
import { type CallerCount, countedCaller, endsIn, type SignedIn } from './sign-in.ts';
import { TURNS } from './take-turns.ts';
import type { Serve } from './watched.ts';

export const MCP_PATH = '/mcp';

export interface McpSessionLimits {
  readonly sessions: number;
  /** Another session ends the user's oldest. */
  readonly sessionsPerUser: number;
  readonly idleMs: number;
  /** The longest pause between two progress notifications of a call. Default 5 s. */
  readonly progressMs?: number;
}

const LIMITS: McpSessionLimits = { sessions: 1_000, sessionsPerUser: 50, idleMs: 30 * 60_000 };
/** Changes of Processes within this time are told to clients once. */
const GATHER_MS = 500;
const AGAIN_MS = 1_000;
const INSTRUCTIONS =
  'remember, search_memory and forget are the memory of the signed-in user, over all programs. ' +
  'Each other tool runs a Process of Aiden and waits for its end. A run is recorded; its record ' +
  'with its steps is the resource aiden://runs/{runId}, also after a lost connection. A call ' +
  "that is cancelled cancels its run, unless the run waits for a person's decision: then the " +
  "decision is open in Aiden's inbox (the run's page in the console, or the command aiden " +
  'approvals), and the record tells how it went on. Arguments that do not fit are refused with ' +
  'the name of each.';

interface Session {
  /** The caller of the latest request: the same user, with the roles of its token. */
  viewer: Viewer;
  readonly server: Server;
  readonly transport: SessionTransport;
  /** The list that the client got last; null before it. */
  listed: string | null;
}

/**
 * Processes as tools of MCP clients, over streamable HTTP (docs/decisions/0067). The identity is
 * that of the API. A session belongs to its user and lives in this process; a client whose session
 * is gone gets 404 and begins another one, as the protocol says.
 */
export function mcpRoute(
  parts: CallerCount & {
    readonly deps: ApiDeps;
    readonly version: string;
    /** The authorization server that clients are sent to for a token; null: there is none. */
    readonly issuer: string | null;
    /** Default 1,000, of one user 50, 30 minutes without a request. */
    readonly limits?: McpSessionLimits;
    /** Calls and streams that are open, with those of the other routes. */
    readonly openOperations: FairPlaces;
  },
): { readonly serve: Serve; close(): Promise<void> } {
  const { deps, limits = LIMITS, openOperations } = parts;
  const turns = new FairPlaces(TURNS);
  const sessions = new LRUCache<string, Session>({
    max: limits.sessions,
    ttl: limits.idleMs,
    updateAgeOnGet: true,
    dispose: ({ transport }) => void transport.close(),
  });
  // A session that is over keeps its streams until it is purged.
  const purging = setInterval(() => sessions.purgeStale(), Math.max(1_000, limits.idleMs / 4));
  purging.unref();
  const watch = watchProcesses(deps, () => void announce().catch(() => {}));

  /** Ends the user's least recently used sessions that are over the limit. */
  function makeRoom({ userId }: Viewer): void {
    const own = [...sessions.entries()].filter(([, { viewer }]) => viewer.userId === userId);
    for (const [id] of own.slice(limits.sessionsPerUser - 1)) sessions.delete(id);
  }

  async function begin(viewer: Viewer): Promise<SessionTransport> {
    makeRoom(viewer);
    const transport = new SessionTransport(randomUUID());
    const server = new Server(
      { name: 'aiden', version: parts.version },
      {
        capabilities: { tools: { listChanged: true }, resources: {} },
        instructions: INSTRUCTIONS,
      },
    );
    const session: Session = { viewer, server, transport, listed: null };
    serveProcesses({
      server,
      deps,
      viewerOf: () => session.viewer,
      openOperations,
      turns,
      progressMs: limits.progressMs ?? PROGRESS_MS,
      // A session with a call in progress is not idle.
      onBeat: () => void sessions.get(transport.sessionId),
      onListed: (tools) => {
        session.listed = canonicalJson(tools);
      },
    });
    await server.connect(transport);
    sessions.set(transport.sessionId, session);
    return transport;
  }

  /** Tells the clients whose list has changed. */
  async function announce(): Promise<void> {
    const listening = [...sessions.values()].filter(({ listed }) => listed !== null);
    const byUser = Map.groupBy(listening, ({ viewer }) => viewer.userId);
    for (const [userId, own] of byUser) {
      const [first] = own;
      if (first === undefined) continue;
      const tools: readonly Tool[] = await turns.run(userId, () => listTools(deps, first.viewer));
      const list = canonicalJson(tools);
      for (const session of own) {
        if (session.listed === list) continue;
        session.listed = list;
        await session.server.sendToolListChanged().catch(() => {});
      }
    }
  }

  /** The session of this id, if it is the user's. */
  function ownSession(id: string | readonly string[], { userId }: Viewer): Session | null {
    const session = typeof id === 'string' ? sessions.get(id) : undefined;
    return session?.viewer.userId === userId ? session : null;
  }

  /** Counts a stream that the client listens on. @throws HttpRefused 429 */
  function countStream(response: ServerResponse, { userId }: Viewer): void {
    const giveBack = takeNow(openOperations, userId);
    const unwatch = watch();
    response.once('close', () => {
      giveBack();
      unwatch();
    });
  }

  return {
    async serve(request, response) {
      if (request.method === 'OPTIONS')
        return answerPreflight(response, {
          methods: 'GET, POST, DELETE, OPTIONS',
          headers: request.headers['access-control-request-headers'],
        });
      const { method = '' } = request;
      if (!METHODS.includes(method)) return refuseMethod(response);
      const signedIn = await signIn(parts, request);
      // A client that left meanwhile closes no second time.
      if (response.closed) return;
      const { viewer } = signedIn;
      const timer = endsIn(signedIn, deps.clock.nowMs(), () => response.destroy());
      response.once('close', () => clearTimeout(timer));
      try {
        const form = formOf(request);
        const id = request.headers['mcp-session-id'];
        const message =
          method === 'POST'
            ? await messageOf(request).catch((error: unknown) => {
                const isGone = id !== undefined && ownSession(id, viewer) === null;
                // The client has to begin anew, whatever its message.
                if (!(error instanceof McpRefused && isGone)) throw error;
                throw refused(404, NO_SESSION, SESSION_NOT_FOUND);
              })
            : null;
        if (message?.method === 'initialize') {
          if (id !== undefined && ownSession(id, viewer) !== null) throw refused(400, INITIALIZED);
          const transport = await begin(viewer);
          response.setHeader('mcp-session-id', transport.sessionId);
          return transport.take(message, response, form);
        }
        if (id === undefined) throw withoutSession(method, message);
        const session = ownSession(id, viewer);
        if (session === null) throw refused(404, NO_SESSION, SESSION_NOT_FOUND);
        checkVersion(request);
        session.viewer = viewer;
        const { transport } = session;
        response.setHeader('mcp-session-id', transport.sessionId);
        if (message !== null) return transport.take(message, response, form);
        if (method === 'DELETE') {
          sessions.delete(transport.sessionId);
          return void response.writeHead(200).end();
        }
        countStream(response, viewer);
        transport.listen(response);
      } catch (error) {
        const told = toRefusal(error);
        if (told === null) throw error;
        for (const [name, value] of Object.entries(told.headers)) response.setHeader(name, value);
        const { code, message, id } = told;
        answerJson(response, told.status, { jsonrpc: '2.0', error: { code, message }, id });
      }
    },
    async close() {
      clearInterval(purging);
      const open = [...sessions.values()];
      await Promise.all(open.map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}

const METHODS = ['GET', 'POST', 'DELETE'];
/** What MCP gives to requests of a session that is unknown. */
const SESSION_NOT_FOUND = -32_001;
/** A code of the range that JSON-RPC leaves to servers. */
const REFUSED = -32_000;
const NO_SESSION = 'There is no such session. Initialize another one.';
const INITIALIZED =
  'This session is initialized already. Leave Mcp-Session-Id out to begin another one.';

interface Told {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly id: Json;
  readonly headers: Readonly<Record<string, string>>;
}

/** A refusal of a whole HTTP request, in the terms of JSON-RPC. */
class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly told: Told;
  constructor(told: Told) {
    super(told.message);
    this.told = told;
  }
}

const refused = (status: number, message: string, code: number = REFUSED, id: Json = null) =>
  new RequestRefused({ status, code, message, id, headers: {} });

function refuseMethod(response: ServerResponse): void {
  response.setHeader('allow', 'GET, POST, DELETE, OPTIONS');
  const error = { code: REFUSED, message: 'Send POST, GET or DELETE.' };
  answerJson(response, 405, { jsonrpc: '2.0', error, id: null });
}

/** @throws HttpRefused; McpRefused; RequestRefused 406 where the client takes no answer */
async function messageOf(request: IncomingMessage): Promise<ClientMessage> {
  if (!isJson(request.headers['content-type'])) throw new HttpRefused(NOT_JSON);
  return readClientMessage(await readText(request, BODY_BYTES_MAX));
}

/**
 * Events for a client that names them. One that takes any type often reads JSON alone.
 * @throws RequestRefused 406
 */
function formOf({ method, headers: { accept } }: IncomingMessage): AnswerForm {
  const events = acceptanceOf(accept, 'text/event-stream');
  const json = acceptanceOf(accept, 'application/json');
  if (method === 'DELETE') return 'json';
  if (method === 'GET' && events === 'refused') throw refused(406, 'Accept text/event-stream.');
  if (events === 'named' || json === 'refused') {
    if (events !== 'refused') return 'events';
    throw refused(406, 'Accept application/json, text/event-stream, or both.');
  }
  return 'json';
}

/** @throws RequestRefused 400 for a version that the server does not speak */
function checkVersion({ headers }: IncomingMessage): void {
  const version = headers['mcp-protocol-version'];
  if (version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) return;
  throw refused(
    400,
    `The version ${version} in Mcp-Protocol-Version is not served. Send the one that initialize ` +
      `gave; served are ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`,
  );
}

/**
 * The refusal of a request that names no session. Clients of the version 2026-07-28 ask for
 * `server/discover` first, and go on with `initialize` where the method is unknown.
 */
function withoutSession(method: string, message: ClientMessage | null): RequestRefused {
  if (message?.method === 'server/discover')
    return refused(400, 'Method not found', ErrorCode.MethodNotFound, message.id);
  if (method === 'GET')
    return refused(
      400,
      'GET opens the stream of a session: send its Mcp-Session-Id. The transport HTTP+SSE of ' +
        'version 2024-11-05 is not served; POST initialize to this address.',
    );
  return refused(
    400,
    'Send initialize first, and with each later request the Mcp-Session-Id of its answer.',
    REFUSED,
    message?.id ?? null,
  );
}

/** Null for errors that are no refusals of this route. */
function toRefusal(error: unknown): Told | null {
  if (error instanceof RequestRefused) return error.told;
  if (error instanceof McpRefused) {
    const { code, message, id } = error;
    // An answer to a request: clients take another status for a broken transport.
    return { status: id === null ? 400 : 200, code, message, id, headers: {} };
  }
  if (!(error instanceof HttpRefused)) return null;
  const { status, message, headers = {} } = error.refusal;
  const code = status === 400 ? ErrorCode.ParseError : REFUSED;
  return { status, code, message, id: null, headers };
}

/** @throws HttpRefused 401 without sign-in, 429 above the rate */
async function signIn(
  parts: CallerCount & { readonly issuer: string | null },
  request: IncomingMessage,
): Promise<SignedIn> {
  const signedIn = await countedCaller(parts, request);
  if (signedIn !== null) return signedIn;
  const isWrong = request.headers.authorization !== undefined;
  const challenge = challengeOf(request, { path: MCP_PATH, issuer: parts.issuer, isWrong });
  throw new HttpRefused({ ...SIGN_IN, headers: { 'www-authenticate': challenge } });
}

function takeNow(places: FairPlaces, userId: string): GiveBack {
  try {
    return places.takeNow(userId);
  } catch (error) {
    if (!(error instanceof NoPlace)) throw error;
    throw new HttpRefused({ status: 429, code: 'RATE_LIMITED', message: error.message });
  }
}

/**
 * Calls `onChange` after changes of Processes, while at least one stream is open: a reader of the
 * bus makes the relay poll more often.
 * @returns begins a watch, and returns its end
 */
function watchProcesses({ bus, log }: ApiDeps, onChange: () => void): () => () => void {
  let streams = 0;
  let reading: AbortController | null = null;
  let isGathering = false;
  const changed = () => {
    if (isGathering) return;
    isGathering = true;
    void setTimeout(GATHER_MS, undefined, { ref: false }).then(() => {
      isGathering = false;
      onChange();
    });
  };
  const read = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      try {
        for await (const _entry of bus.subscribe({ kinds: PROCESS_KINDS }, null, signal)) changed();
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.warn('A reader of changed Processes begins again', { error });
        await setTimeout(AGAIN_MS, undefined, { ref: false });
        changed();
      }
    }
  };
  return () => {
    streams += 1;
    if (reading === null) {
      reading = new AbortController();
      void read(reading.signal);
    }
    return () => {
      streams -= 1;
      if (streams > 0) return;
      reading?.abort();
      reading = null;
    };
  };
}

/** Changes that can change the list of a user. */
const PROCESS_KINDS = [
  'process.created',
  'process.updated',
  'process.deleted',
  'process_adoption.created',
  'process_adoption.deleted',
];

const SIGN_IN: HttpRefusal = {
  status: 401,
  code: 'UNAUTHENTICATED',
  message: 'Sign in: Authorization: Bearer <token>.',
};
