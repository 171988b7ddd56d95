import { realmOf } from '../agent-memory/store.ts';
import { isJsonObject, type Json, type JsonObject, jsonBytes } from '../common/json.ts';
import { NO_USAGE, ToolFault } from '../common/tool-fault.ts';
import { wellFormedJson } from '../common/well-formed.ts';
import { fromBolt } from '../platform/drivers/bolt-value.ts';
import type { PlatformCall, PlatformOperation } from '../platform/drivers/graph-query.ts';
import { type Graph, isTimedOut } from '../platform/neo4j/graph.ts';
import { untilAborted } from '../platform/until-aborted.ts';
import { answerOf, type Cut } from './answer.ts';
import { compileOwnQuery, type OwnQuery, ROWS_MAX } from './compiler.ts';
import {
  LIST_TOO_LONG,
  TEXT_TOO_LONG,
  WALKED_LIST_MAX,
  WALKED_TEXT_CHARS_MAX,
} from './expression-compiler.ts';
import { PARSED_TEXT_CHARS_MAX, SPLIT_TEXT_CHARS_MAX } from './functions.ts';
import { listGroups } from './groups.cypher.ts';
import { QueryRefused } from './token.ts';

/** Time in ms after which Neo4j ends a query. */
const QUERY_MS_MAX = 5_000;
/** Time in ms after the end of a query's time in which Neo4j may say so itself. */
const LATE_MS = 500;
/** Time in ms that a query waits for its owner's earlier ones. */
const WAIT_MS_MAX = 30_000;
/** Maximum size of an answer as JSON. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const PARAMETER_BYTES_MAX = 16 * 1024;
const USAGE = { ...NO_USAGE, toolCalls: 1 };

export interface OwnGraphParts {
  readonly graph: Graph;
  /** Default 5 s, with the planning of the statement. */
  readonly queryMsMax?: number;
  /** Default 30 s. */
  readonly waitMsMax?: number;
}

/**
 * Answers queries over the caller's own session graph, call graph and memory
 * (docs/own-graph.md). The queries of one owner run one after the other: the next begins when the
 * database has really ended the one before (docs/decisions/0090).
 * @throws ToolFault INPUT_INVALID with the place of the refused part; TOOL_FAILED when a limit is
 * met
 */
export function openOwnGraph(parts: OwnGraphParts): PlatformOperation {
  const last = new Map<string, Promise<void>>();
  const { waitMsMax = WAIT_MS_MAX } = parts;
  return async (call) => {
    const query = compiled(call);
    const { ownerId, signal } = call;
    const waited = new AbortController();
    const timer = setTimeout(() => waited.abort(busy()), waitMsMax);
    const before = last.get(ownerId) ?? Promise.resolve();
    const turn = before.then(() => {
      waited.signal.throwIfAborted();
      clearTimeout(timer);
      return run(parts, call, query);
    });
    const gone = turn.then((running) => running.gone).catch(() => {});
    last.set(ownerId, gone);
    void gone.then(() => {
      if (last.get(ownerId) === gone) last.delete(ownerId);
    });
    // A query that waits for its turn is given up at once.
    const ending = AbortSignal.any([signal, waited.signal]);
    return untilAborted(
      turn.then(({ answer }) => answer),
      ending,
    ).finally(() => clearTimeout(timer));
  };
}

/** `$workspace` is always that of the caller (S0-WS-02). */
function compiled({ inputs: { query, parameters = {} }, workspace }: PlatformCall): OwnQuery {
  if (typeof query !== 'string') throw invalid('`query` has to be a text.');
  const given = wellFormedJson(parameters);
  if (!isJsonObject(given)) throw invalid('`parameters` has to be an object.');
  if (jsonBytes(given) > PARAMETER_BYTES_MAX)
    throw invalid(`The parameters have at most ${PARAMETER_BYTES_MAX / 1024} KiB.`);
  try {
    return compileOwnQuery(query, { ...given, workspace });
  } catch (error) {
    throw error instanceof QueryRefused ? invalid(error.in(query)) : error;
  }
}

/** A query that the database works on: its answer, and when nothing of it runs there any more. */
interface Running {
  readonly answer: Promise<Json>;
  readonly gone: Promise<void>;
}

async function run(
  { graph, queryMsMax = QUERY_MS_MAX }: OwnGraphParts,
  call: PlatformCall,
  query: OwnQuery,
): Promise<Running> {
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
  // Neo4j looks at its timeouts every two seconds; we end the statement before.
  const timer = setTimeout(() => timeout.abort(tooSlow()), queryMsMax + LATE_MS);
  const { read, gone } = graph.readRows(query.cypher, params, {
    timeoutMs: queryMsMax,
    signal: AbortSignal.any([signal, timeout.signal]),
    onRow,
  });
  const answer = read
    .then(
      () => ({ columns: query.columns.map(({ name }) => name), rows, cut: [...cut] }),
      (error: unknown) => {
        signal.throwIfAborted();
        throw faultOf(error);
      },
    )
    .finally(() => clearTimeout(timer));
  return { answer, gone };
}

const rowOf = ({ columns }: OwnQuery, values: readonly unknown[], cut: Set<Cut>): JsonObject =>
  Object.fromEntries(
    columns.map(({ name, type }, index) => [name, answerOf(fromBolt(values[index]), type, cut)]),
  );

const invalid = (message: string): ToolFault =>
  new ToolFault('INPUT_INVALID', message, { usage: USAGE });

const failed = (message: string, retryable = false): ToolFault =>
  new ToolFault('TOOL_FAILED', message, { retryable, usage: USAGE });

const busy = (): ToolFault =>
  failed(
    'An earlier query of yours is still being ended by the database. Ask again in a minute.',
    true,
  );

const tooSlow = (): ToolFault =>
  failed(
    `The query takes more than ${QUERY_MS_MAX / 1_000} s. Match fewer nodes: give a label and ` +
      'a property, or LIMIT early.',
  );

/** Neo4j's own messages quote the statement, so only their codes decide about ours. */
function faultOf(error: unknown): unknown {
  if (error instanceof ToolFault) return error;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string')
    return error;
  const { code, message } = error;
  if (isTimedOut(error)) return tooSlow();
  if (message.includes(TEXT_TOO_LONG))
    return failed(
      'A text is too long for a function: in a list comprehension it has at most ' +
        `${WALKED_TEXT_CHARS_MAX} characters, for split ${SPLIT_TEXT_CHARS_MAX}, as a number or ` +
        `time ${PARSED_TEXT_CHARS_MAX}. Use UNWIND and WHERE, or substring.`,
    );
  if (message.includes(LIST_TOO_LONG))
    return failed(`A list comprehension walks over at most ${WALKED_LIST_MAX} elements.`);
  if (code.includes('MemoryPool') || code.includes('MemoryLimit'))
    return failed('The query needs too much memory. Collect or sort less.');
  if (code.startsWith('Neo.ClientError.Statement.Syntax'))
    return invalid(
      'The query is not valid: after an aggregation or DISTINCT, ORDER BY and WHERE may use ' +
        'only the names of that clause.',
    );
  if (code.startsWith('Neo.ClientError.Statement'))
    return failed('A value has the wrong type for an operator or function, or is out of range.');
  return failed('The database could not run the query.', code.startsWith('Neo.TransientError'));
}
