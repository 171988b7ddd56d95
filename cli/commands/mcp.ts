import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { oneLineJson } from '../../src/common/well-formed.ts';
import { CliError } from '../client.ts';
import { linesOf } from '../lines.ts';

export interface McpEndpoint {
  readonly url: string;
  readonly token: string | undefined;
}

/** `aiden mcp`: the MCP server of the installation over stdio, for clients without HTTP. */
export function addMcpCommand(program: Command, endpoint: () => McpEndpoint): void {
  program
    .command('mcp')
    .description('Serve exposed Processes to an MCP client over stdio, through /mcp.')
    .action(() => bridge(endpoint()));
}

const LISTEN_AGAIN_MS = 5_000;

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}

/** Passes each line of standard input to /mcp, and each answer to standard output. */
async function bridge({ url, token }: McpEndpoint): Promise<void> {
  const session = openSession(new URL('/mcp', url), token);
  const open = new Set<Promise<void>>();
  for await (const line of linesOf(process.stdin)) {
    if (line.trim() === '') continue;
    const sent = session.pass(line);
    open.add(sent);
    void sent.finally(() => open.delete(sent));
    // Everything after the first message needs the session that it begins.
    if (!session.isBegun()) await sent;
  }
  await Promise.all(open);
  await session.end();
}

function openSession(address: URL, token: string | undefined) {
  let sessionId: string | null = null;
  let version: string | null = null;
  /** The message that begins a session, to begin another one where the server has dropped it. */
  let first: string | null = null;
  const ending = new AbortController();
  let isListening = false;

  const headers = (): Record<string, string> => ({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(sessionId === null ? {} : { 'mcp-session-id': sessionId }),
    ...(version === null ? {} : { 'mcp-protocol-version': version }),
  });

  async function post(line: string): Promise<Response> {
    try {
      return await fetch(address, { method: 'POST', headers: headers(), body: line });
    } catch (error) {
      throw new CliError(`${address.origin} does not answer: ${String(error)}`);
    }
  }

  async function begin(line: string): Promise<Response> {
    [sessionId, version, first] = [null, null, line];
    const response = await post(line);
    sessionId = response.headers.get('mcp-session-id');
    return response;
  }

  /** The session was dropped: begins another one, whose first answer the client has already. */
  async function beginAgain(line: string): Promise<void> {
    const response = await begin(line);
    await eachMessage(response, () => {});
    await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  }

  /** Passes messages that the server sends by itself: a changed list, a question to the user. */
  async function listen(): Promise<void> {
    const { signal } = ending;
    while (!signal.aborted) {
      const accept = 'text/event-stream';
      const init = { headers: { ...headers(), accept }, signal };
      const response = await fetch(address, init).catch(() => null);
      if (response?.ok) await eachMessage(response, write).catch(() => {});
      else await response?.body?.cancel();
      // The server has no such stream.
      if (response?.status === 405) return;
      await setTimeout(LISTEN_AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }

  return {
    isBegun: () => sessionId !== null,
    /** Answers a message that can't be passed with an error, so that its sender does not wait. */
    async pass(line: string): Promise<void> {
      const { id, method } = readMessage(line);
      try {
        await passTo(line, method);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (id === undefined) console.error(message);
        else write(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message } }));
      }
    },
    async end(): Promise<void> {
      ending.abort();
      if (sessionId !== null) await fetch(address, { method: 'DELETE', headers: headers() });
    },
  };

  async function passTo(line: string, method: string | undefined): Promise<void> {
    let response = method === 'initialize' ? await begin(line) : await post(line);
    if (response.status === 404 && first !== null) {
      await response.body?.cancel();
      await beginAgain(first);
      response = await post(line);
    }
    if (!response.ok)
      throw new CliError(`The server answered ${response.status}: ${await response.text()}`);
    await eachMessage(response, (text) => {
      if (method === 'initialize') version ??= versionOf(text);
      write(text);
    });
    if (method !== 'notifications/initialized' || isListening) return;
    isListening = true;
    void listen();
  }
}

function readMessage(line: string): Message {
  try {
    return JSON.parse(line) as Message;
  } catch {
    throw new CliError('Each line of standard input is one JSON-RPC message.');
  }
}

function versionOf(text: string): string | null {
  const { result } = JSON.parse(text) as { result?: { protocolVersion?: string } };
  return result?.protocolVersion ?? null;
}

/** Each JSON-RPC message of an answer: one as JSON, or those of a stream as they come. */
async function eachMessage(response: Response, take: (text: string) => void): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null || response.status === 202) return;
  if (!type.includes('text/event-stream')) {
    const text = await response.text();
    if (text !== '') take(text);
    return;
  }
  const decoder = new TextDecoder();
  let rest = '';
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    rest += decoder.decode(part.value, { stream: true });
    const events = rest.split(/\r?\n\r?\n/);
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart());
      if (data.length > 0 && data.join('') !== '') take(data.join('\n'));
    }
  }
}

/** One message per line, as the stdio transport wants it. */
function write(text: string): void {
  process.stdout.write(`${oneLineJson(text.replace(/\r?\n/g, ''))}\n`);
}
