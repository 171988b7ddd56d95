import { setTimeout as sleep } from 'node:timers/promises';
import { realmOf } from '../agent-memory/store.ts';
import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../common/json.ts';
import { NO_USAGE, ToolFault } from '../common/tool-fault.ts';
import { fromBolt } from '../platform/drivers/bolt-value.ts';
import type { PlatformCall, PlatformOperation } from '../platform/drivers/graph-query.ts';
import { type Graph, isTimedOut } from '../platform/neo4j/graph.ts';
import { answerOf, type Cut } from './answer.ts';
import { compileOwnQuery, type OwnQuery, ROWS_MAX } from './compiler.ts';
import { LIST_TOO_LONG, WALKED_LIST_MAX } from './expression-compiler.ts';
import { listGroups } from './groups.cypher.ts';
import { QueryRefused } from './token.ts';

/** Time in ms after which Neo4j ends a query. */
const QUERY_MS_MAX = 5_000;
/** Neo4j looks at its timeouts every two seconds; beyond that the caller no longer waits. */
const LATE_MS = 5_000;
/** Maximum size of an answer as JSON. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const PARAMETER_BYTES_MAX = 16 * 1024;
const USAGE = { ...NO_USAGE, toolCalls: 1 };

interface OwnGraphParts {
  readonly graph: Graph;
  /** Default 5 s, with the planning of the statement. */
  readonly queryMsMax?: number;
}

/**
 * Answers queries over the caller's own session graph, call graph and memory
 * (docs/own-graph.md). The queries of one owner run one after the other.
 * @throws ToolFault INPUT_INVALID with the place of what is refused; TOOL_FAILED when a limit is met
 */
export function openOwnGraph(parts: OwnGraphParts): PlatformOperation {
  const last = new Map<string, Promise<unknown>>();
  return async (call) => {
    const query = compiled(call.inputs);
    const turn = (last.get(call.ownerId) ?? Promise.resolve()).then(() => run(parts, call, query));
    const settled = turn.catch(() => {});
    last.set(call.ownerId, settled);
    void settled.then(() => {
      if (last.get(call.ownerId) === settled) last.delete(call.ownerId);
    });
    return unlessAborted(turn, call.signal);
  };
}

/** A query that waits for its turn is given up at once. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function compiled({ query, parameters = {} }: JsonObject): OwnQuery {
  if (typeof query !== 'string') throw invalid('`query` has to be a text.');
  if (!isJsonObject(parameters)) throw invalid('`parameters` has to be an object.');
  if (jsonBytes(parameters) > PARAMETER_BYTES_MAX)
    throw invalid(`The parameters have at most ${PARAMETER_BYTES_MAX / 1024} KiB.`);
  try {
    return compileOwnQuery(query, parameters);
  } catch (error) {
    throw error instanceof QueryRefused ? invalid(error.in(query)) : error;
  }
}

async function run(
  { graph, queryMsMax = QUERY_MS_MAX }: OwnGraphParts,
  call: PlatformCall,
  query: OwnQuery,
): Promise<Json> {
  const { ownerId, workspace, signal } = call;
  signal.throwIfAborted();
  const viewer = { userId: ownerId, workspace };
  const realms = [ownerId, realmOf(viewer, { mode: 'separate', agentId: null })];
  const groups = await listGroups(graph, ownerId);
  const rows: JsonObject[] = [];
  const cut = new Set<Cut>();
  let bytes = 0;
  const onRow = (values: readonly unknown[]) => {
    if (rows.length === ROWS_MAX) return stopAt('rows');
    const row = rowOf(query, values, cut);
    bytes += jsonBytes(row);
    if (bytes > ANSWER_BYTES_MAX) return stopAt('bytes');
    rows.push(row);
    return true;
  };
  const stopAt = (limit: Cut) => {
    cut.add(limit);
    return false;
  };
  const params = { ownerId, workspace, groups, realms, values: query.values };
  const timeout = new AbortController();
  const ending = AbortSignal.any([signal, timeout.signal]);
  const late = sleep(queryMsMax + LATE_MS, 'late' as const, { signal: ending, ref: false });
  late.catch(() => {});
  try {
    const reading = graph.readRows(query.cypher, params, {
      timeoutMs: queryMsMax,
      signal: ending,
      onRow,
    });
    reading.catch(() => {});
    if ((await Promise.race([reading, late])) === 'late') throw tooSlow();
  } catch (error) {
    signal.throwIfAborted();
    throw faultOf(error);
  } finally {
    timeout.abort();
  }
  return { columns: query.columns.map(({ name }) => name), rows, cut: [...cut] };
}

function rowOf({ columns }: OwnQuery, values: readonly unknown[], cut: Set<Cut>): JsonObject {
  return Object.fromEntries(
    columns.map(({ name, type }, index) => [name, answerOf(fromBolt(values[index]), type, cut)]),
  );
}

function invalid(message: string): ToolFault {
  return new ToolFault('INPUT_INVALID', message, { usage: USAGE });
}

function failed(message: string, retryable = false): ToolFault {
  return new ToolFault('TOOL_FAILED', message, { retryable, usage: USAGE });
}

function tooSlow(): ToolFault {
  return failed(
    `The query takes more than ${QUERY_MS_MAX / 1_000} s. Match fewer nodes: give a label and a property, or LIMIT early.`,
  );
}

/** Neo4j's own messages quote the statement, so only their codes decide about ours. */
function faultOf(error: unknown): unknown {
  if (error instanceof ToolFault) return error;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string')
    return error;
  const { code, message } = error;
  if (isTimedOut(error)) return tooSlow();
  if (message.includes(LIST_TOO_LONG))
    return failed(`A list comprehension walks over at most ${WALKED_LIST_MAX} elements.`);
  if (code.includes('MemoryPool') || code.includes('MemoryLimit'))
    return failed('The query needs too much memory. Collect or sort less.');
  if (code.startsWith('Neo.ClientError.Statement.Syntax'))
    return invalid(
      'The query is not valid: after an aggregation or DISTINCT, ORDER BY and WHERE may use only the names of that clause.',
    );
  if (code.startsWith('Neo.ClientError.Statement'))
    return failed('A value has the wrong type for an operator or function, or is out of range.');
  return failed('The database could not run the query.', code.startsWith('Neo.TransientError'));
}
