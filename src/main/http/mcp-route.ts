import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { LRUCache } from 'lru-cache';
import type { ApiDeps } from '../../../schema/context.ts';
import { BODY_BYTES_MAX } from '../../common/limits.ts';
import { wellFormedJson } from '../../common/well-formed.ts';
import { answerJson, HttpRefused } from '../../platform/http/answer.ts';
import { readJson } from '../../platform/http/body.ts';
import { type HttpRefusal, isJson } from '../../platform/http/guards.ts';
import type { Viewer } from '../../users/user.ts';
import { serveProcesses } from './mcp-tools.ts';
import { challengeOf } from './resource-metadata.ts';
import { type CallerCount, countedCaller } from './sign-in.ts';
import type { Serve } from './watched.ts';

export const MCP_PATH = '/mcp';

export interface McpSessionLimits {
  readonly sessions: number;
  /** Another session ends the user's oldest. */
  readonly sessionsPerUser: number;
  readonly idleMs: number;
}

const LIMITS: McpSessionLimits = { sessions: 1_000, sessionsPerUser: 50, idleMs: 30 * 60_000 };

interface Session {
  /** The caller of the latest request: the same user, with the roles of its token. */
  viewer: Viewer;
  readonly transport: StreamableHTTPServerTransport;
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
  },
): { readonly serve: Serve; close(): Promise<void> } {
  const { deps, limits = LIMITS } = parts;
  const sessions = new LRUCache<string, Session>({
    max: limits.sessions,
    ttl: limits.idleMs,
    updateAgeOnGet: true,
    dispose: ({ transport }) => void transport.close(),
  });

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
      { capabilities: { tools: {}, resources: {} } },
    );
    const session: Session = { viewer, transport };
    serveProcesses(server, deps, () => session.viewer);
    // Results quote texts of runs; strict clients refuse half of a character.
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(wellFormedJson(message), options);
    // The SDK's types are written without exactOptionalPropertyTypes.
    await server.connect(transport as Parameters<typeof server.connect>[0]);
    return transport;
  }

  return {
    async serve(request, response) {
      const viewer = await viewerOf(parts, request);
      const body = request.method === 'POST' ? await bodyOf(request) : undefined;
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
      return session.transport.handleRequest(request, response, body);
    },
    async close() {
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
async function viewerOf(
  parts: CallerCount & { readonly issuer: string | null },
  request: IncomingMessage,
): Promise<Viewer> {
  const signedIn = await countedCaller(parts, request);
  if (signedIn !== null) return signedIn.viewer;
  const isWrong = request.headers.authorization !== undefined;
  const challenge = challengeOf(request, { path: MCP_PATH, issuer: parts.issuer, isWrong });
  throw new HttpRefused({ ...SIGN_IN, headers: { 'www-authenticate': challenge } });
}

const NOT_JSON: HttpRefusal = {
  status: 415,
  code: 'BAD_USER_INPUT',
  message: 'POST JSON: Content-Type has to be application/json.',
};
const SIGN_IN: HttpRefusal = {
  status: 401,
  code: 'UNAUTHENTICATED',
  message: 'Sign in: Authorization: Bearer <token>.',
};
