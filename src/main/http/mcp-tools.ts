import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  type Tool,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ApiDeps } from '../../../schema/context.ts';
import { isJsonObject, type JsonObject } from '../../common/json.ts';
import { Refusal } from '../../common/refusal.ts';
import { firstChars } from '../../common/well-formed.ts';
import { listExposedProcesses } from '../../processes/exposed-process.cypher.ts';
import { type ExposedProcess, toolNames } from '../../processes/exposed-process.ts';
import { contextSchemaOf, parametersOf } from '../../runs/agent/offered-tool.ts';
import { findApprovals } from '../../runs/control/approval.cypher.ts';
import { cancelProcessRun, resolveStep } from '../../runs/control/run-control.mutations.ts';
import type { RunEvent } from '../../runs/events/run-event.ts';
import { watchRunEvents } from '../../runs/events/run-stream.service.ts';
import { getRun, startProcessRun } from '../../runs/run/run.mutations.ts';
import { isOpen, type ProcessRun } from '../../runs/run/run.ts';
import type { Viewer } from '../../users/user.ts';

// Processes as tools of MCP clients (docs/decisions/0067).

const TOOLS_MAX = 200;
const RUN_URI = /^aiden:\/\/runs\/([A-Za-z0-9-]{1,64})$/;
const OUTPUT_SCHEMA = {
  type: 'object' as const,
  properties: {
    runId: { type: 'string', description: 'Id of the run; its record is aiden://runs/{runId}.' },
    status: { type: 'string' },
    output: { type: ['string', 'null'] },
  },
  required: ['runId', 'status', 'output'],
};

const InputSchema = ToolSchema.shape.inputSchema;

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/**
 * Serves the Processes that the viewer may run and that are exposed, on one MCP server.
 * @param viewerOf the caller of the present request
 */
export function serveProcesses(server: Server, deps: ApiDeps, viewerOf: () => Viewer): void {
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const found = await exposedTools(deps, viewerOf());
    return { tools: [...found].map(([name, process]) => toolOf(name, process)) };
  });
  server.setRequestHandler(CallToolRequestSchema, (request, extra) =>
    callProcess({ server, deps, viewer: viewerOf() }, request.params, extra),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: 'aiden://runs/{runId}',
        name: 'Record of a run',
        mimeType: 'application/json',
      },
    ],
  }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const [, runId] = RUN_URI.exec(uri) ?? [];
    if (runId === undefined) throw new McpError(ErrorCode.InvalidParams, `No resource ${uri}.`);
    const run = await asMcp(() => getRun(deps, viewerOf(), runId));
    const text = JSON.stringify({ ...resultOf(run), ...(await detailsOf(deps, run)) });
    return { contents: [{ uri, mimeType: 'application/json', text }] };
  });
}

interface Served {
  readonly server: Server;
  readonly deps: ApiDeps;
  readonly viewer: Viewer;
}

/** Exposed Processes by unique names, the same for the list and the calls. */
async function exposedTools(
  { graph }: ApiDeps,
  viewer: Viewer,
): Promise<Map<string, ExposedProcess>> {
  const found = await graph.read((tx) => listExposedProcesses(tx, viewer, TOOLS_MAX));
  return toolNames(found);
}

function toolOf(name: string, process: ExposedProcess): Tool {
  const { parameters, dropped } = parametersOf(contextSchemaOf(process));
  const { takenFrom } = process;
  const own = process.description ?? process.name;
  const described = takenFrom === null ? own : `${own}\nA Process of the user ${takenFrom}.`;
  return {
    name,
    title: process.name,
    description: dropped === null ? described : `${described}\n${dropped}`,
    inputSchema: InputSchema.parse(parameters),
    outputSchema: OUTPUT_SCHEMA,
    annotations: {
      title: process.name,
      readOnlyHint: !process.mayChange,
      destructiveHint: process.mayChange,
    },
  };
}

/**
 * Runs the Process and waits for its end. Events of the run become progress. A cancel by the client
 * cancels the run; a lost connection does not, and the run's record stays readable as a resource.
 */
async function callProcess(
  served: Served,
  { name, arguments: given }: CallToolRequest['params'],
  extra: Extra,
): Promise<CallToolResult> {
  const { deps, viewer } = served;
  const process = (await exposedTools(deps, viewer)).get(name);
  if (process === undefined) throw new McpError(ErrorCode.InvalidParams, `No tool "${name}".`);
  const context: JsonObject = isJsonObject(given) ? given : {};
  let run: ProcessRun;
  try {
    run = await startProcessRun(deps, viewer, { processId: process.id, context });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { isError: true, content: [{ type: 'text', text: error.message }] };
  }
  const cancel = () => {
    // A run that has ended meanwhile refuses the cancel.
    cancelProcessRun(deps, viewer, { id: run.id, reason: 'The MCP client cancelled it.' }).catch(
      () => {},
    );
  };
  // The end of a session aborts its requests too. It takes the transport away in the same turn.
  const onAbort = () => queueMicrotask(() => served.server.transport !== undefined && cancel());
  extra.signal.addEventListener('abort', onAbort, { once: true });
  await follow(served, run, extra);
  const ended = await getRun(deps, viewer, run.id);
  const result = await detailsOf(deps, ended);
  const structuredContent = { ...resultOf(ended), output: result.output };
  if (ended.status === 'completed')
    return { content: [{ type: 'text', text: result.output ?? '' }], structuredContent };
  const reason = ended.error?.message ?? `The run ended as ${ended.status}.`;
  return { isError: true, content: [{ type: 'text', text: reason }], structuredContent };
}

async function follow(served: Served, run: ProcessRun, extra: Extra): Promise<void> {
  const { deps } = served;
  const { progressToken } = extra._meta ?? {};
  const watch = { run, after: null, scope: 'with sub-runs' } as const;
  let progress = 0;
  for await (const event of watchRunEvents(deps, watch, extra.signal)) {
    if (event.kind === 'relay') void decide(served, event);
    const message = progressOf(event);
    if (progressToken === undefined || message === null) continue;
    progress += 1;
    const params = { progressToken, progress, message };
    await extra.sendNotification({ method: 'notifications/progress', params });
  }
}

function progressOf(event: RunEvent): string | null {
  switch (event.kind) {
    case 'tool_call':
      return `Calls ${event.name}.`;
    case 'tool_result':
      return `${event.name} answered.`;
    case 'relay':
      return `${event.tool} waits for a decision.`;
    default:
      return null;
  }
}

/** Asks the client for the decision on a waiting step, where it can be asked. */
async function decide(
  { server, deps, viewer }: Served,
  { id, tool, params, question }: Extract<RunEvent, { kind: 'relay' }>,
): Promise<void> {
  if (server.getClientCapabilities()?.elicitation === undefined) return;
  try {
    const [approval] = await deps.graph.read((tx) => findApprovals(tx, viewer.userId, [id]));
    if (approval === undefined) return;
    const { runId, stepId, index } = approval;
    const answer = await server.elicitInput(
      {
        message:
          question ?? `May ${tool} be called with ${firstChars(JSON.stringify(params), 2_000)}?`,
        requestedSchema: {
          type: 'object',
          properties: {
            approve: {
              type: 'boolean',
              title: question === undefined ? 'Approve the call' : 'Allow it, for this version',
            },
            reason: { type: 'string', title: 'Reason, if not' },
          },
          required: ['approve'],
        },
      },
      { timeout: ELICITATION_MS_MAX },
    );
    const approves = answer.action === 'accept' && answer.content?.['approve'] === true;
    const reason = answer.content?.['reason'];
    const note = typeof reason === 'string' ? reason : null;
    const decision = approves ? 'approve' : 'reject';
    await resolveStep(deps, viewer, { runId, stepId, index, decision, note });
  } catch (error) {
    // The decision was made elsewhere, or the client went away: the approval stays in the inbox.
    deps.log.warn('An MCP client gave no decision', { userId: viewer.userId, error });
  }
}

const ELICITATION_MS_MAX = 60 * 60 * 1_000;

function resultOf({ id, status }: ProcessRun): { readonly runId: string; readonly status: string } {
  return { runId: id, status };
}

async function detailsOf(
  { payloads }: ApiDeps,
  { output, outputBlob, error, status }: ProcessRun,
): Promise<{ readonly output: string | null; readonly error: JsonObject | null }> {
  const value = outputBlob === null ? output : await payloads.loadBlob(outputBlob);
  return {
    output: isOpen(status) || typeof value !== 'string' ? null : value,
    error: error === null ? null : { code: error.code, message: error.message },
  };
}

/** Runs `work`; a Refusal becomes an error of the protocol. */
async function asMcp<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new McpError(ErrorCode.InvalidParams, error.message);
  }
}
