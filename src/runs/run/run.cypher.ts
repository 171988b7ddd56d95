import { z } from 'zod';
import type { Page, PageArgs } from '../../common/page.ts';
import {
  isTrue,
  JsonMap,
  jsonText,
  numberOrNull,
  parseStored,
  textOrNull,
} from '../../common/stored.ts';
import type { ReadTx, Row } from '../../platform/neo4j/graph.ts';
import { listing, listPage } from '../../platform/neo4j/list-page.ts';
import { isRow, parseRow } from '../../platform/neo4j/row.ts';
import { readOne } from '../../platform/neo4j/run.ts';
import { cypher } from '../../platform/neo4j/statement.ts';
import { OPEN_RUN_STATUSES, type ProcessRun, RUN_STATUSES, type RunStatus } from './run.ts';
import { OriginRow, workOf } from './run-origin.ts';
import { RunSnapshot } from './snapshot.ts';
import { RunError as StoredError, UsageRow } from './stored.ts';

const StepConcurrency = z.record(
  z.string(),
  z.object({ maxConcurrency: z.int(), change: z.int() }),
);

const RunRow = z.object({
  id: z.string(),
  ownerId: z.string(),
  workspace: z.string(),
  processId: z.string(),
  processName: z.string(),
  processVersion: z.int(),
  snapshotHash: z.string(),
  status: z.enum(RUN_STATUSES),
  rootRunId: z.string(),
  runPath: z.array(z.string()),
  depth: z.int(),
  parentRunId: textOrNull,
  parentStepId: textOrNull,
  parentIndex: numberOrNull,
  retryOfId: textOrNull,
  conversationId: textOrNull,
  context: jsonText(JsonMap).nullable().default(null),
  contextBlob: textOrNull,
  output: textOrNull,
  outputBlob: textOrNull,
  outputTruncated: z.boolean().default(false),
  error: jsonText(StoredError).nullable().default(null),
  timeoutSeconds: numberOrNull,
  queuePrefix: z.string(),
  traceparent: textOrNull,
  workflowId: textOrNull,
  temporalRunId: textOrNull,
  cancelReason: textOrNull,
  stepConcurrency: jsonText(StepConcurrency).nullable().default(null),
  inputsForgotten: isTrue,
  createdAt: z.string(),
  startedAt: textOrNull,
  completedAt: textOrNull,
  ...OriginRow,
  /** Of the root; the properties of a budget stand beside it. */
  budgeted: z.boolean().default(false),
  budgetTokens: numberOrNull,
  budgetCostUsd: numberOrNull,
  tokensUsed: z.number().default(0),
  costUsed: z.number().default(0),
  ...UsageRow.shape,
});

/** One row as a ProcessRun; context and output only where they are inline. @throws DamagedRow */
export function toProcessRun(row: unknown): ProcessRun {
  const { budgeted, budgetTokens, budgetCostUsd, tokensUsed, costUsed, ...rest } = parseRow(
    RunRow,
    row,
    'ProcessRun',
  );
  const { inputTokens, outputTokens, costUsd, llmCalls, toolCalls, ...others } = rest;
  const { origin, workKind, workId, workName, workflowId, stepConcurrency, ...run } = others;
  const budget = {
    tokens: budgetTokens,
    costUsd: budgetCostUsd,
    tokensUsed,
    costUsdUsed: costUsed,
  };
  return {
    ...run,
    workflowId: workflowId ?? run.id,
    stepConcurrency: stepConcurrency ?? {},
    origin: origin ?? 'user',
    workFor: workOf({ workKind, workId, workName }),
    usage: { inputTokens, outputTokens, costUsd, llmCalls, toolCalls },
    budget: budgeted ? budget : null,
  };
}

/**
 * False where a row's `run` shows only a part of the commit that ended the run. ReadTx.run then
 * reads again.
 */
export const areWholeRuns = (rows: readonly Row[]) => rows.every(({ run }) => isWhole(run));

const OPEN: ReadonlySet<unknown> = new Set(OPEN_RUN_STATUSES);

function isWhole(run: unknown): boolean {
  if (!isRow(run)) return true;
  const { status, completedAt, outputBytes, output, outputBlob, error } = run;
  if (status == null || OPEN.has(status)) return true;
  if (completedAt == null || outputBytes == null) return false;
  return status === 'completed' ? (output ?? outputBlob) != null : error != null;
}

/** The body of a RunSnapshot, which is JSON text. */
const SnapshotBody = jsonText(RunSnapshot);

/** @throws DamagedRow */
export function toRunSnapshot(hash: string, body: unknown): RunSnapshot {
  return parseStored(SnapshotBody, body, () => `RunSnapshot ${hash}`);
}

const FIND_SNAPSHOT = cypher`
  // findSnapshot
  MATCH (s:RunSnapshot {hash: $hash}) RETURN s.body AS body
`;

/** The snapshot with this hash, or null. */
export function findSnapshot(tx: ReadTx, hash: string): Promise<RunSnapshot | null> {
  return readOne(tx, FIND_SNAPSHOT, { hash }, (row) => toRunSnapshot(hash, row['body']));
}

const FIND_ANY = cypher`
  // findRunById
  MATCH (run:ProcessRun {id: $runId}) RETURN run {.*} AS run
`;

/** A run of any owner, for the run starter and activities. Requests use findRuns. */
export async function findRunById(tx: ReadTx, runId: string): Promise<ProcessRun | null> {
  const [row] = await tx.run(FIND_ANY, { runId }, areWholeRuns);
  return row === undefined ? null : toProcessRun(row['run']);
}

const FIND_ANY_OF = cypher`
  // findRunsById
  MATCH (run:ProcessRun) WHERE run.id IN $runIds RETURN run {.*} AS run
`;

/** Runs of any owner by id, in the order of `runIds`. Runs that do not exist are left out. */
export async function findRunsById(tx: ReadTx, runIds: readonly string[]): Promise<ProcessRun[]> {
  const rows = await tx.run(FIND_ANY_OF, { runIds }, areWholeRuns);
  const runs = rows.map((row) => toProcessRun(row['run']));
  return runs.toSorted((a, b) => runIds.indexOf(a.id) - runIds.indexOf(b.id));
}

const FIND = cypher`
  // findRuns
  UNWIND $looks AS look
  UNWIND look.ids AS id
  MATCH (run:ProcessRun {id: id}) WHERE run.ownerId = look.ownerId
  RETURN DISTINCT run {.*} AS run
`;

export interface RunLook {
  readonly ownerId: string;
  readonly ids: readonly string[];
}

/** For each look the owner's runs among its ids, in any order. */
export async function findRunsOf(tx: ReadTx, looks: readonly RunLook[]): Promise<ProcessRun[][]> {
  const rows = await tx.run(FIND, { looks }, areWholeRuns);
  const runs = rows.map((row) => toProcessRun(row['run']));
  return looks.map(({ ownerId, ids }) =>
    runs.filter((run) => run.ownerId === ownerId && ids.includes(run.id)),
  );
}

/** The viewer's runs among `ids`, in any order. */
export async function findRuns(
  tx: ReadTx,
  viewerId: string,
  ids: readonly string[],
): Promise<ProcessRun[]> {
  const [runs = []] = await findRunsOf(tx, [{ ownerId: viewerId, ids }]);
  return runs;
}

const NARROWED = `($processId IS NULL OR run.processId = $processId)
      AND ($conversationId IS NULL OR run.conversationId = $conversationId)
      AND ($statuses IS NULL OR run.status IN $statuses) AND ($all OR run.depth = 0)
      AND ($from IS NULL OR run.createdAt >= datetime($from))
      AND ($to IS NULL OR run.createdAt < datetime($to))
      AND all(word IN $words WHERE toLower(run.processName) CONTAINS word OR run.id = word
        OR toLower(run.context) CONTAINS word OR toLower(run.error) CONTAINS word)`;
const pages = {
  order: [{ cypher: 'run.id', type: 'text', order: 'descending' }],
  item: 'run {.*}',
} as const;
const ALL_RUNS = listing({
  name: 'listAllRuns',
  match: `MATCH (run:ProcessRun) USING INDEX SEEK run:ProcessRun(ownerId, id)
    WHERE run.ownerId = $viewerId AND ${NARROWED}`,
  within: ['run.ownerId'],
  ...pages,
});
const USER_RUNS = listing({
  name: 'listRuns',
  match: `MATCH (run:ProcessRun) USING INDEX SEEK run:ProcessRun(ownerId, origin, id)
    WHERE run.ownerId = $viewerId AND run.origin = 'user' AND ${NARROWED}`,
  within: ['run.ownerId', 'run.origin'],
  ...pages,
});

/** Conditions on the runs to list. Absent or null = any. */
export interface RunFilter {
  readonly processId?: string | null | undefined;
  readonly conversationId?: string | null | undefined;
  readonly status?: readonly RunStatus[] | null | undefined;
  /** Default `all`. */
  readonly depth?: 'all' | 'roots';
  /** Also the product's own background runs; default false. */
  readonly includeSystem?: boolean | null | undefined;
  /** Words that the name of the Process, the context, the error or the id has, each of them. */
  readonly query?: string | null | undefined;
  /** Time of creation, inclusive. */
  readonly from?: string | null | undefined;
  /** Time of creation, exclusive. */
  readonly to?: string | null | undefined;
}

/** Words of a search that are looked for; the others are left out. */
const WORDS_MAX = 8;

/** The viewer's runs, newest first (ids rise with time). */
export async function listRuns(
  tx: ReadTx,
  viewerId: string,
  filter: RunFilter,
  page: PageArgs,
): Promise<Page<ProcessRun>> {
  const params = {
    viewerId,
    processId: filter.processId ?? null,
    conversationId: filter.conversationId ?? null,
    statuses: filter.status ?? null,
    all: (filter.depth ?? 'all') === 'all',
    from: filter.from ?? null,
    to: filter.to ?? null,
    words: wordsOf(filter.query ?? ''),
  };
  const list = filter.includeSystem === true ? ALL_RUNS : USER_RUNS;
  return listPage(tx, list, page, params, toProcessRun, isWhole);
}

function wordsOf(query: string): string[] {
  const words = query.toLowerCase().split(/\s+/);
  return words.filter((word) => word !== '').slice(0, WORDS_MAX);
}
