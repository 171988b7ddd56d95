import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { withEllipsis } from '../../common/ellipsis.ts';
import { type Json, type JsonObject, jsonBytes } from '../../common/json.ts';
import { RESPONSE_BYTES_MAX } from '../../common/limits.ts';
import type { McpTool } from '../../common/mcp-server.ts';
import { NO_USAGE, ToolFault } from '../../common/tool-fault.ts';
import { wellFormedJson } from '../../common/well-formed.ts';
import type { OperationOf } from '../../operations/operation.ts';
import type { Renderer } from '../renderer/renderer.ts';
import { withSentValues } from '../renderer/whole-leaf.ts';
import type { DriverCall, DriverTarget, ToolDriver } from './driver.ts';
import { guarded, probed } from './guarded.ts';
import { KeptServers } from './kept-servers.ts';
import { type ContentFile, contentOf, structuredOf } from './mcp-answers.ts';
import { AnyResult, isAnswer, isClosed, NO_LIMIT_MS } from './mcp-ping.ts';
import { type McpParts, withSession } from './mcp-session.ts';
import { listOrPing, readTools } from './mcp-tools-list.ts';
import { sentInputs, templateInputs, withoutAbsent } from './template-inputs.ts';

export interface McpDriver extends ToolDriver<'mcp_call'> {
  /**
   * Lists the server's tools for importMcpTools; at most 1,000. A tool that cannot be called is
   * among them, with its problem.
   * @throws ToolFault
   */
  listTools(target: DriverTarget, signal: AbortSignal): Promise<McpTool[]>;
}

const USAGE = { ...NO_USAGE, toolCalls: 1 };
/** A fault is recorded with its step and its run, and sent in one message to Temporal. */
const ERROR_CHARS_MAX = 20_000;

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
        const sent = sentInputs(call);
        const made =
          given === null
            ? call.inputs
            : withoutAbsent(
                given,
                await renderer
                  .of(call.ownerId)
                  .renderJson(given, templateInputs(given, call.inputs)),
                call.inputs,
              );
        const args =
          given === null
            ? (sent ?? wellFormedJson(made))
            : withSentValues(given, wellFormedJson(made), sent);
        const result = await withSession(target, parts, signal, (client) =>
          client.request(
            {
              method: 'tools/call',
              params: { name: operation.tool, arguments: args as JsonObject },
            },
            AnyResult,
            {
              signal,
              timeout: NO_LIMIT_MS,
              ...(onProgress === undefined
                ? {}
                : { onprogress: (progress) => onProgress({ ...progress } as JsonObject) }),
            },
          ),
        ).catch(rethrow);
        return { output: await outputOf(call, result as JsonObject), usage: USAGE };
      }),
    probe: (target, signal) =>
      probed(target, signal, async (limit) => {
        let isOpen = false;
        const answered =
          target.protocol === 'stdio'
            ? kept.look(target, limit)
            : withSession(target, parts, limit, (client) => {
                isOpen = true;
                return listOrPing(client, limit);
              });
        const tools = await answered.catch((error: unknown) => {
          if (!isAnswer(error, isOpen)) throw error;
          return null;
        });
        return { status: 'healthy', errorMessage: null, ...(tools === null ? {} : { tools }) };
      }),
    listTools: (target, signal) =>
      guarded({ target, signal }, () =>
        withSession(target, parts, signal, async (client) => (await readTools(client)).tools).catch(
          rethrow,
        ),
      ),
    async close() {
      kept.close();
    },
  };
}

async function outputOf(call: McpCall, result: JsonObject): Promise<Json> {
  const { tool } = call.operation;
  const lines: string[] = [];
  for (const [index, { text, file }] of contentOf(result['content']).entries()) {
    const uri = file === null ? '' : await store(call, `${index}`, file);
    lines.push(uri === '' ? text : `${text.slice(0, -1)} ${uri}]`);
  }
  const text = lines.join('\n');
  const structured = structuredOf(result);
  if (result['isError'] === true) {
    const whole = text === '' && structured !== null ? JSON.stringify(structured) : text;
    const said = withEllipsis(whole, ERROR_CHARS_MAX);
    throw new ToolFault('TOOL_FAILED', `${tool} failed: ${said || 'it gave no reason.'}`, {
      details: { content: said },
      usage: USAGE,
    });
  }
  const output = structured ?? text;
  if (jsonBytes(output) > RESPONSE_BYTES_MAX)
    throw new ToolFault(
      'PAYLOAD_TOO_LARGE',
      `The answer of ${tool} is larger than ${RESPONSE_BYTES_MAX / 1024 / 1024} MiB.`,
      { usage: USAGE },
    );
  return output;
}

type McpCall = DriverCall<OperationOf<'mcp_call'>>;

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

const REASON_CHARS_MAX = 300;

/** The details of an error, which often hold the reason, such as a problem or an address. */
function reasonOf(data: unknown): string {
  if (data === undefined || data === null || data === '') return '';
  const words = typeof data === 'string' ? data : JSON.stringify(data);
  return ` (${withEllipsis(words, REASON_CHARS_MAX)})`;
}

/** Servers send the words of the SDK too, before which the SDK writes them once more. */
const REPEATED = /^(MCP error -?\d+: )(?:MCP error -?\d+: )+/;

function rethrow(error: unknown): never {
  if (error instanceof ToolFault) throw error;
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ToolFault) throw cause;
  }
  if (error instanceof McpError)
    throw new ToolFault(
      'TOOL_FAILED',
      isClosed(error)
        ? 'The MCP server ended before it answered.'
        : withEllipsis(
            `${error.message.replace(REPEATED, '$1')}${reasonOf(error.data)}`,
            ERROR_CHARS_MAX,
          ),
      {
        retryable: !FINAL.includes(error.code),
        details: { code: error.code },
        usage: USAGE,
      },
    );
  const message = error instanceof Error ? error.message : String(error);
  const isVersion = /protocol version/i.test(message);
  throw new ToolFault('TOOL_FAILED', `The MCP server could not be used: ${message}`, {
    retryable: !isVersion,
    usage: USAGE,
  });
}
