import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import neo4j, {
  type Driver,
  isDateTime,
  isRetryableError,
  type QueryResult,
  type SessionMode,
} from 'neo4j-driver';
import { DamagedRow } from '../../common/stored.ts';
import { inChildSpan } from '../telemetry/tracing.ts';
import { inOneParameter } from './one-parameter.ts';
import { RETRY_MS, tuneDriver, tuneSession, withoutStack } from './tuning.ts';

/** A row as it leaves the driver: plain JSON-like values only, times as RFC 3339 text in UTC. */
export type Row = Readonly<Record<string, unknown>>;
export type Params = Readonly<Record<string, unknown>>;

/** Statements that may only read, each seeing all that is committed by then and what those before it saw. */
export interface ReadTx {
  /**
   * Runs one statement. `undefined` parameters become null.
   * @param areWhole Neo4j applies a commit piece by piece, and a statement may see some pieces and not yet the others. Where the rows
   * can show that ("completed" without an output), this says so, and the statement is run again, for GraphSettings.appliedWithinMs; then
   * they are taken as they are (docs/decisions/0014).
   */
  run(
    cypher: string,
    params?: Params,
    areWhole?: (rows: readonly Row[]) => boolean,
  ): Promise<Row[]>;
}

declare const mayWrite: unique symbol;
/** A transaction that may write. Distinct from ReadTx, so that a query can't be handed a write by mistake. */
export interface WriteTx extends ReadTx {
  readonly [mayWrite]: true;
}

export interface StatementInfo {
  /** The statement's own name: the first comment line in it (`// findTools`). */
  readonly name: string;
  readonly cypher: string;
  readonly ms: number;
}

/** The one handle on Neo4j. Work is retried on transient faults (deadlocks, a lost leader), so it must be free of side effects. */
export interface Graph {
  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
  /** All of it in one transaction. */
  write<T>(work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** A write of one statement, which commits by itself and so saves a round trip. @throws Error at a second one */
  writeAlone<T>(work: (tx: WriteTx) => Promise<T>): Promise<T>;
  /** Counts the statements run inside `work`, across awaits; what the N+1 tests and the request log use. */
  counting<T>(work: () => Promise<T>): Promise<{ value: T; statements: StatementInfo[] }>;
  /** Calls back after every statement, for metrics; returns how to stop. */
  onStatement(listener: (info: StatementInfo) => void): () => void;
  verify(): Promise<{ version: string; edition: string }>;
  close(): Promise<void>;
}

export interface GraphSettings {
  readonly uri: string;
  readonly user: string;
  readonly password: string;
  readonly database?: string;
  readonly poolSize?: number;
  /** How long a read that sees a part of a commit waits for the rest; see ReadTx.run. Default 2,000. */
  readonly appliedWithinMs?: number;
}

export function openGraph(settings: GraphSettings): Graph {
  const driver = neo4j.driver(settings.uri, neo4j.auth.basic(settings.user, settings.password), {
    disableLosslessIntegers: true,
    maxConnectionPoolSize: settings.poolSize ?? 100,
    connectionAcquisitionTimeout: 30_000,
    maxTransactionRetryTime: RETRIED_FOR_MS,
    userAgent: 'aiden',
    telemetryDisabled: true,
    // Hints for whoever types Cypher by hand; nobody reads them here.
    notificationFilter: { minimumSeverityLevel: 'OFF' },
  });
  tuneDriver(driver);
  return graphOver(driver, settings.database ?? 'neo4j', settings.appliedWithinMs ?? 2_000);
}

/** Faults that pass are tried again for so long. */
const RETRIED_FOR_MS = 30_000;
/** The first wait for the rest of a commit; each after it is twice as long. */
const APPLYING_MS = 2;
const always = () => true;
const METADATA = { metadata: { app: 'aiden' } };
type Send = (cypher: string, values: Record<string, unknown>) => PromiseLike<QueryResult>;

function graphOver(driver: Driver, database: string, appliedWithinMs: number): Graph {
  const counted = new AsyncLocalStorage<StatementInfo[]>();
  const listeners = new Set<(info: StatementInfo) => void>();
  // On a single server too: a read may see a commit that is still being applied, the counter of the outbox before its entries, say.
  // With its bookmark the next one begins after all of that commit is there.
  const bookmarkManager = neo4j.bookmarkManager();

  const wrap = (send: Send): WriteTx =>
    ({
      async run(cypher: string, params: Params = {}, areWhole = always) {
        const startedMs = performance.now();
        const name = nameOf(cypher);
        try {
          const values = { ...ownParams(cypher, params), p: toParams(params) };
          for (let restMs = APPLYING_MS, restedMs = 0; ; restMs *= 2) {
            const result = await traced(name, () =>
              withoutStack(() => send(inOneParameter(cypher), values)),
            );
            const rows = result.records.map((record) =>
              Object.fromEntries(record.keys.map((key) => [key, toPlain(record.get(key))])),
            );
            if (restedMs >= appliedWithinMs || areWhole(rows)) return rows;
            await setTimeout(restMs);
            restedMs += restMs;
          }
        } catch (error) {
          if (error instanceof Error) error.stack = `${error.stack}\n    at statement ${name}`;
          throw error;
        } finally {
          const info = { name, cypher, ms: performance.now() - startedMs };
          counted.getStore()?.push(info);
          for (const listener of listeners) listener(info);
        }
      },
    }) as WriteTx;

  /** Runs each statement by itself: those of one transaction have no common view in Neo4j either, and it costs a round trip. */
  const alone =
    (mode: SessionMode): Send =>
    async (cypher, values) => {
      const untilMs = performance.now() + RETRIED_FOR_MS;
      for (let restMs = RETRY_MS; ; restMs *= 2) {
        const session = driver.session({ database, bookmarkManager, defaultAccessMode: mode });
        try {
          return await session.run(cypher, values, METADATA);
        } catch (error) {
          const isHopeless = !(error instanceof Error) || !isRetryableError(error);
          if (isHopeless || performance.now() + restMs > untilMs) throw error;
        } finally {
          await session.close();
        }
        await setTimeout(restMs * (0.8 + 0.4 * Math.random()));
      }
    };

  /** Refuses what would not be one transaction. */
  function once(send: Send): Send {
    let isSent = false;
    return (cypher, values) => {
      if (isSent) throw new Error('A write of one statement runs another one.');
      isSent = true;
      return send(cypher, values);
    };
  }

  return {
    async read(work) {
      // A row may look damaged while its commit is still being applied (docs/decisions/0014), so the work is done again.
      for (let restMs = APPLYING_MS, restedMs = 0; ; restMs *= 2) {
        try {
          return await work(wrap(alone(neo4j.session.READ)));
        } catch (error) {
          if (!(error instanceof DamagedRow) || restedMs >= appliedWithinMs) throw error;
        }
        await setTimeout(restMs);
        restedMs += restMs;
      }
    },
    async write(work) {
      const session = driver.session({ database, bookmarkManager });
      tuneSession(session);
      try {
        return await session.executeWrite(
          (tx) => work(wrap((cypher, values) => tx.run(cypher, values))),
          METADATA,
        );
      } finally {
        await session.close();
      }
    },
    writeAlone: (work) => work(wrap(once(alone(neo4j.session.WRITE)))),
    async counting(work) {
      const statements: StatementInfo[] = [];
      const value = await counted.run(statements, work);
      return { value, statements };
    },
    onStatement(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async verify() {
      const { records } = await driver.executeQuery(
        'CALL dbms.components() YIELD versions, edition RETURN versions[0] AS version, edition',
        {},
        { database, routing: 'READ' },
      );
      return {
        version: String(records[0]?.get('version')),
        edition: String(records[0]?.get('edition')),
      };
    },
    close: () => driver.close(),
  };
}

/** The name of the constraint a write broke, or null where the error is another one. */
export function brokenConstraint(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (error.code !== 'Neo.ClientError.Schema.ConstraintValidationFailed') return null;
  return error.message;
}

// Only under a request or an activity: the relay's own looks would begin some dozens of traces a second.
const traced = <T>(name: string, run: () => PromiseLike<T>): Promise<T> =>
  inChildSpan(
    `cypher ${name}`,
    {
      kind: 'client',
      attributes: { 'db.system.name': 'neo4j', 'db.operation.name': name },
    },
    async () => run(),
  );

function nameOf(cypher: string): string {
  return /\/\/\s*(\S+)/.exec(cypher)?.[1] ?? 'unnamed';
}

/** A schema command's options have to be a parameter of their own. */
function ownParams(cypher: string, params: Params): Record<string, unknown> {
  return cypher.includes('OPTIONS $') ? toParams(params) : {};
}

function toParams(params: Params): Record<string, unknown> {
  return Object.fromEntries(Object.entries(params).map(([key, value]) => [key, toParam(value)]));
}

// JavaScript numbers go to Neo4j as FLOAT; counts and limits have to arrive as INTEGER.
function toParam(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? neo4j.int(value) : value;
  if (Array.isArray(value)) return value.map(toParam);
  if (value instanceof Float) return value.value;
  if (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
  ) {
    return toParams(value as Params);
  }
  return value;
}

/** A number that has to be stored as FLOAT although it may be whole (weights, vectors, money). */
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
  // What the driver made of a row is nobody else's, so lists and maps are mended where they are.
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
