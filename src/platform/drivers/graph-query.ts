import neo4j, { Neo4jError, type Result, type Session } from 'neo4j-driver';
import { type Json, type JsonObject, jsonBytes } from '../../common/json.ts';
import { RESPONSE_BYTES_MAX } from '../../common/limits.ts';
import { NO_USAGE, ToolFault } from '../../common/tool-fault.ts';
import type { OperationOf } from '../../operations/operation.ts';
import type { Egress } from '../egress/egress.ts';
import type { Graph } from '../neo4j/graph.ts';
import { openBoltPool } from './bolt-pool.ts';
import { fromBolt, toBolt } from './bolt-value.ts';
import { textParam } from './credentials.ts';
import type { DriverCall, ToolDriver } from './driver.ts';
import { guarded, probed } from './guarded.ts';
import { sentInputs } from './template-inputs.ts';

type GraphCall = DriverCall<OperationOf<'graph_query'>>;

/**
 * The call of a Tool as an operation of the platform gets it. It runs for the owner of the call.
 */
export type PlatformCall = Pick<
  DriverCall,
  'inputs' | 'ownerId' | 'workspace' | 'signal' | 'rootRunId' | 'conversationId'
>;
export type PlatformOperation = (call: PlatformCall) => Promise<Json>;

/** By the name that the query of a system Tool calls, as `queryOwnGraph`. */
export type PlatformOperations = Readonly<Record<string, PlatformOperation>>;

/**
 * The query of a system Tool that runs no Cypher of its own, such as
 * `CALL aiden.queryOwnGraph($query, $parameters)`. Its inputs are data of an operation of the
 * platform.
 */
const PLATFORM_CALL = /^CALL aiden\.(\w+)\([$\w, ]*\)$/;

const USAGE = { ...NO_USAGE, toolCalls: 1 };
/** Maximum rows of one query; above it PAYLOAD_TOO_LARGE. */
export const ROWS_MAX = 10_000;
const FETCH_ROWS = 500;
const QUERY_MS_MAX = 10 * 60_000;

/**
 * Runs Cypher and returns an array of row objects. User Tools run on their own Bolt target; the
 * server enforces the operation's access mode. Tools of `system` run on the platform's database,
 * with the caller's `$ownerId` and `$workspace`. Inputs are always parameters.
 */
export function graphDriver({
  egress,
  platformGraph,
  operations = {},
}: {
  egress: Egress;
  platformGraph: Graph;
  operations?: PlatformOperations;
}): ToolDriver<'graph_query'> {
  const pool = openBoltPool(egress);
  return {
    type: 'graph_query',
    invoke: (call) =>
      guarded(call, async () => {
        const [, name] = PLATFORM_CALL.exec(call.operation.query.trim()) ?? [];
        const isOwn = call.target.system && name !== undefined && Object.hasOwn(operations, name);
        const perform = isOwn ? operations[name] : undefined;
        if (perform !== undefined) return { output: await perform(call), usage: USAGE };
        const rows = await (call.target.system ? onPlatform(call, platformGraph) : onTarget(call));
        return { output: rows, usage: USAGE };
      }),
    probe: (target, signal) =>
      probed(target, signal, async () => {
        if (target.system) await platformGraph.verify();
        else
          await pool.using(target, (driver) =>
            driver.verifyConnectivity({ database: textParam(target, 'database') ?? '' }),
          );
        return { status: 'healthy', errorMessage: null };
      }),
    close: () => pool.close(),
  };

  async function onTarget(call: GraphCall): Promise<Json[]> {
    return pool.using(call.target, async (driver) => {
      const database = textParam(call.target, 'database');
      const session = driver.session({
        defaultAccessMode:
          call.operation.access === 'write' ? neo4j.session.WRITE : neo4j.session.READ,
        fetchSize: FETCH_ROWS,
        ...(database === null ? {} : { database }),
      });
      try {
        return await untilAborted(call.signal, session, () => runIn(session, call));
      } catch (error) {
        throw faultOf(error);
      } finally {
        await withinClosing(session.close());
      }
    });
  }
}

/** The server runs such queries only outside a transaction, and they commit in batches. */
const COMMITS_AS_IT_GOES = /\bIN\s+(?:[\w$]+\s+)*TRANSACTIONS\b/i;

/**
 * Runs without a transaction function, because the driver would retry it. A query with too large a
 * result is rolled back. Closing a session with an open stream would reset the connection while the
 * driver may still request rows; the server then closes it under its next user.
 */
async function runIn(session: Session, call: GraphCall): Promise<Json[]> {
  const { operation, inputs, timeoutMs } = call;
  const params = Object.fromEntries(
    Object.entries(sentInputs(call) ?? inputs).map(([name, value]) => [name, toBolt(value)]),
  );
  const timeout = Math.min(timeoutMs ?? QUERY_MS_MAX, QUERY_MS_MAX);
  const config = { timeout, metadata: { app: 'aiden' } };
  if (COMMITS_AS_IT_GOES.test(operation.query))
    return rowsOf(session.run(operation.query, params, config));
  const tx = await session.beginTransaction(config);
  try {
    const rows = await rowsOf(tx.run(operation.query, params));
    await tx.commit();
    return rows;
  } catch (error) {
    if (tx.isOpen()) await withinClosing(tx.rollback());
    throw error;
  }
}

/** Reads by subscription, so that rows after a limit was reached are ignored. */
function rowsOf(result: Result): Promise<Json[]> {
  const bounds = boundedRows();
  return new Promise((resolve, reject) => {
    let isOver = false;
    result.subscribe({
      onNext(record) {
        if (isOver) return;
        try {
          bounds.add(
            Object.fromEntries(record.keys.map((key) => [String(key), fromBolt(record.get(key))])),
          );
        } catch (error) {
          isOver = true;
          reject(error);
        }
      },
      onCompleted: () => resolve(bounds.rows),
      onError: reject,
    });
  });
}

/**
 * Runs a statement of the product on the platform's database. The row limits and the signal apply.
 */
async function onPlatform(
  { operation, inputs, ownerId, workspace, signal }: GraphCall,
  graph: Graph,
): Promise<Json[]> {
  const query = operation.query.trimStart().startsWith('//')
    ? operation.query
    : `// systemTool\n${operation.query}`;
  const params = { ...inputs, ownerId, workspace };
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    const work = graph[operation.access]((tx) => tx.run(query, params));
    const bounds = boundedRows();
    for (const row of await Promise.race([work, stopped])) bounds.add(row as JsonObject);
    return bounds.rows;
  } catch (error) {
    throw faultOf(error);
  }
}

function boundedRows(): { rows: Json[]; add(row: JsonObject): void } {
  const rows: Json[] = [];
  let bytes = 0;
  return {
    rows,
    add(row) {
      bytes += jsonBytes(row);
      if (rows.length === ROWS_MAX) throw tooLarge(`more than ${ROWS_MAX} rows`);
      if (bytes > RESPONSE_BYTES_MAX)
        throw tooLarge(`more than ${RESPONSE_BYTES_MAX / 1024 / 1024} MiB`);
      rows.push(row);
    },
  };
}

/** Waits for the closing at most CLOSE_MS_MAX, so that a busy server does not block the step. */
async function withinClosing(ending: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS_MAX);
  });
  await Promise.race([ending.catch(() => {}), enough]);
  clearTimeout(timer);
}

async function untilAborted<T>(
  signal: AbortSignal,
  session: Session,
  work: () => Promise<T>,
): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => {
      void session.close().catch(() => {});
      reject(new Error('The query was stopped.'));
    };
  });
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

// Far more than an answer needs, far less than a step's timeout.
const CLOSE_MS_MAX = 2_000;

const tooLarge = (what: string): ToolFault =>
  new ToolFault('PAYLOAD_TOO_LARGE', `The query returns ${what}; add a LIMIT or return less.`, {
    usage: USAGE,
  });

function faultOf(error: unknown): unknown {
  if (!(error instanceof Neo4jError)) return error;
  const details = { code: error.code };
  if (error.code === neo4j.error.SERVICE_UNAVAILABLE || error.code === neo4j.error.SESSION_EXPIRED)
    return new ToolFault('TOOL_FAILED', `The database can not be reached: ${error.message}`, {
      retryable: true,
      details,
      usage: USAGE,
    });
  // A terminated transaction is not tried again: the database's operator may have ended it.
  const timedOut = error.code.includes('TransactionTimedOut');
  const retryable = error.retriable || timedOut || error.code.startsWith('Neo.TransientError');
  return new ToolFault('TOOL_FAILED', `${error.code}: ${error.message}`, {
    retryable,
    details,
    usage: USAGE,
  });
}
