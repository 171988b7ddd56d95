import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import neo4j, {
  type Driver,
  isDateTime,
  isRetryableError,
  Neo4jError,
  type QueryResult,
} from 'neo4j-driver';
import { type Backoff, backoffMs } from '../../common/backoff.ts';
import { DamagedRow } from '../../common/stored.ts';
import { inChildSpan } from '../telemetry/tracing.ts';
import { untilAborted } from '../until-aborted.ts';
import { FirstRuns } from './first-runs.ts';
import { LostCommit } from './lost-commit.ts';
import { inOneParameter } from './one-parameter.ts';
import { type OpenSession, type PlanPlace, planKey, planStatement } from './plan.ts';
import { Neo4jRefused, SignIn } from './sign-in.ts';
import { cypher, isKnown, nameOf } from './statement.ts';

/** A row as plain JSON-like values; times are RFC 3339 text in UTC. */
export type Row = Readonly<Record<string, unknown>>;
export type Params = Readonly<Record<string, unknown>>;

/**
 * Runs read statements. Each sees all commits so far, and everything that earlier reads of this
 * process saw.
 */
export interface ReadTx {
  /**
   * Runs one statement. `undefined` parameters become null.
   * @param areWhole answers false where the rows show a part only of a commit ("completed" without
   * an output). The statement is then repeated, for GraphSettings.appliedWithinMs at most
   * (docs/decisions/0014). Default: all rows are taken as they are.
   */
  run(
    cypher: string,
    params?: Params,
    areWhole?: (rows: readonly Row[]) => boolean,
  ): Promise<Row[]>;
}

declare const mayWrite: unique symbol;
/**
 * A transaction that may write. A distinct type prevents passing a write where a read is expected.
 */
export interface WriteTx extends ReadTx {
  readonly [mayWrite]: true;
}

export interface StatementInfo {
  /** Name of the statement: its first comment (`// findTools`). */
  readonly name: string;
  readonly cypher: string;
  readonly place: PlanPlace;
  readonly ms: number;
}

/**
 * The only access to Neo4j. Work is retried on transient faults (deadlocks, a lost leader), so it
 * must have no other side effects.
 */
export interface Graph {
  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
  /**
   * Runs one statement with limits, outside of `read`: it is not repeated after a fault, and its
   * rows are read one by one. `onRow` gets each row as the driver reads it, and returns false to
   * stop. Neo4j ends the statement after `timeoutMs`, or when `signal` aborts: `read` settles then,
   * and `gone` when the database has really ended the statement. `gone` never rejects.
   */
  readRows(
    cypher: string,
    params: Params,
    limits: {
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
      readonly onRow: (values: readonly unknown[]) => boolean;
    },
  ): { readonly read: Promise<void>; readonly gone: Promise<void> };
  /** Runs all statements in one transaction. */
  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** Collects the statements run inside `work`, across awaits; for the N+1 tests. */
  counting<T>(work: () => Promise<T>): Promise<{ value: T; statements: StatementInfo[] }>;
  /**
   * Calls `listener` after every statement, for metrics.
   * @returns a function that stops it
   */
  onStatement(listener: (info: StatementInfo) => void): () => void;
  /**
   * Lets Neo4j plan a statement and keep the plan; nothing is written. Waits while statements of
   * this process are under way, 0.2 s at most: a busy process needs its plans most.
   * @param place `after a write`: for both places
   */
  plan(statement: string, place: PlanPlace): Promise<void>;
  verify(): Promise<{ version: string; edition: string }>;
  close(): Promise<void>;
}

export interface GraphSettings {
  readonly uri: string;
  readonly user: string;
  readonly password: string;
  readonly database?: string;
  readonly poolSize?: number;
  /**
   * How long in ms a read waits for the rest of a partly visible commit; see ReadTx.run. Default
   * 2,000.
   */
  readonly appliedWithinMs?: number;
}

export function openGraph(settings: GraphSettings): Graph {
  const driver = neo4j.driver(settings.uri, neo4j.auth.basic(settings.user, settings.password), {
    disableLosslessIntegers: true,
    maxConnectionPoolSize: settings.poolSize ?? 100,
    connectionAcquisitionTimeout: 30_000,
    userAgent: 'aiden',
    telemetryDisabled: true,
    // Notifications about statements are not used.
    notificationFilter: { minimumSeverityLevel: 'OFF' },
  });
  return graphOver(driver, {
    database: settings.database ?? 'neo4j',
    appliedWithinMs: settings.appliedWithinMs ?? 2_000,
    signIn: new SignIn({
      uri: settings.uri,
      login: () => driver.verifyConnectivity({ database: settings.database ?? 'neo4j' }),
      isAway: isNeo4jAway,
    }),
  });
}

// Ids are unique, so each is one look into an index.
const FIND_ENTRY = cypher`
  // findEntryOfLostCommit
  MATCH (o:OutboxEntry) WHERE o.id IN $entryIds RETURN o.id AS id LIMIT 1
`;

// Neo4j marks a transaction and ends it where its planner or runtime looks at the mark.
const END_STATEMENT = cypher`
  // endStatement
  SHOW TRANSACTIONS YIELD transactionId AS id, metaData WHERE metaData.query = $query
  TERMINATE TRANSACTIONS id YIELD transactionId
  RETURN transactionId
`;
/** Waits between two looks whether a statement has ended. */
const GONE_BACKOFF: Backoff = { firstMs: 50, maxMs: 1_000 };

/** Transient faults are retried for this time. */
const RETRIED_FOR_MS = 30_000;
/** Waits between tries after a transient fault, usually a deadlock; jitter comes on top. */
const RETRY_BACKOFF: Backoff = { firstMs: 20, maxMs: RETRIED_FOR_MS };
/** Rows that `readRows` lets the server send ahead: one row may be large. */
const ROWS_AT_ONCE = 5;
/** Waits for the rest of a commit that was read in part. */
const APPLYING_BACKOFF: Backoff = { firstMs: 2, maxMs: RETRIED_FOR_MS };
/** A statement is planned ahead when no other one is under way, or after this time. */
const PLANNED_AFTER_MS = 200;
const PLAN_LOOK_EVERY_MS = 20;
const always = () => true;
/** Neo4j counts what it sets, also where that changes nothing. */
const isLock = (name: string) => name === 'lockResources';
const METADATA = { metadata: { app: 'aiden' } };
type Send = (cypher: string, values: Record<string, unknown>) => PromiseLike<QueryResult>;

function graphOver(
  driver: Driver,
  {
    database,
    appliedWithinMs,
    signIn,
  }: { readonly database: string; readonly appliedWithinMs: number; readonly signIn: SignIn },
): Graph {
  const counted = new AsyncLocalStorage<StatementInfo[]>();
  const listeners = new Set<(info: StatementInfo) => void>();
  const firstRuns = new FirstRuns();
  let underWay = 0;
  // Needed on a single server too: a read may see a commit's outbox counter before its entries. The
  // bookmark makes the next read wait for the whole commit.
  const bookmarkManager = neo4j.bookmarkManager();

  const wrap = (send: Send, note: (params: Params) => void = () => {}): WriteTx => {
    let place: PlanPlace = 'first';
    const run: WriteTx['run'] = async (cypher, params = {}, areWhole = always) => {
      note(params);
      const startedMs = performance.now();
      const name = nameOf(cypher);
      const placed = place;
      underWay++;
      try {
        const values = { ...ownParams(cypher, params), p: toParams(params) };
        const sendOnce = () => send(inOneParameter(cypher), values);
        const plan = planKey(cypher, placed);
        const sent = isKnown(cypher) ? () => firstRuns.run(plan, sendOnce) : sendOnce;
        for (let looks = 1, restedMs = 0; ; looks++) {
          const result = await traced(name, sent);
          if (!isLock(name) && result.summary.counters.containsUpdates()) place = 'after a write';
          const rows = result.records.map((record) =>
            Object.fromEntries(record.keys.map((key) => [key, toPlain(record.get(key))])),
          );
          if (restedMs >= appliedWithinMs || areWhole(rows)) return rows;
          const restMs = backoffMs(APPLYING_BACKOFF, looks);
          await setTimeout(restMs);
          restedMs += restMs;
        }
      } catch (error) {
        if (isNeo4jAway(error)) firstRuns.forget();
        if (error instanceof Error) error.stack = `${error.stack}\n    at statement ${name}`;
        throw error;
      } finally {
        underWay--;
        const info = { name, cypher, place: placed, ms: performance.now() - startedMs };
        counted.getStore()?.push(info);
        for (const listener of listeners) listener(info);
      }
    };
    return { run } as WriteTx;
  };

  /**
   * Runs one statement as its own transaction: statements of one transaction share no snapshot in
   * Neo4j either.
   */
  const readAlone: Send = (cypher, values) =>
    retried(signIn, async () => {
      const session = driver.session({
        database,
        bookmarkManager,
        defaultAccessMode: neo4j.session.READ,
      });
      try {
        return await withoutStack(() => session.run(cypher, values, METADATA));
      } finally {
        await session.close();
      }
    });

  async function hasEntry(entryIds: readonly string[]): Promise<boolean> {
    const rows = await wrap(readAlone).run(FIND_ENTRY, { entryIds });
    return rows.length > 0;
  }

  /** Ends the statement of `readRows`, as often as it takes. Rejects where nothing can be known. */
  async function untilGone(query: string): Promise<void> {
    for (let looks = 1; ; looks++) {
      const rows = await wrap(readAlone).run(END_STATEMENT, { query });
      if (rows.length === 0) return;
      await setTimeout(backoffMs(GONE_BACKOFF, looks), undefined, { ref: false });
    }
  }

  return {
    async read(work) {
      // A row may look damaged while its commit is being applied (docs/decisions/0014): repeat the
      // work.
      for (let looks = 1, restedMs = 0; ; looks++) {
        try {
          return await work(wrap(readAlone));
        } catch (error) {
          if (!(error instanceof DamagedRow) || restedMs >= appliedWithinMs) throw error;
        }
        const restMs = backoffMs(APPLYING_BACKOFF, looks);
        await setTimeout(restMs);
        restedMs += restMs;
      }
    },
    readRows(cypher, params, { timeoutMs, signal, onRow }) {
      const id = randomUUID();
      const session = driver.session({
        database,
        bookmarkManager,
        defaultAccessMode: neo4j.session.READ,
        fetchSize: ROWS_AT_ONCE,
      });
      // The driver resolves a second close at once, so there is one.
      let closing: Promise<void> | undefined;
      const close = () => (closing ??= session.close());
      const startedMs = performance.now();
      const rows = async () => {
        signal.throwIfAborted();
        const config = { metadata: { ...METADATA.metadata, query: id }, timeout: timeoutMs };
        const result = session.run(inOneParameter(cypher), { p: toParams(params) }, config);
        for await (const record of result)
          if (!onRow(record.keys.map((key) => record.get(key)))) break;
      };
      const reading = rows();
      const read = untilAborted(reading, signal);
      const end = async () => {
        const isWhole = await read.then(
          () => true,
          () => false,
        );
        // Closing resets the connection; Neo4j answers that when the statement has ended.
        const isClosed = await close().then(
          () => true,
          () => false,
        );
        const place: PlanPlace = 'first';
        const info = { name: nameOf(cypher), cypher, place, ms: performance.now() - startedMs };
        counted.getStore()?.push(info);
        for (const listener of listeners) listener(info);
        // A connection that broke says nothing about the statement.
        if (!isWhole || !isClosed) await untilGone(id);
      };
      reading.catch(() => {});
      return { read, gone: end().catch(() => {}) };
    },
    write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
      const commit = new LostCommit<T>();
      return retried(signIn, async () => {
        const earlier = await commit.find(hasEntry);
        if (earlier !== null) return earlier.value;
        commit.begin();
        const session = driver.session({ database, bookmarkManager });
        // Not awaited: BEGIN leaves with the first statement and saves a round trip.
        const tx = session.beginTransaction(METADATA);
        try {
          const send: Send = (cypher, values) => withoutStack(() => tx.run(cypher, values));
          const value = await work(wrap(send, (params) => commit.note(params)));
          await tx.commit().catch((error: unknown) => {
            if (isNeo4jAway(error)) commit.lose(value);
            throw error;
          });
          return value;
        } catch (error) {
          // When this fails the connection is lost, and Neo4j rolls back by itself.
          await tx.close().catch(() => {});
          // The first try may have become visible only now.
          const late = brokenConstraint(error) === null ? null : await commit.find(hasEntry);
          if (late !== null) return late.value;
          throw error;
        } finally {
          await session.close();
        }
      });
    },
    async counting(work) {
      const statements: StatementInfo[] = [];
      const value = await counted.run(statements, work);
      return { value, statements };
    },
    onStatement(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async plan(statement, place) {
      for (let waitedMs = 0; underWay > 0 && waitedMs < PLANNED_AFTER_MS; ) {
        await setTimeout(PLAN_LOOK_EVERY_MS);
        waitedMs += PLAN_LOOK_EVERY_MS;
      }
      const open: OpenSession = (mode) => driver.session({ database, defaultAccessMode: mode });
      const text = inOneParameter(statement);
      await firstRuns.run(planKey(statement, place), () =>
        retried(signIn, () => planStatement(open, text, place)),
      );
    },
    async verify() {
      const { records } = await signIn.attempt(() =>
        driver.executeQuery(
          'CALL dbms.components() YIELD versions, edition RETURN versions[0] AS version, edition',
          {},
          { database, routing: 'READ' },
        ),
      );
      return {
        version: String(records[0]?.get('version')),
        edition: String(records[0]?.get('edition')),
      };
    },
    close: () => driver.close(),
  };
}

/** The message of a violated constraint, or null for another error. */
export function brokenConstraint(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (error.code !== 'Neo.ClientError.Schema.ConstraintValidationFailed') return null;
  return error.message;
}

/**
 * Repeats `work` while it fails with a transient fault. A damaged row is read once more: Neo4j
 * reads the properties of a node one by one, so a row may lack one that another transaction writes.
 */
async function retried<T>(signIn: SignIn, work: () => Promise<T>): Promise<T> {
  let mayBeTorn = true;
  const untilMs = performance.now() + RETRIED_FOR_MS;
  for (let failures = 1; ; failures++) {
    const restMs = backoffMs(RETRY_BACKOFF, failures);
    try {
      return await signIn.attempt(work);
    } catch (error) {
      const isTorn = mayBeTorn && error instanceof DamagedRow;
      if (isTorn) mayBeTorn = false;
      else if (!isTransient(error) || performance.now() + restMs > untilMs) throw error;
    }
    await setTimeout(restMs * (0.8 + 0.4 * Math.random()));
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof Neo4jError && isStopped(error)) return true;
  return error instanceof Error && isRetryableError(error);
}

// Only within a request or an activity: the relay's polling would start dozens of traces a second.
const traced = <T>(name: string, run: () => PromiseLike<T>): Promise<T> =>
  inChildSpan(
    `cypher ${name}`,
    {
      kind: 'client',
      attributes: { 'db.system.name': 'neo4j', 'db.operation.name': name },
    },
    async () => run(),
  );

/**
 * Sends a statement while no stack is recorded: neo4j-driver formats one per statement, for an
 * error that rarely comes. Our errors carry the name of the statement instead.
 */
function withoutStack<T>(send: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return send();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Options of a schema command must be a top-level parameter. */
const ownParams = (cypher: string, params: Params): Record<string, unknown> =>
  cypher.includes('OPTIONS $') ? toParams(params) : {};

const toParams = (params: Params): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(params).map(([key, value]) => [key.toWellFormed(), toParam(value)]),
  );

// JavaScript numbers would become FLOAT; counts and limits must be INTEGER. The driver writes half
// of a surrogate pair as U+FFFD; done here, all that is compared with the stored text is written
// the same way.
function toParam(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value === 'number') return Number.isSafeInteger(value) ? neo4j.int(value) : value;
  if (Array.isArray(value)) return value.map(toParam);
  if (value instanceof Float) return value.value;
  if (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
  )
    return toParams(value as Params);
  return value;
}

/** A number stored as FLOAT although it may be whole (weights, vectors, money). */
export class Float {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

function toPlain(value: unknown): unknown {
  if (typeof value !== 'object') {
    if (value === undefined) return null;
    return typeof value === 'bigint' ? Number(value) : value;
  }
  if (value === null) return null;
  // Rows belong to the caller alone, so lists and maps are converted in place.
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = toPlain(value[index]);
    return value;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    if (neo4j.isInt(value)) return value.toNumber();
    if (isDateTime(value)) return value.toStandardDate().toISOString();
    if (neo4j.isNode(value) || neo4j.isRelationship(value)) return toPlain(value.properties);
  }
  const map = value as Record<string, unknown>;
  for (const key in map) {
    const inner = map[key];
    if (typeof inner === 'object' || typeof inner === 'bigint' || inner === undefined)
      map[key] = toPlain(inner);
  }
  return map;
}

/** Whether Neo4j was unreachable or overloaded, so that a retry may succeed. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Neo4jRefused) return true;
  if (!(error instanceof Neo4jError)) return false;
  return error.retryable || error.code === 'N/A' || isStopped(error);
}

/** Whether Neo4j itself was away: an outage, but no deadlock or other busy moment. */
export function isNeo4jAway(error: unknown): boolean {
  if (!(error instanceof Neo4jError)) return error instanceof Neo4jRefused;
  return AWAY.test(error.code) || isStopped(error);
}

/**
 * Whether Neo4j ended a transaction that took longer than it allows (db.transaction.timeout), or
 * one that waited for locks of such a one. Nothing of it was written.
 */
export function isTimedOut(error: unknown): boolean {
  return error instanceof Neo4jError && TIMED_OUT.test(error.code);
}

/** Whether Neo4j or its database stopped, though the driver calls it no outage. */
function isStopped({ code, message }: Neo4jError): boolean {
  // The code of a connection that ends while it is being reset, and of a wrong parameter.
  if (code === 'ProtocolError') return CUT_OFF.test(message);
  return STOPPED.test(code);
}

const AWAY =
  /^(ServiceUnavailable|SessionExpired|N\/A|Neo\.TransientError\.(General|Database)\..*)$/;
const TIMED_OUT =
  /^Neo\.(Client|Transient)Error\.Transaction\.(TransactionTimedOut.*|Terminated|LockClientStopped)$/;
const CUT_OFF = /connection was closed|response for RESET/i;
// A database that found no room for a write fails its commit, and then every transaction until it
// is started again (docs/decisions/0080).
const STOPPED = /^Neo\.DatabaseError\.Transaction\.Transaction(StartFailed|CommitFailed|LogError)$/;
