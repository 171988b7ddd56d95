import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  CallToolResultSchema,
  type ContentBlock,
  ErrorCode,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../../common/json.ts';
import { RESPONSE_BYTES_MAX } from '../../common/limits.ts';
import { NO_USAGE, ToolFault } from '../../common/tool-fault.ts';
import type { Renderer } from '../renderer/renderer.ts';
import type { DriverTarget, ToolDriver } from './driver.ts';
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
        return { output: outputOf(operation.tool, result), usage: USAGE };
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

function outputOf(tool: string, result: CallResult): Json {
  const text = ((result['content'] ?? []) as ContentBlock[]).map(textOf).join('\n');
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

/** Content other than text is shown as a placeholder with its type. */
function textOf(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource')
    return 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}]`;
  if (block.type === 'resource_link') return `[resource ${block.uri}]`;
  return `[${block.type} ${block.mimeType}]`;
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
