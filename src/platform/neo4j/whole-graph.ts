import { setTimeout } from 'node:timers/promises';
import neo4j, { type Driver, Neo4jError, type Session, type Transaction } from 'neo4j-driver';
import { z } from 'zod';
import { type Backoff, backoffMs } from '../../common/backoff.ts';
import { type GraphSettings, isTimedOut } from './graph.ts';
import { parseRow } from './row.ts';
import { cypher } from './statement.ts';
import { decodeStored, encodeStored } from './stored-value.ts';

/** A node as an archive holds it. `id` is Neo4j's own, valid within one reading. */
export const StoredNode = z.strictObject({
  id: z.int(),
  labels: z.array(z.string()),
  /** As of `encodeStored`. */
  properties: z.record(z.string(), z.unknown()),
});
export type StoredNode = z.infer<typeof StoredNode>;

export const StoredRelationship = z.strictObject({
  from: z.int(),
  to: z.int(),
  type: z.string(),
  properties: z.record(z.string(), z.unknown()),
});
export type StoredRelationship = z.infer<typeof StoredRelationship>;

/** The whole database, past owners and labels; for backups only. */
export interface WholeGraph {
  /**
   * Runs `read` while no other transaction can commit a change. Changes wait, for `limitMs` at
   * most.
   * @throws FreezeFailed when the time was too short; NewKindFound when a record of a new kind came
   *   in meanwhile: it was not locked, so the reading may be torn and has to be done again
   */
  frozen<T>(limitMs: number, read: () => Promise<T>): Promise<T>;
  nodes(): AsyncIterable<StoredNode>;
  relationships(): AsyncIterable<StoredRelationship>;
  /** Number of nodes without the given label. */
  countNodesBut(label: string): Promise<number>;
  /** Adds nodes and returns their ids in this database, in the same order. */
  insertNodes(nodes: readonly StoredNode[]): Promise<number[]>;
  /** Adds relationships between ids of this database. */
  insertRelationships(relationships: readonly StoredRelationship[]): Promise<void>;
  /** Deletes all nodes without the given label. */
  clearBut(label: string): Promise<void>;
  close(): Promise<void>;
}

/** The graph could not be read while changes waited. */
export class FreezeFailed extends Error {
  override readonly name = 'FreezeFailed';
}

/** The first record of its label or type was written while the graph was read. */
export class NewKindFound extends FreezeFailed {}

const READ_TIMEOUT_MS = 24 * 60 * 60 * 1_000;
const WRITE_TIMEOUT_MS = 10 * 60 * 1_000;
const ROWS_AT_ONCE = 2_000;
const NODES_PER_DELETION = 10_000;
/** After deadlocks with changes, the locks are asked for again for this time. */
const FREEZE_TRIES_MS = 5 * 60 * 1_000;
const FREEZE_BACKOFF: Backoff = { firstMs: 200, maxMs: 1_000 };

const LIST_NODES = cypher`
  // listAllNodes
  MATCH (n) RETURN id(n) AS id, labels(n) AS labels, properties(n) AS properties
`;

const LIST_RELATIONSHIPS = cypher`
  // listAllRelationships
  MATCH (a)-[r]->(b) RETURN id(a) AS from, id(b) AS to, type(r) AS type, properties(r) AS properties
`;

const COUNT_NODES = cypher`
  // countNodesBut
  MATCH (n) WHERE NOT $label IN labels(n) RETURN count(n) AS count
`;

const INSERT_NODES = cypher`
  // insertStoredNodes
  UNWIND range(0, size($nodes) - 1) AS place
  WITH place, $nodes[place] AS node
  CREATE (n:$(node.labels)) SET n = node.properties
  RETURN place, id(n) AS id ORDER BY place
`;

const INSERT_RELATIONSHIPS = cypher`
  // insertStoredRelationships
  UNWIND $relationships AS relationship
  MATCH (a) WHERE id(a) = relationship.from
  MATCH (b) WHERE id(b) = relationship.to
  CREATE (a)-[r:$(relationship.type)]->(b) SET r = relationship.properties
`;

const CLEAR = cypher`
  // clearBut
  MATCH (n) WHERE NOT $label IN labels(n)
  WITH n LIMIT $limit
  DETACH DELETE n
  RETURN count(*) AS count
`;

const LIST_KINDS = cypher`
  // listKindsOfRecords
  CALL db.labels() YIELD label RETURN 'label' AS kind, label AS name
  UNION CALL db.relationshipTypes() YIELD relationshipType
    RETURN 'type' AS kind, relationshipType AS name
`;

const RawRow = {
  properties: z.record(z.string(), z.unknown()),
};
const NodeRow = z.object({ id: z.int(), labels: z.array(z.string()), ...RawRow });
const RelationshipRow = z.object({ from: z.int(), to: z.int(), type: z.string(), ...RawRow });
const KindRow = z.object({ kind: z.enum(['label', 'type']), name: z.string() });
const CountRow = z.object({ count: z.int() });
const PlaceRow = z.object({ place: z.int(), id: z.int() });

export function openWholeGraph(settings: GraphSettings): WholeGraph {
  // Integers stay apart from floats here, unlike in `openGraph`.
  const driver = neo4j.driver(settings.uri, neo4j.auth.basic(settings.user, settings.password), {
    userAgent: 'aiden-backup',
    telemetryDisabled: true,
    notificationFilter: { minimumSeverityLevel: 'OFF' },
  });
  return new Neo4jWholeGraph(driver, settings.database ?? 'neo4j');
}

class Neo4jWholeGraph implements WholeGraph {
  readonly #driver: Driver;
  readonly #database: string;

  constructor(driver: Driver, database: string) {
    this.#driver = driver;
    this.#database = database;
  }

  async frozen<T>(limitMs: number, read: () => Promise<T>): Promise<T> {
    const session = this.#session();
    try {
      const { tx, kinds } = await this.#freeze(session, limitMs);
      try {
        const value = await read();
        // Fails where Neo4j has ended the transaction, and its locks, before the reading was over.
        await tx.run('RETURN 1');
        if ([...(await this.#kinds())].some((kind) => !kinds.has(kind)))
          throw new NewKindFound(
            'Records of a new kind came in while the graph was read. Try again.',
          );
        return value;
      } catch (error) {
        throw isTimedOut(error) ? tooSlow(limitMs) : error;
      } finally {
        await tx.close().catch(() => {});
      }
    } finally {
      await session.close();
    }
  }

  /**
   * Locks every label and type against changes. A schema statement holds such a lock until its
   * transaction ends, and the rollback leaves no index behind.
   */
  async #freeze(
    session: Session,
    limitMs: number,
  ): Promise<{ tx: Transaction; kinds: ReadonlySet<string> }> {
    const triesEndMs = performance.now() + FREEZE_TRIES_MS;
    for (let tries = 1; ; tries++) {
      const tx = session.beginTransaction({ timeout: limitMs });
      try {
        return { tx, kinds: await this.#lockAll(tx) };
      } catch (error) {
        await tx.close().catch(() => {});
        if (isTimedOut(error)) throw tooSlow(limitMs);
        // Usually a deadlock with a change. No change waits between tries. A server that is gone is
        // not waited for.
        if (!isTransient(error) || performance.now() > triesEndMs) throw error;
        await setTimeout(backoffMs(FREEZE_BACKOFF, tries));
      }
    }
  }

  /** Locks each kind of record, and each that appears while the others are locked. */
  async #lockAll(tx: Transaction): Promise<ReadonlySet<string>> {
    const locked = new Set<string>();
    for (;;) {
      const open = [...(await this.#kinds())].filter((kind) => !locked.has(kind));
      if (open.length === 0) return locked;
      // All at once: the server then takes the locks without waiting for us in between.
      await Promise.all(open.map((statement) => tx.run(statement)));
      for (const statement of open) locked.add(statement);
    }
  }

  /** The statements that lock each label and type that the database knows. */
  async #kinds(): Promise<ReadonlySet<string>> {
    const rows = await this.#rows(LIST_KINDS, {}, READ_TIMEOUT_MS);
    return new Set(
      rows.map((row) => {
        const { kind, name } = parseRow(KindRow, row, 'kind of record');
        const quoted = `\`${name.replaceAll('`', '``')}\``;
        const place = kind === 'label' ? `(n:${quoted})` : `()-[n:${quoted}]-()`;
        return `// freeze\nCREATE INDEX FOR ${place} ON (n.aidenFrozen)`;
      }),
    );
  }

  async *nodes() {
    for await (const row of this.#stream(LIST_NODES)) {
      const { properties, ...node } = parseRow(NodeRow, row, 'node');
      yield { ...node, properties: encoded(properties) };
    }
  }

  async *relationships() {
    for await (const row of this.#stream(LIST_RELATIONSHIPS)) {
      const { properties, ...relationship } = parseRow(RelationshipRow, row, 'relationship');
      yield { ...relationship, properties: encoded(properties) };
    }
  }

  async countNodesBut(label: string): Promise<number> {
    const [row] = await this.#rows(COUNT_NODES, { label }, READ_TIMEOUT_MS);
    return parseRow(CountRow, row, 'count').count;
  }

  async insertNodes(nodes: readonly StoredNode[]): Promise<number[]> {
    const params = {
      nodes: nodes.map(({ labels, properties }) => ({ labels, properties: decoded(properties) })),
    };
    const rows = await this.#rows(INSERT_NODES, params, WRITE_TIMEOUT_MS);
    return rows.map((row) => parseRow(PlaceRow, row, 'node').id);
  }

  async insertRelationships(relationships: readonly StoredRelationship[]): Promise<void> {
    const params = {
      relationships: relationships.map(({ from, to, type, properties }) => ({
        ...{ from: neo4j.int(from), to: neo4j.int(to), type },
        properties: decoded(properties),
      })),
    };
    await this.#rows(INSERT_RELATIONSHIPS, params, WRITE_TIMEOUT_MS);
  }

  async clearBut(label: string): Promise<void> {
    for (let count = 1; count > 0; ) {
      const params = { label, limit: neo4j.int(NODES_PER_DELETION) };
      const [row] = await this.#rows(CLEAR, params, WRITE_TIMEOUT_MS);
      count = parseRow(CountRow, row, 'count').count;
    }
  }

  close(): Promise<void> {
    return this.#driver.close();
  }

  #session(fetchSize = ROWS_AT_ONCE): Session {
    return this.#driver.session({ database: this.#database, fetchSize });
  }

  async #rows(cypher: string, params: object, timeout: number): Promise<object[]> {
    const session = this.#session();
    try {
      const { records } = await session.run(cypher, params, { timeout });
      return records.map((record) => withNumbers(record.toObject()));
    } finally {
      await session.close();
    }
  }

  /** Rows one by one, in batches of the connection, so that the graph need not fit into memory. */
  async *#stream(cypher: string): AsyncGenerator<object> {
    const session = this.#session();
    try {
      for await (const record of session.run(cypher, {}, { timeout: READ_TIMEOUT_MS }))
        yield withNumbers(record.toObject());
    } finally {
      await session.close();
    }
  }
}

const tooSlow = (limitMs: number): FreezeFailed =>
  new FreezeFailed(
    `The graph could not be read within ${limitMs / 1_000} s, the longest time that changes ` +
      'may wait.',
  );

const isTransient = (error: unknown): boolean =>
  error instanceof Neo4jError && error.code.startsWith('Neo.TransientError.');

/** Ids and counts as numbers; properties keep the driver's types. */
const withNumbers = (row: object): object =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, neo4j.isInt(value) ? value.toNumber() : value]),
  );

const encoded = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  mapValues(properties, encodeStored);

const decoded = (properties: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  mapValues(properties, decodeStored);

const mapValues = (
  properties: Readonly<Record<string, unknown>>,
  change: (value: unknown) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, change(value)]));
