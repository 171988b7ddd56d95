import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
  type Tool,
  ToolSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ApiDeps } from '../../../schema/context.ts';
import { parseJson } from '../../common/exact-json.ts';
import { type FairPlaces, NoPlace } from '../../common/fair-places.ts';
import { isJsonObject, type Json, type JsonObject } from '../../common/json.ts';
import { problemWords } from '../../common/problem-words.ts';
import { Refusal } from '../../common/refusal.ts';
import { firstChars } from '../../common/well-formed.ts';
import { logLevelOf, outageOf } from '../../platform/http/present-error.ts';
import { listExposedProcesses } from '../../processes/exposed-process.cypher.ts';
import { type ExposedProcess, toolNames } from '../../processes/exposed-process.ts';
import { contextSchemaOf, parametersOf } from '../../runs/agent/offered-tool.ts';
import { findApprovals, listApprovals } from '../../runs/control/approval.cypher.ts';
import { cancelProcessRun, resolveStep } from '../../runs/control/run-control.mutations.ts';
import type { RunEvent } from '../../runs/events/run-event.ts';
import { watchRunEvents } from '../../runs/events/run-stream.service.ts';
import { getRun } from '../../runs/run/get-run.service.ts';
import { isOpen, type ProcessRun } from '../../runs/run/run.ts';
import { startProcessRun } from '../../runs/start/start.mutations.ts';
import type { Viewer } from '../../users/user.ts';
import { callMemory, memoryTools } from './mcp-memory.ts';
import { CallProgress, type Extra } from './mcp-progress.ts';
import { detailsOf, expectNoCursor, serveRuns } from './mcp-resources.ts';

// Processes as tools of MCP clients (docs/decisions/0067).

const TOOLS_MAX = 200;
/** Of the name that a host gives itself. */
const HOST_CHARS_MAX = 100;
/** A list or a start that takes longer is given up; its place is kept until it has ended. */
const TURN_MS_MAX = 20_000;
const OUTPUT_SCHEMA = {
  type: 'object' as const,
  properties: {
    runId: { type: 'string', description: 'Id of the run; its record is aiden://runs/{runId}.' },
    status: { type: 'string' },
    output: { type: ['string', 'null'] },
    json: { description: 'The output as JSON, where it is an object or a list; else absent.' },
  },
  required: ['runId', 'status', 'output'],
};

const InputSchema = ToolSchema.shape.inputSchema;

/** Limits and places of the calls of one session. */
export interface McpServing {
  readonly server: Server;
  readonly deps: ApiDeps;
  /** The caller of the present request. */
  readonly viewerOf: () => Viewer;
  /** Calls that are followed; shared with the streams of the API. */
  readonly openOperations: FairPlaces;
  /** Reads and starts that run at once. */
  readonly turns: FairPlaces;
  readonly progressMs: number;
  /** A call of the session is being followed. */
  readonly onBeat: () => void;
  /** The client got this list. */
  readonly onListed: (tools: readonly Tool[]) => void;
}

/** Serves the Processes that the viewer may run and that are exposed, and the viewer's runs. */
export function serveProcesses(serving: McpServing): void {
  const { server, deps, viewerOf } = serving;
  const answer = <T>(work: () => Promise<T>) => asMcp(deps, () => inTurn(serving, work));
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    expectNoCursor(params);
    const tools = await answer(() => listTools(deps, viewerOf()));
    serving.onListed(tools);
    return { tools };
  });
  server.setRequestHandler(CallToolRequestSchema, (request, extra) =>
    asMcp(deps, () => callProcess({ ...serving, viewer: viewerOf() }, request.params, extra)),
  );
  serveRuns(server, deps, viewerOf, answer);
}

/** The tools of a user as `tools/list` has them. */
export async function listTools(deps: ApiDeps, viewer: Viewer): Promise<Tool[]> {
  const found = await exposedTools(deps, viewer);
  return [...[...found].map(([name, process]) => toolOf(name, process)), ...memoryTools(found)];
}

interface Served extends McpServing {
  readonly viewer: Viewer;
}

/** @throws NoPlace where too many wait; McpError after TURN_MS_MAX */
function inTurn<T>({ turns, viewerOf }: McpServing, work: () => Promise<T>): Promise<T> {
  const done = turns.run(viewerOf().userId, work);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const message = `This takes more than ${TURN_MS_MAX / 1_000} s now. Try again later.`;
    const error = new McpError(ErrorCode.RequestTimeout, message);
    timer = setTimeout(() => reject(error), TURN_MS_MAX);
  });
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
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
  const own = process.description?.trim() ? process.description : ownWords(process);
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

/** For a Process whose author wrote no description. */
function ownWords({ name, initialContext }: ExposedProcess): string {
  const takes =
    initialContext.length === 0 ? 'It takes nothing' : `It takes ${initialContext.join(', ')}`;
  return `Runs the Process "${name}" and answers with its output. ${takes}.`;
}

/**
 * Runs the Process and waits for its end. Events of the run become progress. A cancel by the
 * client, such as that of its timeout, cancels the run, unless it waits for a person: then it stays
 * in the inbox. A lost connection cancels nothing, and the run's record stays readable as a
 * resource.
 */
async function callProcess(
  served: Served,
  { name, arguments: given }: CallToolRequest['params'],
  extra: Extra,
): Promise<CallToolResult> {
  const { deps, viewer, openOperations } = served;
  const giveBack = openOperations.takeNow(viewer.userId);
  try {
    const process = (await inTurn(served, () => exposedTools(deps, viewer))).get(name);
    const context: JsonObject = isJsonObject(given) ? given : {};
    if (process === undefined) return await memoryAnswer(served, name, context);
    const run = await inTurn(served, () =>
      startProcessRun(deps, viewer, { processId: process.id, context }),
    );
    // The end of a session aborts its requests too. It takes the transport away in the same turn.
    const onAbort = () =>
      queueMicrotask(() => served.server.transport !== undefined && void abandon(served, run));
    if (extra.signal.aborted) onAbort();
    extra.signal.addEventListener('abort', onAbort, { once: true });
    await follow(served, run, extra);
    return resultOf(deps, await getRun(deps, viewer, run.id));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return isError(problemWords(error.problems, ['context']));
  } finally {
    giveBack();
  }
}

async function memoryAnswer(
  served: Served,
  name: string,
  given: JsonObject,
): Promise<CallToolResult> {
  const { deps, viewer, server } = served;
  const host = firstChars(server.getClientVersion()?.name ?? '', HOST_CHARS_MAX);
  const answer = await inTurn(served, () => callMemory(name, { deps, viewer, given, host }));
  if (answer === null) throw new McpError(ErrorCode.InvalidParams, `No tool "${name}".`);
  return answer;
}

/** Cancels the run of a call that its client gave up, unless it waits for a person. */
async function abandon({ deps, viewer }: Served, { id }: ProcessRun): Promise<void> {
  try {
    const { status } = await getRun(deps, viewer, id);
    if (!isOpen(status) || status === 'waiting' || status === 'paused') return;
    const open = await deps.graph.read((tx) =>
      listApprovals(tx, viewer.userId, { runId: id }, { first: 1 }),
    );
    if (open.items.length > 0) return;
    await cancelProcessRun(deps, viewer, { id, reason: 'The MCP client cancelled it.' });
  } catch (error) {
    // A run that has ended meanwhile refuses the cancel.
    if (!(error instanceof Refusal))
      deps.log.warn('A cancelled call of an MCP client', { runId: id, error });
  }
}

async function follow(served: Served, run: ProcessRun, extra: Extra): Promise<void> {
  const { deps, progressMs, onBeat } = served;
  const watch = { run, after: null, scope: 'with sub-runs' } as const;
  const progress = new CallProgress(extra, run.id, {
    clock: deps.clock,
    everyMs: progressMs,
    onBeat,
  });
  try {
    for await (const event of watchRunEvents(deps, watch, extra.signal)) {
      if (event.kind === 'relay') void decide(served, event);
      progress.take(event);
    }
  } finally {
    progress.stop();
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

async function resultOf(deps: ApiDeps, run: ProcessRun): Promise<CallToolResult> {
  const { output } = await detailsOf(deps, run);
  const json = jsonIn(output);
  const structuredContent = {
    runId: run.id,
    status: run.status,
    output,
    ...(json === null ? {} : { json }),
  };
  if (run.status === 'completed')
    return { content: [{ type: 'text', text: output ?? '' }], structuredContent };
  const reason =
    run.error === null
      ? `The run ended as ${run.status}.`
      : `${run.error.message} (${run.error.code})`;
  return { ...isError(reason), structuredContent };
}

/** The object or list that a text is as JSON; null for other texts. */
function jsonIn(text: string | null): Json {
  if (text === null || !/^\s*[[{]/.test(text)) return null;
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

function isError(text: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text }] };
}

/**
 * Runs `work`; refusals become errors of the protocol, and other errors say nothing of their cause.
 */
async function asMcp<T>(deps: ApiDeps, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof McpError) throw error;
    if (error instanceof Refusal)
      throw new McpError(ErrorCode.InvalidParams, problemWords(error.problems));
    if (error instanceof NoPlace) throw new McpError(OVERLOADED, error.message);
    deps.log[logLevelOf(error)]('A request of an MCP client failed', { error });
    throw new McpError(ErrorCode.InternalError, outageOf(error) ?? 'Something went wrong.');
  }
}

/** A code of the range that JSON-RPC leaves to servers. */
const OVERLOADED = -32_000;
