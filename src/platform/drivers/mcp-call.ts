import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CallToolResultSchema,
  type ContentBlock,
  ErrorCode,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import type { Operation } from '../../catalog/tools/operation.ts';
import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../../common/json.ts';
import { RESPONSE_BYTES_MAX } from '../../common/limits.ts';
import { NO_USAGE, ToolFault } from '../../common/tool-fault.ts';
import type { Renderer } from '../renderer/renderer.ts';
import type { DriverCall, DriverTarget, ToolDriver } from './driver.ts';
import { guarded, probed } from './guarded.ts';
import { KeptServers } from './kept-servers.ts';
import { type McpParts, withSession } from './mcp-session.ts';
import { templateInputs } from './template-inputs.ts';

export interface McpTool {
  readonly name: string;
  readonly description: string | null;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
}

export interface McpDriver extends ToolDriver<'mcp_call'> {
  /**
   * Lists the server's tools for importMcpTools; at most 1,000.
   * @throws ToolFault
   */
  listTools(target: DriverTarget, signal: AbortSignal): Promise<McpTool[]>;
}

const USAGE = { ...NO_USAGE, toolCalls: 1 };
const TOOLS_MAX = 1_000;
// The SDK's default timeout of a minute is shorter than a step's. The signal ends a call instead.
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * Calls a tool of an MCP server. Returns structuredContent, else its texts joined by line breaks.
 * Images and other files become blobs, and the text has their URIs.
 * `isError` becomes TOOL_FAILED with the server's message. It is not retried, because the server
 * declined it.
 */
export function mcpDriver({ renderer, ...parts }: McpParts & { renderer: Renderer }): McpDriver {
  const kept = new KeptServers(parts.mcpServers);
  return {
    type: 'mcp_call',
    invoke: (call) =>
      guarded(call, async () => {
        const { operation, target, signal, onProgress } = call;
        const given = operation.arguments ?? null;
        const args =
          given === null
            ? call.inputs
            : await renderer.of(call.ownerId).renderJson(given, templateInputs(given, call.inputs));
        const result = await withSession(target, parts, signal, (client) =>
          client.callTool(
            { name: operation.tool, arguments: args as JsonObject },
            CallToolResultSchema,
            {
              signal,
              timeout: NO_LIMIT_MS,
              ...(onProgress === undefined
                ? {}
                : { onprogress: (progress) => onProgress({ ...progress } as JsonObject) }),
            },
          ),
        ).catch(rethrow);
        return { output: await outputOf(call, result), usage: USAGE };
      }),
    probe: (target, signal) =>
      probed(target, signal, async (limit) => {
        if (target.protocol === 'stdio') await kept.ping(target, limit);
        else await withSession(target, parts, limit, (client) => client.ping({ signal: limit }));
        return { status: 'healthy', errorMessage: null };
      }),
    listTools: (target, signal) =>
      guarded({ target, signal }, () =>
        withSession(target, parts, signal, readTools).catch(rethrow),
      ),
    async close() {
      kept.close();
    },
  };
}

async function readTools(client: Client): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    for (const { name, description, inputSchema, outputSchema } of page.tools) {
      tools.push({
        name,
        description: description ?? null,
        inputSchema: inputSchema as JsonObject,
        outputSchema: (outputSchema as JsonObject | undefined) ?? null,
      });
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined && tools.length < TOOLS_MAX);
  return tools.slice(0, TOOLS_MAX);
}

type CallResult = { readonly [key: string]: unknown };

async function outputOf(call: McpCall, result: CallResult): Promise<Json> {
  const { tool } = call.operation;
  const lines: string[] = [];
  for (const [index, block] of ((result['content'] ?? []) as ContentBlock[]).entries())
    lines.push(await textOf(block, (file) => store(call, `${index}`, file)));
  const text = lines.join('\n');
  if (result['isError'] === true) {
    throw new ToolFault('TOOL_FAILED', `${tool} failed: ${text || 'it gave no reason.'}`, {
      details: { content: text },
      usage: USAGE,
    });
  }
  const structured = result['structuredContent'];
  const output = isJsonObject(structured) ? structured : text;
  if (jsonBytes(output) > RESPONSE_BYTES_MAX) {
    throw new ToolFault(
      'PAYLOAD_TOO_LARGE',
      `The answer of ${tool} is larger than ${RESPONSE_BYTES_MAX / 1024 / 1024} MiB.`,
      { usage: USAGE },
    );
  }
  return output;
}

type McpCall = DriverCall<Extract<Operation, { type: 'mcp_call' }>>;

interface ContentFile {
  readonly base64: string;
  readonly mediaType: string | undefined;
}

/**
 * Content other than text as a placeholder with its type and, where it has bytes, the URI of the
 * blob: `[image image/png ci-blob://…]`.
 */
async function textOf(
  block: ContentBlock,
  uriOf: (file: ContentFile) => Promise<string>,
): Promise<string> {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource_link') return `[resource ${block.uri}]`;
  if (block.type === 'resource') {
    const { resource } = block;
    if ('text' in resource) return resource.text;
    const blob = await uriOf({ base64: resource.blob, mediaType: resource.mimeType });
    return `[${['resource', resource.uri, resource.mimeType, blob].filter(Boolean).join(' ')}]`;
  }
  const blob = await uriOf({ base64: block.data, mediaType: block.mimeType });
  return `[${[block.type, block.mimeType, blob].filter(Boolean).join(' ')}]`;
}

/** Stores the bytes of a content block. Empty where the call stores none. */
async function store(call: McpCall, name: string, file: ContentFile): Promise<string> {
  const { storeFile } = call;
  if (storeFile === undefined) return '';
  const [, subtype = ''] = /^[\w-]+\/([a-z0-9]{1,10})/i.exec(file.mediaType ?? '') ?? [];
  const suffix = subtype === '' ? '' : `.${subtype.toLowerCase()}`;
  return storeFile(`${name}${suffix}`, Buffer.from(file.base64, 'base64'));
}

const FINAL: readonly number[] = [
  ErrorCode.InvalidParams,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
  ErrorCode.ParseError,
];

function rethrow(error: unknown): never {
  if (error instanceof ToolFault) throw error;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ToolFault) throw cause;
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof McpError) {
    throw new ToolFault('TOOL_FAILED', message, {
      retryable: !FINAL.includes(error.code),
      details: { code: error.code },
      usage: USAGE,
    });
  }
  // HTTP transports set `code` to the status. Without one the connection itself failed.
  const status =
    error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
  const retryable = status === null || status === 408 || status === 429 || status >= 500;
  throw new ToolFault('TOOL_FAILED', `The MCP server could not be used: ${message}`, {
    retryable,
    details: status === null ? null : { status },
    usage: USAGE,
  });
}
