import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { ErrorCode, isInitializeRequest, type Tool } from '@modelcontextprotocol/sdk/types.js';
import { LRUCache } from 'lru-cache';
import type { ApiDeps } from '../../../schema/context.ts';
import { FairPlaces, type GiveBack, NoPlace } from '../../common/fair-places.ts';
import { canonicalJson } from '../../common/json.ts';
import { BODY_BYTES_MAX } from '../../common/limits.ts';
import { wellFormedJson } from '../../common/well-formed.ts';
import { answerJson, answerPreflight, HttpRefused, NOT_JSON } from '../../platform/http/answer.ts';
import { readJson } from '../../platform/http/body.ts';
import { type HttpRefusal, isJson } from '../../platform/http/guards.ts';
import type { Viewer } from '../../users/user.ts';
import { PROGRESS_MS } from './mcp-progress.ts';
import { listTools, serveProcesses } from './mcp-tools.ts';
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
  readonly transport: StreamableHTTPServerTransport;
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

  async function begin(viewer: Viewer): Promise<StreamableHTTPServerTransport> {
    makeRoom(viewer);
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: (id) => void sessions.delete(id),
    });
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
      onBeat: () => void sessions.get(transport.sessionId ?? ''),
      onListed: (tools) => {
        session.listed = canonicalJson(tools);
      },
    });
    // Results quote texts of runs; strict clients refuse half of a character.
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(wellFormedJson(message), options);
    // The SDK's types are written without exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
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
      const signedIn = await signIn(parts, request);
      const { viewer } = signedIn;
      const timer = endsIn(signedIn, deps.clock.nowMs(), () => response.destroy());
      response.once('close', () => clearTimeout(timer));
      let body: unknown;
      try {
        if (request.method === 'POST') body = await bodyOf(request);
      } catch (error) {
        if (!(error instanceof HttpRefused) || error.refusal.status !== 400) throw error;
        const refused = { code: ErrorCode.InvalidRequest, message: error.message };
        return answerJson(response, 400, { jsonrpc: '2.0', error: refused, id: null });
      }
      const id = request.headers['mcp-session-id'];
      if (id === undefined && isInitializeRequest(body)) {
        const transport = await begin(viewer);
        return transport.handleRequest(request, response, body);
      }
      const session = typeof id === 'string' ? sessions.get(id) : undefined;
      if (session === undefined || session.viewer.userId !== viewer.userId) {
        const error = {
          code: -32001,
          message: 'There is no such session. Initialize another one.',
        };
        return answerJson(response, id === undefined ? 400 : 404, {
          jsonrpc: '2.0',
          error,
          id: null,
        });
      }
      session.viewer = viewer;
      if (request.method === 'GET') countStream(response, viewer);
      return session.transport.handleRequest(request, response, body);
    },
    async close() {
      clearInterval(purging);
      const open = [...sessions.values()];
      await Promise.all(open.map(({ transport }) => transport.close()));
      sessions.clear();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (!isJson(request.headers['content-type'])) throw new HttpRefused(NOT_JSON);
  return readJson(request, BODY_BYTES_MAX);
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
