import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { entryOf } from '../../common/entry-of.ts';
import { variableFault } from '../../common/mcp-server.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import type { Egress } from '../egress/egress.ts';
import { checkUrl } from '../egress/request-rules.ts';
import { endpointOf, httpCredentials, textParam } from './credentials.ts';
import type { DriverTarget } from './driver.ts';
import { checkedFetch, SessionLost } from './mcp-http.ts';
import { redactSecret } from './redact-secret.ts';
import { type McpServerCommand, StdioTransport } from './stdio-transport.ts';

export interface McpParts {
  readonly egress: Egress;
  /** The operator's stdio servers by name; no other command is ever started. */
  readonly mcpServers: Readonly<Record<string, McpServerCommand>>;
}

interface Line {
  readonly transport: Transport;
  /** Rejects on failures that the SDK would wait on forever. */
  readonly broken: Promise<never>;
  /** Ends the transport at once, without an orderly close. */
  cut(): void;
}

/**
 * A server's schemas are not compiled: they are untrusted, and the Tool's outputSchema is checked
 * anyway.
 */
const NO_VALIDATION = {
  getValidator: () => (data: unknown) => ({ valid: true, data, errorMessage: undefined }),
};

/**
 * Declines a server's request to the client. A server that asked for a completion or for a user's
 * answer would otherwise spend the caller's tokens, or wait for an absent user.
 */
function declineRequest({ method }: { readonly method: string }): Promise<never> {
  const wanted = entryOf(DECLINED, method) ?? `answer ${method}`;
  const message =
    `Aiden does not ${wanted} for MCP servers; ` + 'pass all that the tool needs as its inputs.';
  return Promise.reject(new McpError(ErrorCode.MethodNotFound, message));
}

const DECLINED: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'run models (sampling)',
  'elicitation/create': 'ask users (elicitation)',
  'roots/list': 'have files (roots)',
};

/** Milliseconds that a server has to take a cancellation and the end of its session. */
const FAREWELL_MS = 500;

/**
 * Opens a session for one call and closes it after `work` or an abort. Sessions are never shared,
 * because a server may keep a user's data in them (CVE-2026-25536). An abort of `signal` is told to
 * the server: `notifications/cancelled`, then DELETE where it keeps sessions. Where the server has
 * lost the session before it handled the request, another one is begun, once.
 */
export async function withSession<T>(
  target: DriverTarget,
  parts: McpParts,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    return await inSession(target, parts, signal, work);
  } catch (error) {
    if (!(error instanceof SessionLost)) throw error;
    if (signal.aborted) throw error.fault;
    // The server has handled nothing, and the protocol wants another session.
    return inSession(target, parts, signal, work).catch((again: unknown) => {
      throw again instanceof SessionLost ? again.fault : again;
    });
  }
}

async function inSession<T>(
  target: DriverTarget,
  { egress, mcpServers }: McpParts,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const cutOff = new AbortController();
  const line = openLine(target, egress, mcpServers, cutOff.signal);
  const cancelled = cancellationOf(line.transport);
  const client = new Client(
    { name: 'aiden', version: '1' },
    { jsonSchemaValidator: NO_VALIDATION as never },
  );
  client.fallbackRequestHandler = declineRequest;
  let stop = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error('The call was stopped.'));
  });
  stopped.catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  const session = async () => {
    signal.throwIfAborted();
    // Without the signal: the SDK would cancel the finished request `initialize`, too.
    await client.connect(line.transport);
    return work(client);
  };
  try {
    if (signal.aborted) stop();
    return await Promise.race([session(), stopped, line.broken]);
  } finally {
    signal.removeEventListener('abort', stop);
    await Promise.race([farewell(line, cancelled), patience()]);
    if (signal.aborted) {
      line.cut();
      cutOff.abort();
    }
    await line.transport.close().catch(() => {});
  }
}

/** Gives the server the client's cancellation, if there is one, and asks it to end its session. */
async function farewell({ transport }: Line, cancelled: () => Promise<void>): Promise<void> {
  await cancelled().catch(() => {});
  if (transport instanceof StreamableHTTPClientTransport)
    await transport.terminateSession().catch(() => {});
}

const patience = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, FAREWELL_MS).unref());

/** The sending of `notifications/cancelled` by the SDK, which does not wait for it. */
function cancellationOf(transport: Transport): () => Promise<void> {
  let sending = Promise.resolve();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    const sent = send(message, options);
    if ('method' in message && message.method === 'notifications/cancelled') sending = sent;
    return sent;
  };
  return () => sending;
}

function openLine(
  target: DriverTarget,
  egress: Egress,
  servers: McpParts['mcpServers'],
  signal: AbortSignal,
): Line {
  let fail: (fault: unknown) => void = () => {};
  const broken = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  broken.catch(() => {});

  if (target.protocol === 'stdio') {
    const server = commandOf(target, servers);
    const environment = environmentOf(target, server);
    const transport = new StdioTransport(server, environment, target.secret?.value ?? null);
    // The client takes over onerror and calls the handler set here first.
    transport.onerror = (error) => {
      if (error instanceof ToolFault) fail(error);
    };
    return { transport, broken, cut: () => transport.kill() };
  }

  const url = checkUrl(endpointOf(target));
  const credentials = httpCredentials(target);
  for (const [name, value] of Object.entries(credentials.query)) url.searchParams.set(name, value);
  const send = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const fetch = egress.fetchWith({
      system: target.system,
      limits: { idleMs: null },
      // The SDK only logs a broken stream, so the call would wait forever for its answer.
      onBodyFault: (fault) => target.protocol === 'sse' && fail(fault),
    });
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(credentials.headers)) headers.set(name, value);
    const given = init.signal ? AbortSignal.any([init.signal, signal]) : signal;
    try {
      return await fetch(input, { ...init, headers, signal: given });
    } catch (error) {
      if (target.protocol === 'sse') fail(error);
      throw error;
    }
  };
  const redactor = redactSecret(target.secret?.value);
  const checks = { fail, redact: (text: string) => redactor.text(text) };
  const fetch = checkedFetch(send, target.protocol === 'sse' ? 'sse' : 'streamable', checks);
  const transport =
    target.protocol === 'sse'
      ? new SSEClientTransport(url, { fetch })
      : new StreamableHTTPClientTransport(url, { fetch });
  return { transport, broken, cut: () => void transport.close().catch(() => {}) };
}

/** The registered command of a stdio Tool. @throws ToolFault when none has the Tool's name */
export function commandOf(target: DriverTarget, servers: McpParts['mcpServers']): McpServerCommand {
  const name = textParam(target, 'server') ?? '';
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (server !== undefined) return server;
  const known = Object.keys(servers).join(', ') || 'none';
  throw new ToolFault(
    'TOOL_FAILED',
    `No MCP server "${name}" is registered on this installation (connectionParams.server); ` +
      `registered: ${known}.`,
  );
}

/** The environment of a stdio server: the Secret under the name of its scope. */
export function environmentOf(
  target: DriverTarget,
  server: McpServerCommand,
): Record<string, string> {
  const { secret } = target;
  if (secret === null) return {};
  const [, name] = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(secret.scope ?? '') ?? [];
  if (name === undefined)
    throw new ToolFault(
      'SECRET_UNAVAILABLE',
      'A Secret for a stdio server needs the scope env:<NAME>.',
    );
  // The operator's list may be younger than the Tool.
  const fault = variableFault(textParam(target, 'server') ?? '', server.env ?? [], name);
  if (fault !== null) throw new ToolFault('SECRET_UNAVAILABLE', fault);
  return { [name]: secret.value };
}
