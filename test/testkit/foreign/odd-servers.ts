import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { closing, listening } from '../listen.ts';
import { oddJson, oddText, sample } from './odd-values.ts';

/**
 * A REST service, an MCP server and a model server in one, on loopback, each of whose answers is
 * odd: halves of characters, texts of any kind, values of any shape, wrong types, ends in the
 * middle.
 */
export interface OddServers {
  readonly origin: string;
  /** For connectionParams of a Tool of that kind. */
  readonly rest: string;
  readonly mcp: string;
  readonly model: string;
  /** Names of the tools that the MCP server offers. */
  readonly tools: readonly string[];
  calls(): number;
  close(): Promise<void>;
}

const SAMPLES = 400;
const TOOLS = ['plain', 'odd'] as const;

/** @param seed the same answers in the same order for the same seed */
export async function openOddServers(seed: number): Promise<OddServers> {
  const texts = sample(oddText, seed, SAMPLES);
  const values = sample(oddJson, seed + 1, SAMPLES);
  const kinds = sample(fc.nat(9), seed + 2, SAMPLES);
  let calls = 0;
  const next = () => {
    const at = calls++ % SAMPLES;
    return {
      text: texts[at] ?? '',
      other: texts[(at * 7 + 3) % SAMPLES] ?? '',
      value: values[at],
      kind: kinds[at] ?? 0,
    };
  };
  const server = createServer(async (request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    const body = await text(request);
    const path = new URL(request.url ?? '/', 'http://here').pathname;
    if (path.startsWith('/rest')) return answerRest(response, next());
    if (path.startsWith('/mcp')) return answerMcp(response, body, next);
    if (path.endsWith('/chat/completions')) return answerModel(response, body, next());
    json(response, 200, { object: 'list', data: [{ id: 'odd', object: 'model' }] });
  });
  const origin = `http://${await listening(server)}`;
  return {
    origin,
    rest: `${origin}/rest`,
    mcp: `${origin}/mcp`,
    model: `${origin}/v1`,
    tools: TOOLS,
    calls: () => calls,
    close: () => closing(server),
  };
}

interface Odd {
  readonly text: string;
  readonly other: string;
  readonly value: unknown;
  readonly kind: number;
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function answerRest(response: ServerResponse, { text, value, kind }: Odd): unknown {
  if (kind === 0) return json(response, 500, { error: text });
  if (kind === 1) return json(response, 400, text);
  if (kind === 2)
    return response.writeHead(200, { 'content-type': 'text/plain' }).end(`${text}\ufffd`);
  if (kind === 3)
    // Bytes that are no UTF-8, called JSON.
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(Buffer.from([0x22, 0xed, 0xa0, 0xbd, 0xff, 0x00, 0x22]));
  if (kind === 4) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9999' });
    response.write('{"cut":');
    return setTimeout(() => response.destroy(), 20);
  }
  if (kind === 5) return response.writeHead(204).end();
  json(response, 200, value);
}

type Rpc = { id?: unknown; method?: string };

function answerMcp(response: ServerResponse, body: string, next: () => Odd): unknown {
  let message: Rpc;
  try {
    message = JSON.parse(body) as Rpc;
  } catch {
    return response.writeHead(405).end();
  }
  const { id, method } = message;
  if (id === undefined) return response.writeHead(202).end();
  const result = (value: unknown) => json(response, 200, { jsonrpc: '2.0', id, result: value });
  if (method === 'initialize')
    return result({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'odd', version: '1' },
    });
  const { text, other, value, kind } = next();
  if (method === 'tools/list')
    return result({
      tools: TOOLS.map((name) => ({
        name,
        description: text,
        inputSchema: { type: 'object', properties: { q: { description: other } } },
      })),
    });
  if (method !== 'tools/call') return result({});
  if (kind === 0)
    return json(response, 200, { jsonrpc: '2.0', id, error: { code: -32603, message: text } });
  if (kind === 1) return result({ isError: true, content: [{ type: 'text', text }] });
  if (kind === 2) return result({ content: [], structuredContent: { [text]: value } });
  if (kind === 3) return result({ content: [{ type: 'text', text: value }] });
  if (kind === 4) return result(value);
  if (kind === 5)
    return result({ content: [{ type: 'image', data: other, mimeType: 'image/png' }] });
  if (kind === 6)
    return result({ content: [{ type: 'resource', resource: { uri: other, text } }] });
  result({
    content: [
      { type: 'text', text },
      { type: 'text', text: other },
    ],
  });
}

/**
 * A completion, streamed unit by unit where the caller asks for a stream, so that pairs are cut.
 */
function answerModel(response: ServerResponse, body: string, odd: Odd): unknown {
  const { text, other, value, kind } = odd;
  const asked = JSON.parse(body || '{}') as {
    stream?: boolean;
    tools?: { function?: { name?: string } }[];
  };
  if (kind === 0) return json(response, 400, { error: { message: text } });
  if (kind === 1) return json(response, 500, { error: { message: text, code: value } });
  if (kind === 2) return json(response, 200, value);
  const name = asked.tools?.[0]?.function?.name;
  const said = kind === 3 ? `<think>${other}</think>${text}` : `${text} said`;
  const toolCall = { index: 0, id: other || 'c1', type: 'function' };
  const args = kind === 5 ? JSON.stringify(value) : text;
  const called =
    name !== undefined && kind >= 4 && kind <= 6
      ? [{ ...toolCall, function: { name: kind === 6 ? other : name, arguments: args ?? '{}' } }]
      : null;
  if (asked.stream !== true)
    return json(response, 200, {
      id: 'odd',
      object: 'chat.completion',
      created: 0,
      model: 'odd',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: said, ...(called && { tool_calls: called }) },
          finish_reason: called === null ? 'stop' : 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const chunk = { id: 'odd', object: 'chat.completion.chunk', created: 0, model: 'odd' };
  const send = (delta: object, finish_reason: string | null = null) => {
    const choices = [{ index: 0, delta, finish_reason }];
    response.write(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`);
  };
  for (const unit of said.split('').slice(0, 200)) send({ content: unit });
  if (called !== null) send({ tool_calls: called });
  if (kind === 7) return response.end(`data: {"error":${JSON.stringify({ message: text })}}\n\n`);
  if (kind === 8) return response.destroy();
  send({}, called === null ? 'stop' : 'tool_calls');
  response.end('data: [DONE]\n\n');
}
