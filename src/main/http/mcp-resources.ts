import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { ApiDeps } from '../../../schema/context.ts';
import type { Json, JsonObject } from '../../common/json.ts';
import { getRun } from '../../runs/run/get-run.service.ts';
import { listRuns } from '../../runs/run/run.cypher.ts';
import { isOpen, type ProcessRun } from '../../runs/run/run.ts';
import { listStepRuns } from '../../runs/steps/step-run.cypher.ts';
import type { StepRun } from '../../runs/steps/step-run.ts';
import type { Viewer } from '../../users/user.ts';

// The runs of a user as resources of MCP clients (docs/decisions/0067).

const RUN_URI = /^aiden:\/\/runs\/([A-Za-z0-9-]{1,64})$/;
const RUNS_PER_PAGE = 50;
const MIME_TYPE = 'application/json';

/**
 * Serves the user's latest runs as a list, and the record of each.
 * @param answer runs the work when it is the user's turn, with errors as those of the protocol
 */
export function serveRuns(
  server: Server,
  deps: ApiDeps,
  viewerOf: () => Viewer,
  answer: <T>(work: () => Promise<T>) => Promise<T>,
): void {
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    answer(async () => {
      const page = { first: RUNS_PER_PAGE, after: params?.cursor };
      const { items, hasNextPage } = await deps.graph.read((tx) =>
        listRuns(tx, viewerOf().userId, { depth: 'roots' }, page),
      );
      const last = items.at(-1);
      return {
        resources: items.map(({ item }) => resourceOf(item)),
        ...(hasNextPage && last !== undefined ? { nextCursor: last.cursor } : {}),
      };
    }),
  );
  server.setRequestHandler(ListResourceTemplatesRequestSchema, ({ params }) => {
    expectNoCursor(params);
    const name = 'Record of a run';
    return {
      resourceTemplates: [{ uriTemplate: 'aiden://runs/{runId}', name, mimeType: MIME_TYPE }],
    };
  });
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) =>
    answer(async () => {
      const [, runId] = RUN_URI.exec(uri) ?? [];
      if (runId === undefined) throw new McpError(ErrorCode.InvalidParams, `No resource ${uri}.`);
      const run = await getRun(deps, viewerOf(), runId);
      const text = JSON.stringify(await recordOf(deps, run));
      return { contents: [{ uri, mimeType: MIME_TYPE, text }] };
    }),
  );
}

/**
 * For a list of one page, which gives no cursor.
 * @throws McpError InvalidParams
 */
export function expectNoCursor(params: { readonly cursor?: string | undefined } | undefined): void {
  if (params?.cursor)
    throw new McpError(ErrorCode.InvalidParams, 'The cursor is unknown: this list has one page.');
}

const resourceOf = ({ id, processName, status, createdAt }: ProcessRun) => ({
  uri: `aiden://runs/${id}`,
  name: `${processName}, ${createdAt}`,
  description: `Run of ${processName}: ${status}.`,
  mimeType: MIME_TYPE,
});

/** The record of a run: status, output, error, and its steps in the order in which they started. */
async function recordOf(deps: ApiDeps, run: ProcessRun): Promise<JsonObject> {
  const steps = await deps.graph.read((tx) => listStepRuns(tx, run.ownerId, [run.id]));
  const { output, error } = await detailsOf(deps, run);
  return {
    runId: run.id,
    process: run.processName,
    status: run.status,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    completedAt: run.completedAt,
    output,
    error,
    steps: steps.map(stepOf),
  };
}

function stepOf(step: StepRun): JsonObject {
  const { stepId, index, status, attempt, output, error, note } = step;
  return {
    stepId,
    ...(index === null ? {} : { index }),
    status,
    attempt,
    startedAt: step.startedAt,
    completedAt: step.completedAt,
    ...(step.childRunId === null ? {} : { childRun: `aiden://runs/${step.childRunId}` }),
    ...(note === null ? {} : { note }),
    output: step.outputBlob === null ? output : `[${step.outputBytes} bytes ${step.outputBlob}]`,
    error: error === null ? null : { code: error.code, message: error.message },
  };
}

/** Output and error of a run; the output of an open run is null. */
export async function detailsOf(
  { payloads }: ApiDeps,
  { output, outputBlob, error, status }: ProcessRun,
): Promise<{ readonly output: string | null; readonly error: JsonObject | null }> {
  const value: Json = outputBlob === null ? output : await payloads.loadBlob(outputBlob);
  return {
    output: isOpen(status) || typeof value !== 'string' ? null : value,
    error: error === null ? null : { code: error.code, message: error.message },
  };
}
