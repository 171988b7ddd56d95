import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Graph } from './graph.ts';
import { cypher } from './statement.ts';

export interface Migration {
  readonly version: string;
  readonly name: string;
  readonly checksum: string;
  readonly statements: readonly string[];
}

const FOLDER = new URL('./migrations/', import.meta.url);
const FILE = /^V(\d{3})__([a-z0-9-]+)\.cypher$/;

/** Reads `V001__name.cypher` files in order. A statement ends with `;` at the end of a line. */
export async function loadMigrations(): Promise<Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => FILE.test(file)).sort();
  return Promise.all(
    files.map(async (file) => {
      const [, version = '', name = ''] = FILE.exec(file) ?? [];
      const text = await readFile(new URL(file, FOLDER), 'utf8');
      const statements = text
        .split(/;\s*$/m)
        .map((statement) => statement.replace(/^\s*\/\/.*$/gm, '').trim())
        .filter((statement) => statement !== '');
      return {
        version,
        name,
        checksum: createHash('sha256').update(text).digest('hex'),
        statements,
      };
    }),
  );
}

/**
 * Brings the database to the newest schema and returns the applied versions. Safe from several
 * processes at once: schema statements are idempotent (IF NOT EXISTS), and each version's record is
 * unique.
 * @param migrations default: all of this version
 * @throws Error when an applied migration has changed, or when a newer version has changed the
 * graph
 */
export async function migrate(graph: Graph, migrations?: readonly Migration[]): Promise<string[]> {
  const wanted = migrations ?? (await loadMigrations());
  await graph.write((tx) =>
    tx.run(`// migrationConstraint
      CREATE CONSTRAINT migration_version IF NOT EXISTS FOR (m:Migration)
        REQUIRE m.version IS UNIQUE`),
  );
  const applied = await findApplied(graph);
  if (migrations === undefined) refuseNewer(applied, wanted);
  // In an empty graph there is no stored data to change.
  const isEmpty = applied.size === 0 && (await graph.read((tx) => tx.run(ANY_NODE))).length === 0;
  const done: string[] = [];
  for (const { version, name, checksum, statements } of wanted) {
    const known = applied.get(version)?.checksum;
    if (known === checksum) continue;
    if (known !== undefined)
      throw new Error(
        `Migration V${version}__${name}.cypher has changed since it was applied. Restore it ` +
          'and put the change in a new migration.',
      );
    const needed = statements.filter((statement) => !isEmpty || !changesStoredData(statement));
    for (const group of inTransactions(needed)) await runGroup(graph, group);
    await graph.write((tx) =>
      tx.run(
        `// recordMigration
        MERGE (m:Migration {version: $version})
        ON CREATE SET m.name = $name, m.checksum = $checksum, m.appliedAt = datetime(),
          m.readByOlder = $readByOlder`,
        { version, name, checksum, readByOlder: statements.every(addsAnIndex) },
      ),
    );
    done.push(`V${version}__${name}`);
  }
  await indexesArePopulated(graph);
  return done;
}

interface Applied {
  readonly checksum: unknown;
  /** An older version may start beside it: the migration added indexes only. */
  readonly readByOlder: boolean;
}

const FIND_APPLIED = cypher`
  // findMigrations
  MATCH (m:Migration)
  RETURN m.version AS version, m.checksum AS checksum, m.readByOlder AS readByOlder
`;

async function findApplied(graph: Graph): Promise<Map<string, Applied>> {
  const rows = await graph.read((tx) => tx.run(FIND_APPLIED));
  return new Map(
    rows.map(({ version, checksum, readByOlder }) => [
      String(version),
      { checksum, readByOlder: readByOlder === true },
    ]),
  );
}

/** An index changes no answer, so an older version runs with it as before. */
const addsAnIndex = (statement: string): boolean => /^CREATE\s[A-Z\s]*INDEX\s/.test(statement);

/**
 * The migrations of this version that the database does not have yet.
 * @throws Error when a newer version has changed the graph
 */
export async function pendingMigrations(graph: Graph): Promise<string[]> {
  const [wanted, applied] = await Promise.all([loadMigrations(), findApplied(graph)]);
  refuseNewer(applied, wanted);
  return wanted
    .filter(({ version }) => !applied.has(version))
    .map(({ version, name }) => `V${version}__${name}`);
}

/** Migrations are forward only. An older version would misread newer data. */
function refuseNewer(applied: ReadonlyMap<string, Applied>, known: readonly Migration[]): void {
  const newer = [...applied].flatMap(([version, { readByOlder }]) =>
    /^\d{3}$/.test(version) && !readByOlder && !known.some((one) => one.version === version)
      ? [version]
      : [],
  );
  if (newer.length === 0) return;
  throw new Error(
    `A newer version has changed this graph (migration V${newer.join(', V')}). Start that ` +
      'version, or restore a backup of before the upgrade.',
  );
}

const ANY_NODE = cypher`
  // findAnyNode
  MATCH (n) RETURN 1 AS found LIMIT 1
`;

/** A statement with `$after` changes one batch of stored data; see `changeStoredData`. */
const changesStoredData = (statement: string): boolean => statement.includes('$after');

const SCHEMA = /^(CREATE|DROP)\s[A-Z\s]*(INDEX|CONSTRAINT)\s/;

/**
 * Statements that follow each other and may share a transaction: schema statements. Neo4j allows no
 * others beside them, and a transaction for each index costs twice the time.
 */
function inTransactions(statements: readonly string[]): string[][] {
  const groups: string[][] = [];
  for (const statement of statements) {
    const last = groups.at(-1);
    const isSchema = SCHEMA.test(statement);
    if (isSchema && last?.[0] !== undefined && SCHEMA.test(last[0])) last.push(statement);
    else groups.push([statement]);
  }
  return groups;
}

async function runGroup(graph: Graph, statements: readonly string[]): Promise<void> {
  const [first = ''] = statements;
  if (changesStoredData(first)) return changeStoredData(graph, first);
  try {
    await graph.write(async (tx) => {
      for (const statement of statements) await tx.run(`// migrate\n${statement}`);
    });
  } catch (error) {
    if (!wasMadeMeanwhile(error) || !statements.every((one) => /IF (NOT )?EXISTS/.test(one)))
      throw error;
    // The other process may have made only some of them.
    if (statements.length > 1) for (const one of statements) await runGroup(graph, [one]);
  }
}

/**
 * Runs a statement that changes one batch of stored data, ordered by a text, and returns the text
 * of the last row of the batch as `after`. It runs again, each time in its own transaction, until
 * `after` is null. Such a statement must be idempotent: a crash between two batches repeats it from
 * the start.
 */
async function changeStoredData(graph: Graph, statement: string): Promise<void> {
  for (let after: unknown = ''; typeof after === 'string'; ) {
    const from = after;
    const [row] = await graph.write((tx) => tx.run(`// migrate\n${statement}`, { after: from }));
    after = row?.['after'];
  }
}

/**
 * IF NOT EXISTS misses an index that another process creates at the same moment. And where another
 * process, or a start that was cut off, went on to replace an index by a constraint, the index
 * can't be dropped any more.
 */
function wasMadeMeanwhile(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return (
    /\.Schema\.\w+AlreadyExists$/.test(String(error.code)) ||
    /Index belongs to constraint/.test(error.message)
  );
}

/** A larger index may take longer. It is then populated while the product runs. */
const POPULATED_WITHIN_MS = 60_000;

/**
 * Waits until Neo4j has populated every index. CREATE INDEX returns earlier, and until then the
 * planner ignores the index, even with a hint, and scans the label.
 */
async function indexesArePopulated(graph: Graph): Promise<void> {
  const endMs = performance.now() + POPULATED_WITHIN_MS;
  while (performance.now() < endMs) {
    const populating = await graph.read((tx) => tx.run(POPULATING_INDEXES));
    if (populating.length === 0) return;
    await setTimeout(50);
  }
}

const POPULATING_INDEXES = cypher`
  // findPopulatingIndexes
  SHOW INDEXES YIELD name, state WHERE state = 'POPULATING' RETURN name
`;
