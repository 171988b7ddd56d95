import { isJsonObject, type Json } from '../common/json.ts';
import type { Page, PageArgs } from '../common/page.ts';
import type { ReadTx, Row } from '../platform/neo4j/graph.ts';
import { listing, listPage } from '../platform/neo4j/list-page.ts';
import type { RunError } from './fault.ts';
import { isOpen, type ProcessRun, type RunStatus } from './run.ts';
import type { RunSnapshot } from './snapshot.ts';
import { toUsage } from './step-run.cypher.ts';

/** One row as a ProcessRun; context and output only where they are inline. */
export function toProcessRun(row: Row): ProcessRun {
  const text = (key: string) => (typeof row[key] === 'string' ? (row[key] as string) : null);
  const number = (key: string) => (typeof row[key] === 'number' ? (row[key] as number) : null);
  const context = parse(text('context'));
  const bounded = row['budgeted'] === true;
  return {
    id: text('id') ?? '',
    ownerId: text('ownerId') ?? '',
    workspace: text('workspace') ?? '',
    processId: text('processId') ?? '',
    processName: text('processName') ?? '',
    processVersion: number('processVersion') ?? 0,
    snapshotHash: text('snapshotHash') ?? '',
    status: (text('status') ?? 'pending') as RunStatus,
    rootRunId: text('rootRunId') ?? '',
    runPath: Array.isArray(row['runPath']) ? (row['runPath'] as string[]) : [],
    depth: number('depth') ?? 0,
    parentRunId: text('parentRunId'),
    parentStepId: text('parentStepId'),
    parentIndex: number('parentIndex'),
    retryOfId: text('retryOfId'),
    conversationId: text('conversationId'),
    context: isJsonObject(context) ? context : null,
    contextBlob: text('contextBlob'),
    output: text('output'),
    outputBlob: text('outputBlob'),
    outputTruncated: row['outputTruncated'] === true,
    error: parse(text('error')) as unknown as RunError | null,
    usage: toUsage(row),
    budget: bounded
      ? {
          tokens: number('budgetTokens'),
          costUsd: number('budgetCostUsd'),
          tokensUsed: number('tokensUsed') ?? 0,
          costUsdUsed: number('costUsed') ?? 0,
        }
      : null,
    timeoutSeconds: number('timeoutSeconds'),
    queuePrefix: text('queuePrefix') ?? '',
    traceparent: text('traceparent'),
    temporalRunId: text('temporalRunId'),
    cancelReason: text('cancelReason'),
    createdAt: text('createdAt') ?? '',
    startedAt: text('startedAt'),
    completedAt: text('completedAt'),
  };
}

function parse(text: string | null): Json {
  return text === null ? null : (JSON.parse(text) as Json);
}

/** False where a row's `run` shows a part only of the commit that ended it; for ReadTx.run. */
export function areWholeRuns(rows: readonly Row[]): boolean {
  return rows.every(({ run }) => isWhole(run as Row));
}

function isWhole({ status, completedAt, outputBytes, output, outputBlob, error }: Row): boolean {
  if (status == null || isOpen(status as RunStatus)) return true;
  if (completedAt == null || outputBytes == null) return false;
  return status === 'completed' ? (output ?? outputBlob) != null : error != null;
}

const FIND_SNAPSHOT = /* cypher */ `
  // findSnapshot
  MATCH (s:RunSnapshot {hash: $hash}) RETURN s.body AS body
`;

/** The snapshot with this hash, or null. */
export async function findSnapshot(tx: ReadTx, hash: string): Promise<RunSnapshot | null> {
  const [row] = await tx.run(FIND_SNAPSHOT, { hash });
  return typeof row?.['body'] === 'string' ? (JSON.parse(row['body']) as RunSnapshot) : null;
}

const FIND_ANY = /* cypher */ `
  // findRunById
  MATCH (run:ProcessRun {id: $runId}) RETURN run {.*} AS run
`;

/** For the machinery that serves every owner (starter, activities); requests use findRuns. */
export async function findRunById(tx: ReadTx, runId: string): Promise<ProcessRun | null> {
  const [row] = await tx.run(FIND_ANY, { runId }, areWholeRuns);
  return row === undefined ? null : toProcessRun(row['run'] as Row);
}

const FIND_ANY_OF = /* cypher */ `
  // findRunsById
  MATCH (run:ProcessRun) WHERE run.id IN $runIds RETURN run {.*} AS run
`;

/** findRunById of several, in the order asked for; what is missing is left out. */
export async function findRunsById(tx: ReadTx, runIds: readonly string[]): Promise<ProcessRun[]> {
  const rows = await tx.run(FIND_ANY_OF, { runIds }, areWholeRuns);
  const runs = rows.map((row) => toProcessRun(row['run'] as Row));
  return runs.toSorted((a, b) => runIds.indexOf(a.id) - runIds.indexOf(b.id));
}

const FIND = /* cypher */ `
  // findRuns
  MATCH (run:ProcessRun) WHERE run.id IN $ids AND run.ownerId = $viewerId
  RETURN run {.*} AS run
`;

/** Batched for the request's loader; order and gaps are the loader's business. */
export async function findRuns(
  tx: ReadTx,
  viewerId: string,
  ids: readonly string[],
): Promise<ProcessRun[]> {
  const rows = await tx.run(FIND, { ids, viewerId }, areWholeRuns);
  return rows.map((row) => toProcessRun(row['run'] as Row));
}

const RUNS = listing({
  name: 'listRuns',
  match: `MATCH (run:ProcessRun) USING INDEX SEEK run:ProcessRun(ownerId, id)
    WHERE run.ownerId = $viewerId AND ($processId IS NULL OR run.processId = $processId)
      AND ($conversationId IS NULL OR run.conversationId = $conversationId)
      AND ($statuses IS NULL OR run.status IN $statuses) AND ($all OR run.depth = 0)`,
  within: ['run.ownerId'],
  order: [{ cypher: 'run.id', type: 'text', order: 'descending' }],
  item: 'run {.*}',
});

/** Which runs to list; what is absent or null does not narrow. */
export interface RunFilter {
  readonly processId?: string | null | undefined;
  readonly conversationId?: string | null | undefined;
  readonly status?: readonly RunStatus[] | null | undefined;
  /** Without it only root runs are listed, unless a Process is named. */
  readonly depth?: 'all' | 'roots';
}

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
  };
  return listPage(tx, RUNS, page, params, toProcessRun, isWhole);
}
